// How benchmarks are declared: a name, a tier, and a job that is built, and its answer checked,
// before the first timing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "dvk/dispatch.hpp"

namespace dvk_bench {

struct job {
  // Whether one pass gives the right answer; compared with something that shares no code with it.
  std::function<bool()> check;
  // What is timed. Returns a number that depends on the work, so that it cannot be left out.
  std::function<std::uint64_t()> pass;
  // Rows, positions or calls of one pass, and bytes where bytes matter.
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};

// Registers `name`. `make` is called when the benchmark first runs, so that a filtered run builds
// only the data it needs. With a tier, dvk is capped to it while the job is made, checked and
// timed.
void add(const std::string& name, std::optional<dvk::tier> tier, std::function<job()> make);

// One pass of a job.
std::uint64_t timed_pass(const job& work);

// Whether some benchmark gave a wrong answer; it is then reported as an error and the program
// fails.
bool any_wrong_answer();

// Calls register_one(tier, name of the tier) for each tier that can run here.
template <class F>
void for_each_tier(F&& register_one) {
  for (const dvk::tier t : dvk::supported_tiers())
    register_one(t, std::string(dvk::tier_name(t)));
}

// The one output buffer, page-aligned: every candidate writes to the same memory, so that none has
// better luck with caches or pages than another. It has room for 65,536 u64 and a vector's
// overhang.
inline constexpr std::size_t output_bytes = 65536 * 8 + 4096;
std::byte* output_block();

template <class T>
std::span<T> output() {
  return {reinterpret_cast<T*>(output_block()), output_bytes / sizeof(T)};
}

inline constexpr std::size_t batch_sizes[] = {1024, 2048, 4096, 16384, 65536};
// The batch of DuckDB, and what most claims are made for.
inline constexpr std::size_t usual_batch = 2048;

void register_canary();
void register_limits();
void register_selection();
void register_probe();
void register_open();
void register_refine();
void register_crc32();
void register_builder();
void register_puffin();
void register_peers();

}  // namespace dvk_bench
