# shellcheck shell=bash
# What the stages share: each sources this file first. A stage reports through passed, failed and
# skipped; run_ctest does that itself. Everything is built below build*/, which git ignores.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034 # for the stages
jobs=${DVK_JOBS:-$(nproc)}
ctest_with=() # a command to run ctest under
export CTEST_OUTPUT_ON_FAILURE=1
cd "$root"

record() {
  if [ -n "${DVK_STAGE_RESULTS:-}" ]; then
    printf '%d %d %d\n' "$1" "$2" "$3" >>"$DVK_STAGE_RESULTS"
  fi
}
passed() { printf 'passed   %s\n' "$*"; record 1 0 0; }
failed() { printf 'FAILED   %s\n' "$*"; record 0 1 0; }
skipped() { printf 'SKIPPED  %s\n' "$*"; record 0 0 1; }

# need COMMAND... PURPOSE: ends the stage as skipped unless the commands exist.
need() {
  local purpose=${*: -1} command
  for command in "${@:1:$#-1}"; do
    if ! command -v "$command" >/dev/null; then
      skipped "$purpose: $command is not installed"
      exit 0
    fi
  done
}

# configure FOLDER [CMAKE OPTION...]: options of an earlier run in the same folder stay.
configure() {
  local folder=$1
  local -a generator=()
  shift
  [ -f "$folder/CMakeCache.txt" ] || generator=(-G Ninja)
  mkdir -p "$folder"
  quietly "$folder/configure.log" cmake -S . -B "$folder" "${generator[@]}" "$@"
}

# build FOLDER [TARGET]
build() {
  local folder=$1
  shift
  quietly "$folder/build.log" cmake --build "$folder" -j "$jobs" ${1:+--target "$1"}
}

# Runs a command and shows its output only if it fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 && return 0
  printf 'FAILED   %s\n' "$*"
  # The first errors of a compiler or of CMake, or else the end.
  grep -E -A 12 '^FAILED:|CMake Error|undefined reference|(^|: )(fatal )?error:' "$log" >"$log.errors" ||
    tail -n 30 "$log" >"$log.errors"
  head -n 60 "$log.errors"
  printf '         the whole output is in %s\n' "$log"
  return 1
}

# run_ctest FOLDER TITLE [CTEST OPTION...]: shows failures, skips and the sum, and reports the counts.
# No test at all counts as skipped, or with --no-tests=error as failed.
run_ctest() {
  local folder=$1 title=$2 report=$1/ctest.xml status=0 tests failures skips
  shift 2
  rm -f "$report"
  "${ctest_with[@]}" ctest --test-dir "$folder" -j "$jobs" --timeout 900 --no-tests=ignore \
    --no-label-summary --output-junit "$root/$report" "$@" 2>&1 |
    { grep -vE ' +Passed +[0-9.]+ sec$|Skipped +[0-9.]+ sec$|^ +Start +[0-9]+:|^Internal ctest|^Test project|^$' || true; } |
    sed 's/\.\.\.\.*/.../' || status=$?
  tests=$(junit_count tests "$report")
  failures=$(junit_count failures "$report")
  skips=$(($(junit_count skipped "$report") + $(junit_count disabled "$report")))
  if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then
    # For example a test whose program is missing, which the report calls skipped.
    failed "$title: ctest ended with exit code $status"
    return 1
  fi
  if [ "$tests" -eq 0 ]; then
    skipped "$title: no such test in this tree"
    return 0
  fi
  printf '%-8s %s: %d of %d tests passed, %d skipped\n' "$([ "$failures" -eq 0 ] && echo passed || echo FAILED)" \
    "$title" $((tests - failures - skips)) "$tests" "$skips"
  record $((tests - failures - skips)) "$failures" "$skips"
  [ "$failures" -eq 0 ]
}

# An attribute of the report's testsuite element; 0 if there is none.
junit_count() {
  { grep -o -m 1 "^[[:space:]]*$1=\"[0-9]*\"" "$2" 2>/dev/null || echo '"0"'; } | head -n 1 | sed 's/.*"\([0-9]*\)"/\1/'
}
