// Google Benchmark's main, with the guards that keep worthless figures from being written down.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "bench/context.hpp"
#include "bench/datasets.hpp"
#include "bench/suite.hpp"

int main(int argc, char** argv) {
  using namespace dvk_bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv) || !is_measurable_build()) return 2;
  const std::uint64_t hash = verify_datasets();
  if (hash == 0) return 1;
  add_context(hash);

  register_canary();
  register_limits();
  register_selection();
  register_refine();
  register_probe();
  register_open();
  register_crc32();
#ifdef DVK_BENCH_BUILDER
  register_builder();
#endif
#ifdef DVK_BENCH_PUFFIN
  register_puffin();
#endif
#ifdef DVK_WITH_roaring
  register_peers();
#endif

  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (any_wrong_answer()) std::fprintf(stderr, "dvk_bench: a benchmark gave a wrong answer\n");
  return any_wrong_answer() ? 1 : 0;
}
