#!/usr/bin/env bash
# Release build of libraries, tools, tests and bench, warnings as errors
. "$(dirname "${BASH_SOURCE[0]}")/stage.sh"

configure build -DCMAKE_BUILD_TYPE=Release -DDVK_WERROR=ON -DDVK_BUILD_TESTS=ON \
  -DDVK_BUILD_TOOLS=ON -DDVK_BUILD_BENCH=ON
build build
passed "Release build without a warning"
