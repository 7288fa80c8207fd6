# shellcheck shell=bash
# The whole of a cross-compiled stage: kernels and their tests, built for another processor, statically,
# and run with fewer random cases.

# cross_stage PROCESSOR EMULATOR [CMAKE OPTION...]: EMULATOR is the program that the tests run under, or env.
cross_stage() {
  local processor=$1 emulator=$2 folder=build-$1
  shift 2
  need "$processor-linux-gnu-g++" "$emulator" "tests built for $processor"
  if [ ! -f /usr/src/googletest/googletest/CMakeLists.txt ]; then
    skipped "tests built for $processor: no GoogleTest sources in /usr/src/googletest"
    return 0
  fi
  export DVK_TEST_CASES=${DVK_TEST_CASES:-0.05}
  configure "$folder" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="tools/cmake/$processor-linux-gnu.cmake" \
    -DDVK_BUILD_PUFFIN=OFF -DDVK_BUILD_BUILDER=OFF -DDVK_BUILD_C=OFF \
    -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF "$@"
  build "$folder"
  run_ctest "$folder" "$processor" -L '^(unit|variants|fuzz-replay)$' --no-tests=error
}
