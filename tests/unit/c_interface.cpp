// The C interface to opening and to questions about rows: the same answers as the C++ one gives,
// and refusals that say why.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/crc32.hpp"
#include "dvk/dispatch.hpp"
#include "tests/support/c_interface.hpp"

namespace {

using dvk_test::byte_vector;
using dvk_test::c_interface;
using dvk_test::row_oracle;

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

TEST_F(c_interface, tolerated_quirks) {
  for (std::size_t i = blob_.size() - 4; i < blob_.size(); ++i)
    blob_[i] = ~blob_[i];
  dvk_open_options options = DVK_OPTIONS(dvk_open_options);
  options.tolerate = DVK_QUIRK_BIT(dvk_quirk_bare_bitmap);
  EXPECT_EQ(open(&options), std::uint32_t{dvk_error_bad_crc});
  EXPECT_EQ(error_.quirk, std::uint32_t{dvk_quirk_crc_not_inverted});
  options.tolerate |= DVK_QUIRK_BIT(dvk_quirk_crc_not_inverted);
  EXPECT_EQ(open(&options), 0u);
  EXPECT_EQ(dvk_vector_tolerated(vector_), DVK_QUIRK_BIT(dvk_quirk_crc_not_inverted));
  for (const std::uint64_t unknown : {std::uint64_t{1}, std::uint64_t{1} << 63}) {
    options.tolerate = unknown;
    EXPECT_EQ(open(&options), std::uint32_t{dvk_error_invalid_argument});
  }
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

}  // namespace
