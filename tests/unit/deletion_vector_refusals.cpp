// The view on damaged bytes, on bytes that lie, and on what the caller knows better.
#include "dvk/deletion_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "dvk/dispatch.hpp"
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

TEST(DeletionVectorRefusals, PrefixesAreRefused) {
  bitmap_writer writer;
  writer.add_range(5, 3).add(100000).add(100002).add_range(200000, 5000);
  for (std::uint64_t row = 300000; row < 320000; row += 3)
    writer.add(row);
  writer.add((std::uint64_t{1} << 32) + 9);
  const byte_vector bitmap = writer.bitmap64();
  const byte_vector blob = writer.blob();
  for (const validation level : levels) {
    ASSERT_TRUE(deletion_vector::open_bitmap(bitmap, at(level)));
    for (std::size_t n = 0; n < bitmap.size(); ++n) {
      const byte_vector part(bitmap.begin(), bitmap.begin() + static_cast<std::ptrdiff_t>(n));
      auto dv = deletion_vector::open_bitmap(part, at(level));
      ASSERT_FALSE(dv) << n;
      ASSERT_LE(dv.error().offset, n);
    }
    for (std::size_t n = 0; n < blob.size(); ++n) {
      const byte_vector part(blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(n));
      const error_code code = deletion_vector::open_blob(part, at(level)).error().code;
      ASSERT_EQ(code, n < 20 ? error_code::blob_too_small : error_code::blob_length) << n;
    }
  }
}

TEST(DeletionVectorRefusals, BitFlipsAreRefused) {
  bitmap_writer writer;
  writer.add_range(5, 30).add(100000).add(100002);
  for (std::uint64_t row = 200000; row < 200300; row += 3)
    writer.add(row);
  byte_vector blob = writer.blob();
  for (std::size_t bit = 0; bit < 8 * blob.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1u << (bit % 8));
    blob[bit / 8] ^= mask;
    ASSERT_FALSE(deletion_vector::open_blob(blob)) << bit;
    blob[bit / 8] ^= mask;
  }
  EXPECT_TRUE(deletion_vector::open_blob(blob));
}

// Blobs above 256 KiB are checksummed block by block while their payloads are checked.
TEST(DeletionVectorRefusals, ChecksumComesBeforeWhatThePassFinds) {
  bitmap_writer writer({.runs = run_rule::never});
  for (std::uint64_t row = 0; row < 80 * 65536; row += 7)
    writer.add(row);
  const byte_vector intact = writer.blob();
  constexpr std::size_t head = 8;           // length and magic
  constexpr std::size_t first = head + 20;  // behind the counts, the key and the cookie: key 0
  ASSERT_GT(intact.size(), 600 * 1024);
  ASSERT_EQ(deletion_vector::open_blob(intact)->container_count(), 80);
  const auto crc_at = intact.size() - 4;
  const struct {
    std::size_t where;
    error_code repaired;
  } faults[] = {{.where = head + 7, .repaired = error_code::bitmap_count_too_large},
                {.where = first, .repaired = error_code::container_key_order},
                {.where = head + 5000, .repaired = error_code::bitset_cardinality},
                {.where = crc_at / 2, .repaired = error_code::bitset_cardinality},
                {.where = crc_at - 1, .repaired = error_code::bitset_cardinality}};
  for (const auto& fault : faults) {
    byte_vector blob = intact;
    blob[fault.where] ^= std::byte{0xff};
    for (const validation level : {validation::strict, validation::standard}) {
      const auto damaged = deletion_vector::open_blob(blob, at(level)).error();
      EXPECT_EQ(damaged.code, error_code::bad_crc) << fault.where;
      EXPECT_EQ(damaged.offset, crc_at);
    }
    const auto covered = std::span(blob).subspan(4, crc_at - 4);
    const std::uint32_t crc = dvk_test::plain_crc32(covered);
    for (std::size_t i = 0; i < 4; ++i)
      blob[crc_at + i] = static_cast<std::byte>(crc >> (24 - 8 * i));
    EXPECT_EQ(deletion_vector::open_blob(blob).error().code, fault.repaired) << fault.where;
  }
  byte_vector lying = intact;
  lying.back() ^= std::byte{1};
  EXPECT_EQ(deletion_vector::open_blob(lying).error().code, error_code::bad_crc);
  EXPECT_EQ(deletion_vector::open_blob(lying, {.row_count = 5}).error().code, error_code::bad_crc);
  EXPECT_EQ(deletion_vector::open_blob(intact, {.row_count = 5}).error().code,
            error_code::position_out_of_range);
  EXPECT_TRUE(deletion_vector::open_blob(lying, at(validation::trusted)));
}

// Damage behind a matching CRC: whatever is accepted must be consistent in itself, and agree on all
// levels and tiers.
TEST(DeletionVectorRefusals, MutantsAreRefusedOrConsistent) {
  auto rng = dvk_test::generator(6);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < cases(400); ++i) {
    bitmap_writer writer({.runs = static_cast<run_rule>(i % 3)});
    const row_oracle original(
        dvk_test::random_rows(rng, static_cast<std::size_t>(1 + below(rng, 3)), 200000));
    byte_vector bitmap = writer.add(original.rows()).bitmap64();
    for (auto k = static_cast<std::size_t>(below(rng, 3)); k != 0; --k) {
      const auto where = static_cast<std::size_t>(below(
          rng, below(rng, 2) == 0 ? std::min<std::size_t>(bitmap.size(), 80) : bitmap.size()));
      bitmap[where] = static_cast<std::byte>(below(rng, 256));
    }
    const dvk_test::guard_buffer guarded(octets(bitmap));
    auto trusted = deletion_vector::open_bitmap(guarded.bytes(), at(validation::trusted));
    auto standard = deletion_vector::open_bitmap(guarded.bytes());
    auto strict = deletion_vector::open_bitmap(guarded.bytes(), at(validation::strict));
    ASSERT_TRUE(trusted || !standard);
    ASSERT_TRUE(standard || !strict);
    if (trusted) {  // lying payloads: no bad access, no endless loop, rows in range
      std::uint64_t next = 0;
      std::size_t ranges = 0;
      for (auto r = trusted->next_range(0); r && ranges < 200000;
           r = trusted->next_range(next), ++ranges) {
        ASSERT_GE(r->start, next);
        ASSERT_GE(r->count, 1u);
        next = r->start + r->count;
      }
      std::vector<std::uint64_t> rows = questions(rng, original, 300);
      std::vector<std::uint8_t> out(rows.size());
      trusted->contains_many(rows, out);
      for (const std::uint64_t row : rows) {
        ASSERT_LE(trusted->rank(row), trusted->cardinality());
        static_cast<void>(trusted->contains(row));
        static_cast<void>(trusted->select_live(row));
        static_cast<void>(trusted->next_live(row));
        ASSERT_LT(trusted->select(row % (trusted->cardinality() + 1)).value_or(0),
                  std::uint64_t{1} << 63);
      }
      std::sort(rows.begin(), rows.end());
      trusted->contains_many(rows, out);
    }
    if (!standard) continue;
    ++accepted;
    std::vector<std::uint64_t> rows;
    for (auto r = standard->next_range(0); r; r = standard->next_range(r->start + r->count)) {
      ASSERT_LE(rows.size() + r->count, standard->cardinality());
      for (std::uint64_t k = 0; k < r->count; ++k)
        rows.push_back(r->start + k);
    }
    expect_agrees(*standard, row_oracle(rows), rng, 60);
#ifdef DVK_WITH_roaring
    roaring64_bitmap_t* other = roaring64_bitmap_portable_deserialize_safe(
        reinterpret_cast<const char*>(bitmap.data()), bitmap.size());
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(roaring64_bitmap_get_cardinality(other), standard->cardinality());
    roaring64_bitmap_free(other);
#endif
  }
  EXPECT_GT(accepted, 0u);
}

TEST(DeletionVectorRefusals, ClaimsAreNotBelieved) {
  byte_vector vector;
  dvk_test::put_le(vector, std::uint64_t{0x7fffffff});
  const byte_vector blob = dvk_test::frame_blob(vector);
  ASSERT_EQ(blob.size(), 20u);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    const dvk::error fault = deletion_vector::open_blob(blob).error();
    ASSERT_EQ(fault.code, error_code::bitmap_count_too_large);
    ASSERT_EQ(fault.offset, 8u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(100));

  byte_vector most;  // the largest container count in eight bytes
  dvk_test::put_le(most, std::uint64_t{1});
  dvk_test::put_le(most, std::uint32_t{0});
  dvk_test::put_le(most, std::uint32_t{12347u | 0xffff0000u});
  dvk_test::put_le(most, std::uint32_t{0});
  EXPECT_EQ(deletion_vector::open_bitmap(most).error().code, error_code::truncated);
}

TEST(DeletionVectorRefusals, FarKeysCostTheirBytes) {
  bitmap_writer writer;
  const std::uint64_t row = (std::uint64_t{0x7ffffffe} << 32) + 77;
  const byte_vector blob = writer.add(row).blob();
  ASSERT_EQ(blob.size(), 42u);
  for (const validation level : levels) {
    auto dv = deletion_vector::open_blob(blob, at(level));
    ASSERT_TRUE(dv);
    EXPECT_EQ(dv->cardinality(), 1u);
    EXPECT_EQ(dv->min(), row);
    EXPECT_TRUE(dv->contains(row));
    EXPECT_EQ(dv->memory_bytes(), 48u);
  }
}

struct counting_heap {
  std::size_t blocks = 0;
  std::size_t bytes = 0;
  std::size_t calls = 0;
  bool refuse = false;

  dvk::memory_hooks hooks() {
    return {.allocate = [](void* self, std::size_t n) noexcept -> void* {
              auto& heap = *static_cast<counting_heap*>(self);
              ++heap.calls;
              if (heap.refuse) return nullptr;
              ++heap.blocks;
              heap.bytes += n;
              return std::malloc(n);
            },
            .release =
                [](void* self, void* block, std::size_t n) noexcept {
                  auto& heap = *static_cast<counting_heap*>(self);
                  --heap.blocks;
                  heap.bytes -= n;
                  std::free(block);
                },
            .context = this};
  }
};

TEST(DeletionVectorRefusals, AllocatesOnceAndBounded) {
  auto rng = dvk_test::generator(8);
  for (std::size_t i = 0; i < cases(60); ++i) {
    bitmap_writer writer({.runs = static_cast<run_rule>(i % 3), .gap_bitmaps = false});
    const row_oracle oracle(
        dvk_test::random_rows(rng, static_cast<std::size_t>(1 + below(rng, 5))));
    byte_vector bitmap = writer.add(oracle.rows()).bitmap64();
    if (i % 2 != 0) bitmap[static_cast<std::size_t>(below(rng, bitmap.size()))] ^= std::byte{0x10};
    counting_heap heap;
    {
      auto dv = deletion_vector::open_bitmap(bitmap, {.memory = heap.hooks()});
      EXPECT_LE(heap.calls, 1u);
      EXPECT_LE(heap.bytes, deletion_vector::container_overhead(bitmap.size()));
      if (dv) {
        EXPECT_EQ(heap.bytes, dv->memory_bytes());
        const deletion_vector moved = std::move(*dv);
        EXPECT_EQ(heap.blocks, 1u);
      }
    }
    EXPECT_EQ(heap.blocks, 0u);
    EXPECT_EQ(heap.bytes, 0u);
    heap.refuse = true;
    if (i % 2 == 0) {
      EXPECT_EQ(deletion_vector::open_bitmap(bitmap, {.memory = heap.hooks()}).error().code,
                error_code::out_of_memory);
    }
    EXPECT_EQ(heap.blocks, 0u);
  }
}

TEST(DeletionVectorRefusals, ChecksWhatTheCallerKnows) {
  bitmap_writer writer;
  const byte_vector blob = writer.add(3).add_range(100, 50).add(70000).blob();
  const auto code = [&](const open_options& options) {
    return deletion_vector::open_blob(blob, options).error().code;
  };
  EXPECT_EQ(code({.expected_cardinality = 52}), error_code::ok);
  EXPECT_EQ(code({.expected_cardinality = 51}), error_code::cardinality_mismatch);
  EXPECT_EQ(code({.row_count = 70001}), error_code::ok);
  EXPECT_EQ(code({.row_count = 70000}), error_code::position_out_of_range);
  EXPECT_EQ(code({.max_bytes = blob.size()}), error_code::ok);
  EXPECT_EQ(code({.max_bytes = blob.size() - 1}), error_code::limit_exceeded);
}

TEST(DeletionVectorRefusals, NamesQuirks) {
  bitmap_writer writer;
  const byte_vector bitmap = writer.add(3).add(5).blob();
  const byte_vector bare = writer.bitmap64();
  byte_vector inverted = writer.blob();
  for (std::size_t i = inverted.size() - 4; i < inverted.size(); ++i)
    inverted[i] = ~inverted[i];
  EXPECT_EQ(deletion_vector::open_blob(inverted).error().quirk, dvk::quirk::crc_not_inverted);
  EXPECT_EQ(deletion_vector::open_blob(bare).error().quirk, dvk::quirk::bare_bitmap);

  const byte_vector bitmap32(bare.begin() + 12, bare.end());
  EXPECT_EQ(deletion_vector::open_bitmap(bitmap32).error().quirk, dvk::quirk::roaring32);
  EXPECT_EQ(deletion_vector::open_blob(dvk_test::frame_blob(bitmap32)).error().quirk,
            dvk::quirk::roaring32);

  byte_vector native = writer.blob();
  native[4] = std::byte{0xd0};
  EXPECT_EQ(deletion_vector::open_blob(native).error().quirk, dvk::quirk::delta_native);
  byte_vector delta(writer.blob());
  delta.insert(delta.begin(), std::byte{1});
  EXPECT_EQ(deletion_vector::open_blob(delta).error().quirk, dvk::quirk::delta_file);

  byte_vector headless =
      bare;  // count, key, cookie, size, descriptor, then the offset header of one
  headless.erase(headless.begin() + 24, headless.begin() + 28);
  EXPECT_EQ(deletion_vector::open_bitmap(headless).error().quirk,
            dvk::quirk::missing_offset_header);

  byte_vector undersized(bare.begin(), bare.begin() + 28);
  undersized.resize(28 + 8192);
  undersized[28] = std::byte{0x28};
  EXPECT_EQ(deletion_vector::open_bitmap(undersized).error().quirk, dvk::quirk::undersized_bitset);

  byte_vector same_size(bare.begin(), bare.begin() + 28);  // a bitset of 4,096 rows
  same_size[22] = std::byte{0xff};
  same_size[23] = std::byte{0x0f};
  same_size.resize(28 + 8192, std::byte{1});
  EXPECT_EQ(deletion_vector::open_bitmap(same_size).error().quirk, dvk::quirk::none);  // 8,192 bits
  for (std::size_t i = 28; i < same_size.size(); i += 2)
    same_size[i] = std::byte{0};
  EXPECT_EQ(deletion_vector::open_bitmap(same_size).error().quirk, dvk::quirk::undersized_bitset);

  bitmap_writer far;
  byte_vector two = far.add(1).add(std::uint64_t{5} << 32).bitmap64();
  std::swap_ranges(two.begin() + 8, two.begin() + 8 + 22, two.begin() + 8 + 22);
  EXPECT_EQ(deletion_vector::open_bitmap(two).error().code, error_code::key_order);
  EXPECT_EQ(deletion_vector::open_bitmap(two).error().quirk, dvk::quirk::keys_in_hash_order);
}

}  // namespace
