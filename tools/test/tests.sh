#!/usr/bin/env bash
# All tests of the Release build, on the best tier of this CPU
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

run_ctest build "Release tests" -LE '^(interop|fuzz)$' --no-tests=error
