// Which deletes apply: the table spec's rules one by one.
#include "dvk/scope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using dvk::delete_content;
using dvk::delete_entry;
using dvk::error_code;
using dvk::partition_value;
using dvk::scope_reason;

const dvk::data_file file{
    .file_path = "s3://b/a.parquet", .data_sequence_number = 5, .partition = {1, {7, "x"}}};

delete_entry entry(delete_content content, std::int64_t sequence,
                   std::optional<std::string> reference = std::nullopt,
                   dvk::partition partition = file.partition) {
  return {content, sequence, std::move(partition), std::move(reference)};
}
delete_entry vector_of(std::string path, std::int64_t sequence = 5) {
  return entry(delete_content::deletion_vector, sequence, std::move(path));
}

scope_reason reason(const delete_entry& e) {
  return dvk::scope_of(file, {&e, 1}).value().reasons[0];
}

TEST(scope, deletion_vectors) {
  EXPECT_EQ(reason(vector_of(file.file_path)),
            scope_reason::applies_to_file);  // equal sequence: same commit
  EXPECT_EQ(reason(vector_of(file.file_path, 6)), scope_reason::applies_to_file);
  EXPECT_EQ(reason(vector_of(file.file_path, 4)), scope_reason::older);
  for (const char* other :
       {"s3://b//a.parquet", "s3://b/a.parquet/", "S3://b/a.parquet", "s3a://b/a.parquet", ""}) {
    EXPECT_EQ(reason(vector_of(other)), scope_reason::other_file) << other;
  }
  EXPECT_EQ(reason(entry(delete_content::deletion_vector, 5)), scope_reason::no_reference);
  auto e = vector_of(file.file_path);
  e.partition.spec_id = 2;
  EXPECT_EQ(reason(e), scope_reason::other_spec);
  e.partition = {1, {7, "y"}};
  EXPECT_EQ(reason(e), scope_reason::other_partition);
  e.partition = {1, {7}};
  EXPECT_EQ(reason(e), scope_reason::other_partition);
}

TEST(scope, position_deletes) {
  const auto content = delete_content::position_deletes;
  EXPECT_EQ(reason(entry(content, 5)), scope_reason::applies_to_partition);
  EXPECT_EQ(reason(entry(content, 5, file.file_path)), scope_reason::applies_to_file);
  EXPECT_EQ(reason(entry(content, 5, "other")), scope_reason::other_file);
  EXPECT_EQ(reason(entry(content, 4)), scope_reason::older);
  EXPECT_EQ(reason(entry(content, 5, std::nullopt, {2, {}})), scope_reason::other_spec);
}

TEST(scope, equality_deletes) {
  const auto content = delete_content::equality_deletes;
  EXPECT_EQ(reason(entry(content, 6)), scope_reason::applies_to_partition);
  EXPECT_EQ(reason(entry(content, 5)), scope_reason::not_newer);
  EXPECT_EQ(reason(entry(content, 6, std::nullopt, {9, {}})), scope_reason::applies_globally);
  EXPECT_EQ(reason(entry(content, 6, std::nullopt, {9, {1}})), scope_reason::other_spec);
}

TEST(scope, a_vector_hides_position_deletes_but_not_equality_deletes) {
  const std::vector<delete_entry> entries = {
      entry(delete_content::position_deletes, 5), entry(delete_content::position_deletes, 4),
      entry(delete_content::equality_deletes, 6), vector_of(file.file_path),
      entry(delete_content::position_deletes, 5, file.file_path)};
  const auto scope = dvk::scope_of(file, entries).value();
  EXPECT_EQ(scope.deletion_vector, 3u);
  EXPECT_EQ(scope.reasons, (std::vector{scope_reason::hidden, scope_reason::older,
                                        scope_reason::applies_to_partition,
                                        scope_reason::applies_to_file, scope_reason::hidden}));
}

TEST(scope, a_vector_that_does_not_apply_hides_nothing) {
  const std::vector<delete_entry> entries = {vector_of(file.file_path, 4),
                                             entry(delete_content::position_deletes, 5)};
  const auto scope = dvk::scope_of(file, entries).value();
  EXPECT_FALSE(scope.deletion_vector);
  EXPECT_EQ(scope.reasons[1], scope_reason::applies_to_partition);
}

TEST(scope, two_vectors_conflict) {
  const std::vector<delete_entry> entries = {vector_of("other"), vector_of(file.file_path),
                                             vector_of("other"), vector_of(file.file_path, 6)};
  const auto e = dvk::scope_of(file, entries).error();
  EXPECT_EQ(e.code, error_code::scope_conflict);
  EXPECT_EQ(e.expected, 1u);
  EXPECT_EQ(e.found, 3u);
  EXPECT_EQ(dvk::plan_replacement(file, entries).error(), e);
}

TEST(scope, partition_values) {
  const auto same = [](partition_value a, partition_value b) {
    EXPECT_EQ(dvk::partition_equal(a, b), dvk::partition_equal(b, a));
    return dvk::partition_equal(a, b);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(same({}, {}));
  EXPECT_FALSE(same({}, 0));
  EXPECT_FALSE(same(false, 0));
  EXPECT_TRUE(same(true, true));
  EXPECT_TRUE(same(5, std::int64_t{5}));
  EXPECT_FALSE(same(-1, std::int64_t{0xffffffff}));
  EXPECT_TRUE(same(1.5f, 1.5));
  EXPECT_FALSE(same(1, 1.0));
  EXPECT_FALSE(same(0.0, -0.0));
  EXPECT_TRUE(same(nan, -nan));
  EXPECT_TRUE(same(nan, std::numeric_limits<double>::signaling_NaN()));
  EXPECT_TRUE(same(std::string("a"), std::string("a")));
  EXPECT_FALSE(same(std::string(""), std::vector<std::byte>{}));
  EXPECT_FALSE(same(std::vector{std::byte{1}}, std::vector{std::byte{2}}));
}

TEST(scope, replacement_without_a_vector_merges_position_deletes_and_removes_the_files_own) {
  const std::vector<delete_entry> entries = {
      entry(delete_content::position_deletes, 5),  // of the partition: merged, stays
      entry(delete_content::position_deletes, 6, file.file_path),  // of the file: merged, removed
      entry(delete_content::position_deletes, 6, "other"),
      entry(delete_content::equality_deletes, 6),
      entry(delete_content::position_deletes, 4),
      vector_of("other")};
  const auto plan = dvk::plan_replacement(file, entries).value();
  EXPECT_EQ(plan.merge, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(plan.remove, (std::vector<std::size_t>{1}));
}

TEST(scope, replacement_of_a_vector_merges_it_alone) {
  const std::vector<delete_entry> entries = {
      entry(delete_content::position_deletes, 5), vector_of(file.file_path),
      entry(delete_content::position_deletes, 5, file.file_path)};
  const auto plan = dvk::plan_replacement(file, entries).value();
  EXPECT_EQ(plan.merge, (std::vector<std::size_t>{1}));
  EXPECT_EQ(plan.remove, (std::vector<std::size_t>{1, 2}));
}

TEST(scope, every_reason_has_words) {
  for (int i = 0; i <= static_cast<int>(scope_reason::hidden); ++i) {
    const auto r = static_cast<scope_reason>(i);
    EXPECT_EQ(dvk::scope_reason_text(r).substr(0, 8) == "applies:", dvk::applies(r)) << i;
  }
}

}  // namespace
