# shellcheck shell=bash
# The whole of a cross-compiled stage: kernels and their tests, built for another processor, statically,
# and run under qemu with fewer random cases.

# cross_stage PROCESSOR
cross_stage() {
  local processor=$1 folder=build-$1
  need "$processor-linux-gnu-g++" "qemu-$processor" "$processor under qemu"
  if [ ! -f /usr/src/googletest/googletest/CMakeLists.txt ]; then
    skipped "$processor under qemu: no GoogleTest sources in /usr/src/googletest"
    return 0
  fi
  export DVK_TEST_CASES=${DVK_TEST_CASES:-0.05}
  configure "$folder" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="tools/cmake/$processor-linux-gnu.cmake" \
    -DDVK_BUILD_PUFFIN=OFF -DDVK_BUILD_BUILDER=OFF -DDVK_BUILD_C=OFF \
    -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF
  build "$folder"
  run_ctest "$folder" "$processor" -L '^(unit|variants|fuzz-replay)$' --no-tests=error
}
