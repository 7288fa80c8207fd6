#!/usr/bin/env bash
# The fuzz targets of the kernels under MemorySanitizer
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/fuzzing.sh"

# Only what links to nothing else: a library without instrumentation writes memory unseen.
need clang++-14 python3 "MemorySanitizer"
build_fuzz_targets build-msan memory -DDVK_BUILD_PUFFIN=OFF -DDVK_BUILD_BUILDER=OFF -DDVK_BUILD_C=OFF
run_fuzz_targets build-msan "${DVK_FUZZ_SECONDS:-10}"
