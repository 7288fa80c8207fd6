// The deletion vectors that everything is measured on. Fixed seeds and integer arithmetic only, so
// that every machine and standard library makes the same bytes: each has its hash and cardinality
// written down in datasets.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/deletion_vector.hpp"

namespace dvk_bench {

inline constexpr std::uint64_t small_rows = 4'194'304;
inline constexpr std::uint64_t large_rows = 100'000'000;

struct dataset {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t deleted = 0;
  std::vector<std::uint64_t>
      oracle;  // bit r = row r is deleted: what the generator said, before any encoding
  std::vector<std::byte> blob;  // framed deletion-vector-v1, run-optimised
  std::uint64_t hash = 0;       // FNV-1a of blob
  dvk::deletion_vector view;

  [[nodiscard]] bool is_deleted(std::uint64_t row) const {
    return (oracle[row / 64] >> (row % 64) & 1) != 0;
  }
  [[nodiscard]] std::uint64_t live() const { return rows - deleted; }
  // The portable 64-bit Roaring bitmap inside the frame.
  [[nodiscard]] std::span<const std::byte> bitmap() const {
    return std::span(blob).subspan(8, blob.size() - 12);
  }
  // Its only 32-bit bitmap; empty if nothing is deleted.
  [[nodiscard]] std::span<const std::byte> bitmap32() const {
    return deleted == 0 ? std::span<const std::byte>{} : bitmap().subspan(12);
  }
  [[nodiscard]] std::vector<std::uint64_t> positions() const;
};

inline constexpr std::string_view dataset_names[] = {
    "scattered300",  "rand1pct",       "rand3pct",   "rand10pct",  "rand50pct", "clustered",
    "shortruns5pct", "denseruns28pct", "everyother", "alldeleted", "empty"};

// The dataset over small_rows rows, or over large_rows for a name with the suffix "_100m". Made at
// first use and kept.
const dataset& get_dataset(std::string_view name);

// Makes every small dataset, compares it with what is written down, and returns one hash of all; 0
// if one differs.
std::uint64_t verify_datasets();

}  // namespace dvk_bench
