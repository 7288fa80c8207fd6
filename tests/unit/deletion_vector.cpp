// The view against the oracle, against CRoaring, and against damaged bytes.
#include "dvk/deletion_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "dvk/dispatch.hpp"
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
using dvk_test::row_oracle;
using dvk_test::run_rule;

constexpr validation levels[] = {validation::strict, validation::standard, validation::trusted};

open_options at(validation level) {
  return {.level = level};
}

std::span<const std::uint8_t> octets(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

// Rows worth asking about: members, their neighbours, container borders, far away, and any.
std::vector<std::uint64_t> questions(std::mt19937_64& rng, const row_oracle& oracle,
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
    const std::uint64_t row = oracle.rows().empty()
                                  ? below(rng, 1000000)
                                  : oracle.rows()[below(rng, oracle.rows().size())];
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

void expect_agrees(const deletion_vector& dv, const row_oracle& oracle, std::mt19937_64& rng,
                   std::size_t questions_asked = 300) {
  EXPECT_EQ(dv.cardinality(), oracle.cardinality());
  EXPECT_EQ(dv.empty(), oracle.rows().empty());
  EXPECT_EQ(dv.min(), oracle.select(0));
  EXPECT_EQ(dv.max(), oracle.rows().empty() ? std::nullopt : std::optional(oracle.rows().back()));
  EXPECT_LE(dv.memory_bytes(), deletion_vector::container_overhead(dv.bytes().size()));

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

void expect_ranges(const deletion_vector& dv, const row_oracle& oracle) {
  std::vector<row_oracle::range> found;
  for (auto r = dv.next_range(0); r; r = dv.next_range(r->start + r->count)) {
    found.push_back({r->start, r->count});
  }
  EXPECT_EQ(found, oracle.ranges());
}

void expect_containers(const deletion_vector& dv, const row_oracle& oracle) {
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
    const row_oracle oracle(dvk_test::random_rows(rng, below(rng, 9)));
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

TEST(DeletionVector, PrefixesAreRefused) {
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

TEST(DeletionVector, BitFlipsAreRefused) {
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

// Damage behind a matching CRC: whatever is accepted must be consistent in itself, and agree on all
// levels and tiers.
TEST(DeletionVector, MutantsAreRefusedOrConsistent) {
  auto rng = dvk_test::generator(6);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < cases(400); ++i) {
    bitmap_writer writer({.runs = static_cast<run_rule>(i % 3)});
    const row_oracle original(dvk_test::random_rows(rng, 1 + below(rng, 3), 200000));
    byte_vector bitmap = writer.add(original.rows()).bitmap64();
    for (std::size_t k = below(rng, 3); k != 0; --k) {
      const std::size_t where = below(rng, 2) == 0
                                    ? below(rng, std::min<std::size_t>(bitmap.size(), 80))
                                    : below(rng, bitmap.size());
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

TEST(DeletionVector, ClaimsAreNotBelieved) {
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

TEST(DeletionVector, FarKeysCostTheirBytes) {
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

TEST(DeletionVector, AllocatesOnceAndBounded) {
  auto rng = dvk_test::generator(8);
  for (std::size_t i = 0; i < cases(60); ++i) {
    bitmap_writer writer({.runs = static_cast<run_rule>(i % 3), .gap_bitmaps = false});
    const row_oracle oracle(dvk_test::random_rows(rng, 1 + below(rng, 5)));
    byte_vector bitmap = writer.add(oracle.rows()).bitmap64();
    if (i % 2 != 0) bitmap[below(rng, bitmap.size())] ^= std::byte{0x10};
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

TEST(DeletionVector, ChecksWhatTheCallerKnows) {
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

TEST(DeletionVector, NamesQuirks) {
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
