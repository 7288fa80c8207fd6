// What a Delta reader must refuse, case by case: the code, and the byte that it names. Each case is
// a sound file or text with one lie in it. Two vectors on one `add` action is a fault of the log,
// which dvk does not read.
#include "dvk/delta.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "dvk/builder.hpp"

namespace {

namespace delta = dvk::delta;
using dvk::error_code;
using bytes_t = std::vector<std::byte>;

// {1, 3, 5} at 1 and {0, 2} at 47, and the first one's descriptor. A vector is its length, its
// magic (at 5), a bitmap (at 9, values from 37) and a CRC (at 43).
struct entry {
  bytes_t file;
  delta::descriptor d;
  dvk::open_options options = {};
};

entry sound() {
  const auto one = dvk::serialize_positions(std::vector<std::uint64_t>{1, 3, 5}).value();
  const auto two = dvk::serialize_positions(std::vector<std::uint64_t>{0, 2}).value();
  return {.file = delta::write_file(std::vector<std::span<const std::byte>>{one, two})->bytes,
          .d = {.storage_type = "p",
                .path_or_inline_dv = "s3://t/x.bin",
                .offset = 1,
                .size_in_bytes = 38,
                .cardinality = 3}};
}

struct hostile_case {
  const char* name;
  std::function<void(entry&)> change;
  error_code code;
  std::uint64_t offset;
};

void expect(const hostile_case& c, const dvk::error& found) {
  SCOPED_TRACE(c.name);
  EXPECT_EQ(dvk::error_name(found.code), dvk::error_name(c.code)) << found.message();
  EXPECT_EQ(found.offset, c.offset) << found.message();
}

void flip(entry& e, std::size_t at) {
  e.file[at] ^= std::byte{0x40};
}

const hostile_case in_file[] = {
    {"empty file", [](entry& e) { e.file.clear(); }, error_code::truncated, 0},
    {"version 0", [](entry& e) { e.file[0] = std::byte{0}; }, error_code::delta_version, 0},
    {"version 2", [](entry& e) { e.file[0] = std::byte{2}; }, error_code::delta_version, 0},
    {"only a version", [](entry& e) { e.file.resize(1); }, error_code::delta_offset, 1},
    {"offset 0", [](entry& e) { e.d.offset = 0; }, error_code::delta_offset, 0},
    {"offset negative", [](entry& e) { e.d.offset = -1; }, error_code::delta_offset, 0},
    {"offset least", [](entry& e) { e.d.offset = INT64_MIN; }, error_code::delta_offset, 0},
    {"offset at the end", [](entry& e) { e.d.offset = static_cast<int>(e.file.size()); },
     error_code::delta_offset, 91},
    {"offset past the end", [](entry& e) { e.d.offset = 1000; }, error_code::delta_offset, 1000},
    {"offset largest", [](entry& e) { e.d.offset = INT64_MAX; }, error_code::delta_offset,
     INT64_MAX},
    {"offset inside a vector", [](entry& e) { e.d.offset = 2; }, error_code::delta_size, 2},
    {"offset of another vector", [](entry& e) { e.d.offset = 47; }, error_code::delta_size, 47},
    {"size 0", [](entry& e) { e.d.size_in_bytes = 0; }, error_code::delta_size, 1},
    {"size negative", [](entry& e) { e.d.size_in_bytes = -38; }, error_code::delta_size, 1},
    {"size 11", [](entry& e) { e.d.size_in_bytes = 11; }, error_code::delta_size, 1},
    {"size one less", [](entry& e) { e.d.size_in_bytes = 37; }, error_code::delta_size, 1},
    {"size one more", [](entry& e) { e.d.size_in_bytes = 39; }, error_code::delta_size, 1},
    {"size beyond the file", [](entry& e) { e.d.size_in_bytes = 500; }, error_code::delta_size, 1},
    {"size largest", [](entry& e) { e.d.size_in_bytes = INT64_MAX; }, error_code::delta_size, 1},
    {"stored size differs", [](entry& e) { e.file[4] = std::byte{37}; }, error_code::delta_size, 1},
    {"file ends before the CRC", [](entry& e) { e.file.resize(43); }, error_code::delta_size, 1},
    {"file ends in the CRC", [](entry& e) { e.file.resize(46); }, error_code::delta_size, 1},
    {"CRC wrong", [](entry& e) { flip(e, 43); }, error_code::bad_crc, 43},
    {"row changed", [](entry& e) { flip(e, 41); }, error_code::bad_crc, 43},
    {"native magic", [](entry& e) { e.file[5] = std::byte{0xD0}; }, error_code::delta_native_magic,
     5},
    {"no magic", [](entry& e) { e.file[6] = std::byte{0}; }, error_code::blob_magic, 5},
    {"cardinality 0", [](entry& e) { e.d.cardinality = 0; }, error_code::cardinality_mismatch, 9},
    {"cardinality less", [](entry& e) { e.d.cardinality = 2; }, error_code::cardinality_mismatch,
     9},
    {"cardinality more", [](entry& e) { e.d.cardinality = INT64_MAX; },
     error_code::cardinality_mismatch, 9},
    {"cardinality negative", [](entry& e) { e.d.cardinality = -3; }, error_code::delta_descriptor,
     0},
    {"row at numRecords", [](entry& e) { e.options.row_count = 5; },
     error_code::position_out_of_range, 9},
    {"no rows in the data file", [](entry& e) { e.options.row_count = 0; },
     error_code::position_out_of_range, 9},
    {"type empty", [](entry& e) { e.d.storage_type = ""; }, error_code::delta_descriptor, 0},
    {"type unknown", [](entry& e) { e.d.storage_type = "x"; }, error_code::delta_descriptor, 0},
    {"type upper case", [](entry& e) { e.d.storage_type = "P"; }, error_code::delta_descriptor, 0},
    {"type too long", [](entry& e) { e.d.storage_type = "pp"; }, error_code::delta_descriptor, 0},
    {"type inline", [](entry& e) { e.d.storage_type = "i"; }, error_code::delta_descriptor, 0},
    {"no path", [](entry& e) { e.d.path_or_inline_dv = ""; }, error_code::delta_descriptor, 0},
};

TEST(hostile_delta, files) {
  const entry good = sound();
  ASSERT_EQ(good.file.size(), 91u);
  const auto opened = delta::open_in_file(good.file, good.d);
  ASSERT_TRUE(opened) << opened.error().message();
  for (const auto& c : in_file) {
    entry e = sound();
    c.change(e);
    expect(c, delta::open_in_file(e.file, e.d, e.options).error());
  }
}

// A `u` path: [prefix] and 20 characters of Z85.
TEST(hostile_delta, paths) {
  const std::string id = "^-aqEH.-t@S}K{vb[*k^";
  const struct {
    std::string path;
    error_code code;
    std::uint64_t offset;
  } cases[] = {
      {"", error_code::z85, 0},
      {id.substr(1), error_code::z85, 0},
      {"ab" + id.substr(0, 17) + "\xc3\xa9" + "^", error_code::z85, 19},
      {"ab^-a~" + id.substr(4), error_code::z85, 5},
      {"%nSc1" + id.substr(5), error_code::z85, 0},  // 2^32
      {"../" + id, error_code::delta_descriptor, 0},
      {"a/../" + id, error_code::delta_descriptor, 0},
      {"..\\" + id, error_code::delta_descriptor, 0},
      {"/etc/" + id, error_code::delta_descriptor, 0},
      {"file:/" + id, error_code::delta_descriptor, 0},
      {"%2E%2e/" + id, error_code::delta_descriptor, 0},
      {"a%2F" + id, error_code::delta_descriptor, 0},
      {std::string(1, '\0') + id, error_code::delta_descriptor, 0},
  };
  delta::descriptor d = sound().d;
  d.storage_type = "u";
  d.path_or_inline_dv = "ab" + id;
  ASSERT_EQ(delta::check(d).code, error_code::ok);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.path);
    d.path_or_inline_dv = c.path;
    const auto found = delta::check(d);
    EXPECT_EQ(dvk::error_name(found.code), dvk::error_name(c.code));
    EXPECT_EQ(found.offset, c.offset);
    EXPECT_EQ(delta::relative_path(d).error().code, c.code);
  }
}

// Rows {0, 1, 4, 5} of a table of delta-kernel-rs: 40 bytes in 50 characters.
const hostile_case in_text[] = {
    {"offset present", [](entry& e) { e.d.offset = 1; }, error_code::delta_descriptor, 0},
    {"offset present, 0", [](entry& e) { e.d.offset = 0; }, error_code::delta_descriptor, 0},
    {"size 0", [](entry& e) { e.d.size_in_bytes = 0; }, error_code::delta_size, 0},
    {"size negative", [](entry& e) { e.d.size_in_bytes = -40; }, error_code::delta_size, 0},
    {"size 11", [](entry& e) { e.d.size_in_bytes = 11; }, error_code::delta_size, 0},
    {"size too large", [](entry& e) { e.d.size_in_bytes = 41; }, error_code::z85, 0},
    {"size too small", [](entry& e) { e.d.size_in_bytes = 36; }, error_code::z85, 0},
    {"size largest", [](entry& e) { e.d.size_in_bytes = INT64_MAX; }, error_code::z85, 0},
    {"text shorter", [](entry& e) { e.d.path_or_inline_dv.pop_back(); }, error_code::z85, 0},
    {"text empty", [](entry& e) { e.d.path_or_inline_dv.clear(); }, error_code::z85, 0},
    {"not ASCII", [](entry& e) { e.d.path_or_inline_dv[7] = '\xe9'; }, error_code::z85, 7},
    {"no Z85", [](entry& e) { e.d.path_or_inline_dv[49] = '~'; }, error_code::z85, 49},
    {"group above 2^32 - 1", [](entry& e) { e.d.path_or_inline_dv.replace(10, 5, "%nSc1"); },
     error_code::z85, 10},
    {"type of a file", [](entry& e) { e.d.storage_type = "p"; }, error_code::delta_descriptor, 0},
};

// The same text decoded and then lied about; offsets count from the magic.
const hostile_case in_bytes[] = {
    {"empty", [](entry& e) { e.file.clear(); }, error_code::delta_size, 0},
    {"3 bytes", [](entry& e) { e.file.resize(3); }, error_code::delta_size, 0},
    {"11 bytes", [](entry& e) { e.file.resize(11); }, error_code::delta_size, 0},
    {"native magic", [](entry& e) { e.file[0] = std::byte{0xD0}; }, error_code::delta_native_magic,
     0},
    {"no magic", [](entry& e) { e.file[3] = std::byte{0}; }, error_code::blob_magic, 0},
    {"cardinality", [](entry& e) { e.options.expected_cardinality = 3; },
     error_code::cardinality_mismatch, 4},
    {"row at numRecords", [](entry& e) { e.options.row_count = 5; },
     error_code::position_out_of_range, 4},
};

TEST(hostile_delta, inline_text) {
  const delta::descriptor good{
      .storage_type = "i",
      .path_or_inline_dv = "^Bg9^0rr910000000000iXQKl0rr91000935c8Xg000311onP9",
      .offset = std::nullopt,
      .size_in_bytes = 40,
      .cardinality = 4};
  const auto bytes = delta::decode_inline(good);
  ASSERT_TRUE(bytes) << bytes.error().message();
  ASSERT_TRUE(delta::open_inline(*bytes, {.expected_cardinality = 4}));
  // The whole text comes back from the bitmap behind the magic.
  EXPECT_EQ(delta::make_inline(std::span(*bytes).subspan(4), 4).value(), good);
  for (const auto& c : in_text) {
    entry e{.file = {}, .d = good};
    c.change(e);
    expect(c, delta::decode_inline(e.d).error());
  }
  for (const auto& c : in_bytes) {
    entry e{.file = *bytes, .d = good};
    c.change(e);
    expect(c, delta::open_inline(e.file, e.options).error());
  }
}

}  // namespace
