#!/usr/bin/env bash
# Files of Iceberg's Java implementation read, and ours read by it
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

program=tests/interop/run.sh
if [ ! -f "$program" ]; then
  skipped "interop: no $program in this tree"
  exit 0
fi
log=build/interop.log
status=0
DVK=$root/build/tools/dvk bash "$program" >"$log" 2>&1 || status=$?
case $status in
  0) record "$(grep -c '^ok ' "$log" || true)" 0 0; tail -n 1 "$log" ;;
  77) skipped "$(tail -n 1 "$log")" ;;
  *)
    cat "$log"
    record "$(grep -c '^ok ' "$log" || true)" "$(grep -c '^FAILED ' "$log" || true)" 0
    exit 1
    ;;
esac
