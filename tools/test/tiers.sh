#!/usr/bin/env bash
# The tests that depend on the tier, once under each tier that this CPU has
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

# Tier and the CPU flag that its newest instructions show as.
case $(uname -m) in
  x86_64) tiers=(scalar: sse42:sse4_2 avx2:avx2 avx512:avx512_vpopcntdq) ;;
  aarch64) tiers=(scalar: neon:asimd) ;;
  *) tiers=(scalar:) ;;
esac

status=0
for entry in "${tiers[@]}"; do
  tier=${entry%%:*}
  flag=${entry#*:}
  if [ -n "$flag" ] && ! grep -qw "$flag" /proc/cpuinfo; then
    skipped "tier $tier: this CPU has no $flag"
    continue
  fi
  DVK_MAX_ISA=$tier run_ctest build "tier $tier" -L '^(unit|format)$' --no-tests=error || status=1
done
exit "$status"
