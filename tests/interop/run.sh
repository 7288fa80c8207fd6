#!/usr/bin/env bash
# Holds dvk and the committed fixtures against Iceberg's own Java code.
#
#   run.sh                 builds java/ and runs every check
#   run.sh --regenerate    builds java/ and rewrites tests/data/iceberg
#
# DVK_PEER=build/tests/interop_peer  also compares what dvk writes (compare.py)
# DVK_INTEROP_REQUIRED=1             a skip becomes a failure
#
# Exit code: 0 all equal, 1 a difference or a broken build, 77 skipped (no Maven, or its packages
# cannot be had here).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$here/java
fixtures=$here/../data/iceberg
iceberg_dv=$project/iceberg-dv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

passed=0
failed=0

skip() {
  echo "SKIPPED: interop with Iceberg's Java writer: $1"
  if [ "${DVK_INTEROP_REQUIRED:-0}" = 1 ]; then
    echo "and DVK_INTEROP_REQUIRED=1 says it must run"
    exit 1
  fi
  exit 77
}

# Names the check, runs it, and goes on whatever comes out.
check() {
  local name=$1
  shift
  if "$@" >"$work/check.log" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $name"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    sed 's/^/        /' "$work/check.log" | head -40
  fi
}

is_built() {
  [ -f "$project/target/built" ] &&
    [ -z "$(find "$project/pom.xml" "$project/src" -newer "$project/target/built" -print -quit)" ]
}

java_major() {
  javac --version 2>/dev/null | sed -n 's/^javac \([0-9]*\).*/\1/p' | grep . || echo 0
}

maven() {
  (cd "$project" && timeout 900 mvn -B -q "$@" process-classes) >"$work/maven.log" 2>&1
}

# Offline first: once the packages are here, a build must not depend on the network.
build_java() {
  is_built && return
  command -v mvn >/dev/null || skip "no mvn"
  [ "$(java_major)" -ge 17 ] || skip "no JDK 17 or newer"
  if ! maven -o && ! maven; then
    # Only a failure to fetch is a reason to skip: a broken source must not pass as one.
    if grep -q "COMPILATION ERROR" "$work/maven.log"; then
      cat "$work/maven.log"
      exit 1
    elif grep -qE "Could not (resolve|transfer|find artifact)|could not be resolved|Unknown host" \
      "$work/maven.log" || [ ! -s "$work/maven.log" ]; then
      head -5 "$work/maven.log"
      skip "Maven cannot fetch its packages"
    fi
    cat "$work/maven.log"
    exit 1
  fi
  touch "$project/target/built"
}

# The committed files are what the writer writes, all of them and nothing besides.
fixtures_are_reproducible() {
  "$iceberg_dv" fixtures "$work/fixtures"
  diff -rq --exclude=README.md "$work/fixtures" "$fixtures"
}

# A decoder that shares nothing with Iceberg finds in them what the manifest says.
manifest_is_right() {
  python3 -B "$here/../data/check_manifest.py" "$fixtures"
}

# Iceberg takes its own files back: the command that later judges dvk's files works.
iceberg_reads_fixtures() {
  "$iceberg_dv" read --all --puffin "$fixtures"/*.puffin --blob "$fixtures"/*.dv.bin \
    --bitmap64 "$fixtures"/*.bitmap64.bin
}

# Both write the same sets and read each other's files. Counts its own checks.
compare_with_dvk() {
  local status=0
  mkdir "$work/compare"
  python3 -B "$here/compare.py" "$iceberg_dv" "$DVK_PEER" "$work/compare" >"$work/compare.log" || status=$?
  cat "$work/compare.log"
  passed=$((passed + $(grep -c '^ok ' "$work/compare.log" || true)))
  failed=$((failed + $(grep -c '^FAILED ' "$work/compare.log" || true)))
  if [ "$status" -gt 1 ] || ! grep -q '^ok \|^FAILED ' "$work/compare.log"; then
    echo "FAILED  compare.py ended with $status"
    failed=$((failed + 1))
  fi
}

build_java
if [ "${1:-}" = --regenerate ]; then
  rm -f "$fixtures"/*.bin "$fixtures"/*.puffin
  "$iceberg_dv" fixtures "$fixtures"
  du -shc --apparent-size "$fixtures" | tail -1
  exit 0
fi

check "fixtures are reproducible" fixtures_are_reproducible
check "manifest is right" manifest_is_right
check "Iceberg reads the fixtures" iceberg_reads_fixtures
if [ -n "${DVK_PEER:-}" ]; then
  [ -x "$DVK_PEER" ] || { echo "DVK_PEER=$DVK_PEER is not a program"; exit 1; }
  compare_with_dvk
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
