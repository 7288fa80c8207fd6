#!/usr/bin/env bash
# Big-endian: cross build for s390x (scalar tier), tests under qemu
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

need s390x-linux-gnu-g++ qemu-s390x "s390x under qemu"
if [ ! -f /usr/src/googletest/googletest/CMakeLists.txt ]; then
  skipped "s390x under qemu: no GoogleTest sources in /usr/src/googletest"
  exit 0
fi
export DVK_TEST_CASES=${DVK_TEST_CASES:-50}

configure build-s390x -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=tools/cmake/s390x-linux-gnu.cmake \
  -DDVK_BUILD_PUFFIN=OFF -DDVK_BUILD_BUILDER=OFF -DDVK_BUILD_C=OFF \
  -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF
build build-s390x
run_ctest build-s390x "s390x" -L '^(unit|variants)$' --no-tests=error
