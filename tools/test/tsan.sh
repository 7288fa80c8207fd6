#!/usr/bin/env bash
# The tests with threads under ThreadSanitizer
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
export DVK_TEST_CASES=${DVK_TEST_CASES:-0.2}

configure build-tsan -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" -DDVK_SANITIZE=thread \
  -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF
build build-tsan dispatch_threads
# Where addresses are randomised more than its shadow map allows, it needs that switched off.
if setarch -R true 2>/dev/null; then
  ctest_with=(setarch -R)
fi
run_ctest build-tsan "TSan" -L '^threads$'
