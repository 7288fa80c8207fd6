#!/usr/bin/env bash
# clang-tidy over kernels and tools
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

need clang++-14 run-clang-tidy-14 "clang-tidy"
configure build-tidy -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DDVK_BUILD_TESTS=OFF -DDVK_BUILD_TOOLS=ON -DDVK_BUILD_BENCH=OFF
files=$(grep -cE '"file": "[^"]*/(kernels|tools)/' build-tidy/compile_commands.json || true)
if [ "$files" -eq 0 ]; then
  skipped "clang-tidy: nothing to check"
  exit 0
fi
if run-clang-tidy-14 -quiet -j "$jobs" -p build-tidy "^$root/(kernels|tools)/" >build-tidy/tidy.log 2>&1; then
  passed "clang-tidy over $files files"
else
  grep -E '(warning|error):' build-tidy/tidy.log | sort -u | head -n 60
  failed "clang-tidy; the whole output is in build-tidy/tidy.log"
  exit 1
fi
