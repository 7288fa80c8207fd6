// Sets of deleted rows: the shapes that benchmarks name, and random mixes of containers for
// property tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "tests/support/random.hpp"

namespace dvk_test {

inline constexpr std::string_view dataset_names[] = {
    "scattered300",  "rand1pct",       "rand3pct",   "rand10pct",  "rand50pct", "clustered",
    "shortruns5pct", "denseruns28pct", "everyother", "alldeleted", "empty"};

namespace dataset_parts {

// Alternating geometric runs and gaps of the given means.
inline std::vector<std::uint64_t> alternating(std::mt19937_64& rng, std::uint64_t rows, double run,
                                              double gap) {
  std::vector<std::uint64_t> out;
  std::geometric_distribution<std::uint64_t> run_length(1 / run);
  std::geometric_distribution<std::uint64_t> gap_length(1 / gap);
  for (std::uint64_t row = gap_length(rng); row < rows; row += 1 + gap_length(rng)) {
    for (std::uint64_t n = 1 + run_length(rng); n != 0 && row < rows; --n)
      out.push_back(row++);
  }
  return out;
}

inline std::vector<std::uint64_t> independent(std::mt19937_64& rng, std::uint64_t rows,
                                              double share) {
  std::vector<std::uint64_t> out;
  std::bernoulli_distribution deleted(share);
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (deleted(rng)) out.push_back(row);
  }
  return out;
}

}  // namespace dataset_parts

// The rows that dataset `name` deletes from a file of `rows` rows; ascending. The seed is fixed.
inline std::vector<std::uint64_t> dataset(std::string_view name, std::uint64_t rows) {
  std::mt19937_64 rng(20240607);
  std::vector<std::uint64_t> out;
  if (name == "scattered300") {
    out = dataset_parts::independent(rng, rows, 300.0 / static_cast<double>(rows));
  } else if (name == "rand1pct") {
    out = dataset_parts::independent(rng, rows, 0.01);
  } else if (name == "rand3pct") {
    out = dataset_parts::independent(rng, rows, 0.03);
  } else if (name == "rand10pct") {
    out = dataset_parts::independent(rng, rows, 0.1);
  } else if (name == "rand50pct") {
    out = dataset_parts::independent(rng, rows, 0.5);
  } else if (name == "clustered") {
    for (std::uint64_t row = rows / 4; row < rows / 4 * 3; ++row)
      out.push_back(row);
  } else if (name == "shortruns5pct") {
    out = dataset_parts::alternating(rng, rows, 21, 381);
  } else if (name == "denseruns28pct") {
    out = dataset_parts::alternating(rng, rows, 11, 26);
  } else if (name == "everyother") {
    for (std::uint64_t row = 0; row < rows; row += 2)
      out.push_back(row);
  } else if (name == "alldeleted") {
    for (std::uint64_t row = 0; row < rows; ++row)
      out.push_back(row);
  }
  return out;
}

// Ascending slots of one random container: sparse, dense, runs, full or nearly so, and the seams
// between types.
inline std::vector<std::uint32_t> random_slots(std::mt19937_64& rng) {
  std::vector<std::uint64_t> rows;
  switch (below(rng, 8)) {
    case 0:
      rows = {below(rng, 65536)};
      break;
    case 1:
      rows = dataset_parts::independent(rng, 65536, 0.001);
      break;
    case 2:
      rows = dataset_parts::independent(rng, 65536, 0.05);
      break;
    case 3:
      rows = dataset_parts::independent(rng, 65536, 0.3);
      break;
    case 4:
      rows = dataset_parts::alternating(rng, 65536, 40, 300);
      break;
    case 5:
      rows = dataset_parts::alternating(rng, 65536, 2000, 3);
      break;
    case 6: {  // one run, often touching a border
      const std::uint64_t first = below(rng, 2) == 0 ? 0 : below(rng, 65536);
      const std::uint64_t last = below(rng, 2) == 0 ? 65535 : first + below(rng, 65536 - first);
      for (std::uint64_t row = first; row <= last; ++row)
        rows.push_back(row);
      break;
    }
    default: {  // cardinality at the border between array and bitset
      const std::uint64_t n = 4094 + below(rng, 5);
      for (std::uint64_t i = 0; i < n; ++i)
        rows.push_back(i * 15 + below(rng, 15));
      break;
    }
  }
  if (rows.empty()) rows.push_back(below(rng, 65536));
  return {rows.begin(), rows.end()};
}

// A random set over a handful of containers, some adjacent, some under distant keys up to
// `max_container`.
inline std::vector<std::uint64_t> random_rows(std::mt19937_64& rng, std::size_t containers,
                                              std::uint64_t max_container = 0x7ffffffeffff) {
  std::vector<std::uint64_t> out;
  std::uint64_t key = below(rng, 3);
  for (std::size_t i = 0; i < containers && key <= max_container; ++i) {
    for (const std::uint32_t slot : random_slots(rng))
      out.push_back(key << 16 | slot);
    switch (below(rng, 5)) {
      case 0:
        key += 1 + below(rng, 10);
        break;
      case 1:
        key += 65536 * (1 + below(rng, 3));
        break;
      case 2:
        key += below(rng, 4) == 0 ? 1 + below(rng, std::uint64_t{1} << 40) : 2;
        break;
      default:
        key += 1;
        break;
    }
  }
  return out;
}

}  // namespace dvk_test
