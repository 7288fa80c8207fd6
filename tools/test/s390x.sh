#!/usr/bin/env bash
# Big-endian: cross build for s390x (scalar tier), tests under qemu
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"
. "$(dirname "${BASH_SOURCE[0]}")/cross.sh"

cross_stage s390x qemu-s390x
