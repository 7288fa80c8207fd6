#!/usr/bin/env bash
# Layout of all C and C++ sources, by clang-format
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

need clang-format-14 "layout of the sources"
mapfile -t sources < <(find bench include kernels tests tools -name '*.[ch]' -o -name '*.[ch]pp' | sort)
if clang-format-14 --dry-run -Werror --style=file "${sources[@]}"; then
  passed "layout of ${#sources[@]} files"
else
  failed "layout; tidy up by: clang-format-14 -i FILE..."
  exit 1
fi
