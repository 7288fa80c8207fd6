#!/usr/bin/env bash
# The fuzz targets of the kernels under MemorySanitizer
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/fuzzing.sh"

# Only what links to nothing else: a library without instrumentation writes memory unseen.
need clang++-14 "MemorySanitizer"
configure build-msan -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" "${clang[@]}" -DDVK_SANITIZE=memory \
  -DDVK_BUILD_FUZZ=ON -DDVK_BUILD_PUFFIN=OFF -DDVK_BUILD_BUILDER=OFF -DDVK_BUILD_C=OFF \
  -DDVK_BUILD_TESTS=OFF -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF
build build-msan
run_fuzz_targets build-msan "${DVK_FUZZ_SECONDS:-10}"
