#!/usr/bin/env bash
# 32-bit sizes: cross build for i686 (scalar tier), tests as they are, or under qemu if this kernel runs no 32-bit code
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/cross.sh"

# Prints the emulator that this machine needs for 32-bit programs; env, which is none, if it runs them itself.
emulator() {
  local probe
  probe=$(mktemp "${TMPDIR:-/tmp}/dvk-i686.XXXXXX")
  if i686-linux-gnu-gcc -static -x c -o "$probe" - <<<'int main(void) { return 0; }' && "$probe"; then
    echo env
  else
    echo qemu-i386
  fi
  rm -f "$probe"
}

need i686-linux-gnu-gcc "tests built for i686"
runner=$(emulator 2>/dev/null)
cross_stage i686 "$runner" -DCMAKE_CROSSCOMPILING_EMULATOR="$runner"
