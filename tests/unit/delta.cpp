// Delta files, descriptors and inline text; golden files of real writers if they are at hand.
#include "dvk/delta.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "dvk/builder.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/random.hpp"

namespace {

namespace delta = dvk::delta;
using dvk::error_code;
using bytes_t = std::vector<std::byte>;

bytes_t blob_of(std::initializer_list<std::uint64_t> rows) {
  return dvk::serialize_positions(std::vector<std::uint64_t>(rows)).value();
}
std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// The file and first descriptor that most tests start from: {1,3,5} at 1, {0,2} behind it.
struct two_vectors {
  bytes_t one = blob_of({1, 3, 5}), two = blob_of({0, 2});
  std::vector<std::span<const std::byte>> blobs = {one, two};
  delta::written_file file = delta::write_file(blobs).value();
  delta::descriptor d{.storage_type = "p",
                      .path_or_inline_dv = "s3://b/t/x.bin",
                      .offset = 1,
                      .size_in_bytes = static_cast<std::int64_t>(one.size()) - 8,
                      .cardinality = 3};
};

TEST(delta, writes_and_lists_a_file) {
  const two_vectors t;
  ASSERT_EQ(t.file.bytes.size(), 1 + t.one.size() + t.two.size());
  EXPECT_EQ(t.file.bytes[0], std::byte{1});
  EXPECT_TRUE(std::equal(t.one.begin(), t.one.end(), t.file.bytes.begin() + 1));
  const auto listed = delta::list_vectors(t.file.bytes);
  ASSERT_TRUE(listed);
  EXPECT_EQ(*listed, t.file.vectors);
  ASSERT_EQ(listed->size(), 2u);
  EXPECT_EQ((*listed)[1],
            (delta::vector_place{.offset = 1 + t.one.size(), .size_in_bytes = t.two.size() - 8}));
  EXPECT_EQ((*listed)[1].blob_bytes(), t.two.size());
  EXPECT_TRUE(delta::list_vectors(std::vector{std::byte{1}})->empty());
  const auto bad = blob_of({1}), cut = bytes_t(bad.begin(), bad.end() - 1);
  EXPECT_EQ(delta::write_file(std::vector<std::span<const std::byte>>{cut}).error().code,
            error_code::blob_length);
}

TEST(delta, opens_by_descriptor) {
  two_vectors t;
  const auto first = delta::open_in_file(t.file.bytes, t.d);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_TRUE(first->contains(5) && !first->contains(2));
  t.d.offset.reset();  // the first vector
  EXPECT_TRUE(delta::open_in_file(t.file.bytes, t.d));
  EXPECT_TRUE(delta::open_record(t.two));
}

TEST(delta, refuses_with_code_and_place) {
  const two_vectors t;
  const auto refused = [&](auto change, error_code code, std::uint64_t offset,
                           dvk::open_options options = {}) {
    delta::descriptor d = t.d;
    bytes_t file = t.file.bytes;
    change(d, file);
    const auto e = delta::open_in_file(file, d, options).error();
    EXPECT_EQ(dvk::error_name(e.code), dvk::error_name(code));
    EXPECT_EQ(e.offset, offset) << e.message();
  };
  const auto size = t.file.bytes.size();
  refused([](auto&, auto& f) { f.clear(); }, error_code::truncated, 0);
  refused([](auto&, auto& f) { f[0] = std::byte{2}; }, error_code::delta_version, 0);
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{INT64_MIN}}) {
    refused([bad](auto& d, auto&) { d.offset = bad; }, error_code::delta_offset, 0);
  }
  for (const std::uint64_t bad : {size, size - 3, std::uint64_t{INT64_MAX}}) {
    refused([bad](auto& d, auto&) { d.offset = static_cast<std::int64_t>(bad); },
            error_code::delta_offset, bad);
  }
  refused([size](auto& d, auto&) { d.offset = static_cast<std::int64_t>(size - 4); },
          error_code::delta_size, size - 4);
  for (const std::int64_t bad :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{11}, t.d.size_in_bytes + 8}) {
    refused([bad](auto& d, auto&) { d.size_in_bytes = bad; }, error_code::delta_size, 1);
  }
  refused([](auto&, auto& f) { f.resize(f.size() - f.size() / 2); }, error_code::delta_size, 1);
  refused([](auto&, auto& f) { f[5] = std::byte{0xD0}; }, error_code::delta_native_magic, 5);
  refused([](auto&, auto& f) { f[5] = std::byte{0}; }, error_code::blob_magic, 5);
  refused([&t](auto&, auto& f) { f[t.one.size()] ^= std::byte{1}; }, error_code::bad_crc,
          1 + t.one.size() - 4);
  refused([](auto& d, auto&) { d.cardinality = 4; }, error_code::cardinality_mismatch, 9);
  refused([](auto& d, auto&) { d.cardinality = -1; }, error_code::delta_descriptor, 0);
  refused([](auto& d, auto&) { d.storage_type = "r"; }, error_code::delta_descriptor, 0);
  refused([](auto& d, auto&) { d.storage_type = "i"; }, error_code::delta_descriptor, 0);
  refused([](auto& d, auto&) { d.path_or_inline_dv.clear(); }, error_code::delta_descriptor, 0);
  refused([](auto&, auto&) {}, error_code::cardinality_mismatch, 9, {.expected_cardinality = 2});
  refused([](auto&, auto&) {}, error_code::position_out_of_range, 9, {.row_count = 5});
}

TEST(delta, listing_refuses_what_does_not_fill_the_file) {
  const two_vectors t;
  const auto refused = [](bytes_t file, error_code code, std::uint64_t offset) {
    const auto e = delta::list_vectors(file).error();
    EXPECT_EQ(dvk::error_name(e.code), dvk::error_name(code));
    EXPECT_EQ(e.offset, offset);
  };
  const auto size = t.file.bytes.size();
  auto longer = t.file.bytes;
  longer.resize(size + 3);
  refused(longer, error_code::truncated, size);
  longer.resize(size + 4);
  refused(longer, error_code::delta_size, size);
  auto shorter = t.file.bytes;
  shorter.pop_back();
  refused(shorter, error_code::delta_size, 1 + t.one.size());
  refused({}, error_code::truncated, 0);
}

TEST(delta, z85_round_trips_and_refuses) {
  // The test case of ZeroMQ RFC 32.
  const std::uint8_t hello[] = {0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B};
  EXPECT_EQ(delta::z85_encode(std::as_bytes(std::span(hello))).value(), "HelloWorld");
  auto rng = dvk_test::generator(31);
  for (std::size_t n = 0; n < 70; ++n) {
    bytes_t bytes(n);
    for (auto& b : bytes)
      b = static_cast<std::byte>(rng());
    const auto text = delta::z85_encode(bytes).value();
    EXPECT_EQ(text.size(), (n + 3) / 4 * 5);
    EXPECT_EQ(delta::z85_decode(text, n).value(), bytes);
    EXPECT_EQ(delta::z85_decode(text, n + 4).error().code, error_code::z85);
    EXPECT_EQ(delta::z85_decode(text + "0", n).error().code, error_code::z85);
  }
  const auto at = [](std::string_view text) {
    const auto r = delta::z85_decode(text, 8);
    EXPECT_EQ(r.error().code, error_code::z85) << text;
    return r.error().offset;
  };
  EXPECT_EQ(at("Hello\"orld"), 5u);
  EXPECT_EQ(at("Hell\xc3Worl\xa9"), 4u);
  EXPECT_EQ(at("Hello#####"), 5u);
  EXPECT_EQ(at("%nSc1World"), 0u);  // exactly 2^32
  EXPECT_TRUE(delta::z85_decode("%nSc0World", 8));
  EXPECT_EQ(delta::z85_decode("HelloWorld", SIZE_MAX).error().code, error_code::z85);
}

TEST(delta, hash_tail_is_a_named_quirk) {
  const std::string text =
      "^Bg9^0rr910000000000iXQKl0rr91000005c8Xg##093";  // row 3, by the Rust z85 crate
  delta::descriptor d{.storage_type = "i",
                      .path_or_inline_dv = text,
                      .offset = std::nullopt,
                      .size_in_bytes = 34,
                      .cardinality = 1};
  const auto refused = delta::decode_inline(d).error();
  EXPECT_EQ(refused.code, error_code::z85);
  EXPECT_EQ(refused.quirk, dvk::quirk::z85_hash_tail);
  EXPECT_EQ(refused.offset, text.size() - 5);
  const auto bytes = delta::decode_inline(d, {.accept_hash_tail = true});
  ASSERT_TRUE(bytes) << bytes.error().message();
  const auto dv = delta::open_inline(*bytes, {.expected_cardinality = 1});
  ASSERT_TRUE(dv) << dv.error().message();
  EXPECT_EQ(dv->min(), 3u);
  d.path_or_inline_dv = text.substr(0, 40) + "####3";  // one byte, where two are missing
  EXPECT_EQ(delta::decode_inline(d, {.accept_hash_tail = true}).error().code, error_code::z85);
  d.path_or_inline_dv = text.substr(0, 40) + "##~93";
  EXPECT_EQ(delta::decode_inline(d, {.accept_hash_tail = true}).error().offset, 42u);
}

TEST(delta, inline_vectors_round_trip) {
  const auto bitmap =
      dvk::serialize_positions(std::vector<std::uint64_t>{1, 3, 5}, dvk::output_form::bitmap)
          .value();
  const auto d = delta::make_inline(bitmap, 3);
  ASSERT_TRUE(d) << d.error().message();
  EXPECT_EQ(d->size_in_bytes, static_cast<std::int64_t>(bitmap.size() + 4));
  EXPECT_EQ(delta::make_inline(bitmap, 4).error().code, error_code::cardinality_mismatch);
  auto bytes = delta::decode_inline(*d, {.canonical_padding = true}).value();
  EXPECT_TRUE(delta::open_inline(bytes, {.expected_cardinality = 3})->contains(5));
  const auto wrong = delta::open_inline(bytes, {.expected_cardinality = 4}).error();
  EXPECT_EQ(wrong.code, error_code::cardinality_mismatch);
  EXPECT_EQ(wrong.offset, 4u);
  bytes[0] = std::byte{0xD0};
  EXPECT_EQ(delta::open_inline(bytes).error().code, error_code::delta_native_magic);
  bytes[0] = std::byte{0};
  EXPECT_EQ(delta::open_inline(bytes).error().code, error_code::blob_magic);
  EXPECT_EQ(delta::open_inline(std::span(bytes).first(11)).error().code, error_code::delta_size);
  auto with_offset = *d;
  with_offset.offset = 1;
  EXPECT_EQ(delta::decode_inline(with_offset).error().code, error_code::delta_descriptor);
  auto small = *d;
  small.size_in_bytes = 11;
  EXPECT_EQ(delta::decode_inline(small).error().code, error_code::delta_size);
  small.size_in_bytes = -1;
  EXPECT_EQ(delta::decode_inline(small).error().code, error_code::delta_size);
  auto dirty = *d;  // padding other than zero: 34 bytes leave two
  ASSERT_EQ(dirty.size_in_bytes % 4, 2);
  const std::uint8_t tail[] = {5, 0, 1, 1};
  dirty.path_or_inline_dv.replace(dirty.path_or_inline_dv.size() - 5, 5,
                                  delta::z85_encode(std::as_bytes(std::span(tail))).value());
  EXPECT_TRUE(delta::decode_inline(dirty));
  const auto strict = delta::decode_inline(dirty, {.canonical_padding = true}).error();
  EXPECT_EQ(strict.code, error_code::not_canonical);
  EXPECT_EQ(strict.offset, dirty.path_or_inline_dv.size() - 5);
}

TEST(delta, paths) {
  delta::descriptor d{.storage_type = "u",
                      .path_or_inline_dv = "ab^-aqEH.-t@S}K{vb[*k^",
                      .offset = 4,
                      .size_in_bytes = 40,
                      .cardinality = 6};
  // The example of the Delta protocol.
  EXPECT_EQ(delta::relative_path(d).value(),
            "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
  EXPECT_EQ(delta::resolve_path(d, "s3://mytable").value(),
            "s3://mytable/ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
  const delta::uuid id = {0xd2, 0xc6, 0x39, 0xaa, 0x88, 0x16, 0x43, 0x1a,
                          0xaa, 0xf6, 0xd3, 0xfe, 0x25, 0x12, 0xff, 0x61};
  EXPECT_EQ(delta::encode_path(id, "ab").value(), d.path_or_inline_dv);
  EXPECT_EQ(delta::encode_path(id, "../x").error().code, error_code::delta_descriptor);
  const auto with_prefix = [&d](std::string prefix) {
    auto changed = d;
    changed.path_or_inline_dv = prefix + d.path_or_inline_dv.substr(2);
    return delta::check(changed).code;
  };
  for (const char* good : {"", "a/b", "test%dv%prefix-", "a..b", "..a"})
    EXPECT_EQ(with_prefix(good), error_code::ok) << good;
  for (const char* bad : {"../", "a/../../b", "a/..", "..", "/etc", "file:/", "\\x", "a\\..",
                          "%2e%2e", "a%2Fb", "%5c"}) {
    EXPECT_EQ(with_prefix(bad), error_code::delta_descriptor) << bad;
  }
  EXPECT_EQ(with_prefix(std::string("a\0b", 3)), error_code::delta_descriptor);
  const auto text_fault = [&d](std::string path) {
    auto changed = d;
    changed.path_or_inline_dv = path;
    const auto e = delta::check(changed);
    EXPECT_EQ(e.code, error_code::z85) << path;
    return e.offset;
  };
  EXPECT_EQ(text_fault(""), 0u);
  EXPECT_EQ(text_fault("^-aqEH.-t@S}K{vb[*k"), 0u);
  EXPECT_EQ(text_fault("ab^-a~EH.-t@S}K{vb[*k^"), 5u);
  EXPECT_EQ(text_fault("^-aqEH.-t@#####b[*k^"), 10u);

  delta::descriptor p{.storage_type = "p",
                      .path_or_inline_dv = "s3://t/x/y.bin",
                      .offset = 1,
                      .size_in_bytes = 34,
                      .cardinality = 1};
  EXPECT_EQ(delta::resolve_path(p, "s3://other").value(), "s3://t/x/y.bin");
  EXPECT_EQ(delta::resolve_path(p, "s3://other", true).error().code, error_code::delta_descriptor);
  EXPECT_TRUE(delta::resolve_path(p, "s3://t", true));
  p.path_or_inline_dv = "s3://t/../y.bin";
  EXPECT_FALSE(delta::resolve_path(p, "s3://t", true));
}

TEST(delta, converts_to_iceberg_and_back) {
  const two_vectors t;
  const auto entry = delta::to_iceberg(t.d, "s3://b/t").value();
  EXPECT_EQ(entry,
            (delta::iceberg_entry{.file_path = "s3://b/t/x.bin",
                                  .content_offset = 1,
                                  .content_size_in_bytes = static_cast<std::int64_t>(t.one.size()),
                                  .record_count = 3}));
  EXPECT_EQ(delta::from_iceberg(entry).value(), t.d);
  auto wide = entry;
  wide.content_offset = std::int64_t{1} << 31;
  EXPECT_EQ(delta::from_iceberg(wide).error().code, error_code::delta_descriptor);
  wide = entry;
  wide.content_size_in_bytes = 19;
  EXPECT_EQ(delta::from_iceberg(wide).error().code, error_code::delta_descriptor);
  auto in_line = t.d;
  in_line.storage_type = "i";
  in_line.offset.reset();
  EXPECT_EQ(delta::to_iceberg(in_line, "s3://b/t").error().code, error_code::delta_descriptor);
}

TEST(delta, golden_files_open_at_the_strict_level) {
  const auto golden = dvk_test::golden_folder("delta");
  DVK_NEEDS_GOLDEN(golden);
  std::size_t files = 0, vectors = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(golden)) {
    if (item.path().extension() != ".bin") continue;
    SCOPED_TRACE(item.path());
    const std::string text = dvk_test::read_file(item.path());
    const auto file = as_bytes(text);
    const auto places = delta::list_vectors(file);
    ASSERT_TRUE(places) << places.error().message();
    ++files;
    std::vector<std::span<const std::byte>> blobs;
    for (const auto& place : *places) {
      blobs.push_back(file.subspan(place.offset, place.blob_bytes()));
      const auto dv = delta::open_record(blobs.back(), {.level = dvk::validation::strict});
      ASSERT_TRUE(dv) << dv.error().message();
      // Written anew from its rows it has the same bytes.
      std::vector<std::uint64_t> rows;
      for (auto row = dv->next_deleted(0); row; row = dv->next_deleted(*row + 1))
        rows.push_back(*row);
      const auto again = dvk::serialize_positions(rows, dvk::output_form::blob,
                                                  {.keys = dvk::key_mode::iceberg_java})
                             .value();
      ASSERT_TRUE(std::equal(again.begin(), again.end(), blobs.back().begin(), blobs.back().end()));
      ++vectors;
    }
    const auto written = delta::write_file(blobs).value();
    EXPECT_TRUE(std::equal(written.bytes.begin(), written.bytes.end(), file.begin(), file.end()));
  }
  EXPECT_EQ(files, 132u);
  EXPECT_EQ(vectors, 153u);
}

}  // namespace
