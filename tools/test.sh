#!/usr/bin/env bash
# Sets up the machine and runs every test, stage by stage, the fast ones first.
#
#   tools/test.sh                 everything but the slow linter and coverage
#   tools/test.sh --all           those too: run it before a release
#   tools/test.sh --fast          build and unit tests only
#   tools/test.sh --stage NAME    this stage only (may be given several times)
#   tools/test.sh --list          the stages and what each does
#   --no-setup                    leave out tools/setup.sh
#
# A stage is a script in tools/test/. It stops nothing when it fails, except that nothing follows a
# failed build. The last line is "N passed, M failed, K skipped"; the exit code is 0 only if nothing failed.
# Environment: DVK_JOBS (default: the number of processors).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fast_stages=(build tests)
default_stages=("${fast_stages[@]}" format tiers interop asan tsan fuzz msan aarch64 s390x i386)
stages=("${default_stages[@]}" tidy coverage)

usage() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; }

list() {
  local stage
  for stage in "${stages[@]}"; do
    printf '%-8s %s\n' "$stage" "$(sed -n '2s/^# //p' "$root/tools/test/$stage.sh")"
  done
}

is_stage() {
  local stage
  for stage in "${stages[@]}"; do
    [ "$stage" != "$1" ] || return 0
  done
  return 1
}

chosen=()
setup=yes
setup_for="test"
while [ $# -gt 0 ]; do
  case $1 in
    --all) chosen=("${stages[@]}") ;;
    --fast) chosen=("${fast_stages[@]}") setup_for="build" ;;
    --stage)
      is_stage "${2:-}" || { printf 'no such stage: %s\n' "${2:-}" >&2; list >&2; exit 2; }
      chosen+=("$2")
      shift
      ;;
    --list) list; exit 0 ;;
    --no-setup) setup=no ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ "${#chosen[@]}" -gt 0 ] || chosen=("${default_stages[@]}")

results=$(mktemp -d "${TMPDIR:-/tmp}/dvk-test.XXXXXX")
trap 'rm -rf "$results"' EXIT
total_passed=0 total_failed=0 total_skipped=0
summary=()

# Adds up the lines "passed failed skipped" that a stage has written.
account() {
  local name=$1 seconds=$2 passed failed skipped
  read -r passed failed skipped < <(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' "$results/$name")
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  total_skipped=$((total_skipped + skipped))
  summary+=("$(printf '%-8s %5d s %6d passed %4d failed %4d skipped' \
    "$name" "$seconds" "$passed" "$failed" "$skipped")")
  printf -- '-- %s\n' "${summary[-1]}"
}

run_stage() {
  local name=$1 start=$SECONDS status=0
  printf '\n== %s: %s\n' "$name" "$(sed -n '2s/^# //p' "$root/tools/test/$name.sh")"
  : >"$results/$name"
  DVK_STAGE_RESULTS=$results/$name bash "$root/tools/test/$name.sh" || status=$?
  # A script that breaks off without saying what failed is a failure all the same.
  if [ "$status" -ne 0 ] && ! awk '$2 > 0 { found = 1 } END { exit !found }' "$results/$name"; then
    printf 'stage %s ended with exit code %d\n' "$name" "$status"
    echo 0 1 0 >>"$results/$name"
    status=1
  fi
  account "$name" $((SECONDS - start))
  [ "$status" -eq 0 ]
}

if [ "$setup" = yes ]; then
  "$root/tools/setup.sh" "$setup_for"
fi

for stage in "${chosen[@]}"; do
  if ! run_stage "$stage" && [ "$stage" = build ]; then
    printf '\nThe build failed; nothing further is run.\n'
    break
  fi
done

printf '\n'
printf '%s\n' "${summary[@]}"
printf 'total    %5d s\n\n' "$SECONDS"
printf '%d passed, %d failed, %d skipped\n' "$total_passed" "$total_failed" "$total_skipped"
[ "$total_failed" -eq 0 ]
