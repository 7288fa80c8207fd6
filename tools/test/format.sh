#!/usr/bin/env bash
# Layout of all C and C++ sources, by clang-format
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

need clang-format-14 "layout of the sources"
mapfile -t sources < <(find bench include kernels tests tools -name '*.[ch]' -o -name '*.[ch]pp' | sort)
mapfile -t wrong < <(clang-format-14 --dry-run --style=file "${sources[@]}" 2>&1 |
  sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: .*/\1/p' | sort -u)
if [ "${#wrong[@]}" -eq 0 ]; then
  passed "layout of ${#sources[@]} files"
else
  failed "layout of ${#wrong[@]} of ${#sources[@]} files. Tidy up by: clang-format-14 -i ${wrong[*]}"
  exit 1
fi
