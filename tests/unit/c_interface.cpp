// The C interface to the kernels: the same answers as the C++ one gives, and refusals that write
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dvk/crc32.hpp"
#include "dvk/deletion_vector.hpp"
#include "dvk/dispatch.hpp"
#include "dvk/dvk.h"
#include "dvk/selection.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/oracle.hpp"

namespace {

using dvk_test::byte_vector;
using dvk_test::row_oracle;

// An array, a run and a bitset container, so that batches meet each.
std::vector<std::uint64_t> deleted_rows() {
  std::vector<std::uint64_t> rows = {3, 5, 100, 2000};
  for (std::uint64_t row = 65546; row < 70000; ++row)
    rows.push_back(row);
  for (std::uint64_t row = 131072; row < 161072; row += 3)
    rows.push_back(row);
  return rows;
}

class c_interface : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(open(nullptr), 0u);
    auto opened = dvk::deletion_vector::open_blob(blob_);
    ASSERT_TRUE(opened);
    expected_ = std::move(*opened);
    dvk_scanner_init(&scanner_, vector_);
  }
  void TearDown() override { dvk_vector_free(vector_); }

  std::uint32_t open(const dvk_open_options* options) {
    dvk_vector_free(std::exchange(vector_, nullptr));
    return dvk_vector_open_blob(blob_.data(), blob_.size(), options, &vector_, &error_);
  }

  row_oracle rows_{deleted_rows()};
  byte_vector blob_ = dvk_test::bitmap_writer().add(rows_.rows()).blob();
  dvk::deletion_vector expected_;
  dvk_vector* vector_ = nullptr;
  dvk_scanner scanner_;
  dvk_error error_ = {};
};

constexpr std::uint64_t starts[] = {0, 3, 64, 65536, 69000, 131000, 161000, 1u << 20};
constexpr std::uint64_t batch = 2048;

// Runs `c` and `cpp` on buffers of n elements, filled alike before, for batches that start
// everywhere.
template <class T, class C, class Cpp>
void expect_equal_buffers(std::size_t n, C c, Cpp cpp) {
  for (const std::uint64_t start : starts) {
    SCOPED_TRACE(start);
    std::vector<T> a(n), b(n);
    std::memset(a.data(), 0x5a, n * sizeof(T));
    std::memset(b.data(), 0x5a, n * sizeof(T));
    const dvk_batch_result got = c(start, a);
    const dvk::batch_result want = cpp(start, b);
    EXPECT_EQ(got.live, want.live);
    EXPECT_EQ(got.kind, static_cast<std::uint32_t>(want.kind));
    EXPECT_EQ(a, b);
  }
}

TEST(c_library, version_and_tiers) {
  EXPECT_EQ(dvk_abi_version(), DVK_ABI_VERSION);
  EXPECT_STREQ(dvk_version(), DVK_VERSION_STRING);
  EXPECT_EQ(dvk_best_tier(), static_cast<std::uint32_t>(dvk::best_tier()));
  EXPECT_EQ(dvk::tier_name(dvk::best_tier()), dvk_tier_name(dvk_best_tier()));
  EXPECT_STREQ(dvk_tier_name(99), "unknown");
  ASSERT_TRUE(dvk_set_max_isa(dvk_tier_scalar));
  EXPECT_EQ(dvk_active_tier(), std::uint32_t{dvk_tier_scalar});
  EXPECT_FALSE(dvk_set_max_isa(99));
  EXPECT_EQ(dvk_active_tier(), std::uint32_t{dvk_tier_scalar});
  dvk_reset_max_isa();
  EXPECT_EQ(dvk_active_tier(), static_cast<std::uint32_t>(dvk::active_tier()));
}

TEST(c_library, checksums) {
  const std::string_view text = "123456789";
  EXPECT_EQ(dvk_crc32(text.data(), 9), 0xcbf43926u);
  const std::uint32_t head = dvk_crc32(text.data(), 4);
  EXPECT_EQ(dvk_crc32_extend(head, text.data() + 4, 5), 0xcbf43926u);
  EXPECT_EQ(dvk_crc32_combine(head, dvk_crc32(text.data() + 4, 5), 5), 0xcbf43926u);
  EXPECT_EQ(dvk_crc32(nullptr, 0), 0u);
}

TEST(c_library, error_texts) {
  EXPECT_STREQ(dvk_error_name(dvk_error_bad_crc), "bad_crc");
  EXPECT_STREQ(dvk_error_name(9999), "unknown");
  EXPECT_STREQ(dvk_error_name(256), "unknown");  // not 0 by being cut to a byte
  EXPECT_STREQ(dvk_quirk_name(dvk_quirk_velox_footer), "velox_footer");
  const dvk_error error = {dvk_error_blob_length, 0, 4, 10, 20};
  const std::string whole =
      dvk::error{.code = dvk::error_code::blob_length, .offset = 4, .expected = 10, .found = 20}
          .message();
  EXPECT_EQ(dvk_error_message(&error, nullptr, 0), whole.size());
  char out[16];
  std::memset(out, 'x', sizeof out);
  EXPECT_EQ(dvk_error_message(&error, out, 8), whole.size());
  EXPECT_EQ(std::string(out, 9), whole.substr(0, 7) + std::string("\0x", 2));
  std::string room(whole.size() + 1, 'x');
  dvk_error_message(&error, room.data(), room.size());
  EXPECT_STREQ(room.c_str(), whole.c_str());
}

TEST_F(c_interface, opening_reports_what_is_wrong) {
  blob_[blob_.size() - 1] ^= std::byte{1};
  EXPECT_EQ(open(nullptr), std::uint32_t{dvk_error_bad_crc});
  EXPECT_EQ(vector_, nullptr);
  EXPECT_EQ(error_.code, std::uint32_t{dvk_error_bad_crc});
  EXPECT_EQ(error_.offset, blob_.size() - 4);
  EXPECT_NE(error_.expected, error_.found);
  EXPECT_EQ(dvk_vector_open_blob(blob_.data(), blob_.size(), nullptr, &vector_, nullptr),
            std::uint32_t{dvk_error_bad_crc});
  dvk_open_options trusted = DVK_OPTIONS(dvk_open_options);
  trusted.level = dvk_validation_trusted;
  EXPECT_EQ(open(&trusted), 0u);  // leaves out the CRC
  EXPECT_EQ(error_.code, std::uint32_t{dvk_error_ok});
}

TEST_F(c_interface, open_options) {
  dvk_open_options options = DVK_OPTIONS(dvk_open_options);
  EXPECT_EQ(open(&options), 0u);
  options.expected_cardinality = 1;  // not given: no flag
  EXPECT_EQ(open(&options), 0u);
  options.flags = dvk_check_cardinality;
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_cardinality_mismatch});
  options.flags = dvk_check_row_count;
  options.row_count = rows_.rows().back();
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_position_out_of_range});
  ++options.row_count;
  EXPECT_EQ(open(&options), 0u);
  options.max_bytes = blob_.size() - 1;
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_limit_exceeded});
  options = DVK_OPTIONS(dvk_open_options);
  options.level = 3;
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_invalid_argument});
  options.level = dvk_validation_strict;
  options.flags = 4;
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_invalid_argument});
}

TEST_F(c_interface, options_may_be_shorter_or_longer) {
  dvk_open_options options = DVK_OPTIONS(dvk_open_options);
  options.row_count = 1;
  options.flags = dvk_check_row_count;
  options.size = offsetof(dvk_open_options, flags);  // a caller that knows no flags
  EXPECT_EQ(open(&options), 0u);
  options.size = 0;
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_invalid_argument});

  struct newer {
    dvk_open_options known = {};
    std::uint64_t unknown = 0;
  } later;
  later.known.size = sizeof later;
  EXPECT_EQ(open(&later.known), 0u);
  later.unknown = 1;  // a wish that this library does not know
  EXPECT_EQ(open(&later.known), std::uint32_t{dvk_error_invalid_argument});
}

TEST_F(c_interface, bare_bitmap) {
  const byte_vector bitmap = dvk_test::bitmap_writer().add(rows_.rows()).bitmap64();
  dvk_vector* vector = nullptr;
  ASSERT_EQ(dvk_vector_open_bitmap(bitmap.data(), bitmap.size(), nullptr, &vector, nullptr), 0u);
  EXPECT_EQ(dvk_vector_cardinality(vector), rows_.cardinality());
  dvk_vector_free(vector);
  dvk_vector_free(nullptr);
  EXPECT_NE(dvk_vector_open_bitmap(blob_.data(), blob_.size(), nullptr, &vector, nullptr), 0u);
}

TEST_F(c_interface, questions_about_rows) {
  EXPECT_EQ(dvk_vector_cardinality(vector_), rows_.cardinality());
  EXPECT_EQ(dvk_vector_memory_bytes(vector_), expected_.memory_bytes());
  const std::vector<std::uint64_t> asked = {0,     3,     4,      2000,   2001,   65546,   69999,
                                            70000, 70001, 131072, 131073, 161071, 1u << 20};
  std::vector<std::uint8_t> members(asked.size());
  dvk_vector_contains_many(vector_, asked.data(), asked.size(), members.data());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::uint64_t row = asked[i];
    SCOPED_TRACE(row);
    EXPECT_EQ(dvk_vector_contains(vector_, row), rows_.contains(row));
    EXPECT_EQ(members[i] != 0, rows_.contains(row));
    EXPECT_EQ(dvk_vector_rank(vector_, row), rows_.rank(row));
    EXPECT_EQ(dvk_vector_count(vector_, row, 5000), rows_.rank(row + 5000) - rows_.rank(row));
    std::uint64_t answer = 7;
    EXPECT_TRUE(dvk_vector_next_live(vector_, row, &answer));
    EXPECT_EQ(answer, rows_.next_live(row));
    answer = 7;
    EXPECT_EQ(dvk_vector_next_deleted(vector_, row, &answer), rows_.next_deleted(row).has_value());
    EXPECT_EQ(answer, rows_.next_deleted(row).value_or(7));
    answer = 7;
    EXPECT_EQ(dvk_vector_select(vector_, row, &answer), rows_.select(row).has_value());
    EXPECT_EQ(answer, rows_.select(row).value_or(7));
    EXPECT_TRUE(dvk_vector_select_live(vector_, row, &answer));
    EXPECT_EQ(answer, rows_.select_live(row));
  }
  std::uint64_t edge = 0;
  EXPECT_TRUE(dvk_vector_min(vector_, &edge));
  EXPECT_EQ(edge, rows_.rows().front());
  EXPECT_TRUE(dvk_vector_max(vector_, &edge));
  EXPECT_EQ(edge, rows_.rows().back());

  std::vector<row_oracle::range> ranges;
  dvk_range range = {0, 0};
  while (dvk_vector_next_range(vector_, range.start + range.count, &range))
    ranges.push_back({range.start, range.count});
  EXPECT_EQ(ranges, rows_.ranges());
}

TEST_F(c_interface, indices_of_every_type) {
  dvk::scanner scanner(expected_);
  dvk_index_options options = DVK_OPTIONS(dvk_index_options);
  options.base = 7;
  options.always_write = 1;
  for (const std::uint32_t rows : {dvk_live, dvk_deleted}) {
    options.rows = rows;
    const dvk::index_options same = {static_cast<dvk::polarity>(rows), 7, true};
    const auto check = [&]<class T>(T, auto c) {
      expect_equal_buffers<T>(
          batch,
          [&](std::uint64_t start, std::vector<T>& out) {
            return c(&scanner_, start, batch, out.data(), out.size(), &options);
          },
          [&](std::uint64_t start, std::vector<T>& out) {
            return scanner.indices({start, batch}, std::span(out), same);
          });
    };
    check(std::uint16_t{}, dvk_scan_indices_u16);
    check(std::uint32_t{}, dvk_scan_indices_u32);
    check(std::int32_t{}, dvk_scan_indices_i32);
    check(std::uint64_t{}, dvk_scan_indices_u64);
  }
}

TEST_F(c_interface, masks) {
  dvk::scanner scanner(expected_);
  for (const std::uint32_t how : {dvk_replace, dvk_and_with, dvk_or_with}) {
    dvk_mask_options options = DVK_OPTIONS(dvk_mask_options);
    options.rows = dvk_deleted;
    options.how = how;
    options.always_write = how == dvk_replace;
    const dvk::mask_options same = {dvk::polarity::deleted, static_cast<dvk::combine>(how),
                                    how == dvk_replace};
    expect_equal_buffers<std::uint64_t>(
        batch / 64 + 2,
        [&](std::uint64_t start, auto& out) {
          return dvk_scan_bits(&scanner_, start, batch, out.data(), out.size(), 70, &options);
        },
        [&](std::uint64_t start, auto& out) {
          return scanner.bits({start, batch}, out, 70, same);
        });
    expect_equal_buffers<std::uint8_t>(
        batch + 1,
        [&](std::uint64_t start, auto& out) {
          return dvk_scan_bytes(&scanner_, start, batch, out.data(), out.size(), &options);
        },
        [&](std::uint64_t start, auto& out) {
          return scanner.bytes({start, batch}, out, same);
        });
  }
}

TEST_F(c_interface, runs_and_lengths) {
  dvk::scanner scanner(expected_);
  for (const std::size_t capacity : {std::size_t{2}, std::size_t{4096}}) {
    std::vector<dvk_run> runs(capacity);
    std::vector<dvk::row_run> same_runs(capacity);
    std::vector<std::uint32_t> lengths(capacity), same_lengths(capacity);
    for (const std::uint64_t start : starts) {
      const dvk_run_result got =
          dvk_scan_runs(&scanner_, start, batch, runs.data(), capacity, nullptr);
      const dvk::run_result want = scanner.runs({start, batch}, same_runs);
      ASSERT_EQ(got.written, want.written);
      EXPECT_EQ(got.rows_done, want.rows_done);
      EXPECT_EQ(got.live, want.live);
      EXPECT_EQ(got.kind, static_cast<std::uint32_t>(want.kind));
      if (got.kind != dvk_mixed) continue;
      for (std::size_t i = 0; i < got.written; ++i) {
        EXPECT_EQ((dvk::row_run{runs[i].begin, runs[i].end}), same_runs[i]);
      }
      const dvk_run_result turns =
          dvk_scan_alternating(&scanner_, start, batch, lengths.data(), capacity, nullptr);
      const dvk::run_result same_turns = scanner.alternating({start, batch}, same_lengths);
      ASSERT_EQ(turns.written, same_turns.written);
      EXPECT_EQ(turns.rows_done, same_turns.rows_done);
      EXPECT_TRUE(std::equal(lengths.begin(), lengths.begin() + std::ptrdiff_t(turns.written),
                             same_lengths.begin()));
    }
  }
}

TEST_F(c_interface, lists_of_ranges) {
  dvk::scanner scanner(expected_);
  for (const std::uint32_t numbering : {dvk_relative, dvk_packed}) {
    const auto number = static_cast<dvk::numbering>(numbering);
    expect_equal_buffers<std::uint32_t>(
        batch,
        [&](std::uint64_t start, auto& out) {
          const dvk_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return dvk_scan_ranges_indices_u32(&scanner_, ranges, 2, numbering, out.data(),
                                             out.size(), nullptr);
        },
        [&](std::uint64_t start, auto& out) {
          const dvk::row_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return scanner.indices(ranges, number, std::span(out));
        });
    expect_equal_buffers<std::uint64_t>(
        batch / 64,
        [&](std::uint64_t start, auto& out) {
          const dvk_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return dvk_scan_ranges_bits(&scanner_, ranges, 2, numbering, out.data(), out.size(), 3,
                                      nullptr);
        },
        [&](std::uint64_t start, auto& out) {
          const dvk::row_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return scanner.bits(ranges, number, out, 3);
        });
    expect_equal_buffers<std::uint8_t>(
        batch,
        [&](std::uint64_t start, auto& out) {
          const dvk_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return dvk_scan_ranges_bytes(&scanner_, ranges, 2, numbering, out.data(), out.size(),
                                       nullptr);
        },
        [&](std::uint64_t start, auto& out) {
          const dvk::row_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return scanner.bytes(ranges, number, out);
        });
  }
}

TEST_F(c_interface, counts_and_copies_of_the_cursor) {
  for (const std::uint64_t start : starts) {
    dvk_scanner copy = scanner_;
    const std::uint64_t live = batch - (rows_.rank(start + batch) - rows_.rank(start));
    EXPECT_EQ(dvk_scan_count(&scanner_, start, batch).live, live);
    EXPECT_EQ(dvk_scan_count(&copy, start, batch).live, live);
  }
}

TEST_F(c_interface, refine_of_every_type) {
  const auto check = [&]<class T>(T, auto refine) {
    for (const std::uint32_t rows : {dvk_live, dvk_deleted}) {
      std::vector<T> selected, kept;
      for (T i = 0; i < 5000; i = static_cast<T>(i + 7))
        selected.push_back(i);
      for (const T i : selected) {
        const bool deleted = rows_.contains(68000 + static_cast<std::uint64_t>(i));
        if (deleted == (rows == dvk_deleted)) kept.push_back(i);
      }
      selected.resize(refine(&scanner_, 68000, selected.data(), selected.size(), rows));
      EXPECT_EQ(selected, kept);
    }
  };
  check(std::uint16_t{}, dvk_refine_u16);
  check(std::uint32_t{}, dvk_refine_u32);
  check(std::int32_t{}, dvk_refine_i32);
  check(std::uint64_t{}, dvk_refine_u64);
}

TEST_F(c_interface, gather) {
  dvk::scanner scanner(expected_);
  std::vector<std::uint64_t> positions;
  for (std::uint64_t i = 0; i < 1000; ++i)
    positions.push_back(i * 7919 % 170000);
  positions.push_back(static_cast<std::uint64_t>(std::int64_t{-1}));
  const std::size_t n = positions.size();
  expect_equal_buffers<std::uint32_t>(
      n,
      [&](std::uint64_t, auto& out) {
        return dvk_gather_indices_u32(&scanner_, positions.data(), n, out.data(), n, nullptr);
      },
      [&](std::uint64_t, auto& out) {
        return scanner.gather_indices(std::span<const std::uint64_t>(positions), std::span(out));
      });
  expect_equal_buffers<std::uint64_t>(
      n / 64 + 1,
      [&](std::uint64_t, auto& out) {
        return dvk_gather_bits(&scanner_, positions.data(), n, out.data(), out.size(), 0, nullptr);
      },
      [&](std::uint64_t, auto& out) {
        return scanner.gather_bits(std::span<const std::uint64_t>(positions), out);
      });
  expect_equal_buffers<std::uint8_t>(
      n,
      [&](std::uint64_t, auto& out) {
        return dvk_gather_bytes(&scanner_, positions.data(), n, out.data(), n, nullptr);
      },
      [&](std::uint64_t, auto& out) {
        return scanner.gather_bytes(std::span<const std::uint64_t>(positions), out);
      });
}

TEST_F(c_interface, refusals_write_nothing) {
  std::vector<std::uint32_t> out(batch, 0x5a5a5a5a);
  const std::vector<std::uint32_t> untouched = out;
  dvk_index_options options = DVK_OPTIONS(dvk_index_options);
  const auto kind = [&](std::size_t capacity) {
    return dvk_scan_indices_u32(&scanner_, 0, batch, out.data(), capacity, &options).kind;
  };
  EXPECT_EQ(kind(batch - 1), std::uint32_t{dvk_refused});
  options.rows = 2;
  EXPECT_EQ(kind(batch), std::uint32_t{dvk_refused});
  options.rows = dvk_live;
  options.size = 1;
  EXPECT_EQ(kind(batch), std::uint32_t{dvk_refused});
  const dvk_range range = {0, 100};
  EXPECT_EQ(dvk_scan_ranges_indices_u32(&scanner_, &range, 1, 2, out.data(), batch, nullptr).kind,
            std::uint32_t{dvk_refused});
  dvk_mask_options masks = DVK_OPTIONS(dvk_mask_options);
  masks.how = 3;
  auto* bytes = reinterpret_cast<std::uint8_t*>(out.data());
  EXPECT_EQ(dvk_scan_bytes(&scanner_, 0, 100, bytes, 100, &masks).kind, std::uint32_t{dvk_refused});
  masks.how = dvk_replace;
  masks.reserved = 1;
  EXPECT_EQ(dvk_scan_bytes(&scanner_, 0, 100, bytes, 100, &masks).kind, std::uint32_t{dvk_refused});
  EXPECT_EQ(out, untouched);
  options = DVK_OPTIONS(dvk_index_options);
  EXPECT_EQ(kind(batch), std::uint32_t{dvk_mixed});  // and so none of this was the batch's fault
}

}  // namespace
