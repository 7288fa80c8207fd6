// What Delta's descriptors, paths and text may not be, one wrong thing at a time.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "dvk/delta.hpp"
#include "tests/support/bitmap_builder.hpp"

namespace {

namespace delta = dvk::delta;
using namespace dvk_test;
using dvk::error_code;

constexpr std::int64_t int32_max = 0x7fffffff;

class delta_refusals : public testing::Test {
 protected:
  const byte_vector blob_ = bitmap_writer().add(3).add(900).blob();
  const std::span<const std::byte> blobs_[1] = {blob_};
  const delta::written_file file_ = delta::write_file(blobs_).value();
  delta::descriptor d_{.storage_type = "p",
                       .path_or_inline_dv = "s3://a/b.bin",
                       .offset = 1,
                       .size_in_bytes = static_cast<std::int64_t>(blob_.size()) - 8,
                       .cardinality = 2};
};

TEST_F(delta_refusals, a_type_that_lies_elsewhere) {
  d_.storage_type = "i";
  d_.offset = std::nullopt;
  EXPECT_EQ(delta::open_in_file(file_.bytes, d_).error().code, error_code::delta_descriptor);
  EXPECT_EQ(delta::to_iceberg(d_, "t").error().code, error_code::delta_descriptor);
  EXPECT_EQ(delta::resolve_path(d_, "t").error().code, error_code::delta_descriptor);
  d_.storage_type = "p";
  EXPECT_EQ(delta::decode_inline(d_).error().code, error_code::delta_descriptor);
  EXPECT_EQ(delta::relative_path(d_).error().code, error_code::delta_descriptor);
}

TEST_F(delta_refusals, records_shorter_than_a_frame) {
  for (std::size_t n = 0; n < blob_.size(); ++n) {
    const dvk::error e = delta::open_record(std::span(blob_).first(n)).error();
    EXPECT_EQ(e.code, n < 20 ? error_code::blob_too_small : error_code::blob_length) << n;
  }
  byte_vector tiny = {std::byte{1}, {}, {}, {}, std::byte{5}};  // version, size 5
  tiny.resize(30);
  d_.size_in_bytes = 5;
  EXPECT_EQ(delta::open_in_file(tiny, d_).error().code, error_code::delta_size);
  d_.size_in_bytes = 12;
  EXPECT_EQ(delta::open_in_file(std::span(tiny).first(5), d_).error().code, error_code::delta_size);
}

TEST_F(delta_refusals, numbers_that_an_iceberg_entry_cannot_have) {
  ASSERT_TRUE(delta::to_iceberg(d_, "t"));
  const auto with = [&](std::int64_t size, std::int64_t offset) {
    delta::descriptor bad = d_;
    bad.size_in_bytes = size;
    bad.offset = offset;
    return delta::to_iceberg(bad, "t").error().code;
  };
  EXPECT_EQ(with(12, int32_max), error_code::ok);
  for (const std::int64_t size : {std::int64_t{-1}, std::int64_t{11}, int32_max - 7})
    EXPECT_EQ(with(size, 1), error_code::delta_descriptor) << size;
  for (const std::int64_t offset : {std::int64_t{-1}, std::int64_t{0}, int32_max + 1})
    EXPECT_EQ(with(12, offset), error_code::delta_descriptor) << offset;
}

TEST_F(delta_refusals, iceberg_entries_that_delta_cannot_state) {
  const delta::iceberg_entry sound{.file_path = "s3://a/b.bin",
                                   .content_offset = 1,
                                   .content_size_in_bytes = 20,
                                   .record_count = 0};
  ASSERT_TRUE(delta::from_iceberg(sound));
  const auto with = [&](auto member, auto value) {
    delta::iceberg_entry bad = sound;
    bad.*member = value;
    return delta::from_iceberg(bad).error().code;
  };
  using entry = delta::iceberg_entry;
  EXPECT_EQ(with(&entry::file_path, ""), error_code::delta_descriptor);
  EXPECT_EQ(with(&entry::record_count, -1), error_code::delta_descriptor);
  for (const std::int64_t offset : {std::int64_t{0}, int32_max + 1})
    EXPECT_EQ(with(&entry::content_offset, offset), error_code::delta_descriptor);
  for (const std::int64_t size : {std::int64_t{19}, int32_max + 1})
    EXPECT_EQ(with(&entry::content_size_in_bytes, size), error_code::delta_descriptor);
}

TEST_F(delta_refusals, absolute_paths_that_only_look_as_if_below_the_table) {
  const auto inside = [&](std::string path) {
    d_.path_or_inline_dv = std::move(path);
    return delta::resolve_path(d_, "s3://a/t", true).has_value();
  };
  EXPECT_TRUE(inside("s3://a/t/x.bin"));
  for (const char* path : {"s3://a/t", "s3://a/t/", "s3://a/tx/y.bin", "s3://b/t/x.bin",
                           "s3://a/t/../x", "s3://a/t/%2E%2e/x", "s3://a/t//x"})
    EXPECT_FALSE(inside(path)) << path;
}

TEST_F(delta_refusals, prefixes_with_steps_in_disguise) {
  for (const char* prefix :
       {"%2e%2E", "a%2Fb", "a%5cb", "a%5Cb", "..", "a/..", "a\\..", "/a", "\\a", "file:/a"})
    EXPECT_EQ(delta::encode_path({}, prefix).error().code, error_code::delta_descriptor) << prefix;
  // Escapes of other characters, and ends of escapes.
  for (const char* prefix : {"%2a", "%2g", "%5d", "%3e", "a%2", "a%", "%", "..a", "a..", ""})
    EXPECT_TRUE(delta::encode_path({}, prefix)) << prefix;
}

TEST(delta_text, hash_tails_that_are_none) {
  const delta::inline_options lenient{.accept_hash_tail = true};
  const auto decode = [&](std::string_view text, std::size_t size) {
    return delta::z85_decode(text, size, lenient).error();
  };
  EXPECT_EQ(decode("#0001", 3), dvk::error{});
  for (const std::string_view text : {"#####", "##001", "#$$$$"}) {  // too many; of 3 bytes
    const dvk::error e = decode(text, 3);
    EXPECT_EQ(e.code, error_code::z85) << text;
    EXPECT_EQ(e.quirk, dvk::quirk::z85_hash_tail) << text;
    EXPECT_EQ(e.offset, 0u) << text;
  }
  const dvk::error e = decode("#00~1", 3);
  EXPECT_EQ(e.code, error_code::z85);
  EXPECT_EQ(e.offset, 3u);
}

}  // namespace
