// The builder against a std::set and against CRoaring's reader, and its bytes against what Iceberg
// Java writes.
#include "dvk/builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "bytes/load.hpp"
#include "dvk/crc32.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/random.hpp"

#ifdef DVK_WITH_roaring
#include <roaring/roaring64.h>
#endif

namespace {

using dvk::deletion_vector_builder;
using dvk::error_code;
using dvk_test::below;
using bytes_t = std::vector<std::byte>;

std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    constexpr char digits[] = "0123456789abcdef";
    out += digits[static_cast<unsigned>(b) >> 4];
    out += digits[static_cast<unsigned>(b) & 15];
  }
  return out;
}

bytes_t blob_of(const std::vector<std::uint64_t>& rows,
                const dvk::serialize_options& options = {}) {
  deletion_vector_builder b;
  for (const auto row : rows)
    EXPECT_EQ(b.add(row).code, error_code::ok);
  auto blob = b.serialize_blob(options);
  EXPECT_TRUE(blob) << blob.error().message();
  return std::move(blob).value();
}

#ifdef DVK_WITH_roaring
// Rows of a serialised bitmap, read by CRoaring.
std::vector<std::uint64_t> rows_of(const bytes_t& bitmap) {
  using namespace roaring::api;
  auto* r = roaring64_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(bitmap.data()),
                                                       bitmap.size());
  if (r == nullptr) {
    ADD_FAILURE() << "CRoaring refuses "
                  << hex(std::span(bitmap).first(std::min<std::size_t>(bitmap.size(), 64)));
    return {};
  }
  const char* reason = nullptr;
  EXPECT_TRUE(roaring64_bitmap_internal_validate(r, &reason)) << reason;
  EXPECT_EQ(roaring64_bitmap_portable_size_in_bytes(r), bitmap.size());
  std::vector<std::uint64_t> rows(roaring64_bitmap_get_cardinality(r));
  roaring64_bitmap_to_uint64_array(r, rows.data());
  roaring64_bitmap_free(r);
  return rows;
}

// What CRoaring writes for the same rows.
bytes_t croaring_bitmap(const std::vector<std::uint64_t>& rows) {
  using namespace roaring::api;
  auto* r = roaring64_bitmap_of_ptr(rows.size(), rows.data());
  roaring64_bitmap_run_optimize(r);
  bytes_t out(roaring64_bitmap_portable_size_in_bytes(r));
  roaring64_bitmap_portable_serialize(r, reinterpret_cast<char*>(out.data()));
  roaring64_bitmap_free(r);
  return out;
}
#endif

TEST(builder, empty_vector_is_a_20_byte_blob) {
  EXPECT_EQ(hex(blob_of({})), "0000000cd1d339640000000000000000bf18480c");
  const deletion_vector_builder b;
  EXPECT_TRUE(b.empty());
  EXPECT_FALSE(b.contains(0));
  EXPECT_EQ(hex(b.serialize_bitmap().value()), "0000000000000000");
}

TEST(builder, frames_the_bitmap_with_length_magic_and_crc) {
  deletion_vector_builder b;
  ASSERT_EQ(b.add_range(5, 100000).code, error_code::ok);
  const auto blob = b.serialize_blob().value();
  const auto bitmap = b.serialize_bitmap().value();
  ASSERT_EQ(blob.size(), bitmap.size() + 12);
  EXPECT_EQ(dvk::bytes::load_be32(blob.data()), blob.size() - 8);
  EXPECT_EQ(hex(std::span(blob).subspan(4, 4)), "d1d33964");
  EXPECT_TRUE(std::equal(bitmap.begin(), bitmap.end(), blob.begin() + 8));
  EXPECT_EQ(dvk::bytes::load_be32(blob.data() + blob.size() - 4),
            dvk::crc32(std::span(blob).subspan(4, blob.size() - 8)));
}

// Sizes that Iceberg Java was seen to write.
TEST(builder, chooses_the_container_that_java_chooses) {
  EXPECT_EQ(blob_of({0, 1, 2}).size(), 46u);      // array: 2 + 4 is not below 6
  EXPECT_EQ(blob_of({0, 1, 2, 3}).size(), 39u);   // run
  EXPECT_EQ(blob_of({0, 1, 2, 10}).size(), 48u);  // array, by single adds
  deletion_vector_builder
      b;  // by range and add the container is a run already, and stays one in a tie plus two
  ASSERT_EQ(b.add_range(0, 3).code, error_code::ok);
  EXPECT_EQ(b.serialize_blob().value().size(), 39u);
  ASSERT_EQ(b.add(10).code, error_code::ok);
  EXPECT_EQ(b.serialize_blob().value().size(), 43u);
  ASSERT_EQ(b.add(20).code, error_code::ok);  // 14 > 2 * 5 + 2: now an array
  EXPECT_EQ(b.serialize_blob().value().size(), 50u);
}

TEST(builder, iceberg_java_mode_writes_gap_bitmaps_behind_a_cap) {
  const std::vector<std::uint64_t> only_key_3 = {3 * (std::uint64_t{1} << 32) + 7};
  EXPECT_EQ(blob_of(only_key_3, {.keys = dvk::key_mode::iceberg_java}).size(), 78u);
  EXPECT_EQ(blob_of(only_key_3).size(), 20u + 4 + 8 + 8 + 2);

  deletion_vector_builder b;
  ASSERT_EQ(b.add(dvk::max_position).code, error_code::ok);
  const auto refused = b.serialize_blob({.keys = dvk::key_mode::iceberg_java});
  EXPECT_EQ(refused.error().code, error_code::limit_exceeded);
  EXPECT_EQ(refused.error().expected, std::uint64_t{16} << 20);
  EXPECT_EQ(refused.error().found, std::uint64_t{0x7FFFFFFE} * 12);
  EXPECT_TRUE(b.serialize_blob());

  deletion_vector_builder c;
  ASSERT_EQ(c.add(std::uint64_t{10} << 32).code, error_code::ok);
  EXPECT_TRUE(c.serialize_blob({.keys = dvk::key_mode::iceberg_java, .max_gap_bytes = 120}));
  EXPECT_FALSE(c.serialize_blob({.keys = dvk::key_mode::iceberg_java, .max_gap_bytes = 119}));
}

TEST(builder, max_bytes_is_exact) {
  deletion_vector_builder b;
  for (std::uint64_t i = 0; i < 5000; ++i)
    ASSERT_EQ(b.add(i * 7919).code, error_code::ok);
  ASSERT_EQ(b.add_range(1 << 20, 1 << 21).code, error_code::ok);
  const auto size = b.serialize_blob().value().size();
  EXPECT_TRUE(b.serialize_blob({.max_bytes = size}));
  EXPECT_EQ(b.serialize_blob({.max_bytes = size - 1}).error().code, error_code::limit_exceeded);
}

TEST(builder, refuses_positions_past_the_limit_and_changes_nothing) {
  deletion_vector_builder b;
  const auto over = dvk::max_position + 1;
  const auto expect_refused = [&](const dvk::error& e, std::uint64_t found,
                                  std::uint64_t offset = 0) {
    EXPECT_EQ(e.code, error_code::invalid_argument);
    EXPECT_EQ(e.expected, dvk::max_position);
    EXPECT_EQ(e.found, found);
    EXPECT_EQ(e.offset, offset);
    EXPECT_TRUE(b.empty());
  };
  expect_refused(b.add(over), over);
  expect_refused(b.add_range(5, over + 1), over);
  expect_refused(b.add_many(std::vector<std::uint64_t>{1, 2, over, 3}), over, 16);
  expect_refused(b.add_many(std::vector<std::int64_t>{1, -1}), ~std::uint64_t{0}, 8);
  expect_refused(b.remove(over), over);
  expect_refused(b.remove_range(0, over + 1), over);
  const std::vector<dvk::position_delete> rows = {{"other", over}, {"mine", 1}, {"mine", over}};
  expect_refused(b.add_rows("mine", rows), over, 2 * sizeof rows[0]);
  EXPECT_EQ(b.add_range(7, 7).code, error_code::ok);
  EXPECT_EQ(b.add_range(8, 7).code, error_code::ok);
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(b.add_range(dvk::max_position, over).code, error_code::ok);
  EXPECT_TRUE(b.contains(dvk::max_position));
  EXPECT_EQ(b.cardinality(), 1u);
}

TEST(builder, takes_rows_of_one_file_only) {
  deletion_vector_builder b;
  const std::vector<dvk::position_delete> rows = {{"s3://b/a.parquet", 7},
                                                  {"s3://b/b.parquet", 8},
                                                  {"s3://b/a.parquet", 3},
                                                  {"s3://b/a.parquet/", 9}};
  ASSERT_EQ(b.add_rows("s3://b/a.parquet", rows).code, error_code::ok);
  EXPECT_EQ(b.cardinality(), 2u);
  EXPECT_TRUE(b.contains(7) && b.contains(3) && !b.contains(8) && !b.contains(9));
}

TEST(builder, moves_and_clears) {
  deletion_vector_builder a;
  ASSERT_EQ(a.add(1).code, error_code::ok);
  deletion_vector_builder b(std::move(a));
  EXPECT_TRUE(b.contains(1));
  deletion_vector_builder c;
  ASSERT_EQ(c.add(2).code, error_code::ok);
  c = std::move(b);
  EXPECT_TRUE(c.contains(1) && !c.contains(2));
  c.clear();
  EXPECT_TRUE(c.empty());
  ASSERT_EQ(c.add(3).code, error_code::ok);
  EXPECT_EQ(c.cardinality(), 1u);
}

// Positions around chunk and key borders, and clusters: where the shapes of containers change.
std::uint64_t random_position(std::mt19937_64& rng) {
  const std::uint64_t key = below(rng, 4) == 0 ? below(rng, 3) : 0;
  const std::uint64_t chunk = below(rng, 3) * (below(rng, 8) == 0 ? 32767 : 1);
  const std::uint64_t low = below(rng, 2) == 0 ? below(rng, 65536) : below(rng, 50) + 65500;
  return std::min(key << 32 | chunk << 16 | low % 65536, dvk::max_position);
}

TEST(builder, agrees_with_a_set_over_random_calls) {
  auto rng = dvk_test::generator(1);
  for (std::size_t round = 0; round < dvk_test::cases(20); ++round) {
    deletion_vector_builder b;
    std::set<std::uint64_t> expected;
    for (int step = 0; step < 40; ++step) {
      const std::uint64_t at = random_position(rng);
      const std::uint64_t length = below(rng, 3) == 0 ? below(rng, 20000) : below(rng, 20);
      switch (below(rng, 6)) {
        case 0:
        case 1:
          for (std::uint64_t i = 0; i < 50; ++i) {
            const auto p = at + i * i % 31;
            ASSERT_EQ(b.add(p).code, error_code::ok);
            expected.insert(p);
          }
          break;
        case 2:
          ASSERT_EQ(b.add_range(at, at + length).code, error_code::ok);
          for (std::uint64_t p = at; p < at + length; ++p)
            expected.insert(p);
          break;
        case 3: {
          std::vector<std::uint64_t> many(below(rng, 6000));
          for (auto& p : many)
            p = random_position(rng);
          if (below(rng, 2) == 0) std::sort(many.begin(), many.end());
          ASSERT_EQ(b.add_many(many).code, error_code::ok);
          expected.insert(many.begin(), many.end());
          break;
        }
        case 4:
          ASSERT_EQ(b.remove_range(at, at + length).code, error_code::ok);
          expected.erase(expected.lower_bound(at), expected.lower_bound(at + length));
          break;
        default:
          ASSERT_EQ(b.remove(at).code, error_code::ok);
          expected.erase(at);
      }
    }
    ASSERT_EQ(b.cardinality(), expected.size());
    for (int i = 0; i < 200; ++i) {
      const auto p = random_position(rng);
      ASSERT_EQ(b.contains(p), expected.count(p) == 1) << p;
    }
#ifdef DVK_WITH_roaring
    const std::vector<std::uint64_t> rows(expected.begin(), expected.end());
    ASSERT_EQ(rows_of(b.serialize_bitmap().value()), rows);
    // From positions alone the bytes depend on content only.
    ASSERT_EQ(hex(dvk::serialize_positions(rows, dvk::output_form::bitmap).value()),
              hex(croaring_bitmap(rows)));
    auto shuffled = rows;
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    if (!shuffled.empty()) shuffled.push_back(shuffled.front());
    ASSERT_EQ(hex(dvk::serialize_positions(shuffled, dvk::output_form::bitmap).value()),
              hex(croaring_bitmap(rows)));
#endif
  }
}

#ifdef DVK_WITH_roaring
TEST(builder, all_ways_in_give_the_same_bytes) {
  auto rng = dvk_test::generator(2);
  for (const std::uint64_t rows :
       {std::uint64_t{3000}, std::uint64_t{200000}, std::uint64_t{1} << 33}) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{60000}}) {
      std::vector<std::uint64_t> positions(n);
      for (auto& p : positions)
        p = below(rng, rows);
      const auto expected = [&] {
        auto sorted = positions;
        std::sort(sorted.begin(), sorted.end());
        return croaring_bitmap(sorted);
      }();
      deletion_vector_builder one_by_one, at_once, in_two, as_signed;
      for (const auto p : positions)
        ASSERT_EQ(one_by_one.add(p).code, error_code::ok);
      ASSERT_EQ(at_once.add_many(positions).code, error_code::ok);
      ASSERT_EQ(in_two.add_many(std::span(positions).first(n / 2)).code, error_code::ok);
      ASSERT_EQ(in_two.add_many(std::span(positions).subspan(n / 2)).code, error_code::ok);
      const std::vector<std::int64_t> s(positions.begin(), positions.end());
      ASSERT_EQ(as_signed.add_many(s).code, error_code::ok);
      EXPECT_TRUE(one_by_one.serialize_bitmap().value() == expected);
      EXPECT_TRUE(at_once.serialize_bitmap().value() == expected);
      EXPECT_TRUE(as_signed.serialize_bitmap().value() == expected);
      EXPECT_EQ(in_two.cardinality(), one_by_one.cardinality());
      EXPECT_TRUE(rows_of(in_two.serialize_bitmap().value()) == rows_of(expected));
    }
  }
}
#endif

// Blobs written by Iceberg's own classes, built anew row by row.
TEST(builder, bytes_equal_those_of_iceberg_java) {
  const auto golden = dvk_test::golden_folder("java-generated");
  DVK_NEEDS_GOLDEN(golden);
  std::size_t files = 0;
  for (const auto& item : std::filesystem::directory_iterator(golden)) {
    const std::string name = item.path().filename().string();
    if (item.path().extension() != ".bin" || name.starts_with("probe")) continue;
    SCOPED_TRACE(name);
    const std::string text = dvk_test::read_file(item.path());
    const auto bytes = std::as_bytes(std::span(text));
    const auto dv = dvk::deletion_vector::open_blob(bytes);
    ASSERT_TRUE(dv) << dv.error().message();
    deletion_vector_builder b;
    if (name.starts_with("range-3") || name.starts_with("tie-range")) {
      // Bytes depend on history here: these were made by a range first.
      ASSERT_EQ(b.add_range(0, 3).code, error_code::ok);
    }
    for (auto row = dv->next_deleted(0); row; row = dv->next_deleted(*row + 1)) {
      ASSERT_EQ(b.add(*row).code, error_code::ok);
    }
    const auto again = b.serialize_blob({.keys = dvk::key_mode::iceberg_java}).value();
    EXPECT_TRUE(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
    ++files;
  }
  EXPECT_EQ(files, 20u);
}

}  // namespace
