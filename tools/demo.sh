#!/usr/bin/env bash
# Shows what dvk does, from a fresh machine: installs what is missing, builds, and applies a real
# deletion vector, from a Puffin file that Iceberg has written. Fails if any step does.
#
#   tools/demo.sh [PUFFIN FILE]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
file=tests/data/iceberg/demo-mixed-4m.puffin
[ $# -eq 0 ] || file=$(realpath "$1")
cd "$root"
dvk=build/tools/dvk
bench=build/bench/dvk_bench
work=$(mktemp -d "${TMPDIR:-/tmp}/dvk-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT

step() { printf '\n== %s\n' "$*"; }

# Runs a command and prints the first lines of its output: show LINES COMMAND...
show() {
  local lines=$1 all
  shift
  printf '\n$ %s\n' "$*"
  "$@" >"$work/output"
  all=$(wc -l <"$work/output")
  head -n "$lines" "$work/output"
  [ "$all" -le "$lines" ] || printf '... (%d lines more)\n' $((all - lines))
}

[ -f "$file" ] || { printf 'demo: no file %s\n' "$file" >&2; exit 1; }

step "What is missing on this machine"
tools/setup.sh build

step "Release build into build/"
if [ ! -f build/CMakeCache.txt ]; then
  cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release >"$work/configure" || { cat "$work/configure"; exit 1; }
fi
cmake --build build --target tools/dvk bench/dvk_bench

step "A deletion vector written by Iceberg"
show 40 "$dvk" inspect "$file"
show 10 "$dvk" verify "$file"
show 5 "$dvk" positions "$file"

step "The live rows of one batch of 2048, as a selection vector"
show 10 "$dvk" select "$file" --rows 66620:2048 --form indices

step "Live rows of batches of 2048, where each row in a hundred is deleted"
"$bench" --benchmark_format=json --benchmark_min_time=0.1 --benchmark_repetitions=5 \
  --benchmark_enable_random_interleaving=true \
  --benchmark_filter='^(limit/iota_u32_misaligned|select/u32/rand1pct|peer/duckdb_contains_bulk/rand1pct)/n2048' \
  >"$work/speed.json" 2>"$work/speed.log" || { cat "$work/speed.log"; exit 1; }
python3 tools/demo_speed.py "$work/speed.json"
