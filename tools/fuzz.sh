#!/usr/bin/env bash
# Long runs of the fuzz targets under ASan and UBSan; prints a table for tests/fuzz/README.md.
#
#   tools/fuzz.sh [-t SECONDS] [-j JOBS] [TARGET...]
#
#   -t SECONDS   for each target (600)
#   -j JOBS      targets at a time (2)
#   TARGET       bitmap64, say; without one, all
#
# Builds into build-fuzz/. A target stops at its first finding, which stays in build-fuzz/findings/TARGET/; the
# corpus in build-fuzz/corpus/TARGET/ serves the next run. The exit code is 1 if there is a finding.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
. "$here/test/stage.sh"
. "$here/test/fuzzing.sh"

usage() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$root/tools/fuzz.sh"; }

seconds=600
at_a_time=2
while getopts t:j:h option; do
  case $option in
    t) seconds=$OPTARG ;;
    j) at_a_time=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))

folder=build-fuzz
need clang++-14 python3 "fuzz targets"
build_fuzz_targets "$folder" address,undefined
if [ $# -eq 0 ]; then
  mapfile -t targets < <(fuzz_targets "$folder")
else
  targets=("$@")
fi
for name in "${targets[@]}"; do
  [ -x "$folder/tests/fuzz/fuzz_$name" ] || { printf 'fuzz: no target %s\n' "$name" >&2; exit 2; }
done

fuzz_all "$folder" "$seconds" "$at_a_time" "" "${targets[@]}"

# What the last line of that form in a log says.
last() { grep -o "$1" "$2" | tail -n 1 | grep -o '[0-9]*$' || echo 0; }

found=0
printf '\nRun of %s, %s s a target, revision %s, %s\n\n' "$(date -u +%F)" "$seconds" \
  "$(git rev-parse --short=12 HEAD)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf '| target | executions | a second | corpus | edges | findings |\n|---|--:|--:|--:|--:|--:|\n'
for name in "${targets[@]}"; do
  log=$folder/$name.log
  findings=$(grep -c 'Test unit written to' "$log" || true)
  found=$((found + findings))
  printf '| %s | %s | %s | %s | %s | %s |\n' "$name" "$(last 'number_of_executed_units: *[0-9]*' "$log")" \
    "$(last 'average_exec_per_sec: *[0-9]*' "$log")" "$(find "$folder/corpus/$name" -type f | wc -l)" \
    "$(last 'cov: [0-9]*' "$log")" "$findings"
done
[ "$found" -eq 0 ]
