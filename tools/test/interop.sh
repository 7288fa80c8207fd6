#!/usr/bin/env bash
# Files of Iceberg's Java implementation read, and ours read by it
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

program=tests/interop/run.sh
if [ ! -f "$program" ]; then
  skipped "interop: no $program in this tree"
  exit 0
fi
mkdir -p build
log=build/interop.log
status=0
if [ -x build/tests/interop_peer ]; then
  export DVK_PEER=$root/build/tests/interop_peer
else
  skipped "interop: the comparison with what dvk writes, for build/tests/interop_peer is not built"
fi
bash "$program" >"$log" 2>&1 || status=$?
case $status in
  0)
    checks=$(grep -c '^ok ' "$log" || true)
    record "$checks" 0 0
    grep '^#\|^ok ' "$log" || true
    printf 'passed   %d checks\n' "$checks"
    ;;
  77) skipped "$(tail -n 1 "$log")" ;;
  *)
    cat "$log"
    record "$(grep -c '^ok ' "$log" || true)" "$(grep -c '^FAILED ' "$log" || true)" 0
    exit 1
    ;;
esac
