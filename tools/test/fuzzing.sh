# shellcheck shell=bash
# Runs fuzz targets: the programs fuzz_* of a build made with DVK_BUILD_FUZZ. The seeds of fuzz_NAME
# are the files in tests/fuzz/corpus/NAME/.

# shellcheck disable=SC2034 # for the stages
clang=(-DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14)
export ASAN_OPTIONS=detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

if [ ! -f tests/fuzz/CMakeLists.txt ]; then
  skipped "fuzzing: no fuzz targets in this tree"
  exit 0
fi

# run_fuzz_targets FOLDER SECONDS: what a target finds stays in FOLDER/findings/.
run_fuzz_targets() {
  local folder=$1 seconds=$2 program name status=0
  local -a programs corpora
  mapfile -t programs < <(find "$folder" -name 'fuzz_*' -type f -perm -u+x | sort)
  if [ "${#programs[@]}" -eq 0 ]; then
    skipped "no fuzz target in $folder"
    return 0
  fi
  for program in "${programs[@]}"; do
    name=$(basename "$program")
    corpora=("$folder/corpus/$name") # new inputs go into the first one
    mkdir -p "${corpora[0]}" "$folder/findings/$name"
    [ ! -d "tests/fuzz/corpus/${name#fuzz_}" ] || corpora+=("tests/fuzz/corpus/${name#fuzz_}")
    if quietly "$folder/$name.log" "$program" -seed=1 -max_total_time="$seconds" -timeout=10 \
      -rss_limit_mb=2048 -artifact_prefix="$folder/findings/$name/" "${corpora[@]}"; then
      passed "$name: $(sed -n 's/^Done \([0-9]* runs in [0-9]* second\).*/\1/p' "$folder/$name.log")s"
    else
      failed "$name: the input is in $folder/findings/$name/"
      status=1
    fi
  done
  return "$status"
}
