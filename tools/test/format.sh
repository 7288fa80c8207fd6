#!/usr/bin/env bash
# Layout of all C and C++ sources, by clang-format
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

need clang-format-14 "layout of the sources"
mapfile -t sources < <(find bench include kernels tests tools -name '*.[ch]' -o -name '*.[ch]pp' | sort)
wrong=()
# The output is compared: --dry-run also reports replacements that change nothing, as it does for
# the closing comment of `namespace a::inline b`.
for source in "${sources[@]}"; do
  clang-format-14 --style=file "$source" | cmp -s - "$source" || wrong+=("$source")
done
if [ "${#wrong[@]}" -eq 0 ]; then
  passed "layout of ${#sources[@]} files"
else
  failed "layout of ${#wrong[@]} of ${#sources[@]} files. Tidy up by: clang-format-14 -i ${wrong[*]}"
  exit 1
fi
