// Known faults of known writers, put up with where the caller says so: the rows that the writer
// meant, from every kernel; nothing changes without the word, nor for sound bytes with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "dvk/builder.hpp"
#include "dvk/deletion_vector.hpp"
#include "dvk/dispatch.hpp"
#include "dvk/puffin.hpp"
#include "dvk/selection.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/random.hpp"

namespace {

using dvk::deletion_vector;
using dvk::error_code;
using dvk::quirk;
using dvk::quirk_set;
using dvk::validation;
using dvk_test::bitmap_writer;
using dvk_test::byte_vector;
using dvk_test::expect_agrees;
using dvk_test::guard_buffer;
using dvk_test::put_le;
using dvk_test::row_oracle;

constexpr validation levels[] = {validation::trusted, validation::standard, validation::strict};

quirk_set all_quirks() {
  quirk_set all;
  for (unsigned i = 0; i < dvk::quirk_count; ++i)
    all.insert(static_cast<quirk>(i));
  return all;
}

// One 32-bit bitmap without runs; a container is a bitset if it asks for it, however few its rows.
struct chunk {
  std::uint16_t key;
  std::vector<std::uint16_t> values;
  bool bitset = false;
};

void put_bitmap(byte_vector& out, std::uint32_t key, const std::vector<chunk>& chunks,
                bool offsets = true) {
  put_le(out, key);
  put_le(out, std::uint32_t{12346});
  put_le(out, static_cast<std::uint32_t>(chunks.size()));
  for (const chunk& c : chunks) {
    put_le(out, c.key);
    put_le(out, static_cast<std::uint16_t>(c.values.size() - 1));
  }
  auto at = static_cast<std::uint32_t>(8 + (offsets ? 8 : 4) * chunks.size());
  for (const chunk& c : chunks) {
    if (offsets) put_le(out, at);
    at += static_cast<std::uint32_t>(c.bitset ? 8192 : 2 * c.values.size());
  }
  for (const chunk& c : chunks) {
    std::vector<std::uint8_t> bits(c.bitset ? 8192 : 0);
    for (const std::uint16_t v : c.values) {
      if (c.bitset) {
        bits[v / 8] = static_cast<std::uint8_t>(bits[v / 8] | 1u << v % 8);
      } else {
        put_le(out, v);
      }
    }
    for (const std::uint8_t byte : bits)
      out.push_back(std::byte{byte});
  }
}

byte_vector vector_of(std::uint64_t bitmaps) {
  byte_vector out;
  put_le(out, bitmaps);
  return out;
}

std::vector<std::uint16_t> every(std::uint16_t step, std::size_t n) {
  std::vector<std::uint16_t> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<std::uint16_t>(i * step + 1);
  return out;
}

void add_rows(std::vector<std::uint64_t>& rows, std::uint64_t key, const chunk& c) {
  for (const std::uint16_t v : c.values)
    rows.push_back(key << 32 | std::uint64_t{c.key} << 16 | v);
}

// All that the library answers of an opened vector is what `rows` say.
void expect_rows(const deletion_vector& dv, const row_oracle& oracle) {
  auto rng = dvk_test::generator(31);
  expect_agrees(dv, oracle, rng);
  for (const dvk::tier t : dvk::supported_tiers()) {
    ASSERT_TRUE(dvk::set_max_isa(t));
    dvk::scanner scan(dv);
    const std::size_t step = 1 + oracle.rows().size() / 40;
    for (std::size_t at = 0; at < oracle.rows().size(); at += step) {
      const std::uint64_t row = oracle.rows()[at];
      const dvk::row_range batch{row < 100 ? 0 : row - 100, 2000};
      std::vector<std::uint32_t> live(batch.count), expected;
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        if (!oracle.contains(batch.start + i)) expected.push_back(static_cast<std::uint32_t>(i));
      }
      const auto got = scan.indices<std::uint32_t>(batch, live, {.always_write = true});
      ASSERT_EQ(got.live, expected.size());
      live.resize(expected.size());
      ASSERT_EQ(live, expected) << "batch at " << batch.start << ", tier " << dvk::tier_name(t);
    }
  }
  dvk::reset_max_isa();
}

// Whatever is combined with it comes out right, and what is written has no fault.
void expect_sound_results(const deletion_vector& dv, const row_oracle& oracle) {
  std::vector<std::uint64_t> other;
  for (std::uint64_t row = 0; row < 70000; row += 3)
    other.push_back(row);
  bitmap_writer writer;
  const byte_vector other_bytes = writer.add(other).bitmap64();
  const auto with = deletion_vector::open_bitmap(other_bytes);
  ASSERT_TRUE(with);
  const auto expect = [](const dvk::result<byte_vector>& bitmap,
                         const std::vector<std::uint64_t>& rows) {
    ASSERT_TRUE(bitmap);
    const auto again = deletion_vector::open_bitmap(*bitmap, {.level = validation::strict});
    ASSERT_TRUE(again) << again.error().message();
    auto rng = dvk_test::generator(32);
    expect_agrees(*again, row_oracle(rows), rng);
  };
  const std::vector<std::uint64_t>& rows = oracle.rows();
  std::vector<std::uint64_t> both, either, first, one;
  std::set_intersection(rows.begin(), rows.end(), other.begin(), other.end(),
                        std::back_inserter(both));
  std::set_union(rows.begin(), rows.end(), other.begin(), other.end(), std::back_inserter(either));
  std::set_difference(rows.begin(), rows.end(), other.begin(), other.end(),
                      std::back_inserter(first));
  std::set_symmetric_difference(rows.begin(), rows.end(), other.begin(), other.end(),
                                std::back_inserter(one));
  expect(dvk::set_intersection(dv, *with), both);
  expect(dvk::set_intersection(*with, dv), both);
  expect(dvk::set_union(dv, *with), either);
  expect(dvk::set_union(*with, dv), either);
  expect(dvk::set_difference(dv, *with), first);
  expect(dvk::set_symmetric_difference(dv, *with), one);
  expect(dvk::set_union(dv, deletion_vector()), rows);
  dvk::deletion_vector_builder builder;
  ASSERT_EQ(builder.merge(dv).code, error_code::ok);
  expect(builder.serialize_bitmap(), rows);
}

// The bytes are refused with this quirk, also where all others are tolerated, and hold `rows` where
// it is.
void expect_tolerated(const byte_vector& bitmap, quirk fault, std::vector<std::uint64_t> rows) {
  std::sort(rows.begin(), rows.end());
  const row_oracle oracle(rows);
  const guard_buffer copy({reinterpret_cast<const std::uint8_t*>(bitmap.data()), bitmap.size()});
  quirk_set others = all_quirks();
  others.erase(fault);
  for (const quirk_set tolerate : {quirk_set{}, others}) {
    const auto refused = deletion_vector::open_bitmap(copy.bytes(), {.tolerate = tolerate});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().quirk, fault);
  }
  for (const validation level : levels) {
    for (const quirk_set tolerate : {quirk_set{fault}, all_quirks()}) {
      const auto dv =
          deletion_vector::open_bitmap(copy.bytes(), {.level = level, .tolerate = tolerate});
      ASSERT_TRUE(dv) << dv.error().message();
      EXPECT_EQ(dv->tolerated(), quirk_set{fault});
      expect_rows(*dv, oracle);
      if (level == validation::standard) expect_sound_results(*dv, oracle);
    }
  }
}

TEST(tolerance, undersized_bitsets) {
  const std::vector<chunk> chunks = {{0, every(5, 1000), true},
                                     {1, every(3, 200)},
                                     {4, every(16, 4095), true},
                                     {5, every(2, 4096), true},
                                     {6, {7}, true}};
  byte_vector bitmap = vector_of(1);
  put_bitmap(bitmap, 0, chunks);
  std::vector<std::uint64_t> rows;
  for (const chunk& c : chunks)
    add_rows(rows, 0, c);
  expect_tolerated(bitmap, quirk::undersized_bitset, rows);
}

// Nothing but its values tells such a bitset from an array, and nothing at all from level trusted
// on: there the word alone decides.
TEST(tolerance, a_bitset_as_large_as_its_array) {
  const chunk c{3, every(16, 4096), true};
  byte_vector bitmap = vector_of(1);
  put_bitmap(bitmap, 0, {c});
  std::vector<std::uint64_t> rows;
  add_rows(rows, 0, c);
  expect_tolerated(bitmap, quirk::undersized_bitset, rows);
  const auto trusted = deletion_vector::open_bitmap(
      bitmap, {.level = validation::trusted, .tolerate = {quirk::crc_not_inverted}});
  ASSERT_TRUE(trusted);  // and other rows: that level promises no more
  EXPECT_TRUE(trusted->tolerated().empty());
}

TEST(tolerance, missing_offset_headers) {
  const std::vector<chunk> small = {{0, every(5, 100)}, {9, every(1, 60000), true}};
  const std::vector<chunk> large = {
      {0, every(5, 100)}, {1, {3}}, {2, every(7, 4096)}, {9, every(1, 60000), true}};
  byte_vector bitmap = vector_of(3);
  put_bitmap(bitmap, 0, small, false);
  put_bitmap(bitmap, 1, large);
  put_bitmap(bitmap, 7, {{1, every(2, 9)}}, false);
  std::vector<std::uint64_t> rows;
  for (const chunk& c : small)
    add_rows(rows, 0, c);
  for (const chunk& c : large)
    add_rows(rows, 1, c);
  add_rows(rows, 7, {1, every(2, 9)});
  expect_tolerated(bitmap, quirk::missing_offset_header, rows);
}

TEST(tolerance, keys_in_hash_order) {
  auto rng = dvk_test::generator(33);
  for (std::size_t round = 0; round < 8; ++round) {
    std::vector<std::uint32_t> keys(2 + 3 * round);
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = static_cast<std::uint32_t>(3 * i + (i > 4 ? 1000000 : 0));
    std::shuffle(keys.begin(), keys.end(), rng);
    if (std::is_sorted(keys.begin(), keys.end())) std::swap(keys[0], keys[1]);
    byte_vector bitmap = vector_of(keys.size());
    std::vector<std::uint64_t> rows;
    for (const std::uint32_t key : keys) {
      std::vector<chunk> chunks = {{static_cast<std::uint16_t>(key % 11), every(9, 1 + key % 99)},
                                   {500, every(3, 5000 + key % 99), true}};
      if (key % 5 == 4) chunks.clear();
      put_bitmap(bitmap, key, chunks);
      for (const chunk& c : chunks)
        add_rows(rows, key, c);
    }
    expect_tolerated(bitmap, quirk::keys_in_hash_order, rows);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(tolerance, what_the_caller_knows_still_counts) {
  byte_vector bitmap = vector_of(2);
  put_bitmap(bitmap, 1, {{0, {5, 9}}});
  put_bitmap(bitmap, 0, {{0, {5}}});
  const auto code = [&](dvk::open_options options) {
    options.tolerate = {quirk::keys_in_hash_order};
    return deletion_vector::open_bitmap(bitmap, options).error().code;
  };
  const std::uint64_t last = (std::uint64_t{1} << 32) + 9;
  EXPECT_EQ(code({.expected_cardinality = 3, .row_count = last + 1}), error_code::ok);
  EXPECT_EQ(code({.expected_cardinality = 2}), error_code::cardinality_mismatch);
  EXPECT_EQ(code({.row_count = last}), error_code::position_out_of_range);
  EXPECT_EQ(code({.max_bytes = bitmap.size() - 1}), error_code::limit_exceeded);
}

TEST(tolerance, blobs) {
  bitmap_writer writer;
  const byte_vector blob = writer.add(3).add(70000).blob();
  byte_vector inverted = blob;
  for (std::size_t i = inverted.size() - 4; i < inverted.size(); ++i)
    inverted[i] = ~inverted[i];
  const byte_vector bare = writer.bitmap64();
  for (const auto& [bytes, fault] :
       {std::pair{inverted, quirk::crc_not_inverted}, {bare, quirk::bare_bitmap}}) {
    EXPECT_EQ(deletion_vector::open_blob(bytes).error().quirk, fault);
    const auto dv = deletion_vector::open_blob(bytes, {.tolerate = {fault}});
    ASSERT_TRUE(dv);
    EXPECT_EQ(dv->tolerated(), quirk_set{fault});
    EXPECT_EQ(dv->cardinality(), 2u);
    EXPECT_TRUE(dv->contains(70000));
    // A writer takes no bytes with a fault.
    dvk::memory_sink sink;
    dvk::puffin::writer puffin(sink);
    EXPECT_FALSE(puffin.write_vector(bytes, "f", 2));
  }
  byte_vector damaged = inverted;
  damaged[12] ^= std::byte{1};
  EXPECT_EQ(deletion_vector::open_blob(damaged, {.tolerate = all_quirks()}).error().code,
            error_code::bad_crc);
  for (const validation level : levels) {
    const auto dv = deletion_vector::open_blob(blob, {.level = level, .tolerate = all_quirks()});
    ASSERT_TRUE(dv);
    EXPECT_TRUE(dv->tolerated().empty());
  }
}

}  // namespace
