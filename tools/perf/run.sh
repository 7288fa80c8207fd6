#!/bin/sh
# Runs the benchmarks behind the claims, pinned to one core and randomly interleaved, and keeps the result:
# results/runs/<machine>/<date>-<commit>.json and results/machines/<machine>.json.
#
#   tools/perf/run.sh [-b BUILD_DIR] [-m MACHINE_ID] [-c CORE] [-r REPETITIONS] [-t MIN_TIME] [-o OUTPUT] [FILTER]
#
# FILTER is a regular expression over names; without it, the set that tools/perf/bars.py speaks of. MACHINE_ID names the
# machine for readers; without it, it is made from the CPU's model. The host's name is never written down. With -o the
# result goes to that file only.
set -eu
cd "$(dirname "$0")/../.."
build=build core=1 repetitions=9 min_time=0.02 machine='' output='' filter=''
while getopts b:m:c:r:t:o:h option; do
  case $option in
    b) build=$OPTARG ;;
    m) machine=$OPTARG ;;
    c) core=$OPTARG ;;
    r) repetitions=$OPTARG ;;
    t) min_time=$OPTARG ;;
    o) output=$OPTARG ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
filter=${1-$(python3 tools/perf/record.py --filter)}

raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
# A single-core machine has no core 1.
[ "$core" -lt "$(nproc --all)" ] || core=0
run="taskset -c $core"
# Fixed addresses remove one source of difference between processes; not every container allows it.
if setarch "$(uname -m)" -R true 2>/dev/null; then run="$run setarch $(uname -m) -R"; fi
$run "$build/bench/dvk_bench" --benchmark_filter="$filter" --benchmark_repetitions="$repetitions" \
  --benchmark_min_time="$min_time" --benchmark_enable_random_interleaving=true \
  --benchmark_out="$raw" --benchmark_out_format=json --benchmark_display_aggregates_only=true >/dev/null
python3 tools/perf/record.py "$raw" --machine "$machine" --output "$output"
