#!/usr/bin/env bash
# The NEON tier: cross build for AArch64, tests under qemu
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/cross.sh"

cross_stage aarch64 qemu-aarch64
