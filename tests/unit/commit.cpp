// One Puffin file for a commit: what stands in it, and what the manifest entries say.
#include "dvk/commit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using dvk::deletion_vector_builder;
using dvk::error_code;

deletion_vector_builder rows(std::uint64_t begin, std::uint64_t end) {
  deletion_vector_builder b;
  EXPECT_EQ(b.add_range(begin, end).code, error_code::ok);
  return b;
}

TEST(commit, entries_lead_to_the_vectors) {
  const auto a = rows(0, 100), b = rows(5, 7), none = rows(0, 0);
  const std::vector<dvk::data_file_deletes> deletes = {
      {"s3://t/b", &b}, {"s3://t/none", &none}, {"s3://t/a", &a}};
  dvk::memory_sink out;
  const auto entries = dvk::write_deletion_vectors(out, "s3://t/dv.puffin", deletes);
  ASSERT_TRUE(entries) << entries.error().message();
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].referenced_data_file, "s3://t/a");
  EXPECT_EQ((*entries)[1].referenced_data_file, "s3://t/b");
  const dvk::memory_source source(out.bytes());
  const auto reader = dvk::puffin::reader::open(source);
  ASSERT_TRUE(reader) << reader.error().message();
  for (const auto& e : *entries) {
    EXPECT_EQ(e.file_path, "s3://t/dv.puffin");
    EXPECT_EQ(e.file_size_in_bytes, out.bytes().size());
    const auto dv = dvk::deletion_vector::open_blob(
        out.bytes().subspan(e.content_offset, e.content_size_in_bytes),
        {.level = dvk::validation::strict, .expected_cardinality = e.record_count});
    ASSERT_TRUE(dv) << dv.error().message();
    const auto found =
        reader->bind({.content_offset = static_cast<std::int64_t>(e.content_offset),
                      .content_size_in_bytes = static_cast<std::int64_t>(e.content_size_in_bytes),
                      .record_count = static_cast<std::int64_t>(e.record_count),
                      .referenced_data_file = e.referenced_data_file});
    EXPECT_TRUE(found) << found.error().message();
  }
  EXPECT_EQ((*entries)[0].record_count, 100u);
}

TEST(commit, keeps_the_given_order_if_asked) {
  const auto a = rows(0, 1);
  const std::vector<dvk::data_file_deletes> deletes = {{"z", &a}, {"m", &a}, {"a", &a}};
  dvk::memory_sink out;
  const auto entries =
      dvk::write_deletion_vectors(out, "f", deletes, {.order = dvk::vector_order::given}).value();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].referenced_data_file + entries[1].referenced_data_file +
                entries[2].referenced_data_file,
            "zma");
}

TEST(commit, duplicates_are_refused_or_merged) {
  const auto a = rows(0, 10), b = rows(5, 20), c = rows(1, 2);
  const std::vector<dvk::data_file_deletes> deletes = {{"x", &a}, {"y", &c}, {"x", &b}};
  dvk::memory_sink refused;
  const auto e = dvk::write_deletion_vectors(refused, "f", deletes).error();
  EXPECT_EQ(e.code, error_code::dv_duplicate_reference);
  EXPECT_EQ(e.expected, 0u);
  EXPECT_EQ(e.found, 2u);
  EXPECT_TRUE(refused.bytes().empty());
  dvk::memory_sink out;
  const auto entries =
      dvk::write_deletion_vectors(out, "f", deletes, {.duplicates = dvk::duplicate_paths::merge})
          .value();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].record_count, 20u);
}

TEST(commit, nothing_deleted_makes_no_file) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("dvk_commit_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto path = (folder / "dv.puffin").string();
  const deletion_vector_builder none;
  const std::vector<dvk::data_file_deletes> empty = {{"x", &none}};
  EXPECT_TRUE(dvk::write_deletion_vectors(path, empty)->empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder));

  const auto a = rows(3, 5);
  const std::vector<dvk::data_file_deletes> deletes = {{"x", &a}, {"x", &a}};
  EXPECT_FALSE(dvk::write_deletion_vectors(path, deletes));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  const auto entries = dvk::write_deletion_vectors(path, std::span(deletes).first(1));
  ASSERT_TRUE(entries) << entries.error().message();
  EXPECT_EQ((*entries)[0].file_size_in_bytes, std::filesystem::file_size(path));
  EXPECT_EQ((*entries)[0].file_path, path);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(dvk::write_deletion_vectors(path, std::span(deletes).first(1)).error().code,
            error_code::io_error);
  const std::vector<dvk::data_file_deletes> null = {{"x", nullptr}};
  EXPECT_EQ(dvk::write_deletion_vectors(path, null).error().code, error_code::invalid_argument);
}

TEST(commit, json_has_the_manifest_fields) {
  const dvk::vector_manifest_entry e{.file_path = "a\"\\\n",
                                     .file_size_in_bytes = 1,
                                     .content_offset = 2,
                                     .content_size_in_bytes = 3,
                                     .referenced_data_file = "b",
                                     .record_count = 4};
  EXPECT_EQ(dvk::manifest_json({}).value(), "[]");
  EXPECT_EQ(
      dvk::manifest_json(std::vector{e, e}).value().substr(0, 152),
      R"([{"file_path":"a\"\\\u000a","file_size_in_bytes":1,"content_offset":2,"content_size_in_bytes":3,)"
      R"("referenced_data_file":"b","record_count":4},{"file_path)");
}

}  // namespace
