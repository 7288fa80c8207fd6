// Rows that come in ascending order take a short way into a builder's containers. They leave what
// the long way leaves: the same rows, in containers of the same form.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "dvk/builder.hpp"
#include "tests/support/random.hpp"

namespace {

using dvk::deletion_vector_builder;
using dvk_test::below;

constexpr std::uint64_t elsewhere = std::uint64_t{5} << 32;

// The same calls on two builders. One of them goes to another bitmap after each call, and so never
// knows where the one before went.
class two_ways {
 public:
  two_ways() { turn_away(short_way_); }

  void add(std::uint64_t row) {
    EXPECT_EQ(short_way_.add(row), dvk::error{});
    EXPECT_EQ(long_way_.add(row), dvk::error{});
    turn_away(long_way_);
    rows_.insert(row);
  }
  void add_range(std::uint64_t begin, std::uint64_t end) {
    EXPECT_EQ(short_way_.add_range(begin, end), dvk::error{});
    EXPECT_EQ(long_way_.add_range(begin, end), dvk::error{});
    turn_away(long_way_);
    for (std::uint64_t row = begin; row < end; ++row)
      rows_.insert(row);
  }
  void expect_same() const {
    EXPECT_EQ(short_way_.cardinality(), rows_.size() + 1);
    for (const std::uint64_t row : rows_)
      ASSERT_TRUE(short_way_.contains(row)) << row;
    EXPECT_TRUE(short_way_.serialize_bitmap().value() == long_way_.serialize_bitmap().value());
  }

 private:
  static void turn_away(deletion_vector_builder& b) { EXPECT_EQ(b.add(elsewhere), dvk::error{}); }

  deletion_vector_builder short_way_, long_way_;
  std::set<std::uint64_t> rows_;
};

// Gaps and lengths around those at which a chunk changes its form, with a step back at times.
TEST(builder_appending, leaves_what_the_long_way_leaves) {
  auto rng = dvk_test::generator(3);
  for (std::size_t round = 0; round < dvk_test::cases(60); ++round) {
    two_ways both;
    const std::uint64_t gaps = std::uint64_t{1} << below(rng, 8);
    const std::uint64_t lengths = std::uint64_t{1} << below(rng, 12);
    const std::uint64_t singles = below(rng, 4);  // of three calls
    std::uint64_t at = below(rng, 2) == 0 ? 0 : 65536 - below(rng, 300);
    for (int call = 0; call < 3000 && at < 3 * 65536; ++call) {
      if (below(rng, 3) < singles) {
        both.add(at++);
      } else {
        const std::uint64_t end = at + 1 + below(rng, lengths);
        both.add_range(at, end);
        at = end;
      }
      at += below(rng, gaps);
      if (below(rng, 50) == 0) at -= std::min(at, below(rng, 100));
    }
    both.expect_same();
  }
}

TEST(builder_appending, fills_every_form_to_its_limit) {
  for (const std::uint64_t step : {1u, 2u, 7u, 15u, 16u, 17u, 31u, 32u, 33u}) {
    two_ways rows, ranges, mixed;
    for (std::uint64_t at = 0; at < 2 * 65536; at += step) {
      rows.add(at);
      ranges.add_range(at, at + (step + 1) / 2);
      if (at % 3 == 0) {
        mixed.add(at);
      } else {
        mixed.add_range(at, at + (step + 1) / 2);
      }
    }
    rows.expect_same();
    ranges.expect_same();
    mixed.expect_same();
  }
}

}  // namespace
