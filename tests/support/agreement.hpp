// Whether an opened vector answers every question as the oracle does.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/random.hpp"

namespace dvk_test {

// Rows worth asking about: members, their neighbours, container borders, far away, and any.
inline std::vector<std::uint64_t> questions(std::mt19937_64& rng, const row_oracle& oracle,
                                            std::size_t n) {
  std::vector<std::uint64_t> out = {0,
                                    1,
                                    65535,
                                    65536,
                                    std::uint64_t{1} << 32,
                                    ~std::uint64_t{0} >> 1,
                                    std::uint64_t{1} << 63,
                                    ~std::uint64_t{0}};
  while (out.size() < n) {
    const std::uint64_t row =
        oracle.rows().empty()
            ? below(rng, 1000000)
            : oracle.rows()[static_cast<std::size_t>(below(rng, oracle.rows().size()))];
    switch (below(rng, 6)) {
      case 0:
        out.push_back(row);
        break;
      case 1:
        out.push_back(row + 1);
        break;
      case 2:
        out.push_back(row == 0 ? 0 : row - 1);
        break;
      case 3:
        out.push_back(row & ~std::uint64_t{0xffff});
        break;
      case 4:
        out.push_back((row | 0xffff) + below(rng, 2));
        break;
      default:
        out.push_back((row & ~std::uint64_t{0xffff}) + below(rng, 3 * 65536));
        break;
    }
  }
  return out;
}

inline void expect_agrees(const dvk::deletion_vector& dv, const row_oracle& oracle,
                          std::mt19937_64& rng, std::size_t questions_asked = 300) {
  EXPECT_EQ(dv.cardinality(), oracle.cardinality());
  EXPECT_EQ(dv.empty(), oracle.rows().empty());
  EXPECT_EQ(dv.min(), oracle.select(0));
  EXPECT_EQ(dv.max(), oracle.rows().empty() ? std::nullopt : std::optional(oracle.rows().back()));
  EXPECT_LE(dv.memory_bytes(), dvk::deletion_vector::container_overhead(dv.bytes().size()));

  std::vector<std::uint64_t> rows = questions(rng, oracle, questions_asked);
  for (const std::uint64_t row : rows) {
    ASSERT_EQ(dv.contains(row), oracle.contains(row)) << row;
    ASSERT_EQ(dv.rank(row), oracle.rank(row)) << row;
    ASSERT_EQ(dv.live_rank(row), row - oracle.rank(row)) << row;
    ASSERT_EQ(dv.next_deleted(row), oracle.next_deleted(row)) << row;
    if (row < (std::uint64_t{1} << 63)) {
      ASSERT_EQ(dv.next_live(row), oracle.next_live(row)) << row;
    }
    const std::uint64_t length = below(rng, 200000);
    const std::uint64_t end = row + std::min(length, ~row);
    ASSERT_EQ(dv.count({row, length}), oracle.rank(end) - oracle.rank(row)) << row << ' ' << length;
  }
  EXPECT_EQ(dv.count({0, ~std::uint64_t{0}}), oracle.cardinality());
  for (std::size_t i = 0; i < 50; ++i) {
    const std::uint64_t index = below(rng, oracle.cardinality() + 2);
    ASSERT_EQ(dv.select(index), oracle.select(index)) << index;
    const std::uint64_t last = oracle.rows().empty() ? 0 : oracle.rows().back();
    const std::uint64_t live = below(rng, last - oracle.rank(last) + 70000);
    ASSERT_EQ(dv.select_live(live), oracle.select_live(live)) << live;
  }
  for (const bool sort : {false, true}) {
    if (sort) std::sort(rows.begin(), rows.end());
    std::vector<std::uint8_t> out(rows.size(), 7);
    dv.contains_many(rows, out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(out[i], oracle.contains(rows[i]) ? 1 : 0) << rows[i];
    }
  }
}

inline void expect_ranges(const dvk::deletion_vector& dv, const row_oracle& oracle) {
  std::vector<row_oracle::range> found;
  for (auto r = dv.next_range(0); r; r = dv.next_range(r->start + r->count)) {
    found.push_back({r->start, r->count});
  }
  EXPECT_EQ(found, oracle.ranges());
}

inline void expect_containers(const dvk::deletion_vector& dv, const row_oracle& oracle) {
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < dv.container_count(); ++i) {
    const dvk::container_info c = dv.container(i);
    EXPECT_EQ(c.rank, rank);
    EXPECT_EQ(c.rank, oracle.rank(c.first_row));
    EXPECT_EQ(c.cardinality, oracle.rank(c.first_row + 65536) - rank);
    EXPECT_LE(c.offset + c.bytes, dv.bytes().size());
    EXPECT_EQ(c.kind == dvk::container_kind::run, c.runs != 0);
    rank += c.cardinality;
  }
  EXPECT_EQ(rank, dv.cardinality());
}

}  // namespace dvk_test
