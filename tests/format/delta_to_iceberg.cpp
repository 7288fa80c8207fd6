// Every vector of real Delta tables as an Iceberg blob in a Puffin file, and back: bytes, rows and
// descriptor are unchanged. Skipped, visibly, where those files are not at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "dvk/delta.hpp"
#include "dvk/puffin.hpp"
#include "tests/support/golden.hpp"

namespace {

namespace delta = dvk::delta;
namespace puffin = dvk::puffin;

TEST(delta_to_iceberg, golden_vectors_come_back_unchanged) {
  const auto golden = dvk_test::golden_folder("delta");
  DVK_NEEDS_GOLDEN(golden);
  std::size_t vectors = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(golden)) {
    if (item.path().extension() != ".bin") continue;
    SCOPED_TRACE(item.path());
    const std::string text = dvk_test::read_file(item.path());
    const auto file = std::as_bytes(std::span(text));
    const auto places = delta::list_vectors(file);
    ASSERT_TRUE(places) << places.error().message();

    dvk::memory_sink sink;
    puffin::writer writer(sink);
    std::vector<delta::descriptor> descriptors;
    for (const auto& place : *places) {
      const auto blob = file.subspan(place.offset, place.blob_bytes());
      const auto dv = delta::open_record(blob);
      ASSERT_TRUE(dv) << dv.error().message();
      const auto data_file = std::to_string(descriptors.size()) + ".parquet";
      const auto written = writer.write_vector(blob, data_file, dv->cardinality());
      ASSERT_TRUE(written) << written.error().message();
      EXPECT_EQ(written->length, blob.size());
      descriptors.push_back({.storage_type = "p",
                             .path_or_inline_dv = "s3://t/" + item.path().filename().string(),
                             .offset = static_cast<std::int64_t>(place.offset),
                             .size_in_bytes = static_cast<std::int64_t>(place.size_in_bytes),
                             .cardinality = static_cast<std::int64_t>(dv->cardinality())});
      // Without a copy: a manifest entry that points into the Delta file, and back.
      const auto entry = delta::to_iceberg(descriptors.back(), "s3://t");
      ASSERT_TRUE(entry) << entry.error().message();
      EXPECT_EQ(delta::from_iceberg(*entry).value(), descriptors.back());
    }
    ASSERT_TRUE(writer.finish());

    const dvk::memory_source source(sink.bytes());
    const auto reader = puffin::reader::open(source);
    ASSERT_TRUE(reader) << reader.error().message();
    ASSERT_EQ(reader->blobs().size(), places->size());
    std::vector<dvk::byte_buffer> contents;
    std::vector<std::span<const std::byte>> blobs;
    for (std::size_t i = 0; i < places->size(); ++i) {
      EXPECT_EQ(reader->blobs()[i].cardinality,
                static_cast<std::uint64_t>(descriptors[i].cardinality));
      auto content = reader->read_blob(i);
      ASSERT_TRUE(content) << content.error().message();
      contents.push_back(std::move(*content));
      blobs.push_back(contents.back().bytes());
    }
    const auto again = delta::write_file(blobs);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_TRUE(std::ranges::equal(again->bytes, file));
    EXPECT_EQ(again->vectors, *places);
    for (const auto& d : descriptors)
      EXPECT_TRUE(delta::open_in_file(again->bytes, d));
    vectors += blobs.size();
  }
  EXPECT_EQ(vectors, 153u);
}

TEST(delta_to_iceberg, golden_inline_text_comes_back) {
  const auto golden = dvk_test::golden_folder("delta");
  DVK_NEEDS_GOLDEN(golden);
  const std::regex inline_vector(
      R"re("storageType":\s*"i",\s*"pathOrInlineDv":\s*"([^"]*)",\s*"offset":\s*null,)re"
      R"re(\s*"sizeInBytes":\s*(\d+),\s*"cardinality":\s*(\d+))re");
  std::set<std::string> plain, hash_tails;  // a log names a vector when it comes and when it goes
  for (const auto& item : std::filesystem::recursive_directory_iterator(golden)) {
    if (item.path().filename() != "descriptors.json") continue;
    const std::string text = dvk_test::read_file(item.path());
    for (std::sregex_iterator at(text.begin(), text.end(), inline_vector), end; at != end; ++at) {
      const delta::descriptor d{.storage_type = "i",
                                .path_or_inline_dv = (*at)[1],
                                .offset = std::nullopt,
                                .size_in_bytes = std::stoll((*at)[2]),
                                .cardinality = std::stoll((*at)[3])};
      SCOPED_TRACE(d.path_or_inline_dv);
      const auto bytes = delta::decode_inline(d, {.accept_hash_tail = true});
      ASSERT_TRUE(bytes) << bytes.error().message();
      const auto bitmap = std::span(*bytes).subspan(4);
      std::vector<std::byte> blob(puffin::frame_size(bitmap.size()));
      ASSERT_EQ(puffin::frame(bitmap, blob).code, dvk::error_code::ok);
      const auto rows = static_cast<std::uint64_t>(d.cardinality);
      const auto dv = dvk::deletion_vector::open_blob(blob, {.expected_cardinality = rows});
      ASSERT_TRUE(dv) << dv.error().message();
      // Back: what stands between the blob's magic and its CRC.
      const auto inside = std::span<const std::byte>(blob).subspan(8, blob.size() - 12);
      const auto again = delta::make_inline(inside, rows);
      ASSERT_TRUE(again) << again.error().message();
      EXPECT_EQ(delta::decode_inline(*again).value(), *bytes);
      if (d.path_or_inline_dv.find('#') == std::string::npos) {
        EXPECT_EQ(*again, d);
        plain.insert(d.path_or_inline_dv);
      } else {
        hash_tails.insert(d.path_or_inline_dv);  // the same bytes, spelt as the protocol has it
      }
    }
  }
  EXPECT_EQ(plain.size(), 2u);
  EXPECT_EQ(hash_tails.size(), 1u);
}

}  // namespace
