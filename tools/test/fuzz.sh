#!/usr/bin/env bash
# A minute of each fuzz target, two at a time, from its corpus, under ASan and UBSan
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/fuzzing.sh"

need clang++-14 python3 "fuzz targets"
build_fuzz_targets build-fuzz address,undefined
run_fuzz_targets build-fuzz "${DVK_FUZZ_SECONDS:-60}"
