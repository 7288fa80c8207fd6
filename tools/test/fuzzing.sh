# shellcheck shell=bash
# Fuzz targets: the programs fuzz_* of a build made with DVK_BUILD_FUZZ. Source stage.sh first. Seeds of
# fuzz_NAME are the files in tests/fuzz/corpus/NAME/ and tests/fuzz/found/NAME/, and what tests/fuzz/seeds.py writes.

export ASAN_OPTIONS=detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

# build_fuzz_targets FOLDER SANITIZERS [CMAKE OPTION...]: the targets and their generated seeds.
build_fuzz_targets() {
  local folder=$1 sanitizers=$2
  shift 2
  configure "$folder" -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=Debug \
    "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" -DDVK_SANITIZE="$sanitizers" -DDVK_BUILD_FUZZ=ON \
    -DDVK_BUILD_TESTS=OFF -DDVK_BUILD_TOOLS=OFF -DDVK_BUILD_BENCH=OFF "$@"
  build "$folder"
  quietly "$folder/seeds.log" python3 tests/fuzz/seeds.py "$folder/seeds"
}

# The names of the targets that FOLDER has, a line each.
fuzz_targets() { find "$1" -name 'fuzz_*' -type f -perm -u+x -printf '%f\n' | sed 's/^fuzz_//' | sort; }

# fuzz FOLDER NAME SECONDS [OPTION...]: one target; its output goes to FOLDER/NAME.log, new inputs to
# FOLDER/corpus/NAME/, and an input that breaks a promise to FOLDER/findings/NAME/.
fuzz() {
  local folder=$1 name=$2 seconds=$3 seeds
  local -a corpora=("$folder/corpus/$name")
  shift 3
  mkdir -p "${corpora[0]}" "$folder/findings/$name"
  for seeds in "tests/fuzz/corpus/$name" "tests/fuzz/found/$name" "$folder/seeds/$name"; do
    [ ! -d "$seeds" ] || corpora+=("$seeds")
  done
  "$folder/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$folder/findings/$name/" -print_final_stats=1 "$@" "${corpora[@]}" >"$folder/$name.log" 2>&1
}

# fuzz_all FOLDER SECONDS AT_A_TIME "OPTIONS" NAME...: these targets, that many at a time. Their logs say how each
# ended.
fuzz_all() {
  local folder=$1 seconds=$2 at_a_time=$3 name running=0
  local -a options
  read -ra options <<<"$4"
  shift 4
  for name in "$@"; do
    if [ "$running" -ge "$at_a_time" ]; then
      wait -n || true
      running=$((running - 1))
    fi
    fuzz "$folder" "$name" "$seconds" "${options[@]}" &
    running=$((running + 1))
  done
  wait || true
}

# run_fuzz_targets FOLDER SECONDS: all targets, two at a time, and a verdict on each.
run_fuzz_targets() {
  local folder=$1 seconds=$2 name ran status=0
  local -a targets
  mapfile -t targets < <(fuzz_targets "$folder")
  fuzz_all "$folder" "$seconds" 2 -seed=1 "${targets[@]}"
  for name in "${targets[@]}"; do
    # A run that ends in any other way does not get as far as this line.
    ran=$(sed -n 's/^Done \([0-9]* runs in [0-9]* second\).*/\1/p' "$folder/$name.log")
    if [ -n "$ran" ]; then
      passed "fuzz_$name: ${ran}s"
    else
      grep -m 3 -E 'broken promise|runtime error|ERROR: ' "$folder/$name.log" || true
      tail -n 20 "$folder/$name.log"
      failed "fuzz_$name: the input is in $folder/findings/$name/, the output in $folder/$name.log"
      status=1
    fi
  done
  return "$status"
}
