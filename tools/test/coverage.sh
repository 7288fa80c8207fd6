#!/usr/bin/env bash
# Lines and branches of the code that reads untrusted bytes, and how many the tests reach
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

folders=(kernels/roaring kernels/puffin kernels/delta)
least_lines=98
least_branches=95

need clang++-14 llvm-profdata-14 llvm-cov-14 "coverage"
export DVK_TEST_CASES=${DVK_TEST_CASES:-0.1}
configure build-coverage -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" \
  -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14 \
  "-DCMAKE_CXX_FLAGS=-fprofile-instr-generate -fcoverage-mapping" \
  -DDVK_BUILD_TESTS=ON -DDVK_BUILD_TOOLS=ON -DDVK_BUILD_BENCH=OFF -DDVK_INSTALL=OFF
build build-coverage

# A few files for all processes, which add their counts up there.
profiles=$root/build-coverage/profiles
rm -rf "$profiles"
LLVM_PROFILE_FILE=$profiles/%2m.profraw run_ctest build-coverage "tests with coverage" \
  -L '^(unit|format|hostile|faults)$' --no-tests=error
llvm-profdata-14 merge -sparse "$profiles"/*.profraw -o "$profiles/all.profdata"

objects=(build-coverage/tools/dvk) # the first has no option before it
for program in build-coverage/tests/{unit,format,hostile,faults}_*[!e]; do
  objects+=(-object "$program")
done
llvm-cov-14 export -summary-only -instr-profile "$profiles/all.profdata" "${objects[@]}" \
  >"$profiles/summary.json"
if python3 tools/test/coverage.py "$profiles/summary.json" "$least_lines" "$least_branches" "${folders[@]}"; then
  passed "coverage: at least $least_lines % of lines and $least_branches % of branches"
else
  failed "coverage below $least_lines % of lines or $least_branches % of branches"
  printf '         where: llvm-cov-14 show -show-branches=count -instr-profile %s %s FILE\n' \
    "$profiles/all.profdata" "${objects[*]}"
  exit 1
fi
