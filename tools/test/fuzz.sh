#!/usr/bin/env bash
# A short run of each fuzz target, from its corpus, under ASan and UBSan
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/fuzzing.sh"

need clang++-14 "fuzz targets"
configure build-fuzz -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" "${clang[@]}" -DDVK_SANITIZE=address,undefined \
  -DDVK_BUILD_FUZZ=ON -DDVK_BUILD_TESTS=OFF -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF
build build-fuzz
run_fuzz_targets build-fuzz "${DVK_FUZZ_SECONDS:-20}"
