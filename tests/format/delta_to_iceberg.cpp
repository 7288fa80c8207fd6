// Every vector of real Delta tables as an Iceberg blob in a Puffin file, and back: bytes, rows and
// descriptor are unchanged. Skipped, visibly, where those files are not at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
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

}  // namespace
