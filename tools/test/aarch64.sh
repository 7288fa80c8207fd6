#!/usr/bin/env bash
# The NEON tier: cross build for AArch64, tests under qemu
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

need aarch64-linux-gnu-g++ qemu-aarch64 "aarch64 under qemu"
if [ ! -f /usr/src/googletest/googletest/CMakeLists.txt ]; then
  skipped "aarch64 under qemu: no GoogleTest sources in /usr/src/googletest"
  exit 0
fi
export DVK_TEST_CASES=${DVK_TEST_CASES:-50}

configure build-aarch64 -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=tools/cmake/aarch64-linux-gnu.cmake \
  -DDVK_BUILD_PUFFIN=OFF -DDVK_BUILD_BUILDER=OFF -DDVK_BUILD_C=OFF \
  -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF
build build-aarch64
run_ctest build-aarch64 "aarch64" -L '^(unit|variants)$' --no-tests=error
