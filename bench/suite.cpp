#include "bench/suite.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <utility>

namespace dvk_bench {
namespace {

bool wrong_answer = false;

alignas(4096) std::byte block[output_bytes];

// Caps dvk while a benchmark runs; objects that scan keep the tier they were made with.
class tier_scope {
 public:
  explicit tier_scope(std::optional<dvk::tier> tier) : capped_(tier.has_value()) {
    if (capped_ && !dvk::set_max_isa(*tier)) wrong_answer = true;
  }
  tier_scope(const tier_scope&) = delete;
  tier_scope& operator=(const tier_scope&) = delete;
  ~tier_scope() {
    if (capped_) dvk::reset_max_isa();
  }

 private:
  bool capped_;
};

}  // namespace

// A function with a name of its own, so that instruction counts can be taken of it alone
// (tools/perf/count_instructions.py).
[[gnu::noinline]] std::uint64_t timed_pass(const job& work) {
  return work.pass();
}

void add(const std::string& name, std::optional<dvk::tier> tier, std::function<job()> make) {
  struct prepared {
    std::function<job()> make;
    std::optional<job> ready;
    bool right = false;
  };
  auto shared = std::make_shared<prepared>();
  shared->make = std::move(make);
  benchmark::RegisterBenchmark(name.c_str(), [shared, tier](benchmark::State& state) {
    const tier_scope scope(tier);
    if (!shared->ready) {
      shared->ready = shared->make();
      shared->right = shared->ready->check();
      wrong_answer = wrong_answer || !shared->right;
    }
    if (!shared->right) {
      state.SkipWithError("wrong answer");
      return;
    }
    const job& work = *shared->ready;
    for (auto _ : state)
      benchmark::DoNotOptimize(timed_pass(work));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(work.items));
    if (work.bytes != 0)
      state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(work.bytes));
  });
}

bool any_wrong_answer() {
  return wrong_answer;
}

std::byte* output_block() {
  return block;
}

// A loop that no change to dvk touches: if it moved between two runs, the machine did, and the runs
// do not compare.
void register_canary() {
  const auto loop = [] {
    std::uint64_t x = 88172645463325252;
    for (int i = 0; i < 100000; ++i) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    return x;
  };
  add("canary/scalar_loop", std::nullopt, [loop] {
    // xorshift64 is a bijection without fixed point but 0: the answer repeats and is not 0.
    return job{
        .check = [loop] { return loop() == loop() && loop() != 0; }, .pass = loop, .items = 100000};
  });
}

}  // namespace dvk_bench
