// The rows that probes ask for: uniform over the file, in random and in ascending order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "bench/datasets.hpp"

namespace dvk_bench {

inline constexpr std::size_t probe_count = 65536;

inline std::vector<std::uint64_t> probe_rows(const dataset& d, bool ascending) {
  std::mt19937_64 rng(11);
  std::vector<std::uint64_t> rows(probe_count);
  for (std::uint64_t& row : rows)
    row = rng() % d.rows;
  if (ascending) std::sort(rows.begin(), rows.end());
  return rows;
}

// How many of `rows` are deleted, by the oracle.
inline std::uint64_t deleted_among(const dataset& d, const std::vector<std::uint64_t>& rows) {
  std::uint64_t count = 0;
  for (const std::uint64_t row : rows)
    count += d.is_deleted(row) ? 1 : 0;
  return count;
}

// Looks up every row, each address depending on the answer before: latency, not throughput.
template <class Contains>
std::uint64_t probe_dependent(const std::vector<std::uint64_t>& rows, Contains&& contains) {
  std::uint64_t deleted = 0;
  std::uint64_t answer = 0;
  for (const std::uint64_t row : rows) {
    // `answer` is 0 or 1 and the shift clears it, but neither compiler nor CPU knows.
    std::uint64_t zero = answer;
    asm volatile("" : "+r"(zero));
    answer = contains(row + (zero >> 1)) ? 1 : 0;
    deleted += answer;
  }
  return deleted;
}

}  // namespace dvk_bench
