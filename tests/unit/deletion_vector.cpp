// The view against the oracle, and against CRoaring's bytes.
#include "dvk/deletion_vector.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/agreement.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/datasets.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/random.hpp"

#ifdef DVK_WITH_roaring
#include <roaring/roaring64.h>
#endif

namespace {

using dvk::deletion_vector;
using dvk::error_code;
using dvk::open_options;
using dvk::validation;
using dvk_test::below;
using dvk_test::bitmap_options;
using dvk_test::bitmap_writer;
using dvk_test::byte_vector;
using dvk_test::cases;
using dvk_test::expect_agrees;
using dvk_test::expect_containers;
using dvk_test::expect_ranges;
using dvk_test::row_oracle;
using dvk_test::run_rule;

constexpr validation levels[] = {validation::strict, validation::standard, validation::trusted};

open_options at(validation level) {
  return {.level = level};
}

std::span<const std::uint8_t> octets(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

TEST(DeletionVector, DefaultIsEmpty) {
  auto rng = dvk_test::generator(1);
  const deletion_vector dv;
  expect_agrees(dv, row_oracle(), rng);
  EXPECT_EQ(dv.memory_bytes(), 0u);
  EXPECT_FALSE(dv.next_range(0));
}

TEST(DeletionVector, AgreesWithTheOracle) {
  auto rng = dvk_test::generator(2);
  for (std::size_t i = 0; i < cases(120); ++i) {
    const row_oracle oracle(dvk_test::random_rows(rng, static_cast<std::size_t>(below(rng, 9))));
    bitmap_options options{.runs = static_cast<run_rule>(i % 3)};
    if (i % 4 == 0)
      options.run_if = [salt = rng()](std::uint64_t key) {
        return ((key ^ salt) * 0x9e3779b9u >> 7) % 2 == 0;
      };
    options.run_cookie_always = i % 5 == 0;
    bitmap_writer writer(options);
    writer.add(oracle.rows());
    const bool framed = i % 2 == 0;
    const byte_vector bytes = framed ? writer.blob() : writer.bitmap64();
    const dvk_test::guard_buffer guarded(octets(bytes), i % 3 == 0
                                                            ? dvk_test::guard_buffer::side::start
                                                            : dvk_test::guard_buffer::side::end);
    for (const validation level : {validation::standard, validation::trusted}) {
      auto dv = framed ? deletion_vector::open_blob(guarded.bytes(), at(level))
                       : deletion_vector::open_bitmap(guarded.bytes(), at(level));
      ASSERT_TRUE(dv) << dv.error().message();
      expect_agrees(*dv, oracle, rng);
      expect_containers(*dv, oracle);
    }
  }
}

TEST(DeletionVector, RangesJoinAcrossContainers) {
  for (const run_rule runs : {run_rule::smallest, run_rule::never, run_rule::always}) {
    bitmap_writer writer({.runs = runs});
    writer.add_range(65530, 200000).add_range(300000, 1).add_range((std::uint64_t{1} << 32) - 3, 6);
    const byte_vector bytes = writer.blob();
    auto dv = deletion_vector::open_blob(bytes);
    ASSERT_TRUE(dv);
    EXPECT_EQ(dv->next_range(0), (dvk::row_range{65530, 200000}));
    EXPECT_EQ(dv->next_range(70000), (dvk::row_range{70000, 195530}));
    EXPECT_EQ(dv->next_range(265530), (dvk::row_range{300000, 1}));
    EXPECT_EQ(dv->next_range(300001), (dvk::row_range{(std::uint64_t{1} << 32) - 3, 6}));
    EXPECT_FALSE(dv->next_range((std::uint64_t{1} << 32) + 3));
  }
  auto rng = dvk_test::generator(3);
  for (std::size_t i = 0; i < cases(20); ++i) {
    const row_oracle oracle(dvk_test::random_rows(rng, 4));
    bitmap_writer writer({.runs = static_cast<run_rule>(i % 3)});
    const byte_vector bytes = writer.add(oracle.rows()).blob();
    auto dv = deletion_vector::open_blob(bytes);
    ASSERT_TRUE(dv);
    expect_ranges(*dv, oracle);
  }
}

TEST(DeletionVector, LargestPositions) {
  const std::uint64_t last = ~std::uint64_t{0} >> 1;
  bitmap_writer writer;
  writer.add(3).add_range(last - 70000, 70001);
  const byte_vector bytes = writer.blob();
  auto dv = deletion_vector::open_blob(bytes);
  ASSERT_TRUE(dv);
  EXPECT_EQ(dv->max(), last);
  EXPECT_TRUE(dv->contains(last));
  EXPECT_FALSE(dv->contains(last + 1));
  EXPECT_EQ(dv->rank(~std::uint64_t{0}), 70002u);
  EXPECT_EQ(dv->next_live(last - 5), std::nullopt);
  EXPECT_EQ(dv->next_range(4), (dvk::row_range{last - 70000, 70001}));
  EXPECT_EQ(dv->select_live(last - 70000 - 1), std::nullopt);
  EXPECT_EQ(dv->select_live(last - 70000 - 2), last - 70001);
  EXPECT_EQ(deletion_vector::open_blob(bytes, at(validation::strict)).error().code,
            error_code::key_out_of_range);
}

TEST(DeletionVector, AnyAlignment) {
  auto rng = dvk_test::generator(4);
  const row_oracle oracle(dvk_test::random_rows(rng, 5));
  bitmap_writer writer;
  const byte_vector bytes = writer.add(oracle.rows()).blob();
  for (std::size_t alignment = 0; alignment < 64; ++alignment) {
    const dvk_test::placed_bytes placed(bytes, alignment);
    auto dv = deletion_vector::open_blob(placed.bytes());
    ASSERT_TRUE(dv) << alignment;
    expect_agrees(*dv, oracle, rng, 40);
  }
}

TEST(DeletionVector, GapBitmapsAndEmptyOnes) {
  auto rng = dvk_test::generator(5);
  const row_oracle oracle({7, std::uint64_t{3} << 32, (std::uint64_t{9} << 32) + 5});
  bitmap_writer writer({.gap_bitmaps = true});
  const byte_vector bytes = writer.add(oracle.rows()).blob();
  for (const validation level : levels) {
    auto dv = deletion_vector::open_blob(bytes, at(level));
    ASSERT_TRUE(dv);
    EXPECT_EQ(dv->bitmap_count(), 10u);
    EXPECT_EQ(dv->container_count(), 3u);
    expect_agrees(*dv, oracle, rng);
  }
}

TEST(DeletionVector, MovesOwnership) {
  bitmap_writer writer;
  const byte_vector bytes = writer.add_range(10, 5).blob();
  auto opened = deletion_vector::open_blob(bytes);
  ASSERT_TRUE(opened);
  deletion_vector a = std::move(*opened);
  EXPECT_TRUE(opened->empty());
  EXPECT_FALSE(opened->contains(10));
  deletion_vector b;
  b = std::move(a);
  EXPECT_EQ(b.cardinality(), 5u);
  EXPECT_EQ(a.container_count(), 0u);
  deletion_vector& same = b;
  b = std::move(same);
  EXPECT_TRUE(b.contains(14));
}

#ifdef DVK_WITH_roaring
TEST(DeletionVector, ReadsWhatCRoaringWrites) {
  auto rng = dvk_test::generator(7);
  for (std::size_t i = 0; i < cases(40); ++i) {
    const row_oracle oracle(dvk_test::random_rows(rng, 1 + below(rng, 6)));
    roaring64_bitmap_t* bitmap =
        roaring64_bitmap_of_ptr(oracle.rows().size(), oracle.rows().data());
    if (i % 2 == 0) roaring64_bitmap_run_optimize(bitmap);
    byte_vector bytes(roaring64_bitmap_portable_size_in_bytes(bitmap));
    roaring64_bitmap_portable_serialize(bitmap, reinterpret_cast<char*>(bytes.data()));
    roaring64_bitmap_free(bitmap);
    auto dv = deletion_vector::open_bitmap(bytes, at(validation::strict));
    ASSERT_TRUE(dv) << dv.error().message();
    expect_agrees(*dv, oracle, rng, 100);
  }
}
#endif

}  // namespace
