#!/usr/bin/env bash
# Installs what dvk is built and tested with, on Debian 12 or later (or a system derived from it).
#
#   tools/setup.sh [build]   compiler, CMake, libraries: enough for tools/demo.sh
#   tools/setup.sh test      the same, and what the whole test suite uses
#
# Works as root or with sudo. Installs only what is missing and says so; a second run changes
# nothing. xsimd and CRoaring, which older Debian releases have in too old a version, are unpacked
# from Debian's unstable packages into .deps/ and leave the system alone.
#
# Environment: DVK_DEPS_DIR (default .deps), DVK_DEPS_SUITE (default sid).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=${DVK_DEPS_DIR:-$root/.deps}
suite=${DVK_DEPS_SUITE:-sid}
marker=$deps/packages.txt

build_packages=(g++ cmake ninja-build pkg-config python3
  liblz4-dev libzstd-dev libsimdjson-dev libisal-dev zlib1g-dev libdeflate-dev
  libcli11-dev libgtest-dev libbenchmark-dev)
# Each of these serves one stage of tools/test.sh, which skips it where they cannot be had.
test_packages=(googletest clang-14 libclang-rt-14-dev llvm-14 clang-format-14 clang-tidy-14
  qemu-user g++-aarch64-linux-gnu g++-s390x-linux-gnu g++-i686-linux-gnu valgrind binutils)

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# Asks for sudo's password at most once, and on a terminal only.
can_install() {
  [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null && sudo -v 2>/dev/null; }
}

# Prints those of the named packages that are not installed.
missing() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' || true)
  printf '%s\n' "$@" | grep -Fxv -f <(printf '%s\n' "$installed") || true
}

lists_fresh=no
refresh_lists() {
  [ "$lists_fresh" = no ] || return 0
  as_root apt-get -o DPkg::Lock::Timeout=120 update -qq ||
    say "apt-get update reported errors; going on with the lists there are"
  lists_fresh=yes
}

apt_install() {
  as_root apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends "$@"
}

# Installs what is missing of the named packages; fails if one of them cannot be had.
require() {
  local -a want
  mapfile -t want < <(missing "$@")
  [ "${#want[@]}" -gt 0 ] || return 0
  can_install || fail "neither root nor allowed to sudo. As root, run: apt-get install ${want[*]}"
  say "installing ${want[*]}"
  refresh_lists
  apt_install "${want[@]}" || fail "apt-get could not install: ${want[*]}"
}

# The same, but says what cannot be had and goes on without it.
prefer() {
  local -a absent want=()
  local package offered
  mapfile -t absent < <(missing "$@")
  [ "${#absent[@]}" -gt 0 ] || return 0
  [ -n "$(apt-cache madison g++)" ] || ! can_install || refresh_lists
  offered=$(apt-cache madison "${absent[@]}" 2>/dev/null | awk '{ print $1 }')
  for package in "${absent[@]}"; do
    if grep -qFx "$package" <<<"$offered"; then
      want+=("$package")
    else
      say "this system has no package $package: the tests that use it will be skipped"
    fi
  done
  [ "${#want[@]}" -gt 0 ] || return 0
  if ! can_install; then
    say "neither root nor allowed to sudo: the tests that use ${want[*]} will be skipped"
    return 0
  fi
  say "installing ${want[*]}"
  refresh_lists
  apt_install "${want[@]}" && return 0
  say "not all of them can be installed; trying them one by one"
  for package in "${want[@]}"; do
    apt_install "$package" ||
      say "cannot install $package: the tests that use it will be skipped"
  done
}

# Minimum version of a dependency, as tools/cmake/dependencies.cmake states it.
minimum() {
  sed -n "s/^set(DVK_MIN_$1 \(.*\))$/\1/p" "$root/tools/cmake/dependencies.cmake"
}

at_least() { dpkg --compare-versions "${1:-0}" ge "$2"; }

# True if the system has a package in the version wanted, or its package lists offer that; then
# that is installed, unless it is there.
from_system() {
  local package=$1 least=$2 version
  version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || true)
  if at_least "$version" "$least"; then
    return 0
  fi
  version=$(LC_ALL=C apt-cache policy "$package" 2>/dev/null |
    sed -n 's/^  Candidate: \([0-9].*\)/\1/p')
  at_least "$version" "$least" || return 1
  require "$package"
}

# True if .deps/ holds an earlier run's finished work that still meets the minimum.
in_deps() {
  local version
  [ -e "$marker" ] && [ -d "$deps/include" ] || return 1
  version=$(sed -n "s/^$1 \([^ ]*\) .*/\1/p" "$marker")
  at_least "$version" "$2"
}

# An apt that knows one suite of Debian and keeps everything it writes below $work. Mirror and
# proxy are the system's; signatures are checked against Debian's keyring, always.
private_apt() {
  local command=$1
  shift
  "$command" -q -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
    -o Dir::Cache="$work/cache" \
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/none" \
    -o Dir::Etc::preferences="$work/none/none" -o Dir::Etc::preferencesparts="$work/none" \
    -o APT::Get::AllowUnauthenticated=false -o Acquire::AllowInsecureRepositories=false \
    -o APT::Update::Error-Mode=any "$@"
}

private_lists() {
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg mirror
  [ -r "$keyring" ] || fail "$keyring is missing: install debian-archive-keyring"
  # shellcheck disable=SC2016 # apt expands these
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk '$1 !~ /security/ && $2 !~ /security|updates|backports/ { print $1; exit }')
  [ -n "$mirror" ] || fail "found no Debian mirror in the system's apt sources"
  printf 'deb [arch=%s signed-by=%s target=Packages] %s %s main\n' \
    "$(dpkg --print-architecture)" "$keyring" "$mirror" "$suite" >"$work/sources.list"
  private_apt apt-get update -qq && return 0
  # A keyring from before the suite's signing key: the release's own updates bring a newer one.
  say "the lists of $suite could not be checked; updating debian-archive-keyring"
  refresh_lists
  apt_install debian-archive-keyring
  private_apt apt-get update -qq || fail "cannot get the signed package lists of Debian $suite"
}

unpack_unstable() {
  local -a packages=("$@")
  local package version
  work=$(mktemp -d "${TMPDIR:-/tmp}/dvk-setup.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial,none,debs,tree}
  : >"$work/status"
  if [ "$(id -u)" -eq 0 ]; then
    chown -R _apt "$work/debs" 2>/dev/null || true # apt downloads as this user
  fi
  private_lists
  # libroaring-dev has no static library: the shared one goes with it.
  for package in "${packages[@]}"; do
    if [ "$package" = libroaring-dev ]; then
      mapfile -t -O "${#packages[@]}" packages < <(private_apt apt-cache show libroaring-dev |
        sed -n 's/^Depends:.*\(libroaring[0-9][0-9a-z]*\).*/\1/p' | head -n 1)
    fi
  done
  say "unpacking ${packages[*]} of Debian $suite into ${deps#"$root"/}/"
  (cd "$work/debs" && private_apt apt-get download -qq "${packages[@]}")
  for package in "$work"/debs/*.deb; do
    dpkg-deb -x "$package" "$work/tree"
    version=$(dpkg-deb -f "$package" Version)
    printf '%s %s %s\n' "$(dpkg-deb -f "$package" Package)" "$version" "$suite" >>"$work/packages.txt"
  done
  # pkg-config files name /usr; make them name the place where they stand.
  # shellcheck disable=SC2016 # pkg-config expands these
  sed -i 's|^prefix=.*|prefix=${pcfiledir}/../../..|; s|=/usr/|=${prefix}/|' \
    "$work"/tree/usr/lib/*/pkgconfig/*.pc
  check_loads "$work"/tree/usr/lib/*/libroaring.so
  mkdir -p "$deps"
  rm -rf "$marker" "${deps:?}"/{include,lib,share}
  cp -a "$work"/tree/usr/. "$deps/"
  mv "$work/packages.txt" "$marker" # last: an interrupted run leaves no marker
}

# An unstable library may want a newer C library than this system's; better to learn it here.
check_loads() {
  local library
  for library in "$@"; do
    [ -e "$library" ] || continue
    if LC_ALL=C ldd "$library" 2>&1 | grep -q 'not found'; then
      ldd "$library" >&2 || true
      fail "CRoaring of Debian $suite does not load on this system. Set DVK_DEPS_SUITE to an
older suite that has CRoaring >= $(minimum roaring), or configure with -DDVK_FETCH_DEPS=ON"
    fi
  done
}

newer_libraries() {
  local -a wanted=()
  local name package least
  for name in xsimd roaring; do
    package=lib$name-dev
    least=$(minimum "$name")
    [ -n "$least" ] || fail "tools/cmake/dependencies.cmake states no minimum version of $name"
    in_deps "$package" "$least" || from_system "$package" "$least" || wanted+=("$package")
  done
  if [ "${#wanted[@]}" -gt 0 ]; then
    unpack_unstable "${wanted[@]}"
    for package in "${wanted[@]}"; do
      least=${package#lib}
      least=$(minimum "${least%-dev}")
      in_deps "$package" "$least" || fail "Debian $suite has no $package >= $least"
    done
  fi
}

report() {
  local name
  for name in xsimd roaring; do
    if [ -s "$marker" ] && grep -q "^lib$name-dev " "$marker"; then
      sed -n "s|^lib$name-dev \([^ ]*\) \(.*\)|setup: $name \1 (Debian \2, in ${deps#"$root"/}/)|p" "$marker"
    else
      dpkg-query -W -f "setup: $name \${Version} (the system's)\n" "lib$name-dev"
    fi
  done
  say "g++ $(g++ -dumpfullversion), cmake $(cmake --version | sed -n '1s/.* //p')"
}

main() {
  local what=${1:-build}
  case $what in
    build | test) ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  command -v apt-get >/dev/null ||
    fail "this is no Debian system. Install yourself what corresponds to: ${build_packages[*]},
xsimd >= $(minimum xsimd), CRoaring >= $(minimum roaring)"
  require "${build_packages[@]}"
  if [ "$what" = test ]; then
    prefer "${test_packages[@]}"
    # By command: a JDK or a Maven from elsewhere does as well.
    command -v javac >/dev/null || prefer openjdk-17-jdk-headless
    command -v mvn >/dev/null || prefer maven
  fi
  newer_libraries
  report
  say "ready ($what)"
}

main "$@"
