#!/usr/bin/env bash
# All tests under AddressSanitizer and UndefinedBehaviorSanitizer
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export DVK_TEST_CASES=${DVK_TEST_CASES:-0.2}

configure build-asan -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" -DDVK_SANITIZE=address,undefined \
  -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=ON -DDVK_BUILD_BENCH=OFF
build build-asan
# The audits of objects and of the installed tree are about the Release build; the golden files, thousands of
# processes, are read by the same code in the unit tests; the command line is run under a memory limit there; the
# fuzz targets have a stage of their own; the harness runs kernels that are broken on purpose.
run_ctest build-asan "ASan and UBSan" -LE '^(abi|install|interop|fuzz|fuzz-replay|golden|cli|harness)$' --no-tests=error
