// Files that real writers wrote. tests/data/iceberg holds our own, written by Iceberg; the files of
// other projects are read where DVK_GOLDEN (default: ../shared/golden beside the sources) has them,
// and skipped, visibly, elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "dvk/puffin.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace fs = std::filesystem;
namespace puffin = dvk::puffin;

const std::string long_text(
    "some blob \0 binary data \xf0\x9f\xa4\xaf that is not very very very very very very long, is "
    "it?",
    83);

std::string golden(const std::string& name) {
  const char* from = std::getenv("DVK_GOLDEN");
  return (from != nullptr ? std::string(from) : std::string(DVK_SOURCE_DIR) + "/../shared/golden") +
         "/" + name;
}

#define LOAD_OR_SKIP(variable, name)                                \
  const auto variable##_file = load_file(golden(name));             \
  if (!variable##_file) GTEST_SKIP() << "no file " << golden(name); \
  const std::string& variable = *variable##_file

// Writes what the reader found again. With the same blobs, the bytes must be the same.
std::string rewritten(const puffin::reader& reader) {
  dvk::memory_sink sink;
  puffin::writer writer(sink, {.created_by = "", .properties = reader.properties()});
  for (std::size_t i = 0; i < reader.blobs().size(); ++i) {
    const auto& blob = reader.blobs()[i];
    const auto content = reader.read_blob(i);
    EXPECT_TRUE(content) << content.error().message();
    if (blob.is_deletion_vector()) {
      EXPECT_TRUE(
          writer.write_vector(content->bytes(), blob.referenced_data_file, blob.cardinality));
    } else {
      EXPECT_TRUE(writer.write_blob({.type = blob.type,
                                     .fields = blob.fields,
                                     .snapshot_id = blob.snapshot_id,
                                     .sequence_number = blob.sequence_number,
                                     .compression = blob.compression,
                                     .properties = blob.properties},
                                    content->bytes()));
    }
  }
  EXPECT_TRUE(writer.finish());
  return text_of(sink.bytes());
}

bool compressed(const puffin::reader& reader) {
  for (const auto& blob : reader.blobs()) {
    if (blob.compression != puffin::codec::none) return true;
  }
  return reader.footer_compressed();
}

// Every footer entry readable, at every level; cardinalities true; uncompressed files written again
// to the byte.
void expect_sound(const std::string& file, bool ours_would_be_equal = true) {
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ(reader->check(), dvk::error{});
  for (std::size_t i = 0; i < reader->blobs().size(); ++i) {
    EXPECT_TRUE(reader->read_blob(i)) << i << ": " << reader->read_blob(i).error().message();
    if (!reader->blobs()[i].is_deletion_vector()) continue;
    for (const auto level :
         {dvk::validation::strict, dvk::validation::standard, dvk::validation::trusted}) {
      const auto vector = reader->read_vector(i, {.level = level});
      ASSERT_TRUE(vector) << i << ": " << vector.error().message();
      EXPECT_EQ(vector->vector.cardinality(), reader->blobs()[i].cardinality);
    }
    EXPECT_EQ(*reader->find(reader->blobs()[i].referenced_data_file), i);
  }
  const std::string again = rewritten(*reader);
  if (ours_would_be_equal && !compressed(*reader)) {
    EXPECT_TRUE(again == file);
  } else {
    EXPECT_TRUE(puffin::reader::open(dvk::memory_source(bytes_of(again))));
  }
}

void expect_rows(const std::string& file, std::size_t blob, const std::string& path,
                 const std::vector<std::uint64_t>& rows) {
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader) << reader.error().message();
  ASSERT_EQ(*reader->find(path), blob);
  const auto dv = reader->read_vector(blob);
  ASSERT_TRUE(dv) << dv.error().message();
  ASSERT_EQ(dv->vector.cardinality(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(dv->vector.select(i), rows[i]);
}

TEST(puffin_golden, iceberg_fixtures) {
  const fs::path folder = fs::path(DVK_SOURCE_DIR) / "tests/data/iceberg";
  if (!fs::exists(folder)) GTEST_SKIP() << "no folder " << folder;
  std::size_t files = 0;
  for (const auto& e : fs::directory_iterator(folder)) {
    if (e.path().extension() != ".puffin") continue;
    SCOPED_TRACE(e.path().filename().string());
    expect_sound(*load_file(e.path().string()));
    ++files;
  }
  EXPECT_GE(files, 10u);
}

TEST(puffin_golden, empty) {
  LOAD_OR_SKIP(file, "iceberg/empty-puffin-uncompressed.bin");
  expect_sound(file);
  const dvk::memory_source source(bytes_of(file));
  for (const puffin::reader_options& options :
       {puffin::reader_options{.footer_size = 28}, puffin::reader_options{}}) {
    const auto reader = puffin::reader::open(source, options);
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->blobs().empty());
    EXPECT_TRUE(reader->properties().empty());
    EXPECT_EQ(reader->footer_size(), 28u);
  }
}

void expect_sample(const std::string& file, puffin::codec compression, std::uint64_t footer_size) {
  expect_sound(file);
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source, {.footer_size = footer_size});
  ASSERT_TRUE(reader) << reader.error().message();
  ASSERT_EQ(reader->blobs().size(), 2u);
  EXPECT_EQ(reader->properties()[0], (puffin::property{"created-by", "Test 1234"}));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& blob = reader->blobs()[i];
    EXPECT_EQ(blob.type, i == 0 ? "some-blob" : "some-other-blob");
    EXPECT_EQ(blob.fields[0], static_cast<std::int32_t>(i + 1));
    EXPECT_EQ(blob.snapshot_id, 2);
    EXPECT_EQ(blob.sequence_number, 1);
    EXPECT_EQ(blob.compression, compression);
    EXPECT_EQ(text_of(reader->read_blob(i)->bytes()), i == 0 ? "abcdefghi" : long_text);
  }
  EXPECT_EQ(reader->blobs()[0].offset, 4);
  EXPECT_EQ(reader->blobs()[1].offset, 4 + reader->blobs()[0].length);
  for (const std::int64_t off : {-10, -1, 1, 10}) {
    const std::uint64_t wrong = footer_size + static_cast<std::uint64_t>(off);
    EXPECT_EQ(puffin::reader::open(source, {.footer_size = wrong}).error().code,
              error_code::footer_size);
  }
  for (const std::int64_t off : {-10000, 10000}) {
    const std::uint64_t wrong = footer_size + static_cast<std::uint64_t>(off);
    EXPECT_EQ(puffin::reader::open(source, {.footer_size = wrong}).error().code,
              error_code::invalid_argument);
  }
}

TEST(puffin_golden, sample_uncompressed) {
  LOAD_OR_SKIP(file, "iceberg/sample-metric-data-uncompressed.bin");
  expect_sample(file, puffin::codec::none, 259);
}

TEST(puffin_golden, sample_zstd) {
  LOAD_OR_SKIP(file, "iceberg/sample-metric-data-compressed-zstd.bin");
  expect_sample(file, puffin::codec::zstd, 314);
}

// The file of Iceberg's own writer test, from the calls it makes.
TEST(puffin_golden, writes_the_sample_of_iceberg) {
  LOAD_OR_SKIP(file, "iceberg/sample-metric-data-uncompressed.bin");
  dvk::memory_sink sink;
  puffin::writer writer(sink, {.created_by = "Test 1234"});
  for (const std::int32_t field : {1, 2}) {
    ASSERT_TRUE(writer.write_blob({.type = field == 1 ? "some-blob" : "some-other-blob",
                                   .fields = {&field, 1},
                                   .snapshot_id = 2,
                                   .sequence_number = 1,
                                   .properties = {}},
                                  bytes_of(field == 1 ? "abcdefghi" : long_text)));
  }
  EXPECT_EQ(writer.finish()->footer_size, 259u);
  EXPECT_EQ(text_of(sink.bytes()), file);
}

TEST(puffin_golden, one_vector_of_the_java_writer) {
  LOAD_OR_SKIP(file, "iceberg-go/table_dv/single-blob-dv.puffin");
  expect_sound(file);
  expect_rows(file, 0, "s3://warehouse/db/table/data/00000-0-abc.parquet", {1, 3, 5, 7, 9});
}

TEST(puffin_golden, two_vectors_of_the_java_writer) {
  LOAD_OR_SKIP(file, "iceberg-go/table_dv/multi-blob-dv.puffin");
  expect_sound(file);
  expect_rows(file, 0, "s3://warehouse/db/table/data/file-001.parquet", {0, 100, 200});
  expect_rows(file, 1, "s3://warehouse/db/table/data/file-002.parquet", {50, 150});
}

TEST(puffin_golden, vector_of_the_go_writer) {
  LOAD_OR_SKIP(file, "iceberg-go/puffin_testdata/deletion-vector-v1.puffin");
  expect_sound(file, false);  // its fields are empty, its properties sorted
  expect_rows(file, 0, "data/test.parquet", {1, 3, 5, 7, 9});
}

TEST(puffin_golden, compressed_footer) {
  LOAD_OR_SKIP(file, "synthetic/dv-lz4-footer.puffin");
  expect_sound(file);
  expect_rows(file, 0, "s3://b/t/data/f.parquet", {1, 3, 5, 7, 9});
}

TEST(puffin_golden, lz4_blob) {
  LOAD_OR_SKIP(file, "synthetic/blob-lz4.puffin");
  expect_sound(file);
  const dvk::memory_source source(bytes_of(file));
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += "abcdefghi";
  EXPECT_EQ(text_of(puffin::reader::open(source)->read_blob(0)->bytes()), text);
}

TEST(puffin_golden, zstd_blob_without_content_size) {
  LOAD_OR_SKIP(file, "synthetic/blob-zstd-no-content-size.puffin");
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader);
  const dvk::error e = reader->read_blob(0).error();
  EXPECT_EQ(e.code, error_code::content_size);
  EXPECT_EQ(e.offset, 4u);
}

TEST(puffin_golden, bare_blob_under_the_name_of_a_file) {
  LOAD_OR_SKIP(file, "duckdb-iceberg/legacy-bare-deletion-vector.puffin");
  const dvk::memory_source source(bytes_of(file));
  const dvk::error e = puffin::reader::open(source).error();
  EXPECT_EQ(e.code, error_code::tail_magic);
  EXPECT_EQ(e.quirk, dvk::quirk::bare_blob);
  EXPECT_TRUE(dvk::deletion_vector::open_blob(bytes_of(file)));
}

}  // namespace
