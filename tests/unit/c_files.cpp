// The C interface to Puffin files and to the builder: a vector's way from rows to a file and back,
// and what goes wrong on it.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "dvk/builder.hpp"
#include "dvk/dvk.h"
#include "dvk/puffin.hpp"
#include "tests/support/puffin.hpp"

namespace {

using dvk_test::path_a;
using dvk_test::path_b;

std::string text_of(const dvk_text& text) {
  return {text.data, text.size};
}
std::string take(dvk_buffer* buffer) {
  std::string out(static_cast<const char*>(dvk_buffer_data(buffer)), dvk_buffer_size(buffer));
  dvk_buffer_free(buffer);
  return out;
}

class c_reader : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(dvk_puffin_open_memory(sample_.file.data(), sample_.file.size(), nullptr, &reader_,
                                     &error_),
              0u);
  }
  void TearDown() override { dvk_puffin_free(reader_); }

  dvk_test::sample sample_;
  dvk_puffin_reader* reader_ = nullptr;
  dvk_error error_ = {};
};

TEST_F(c_reader, lists_blobs) {
  ASSERT_EQ(dvk_puffin_blob_count(reader_), 3u);
  EXPECT_EQ(dvk_puffin_footer_size(reader_), sample_.payload.size() + 16);
  dvk_blob blob = {};
  EXPECT_FALSE(dvk_puffin_blob(reader_, 0, &blob));  // no struct_size
  blob.struct_size = sizeof blob;
  ASSERT_TRUE(dvk_puffin_blob(reader_, 1, &blob));
  EXPECT_EQ(blob.struct_size, sizeof blob);
  EXPECT_EQ(text_of(blob.type), "deletion-vector-v1");
  ASSERT_EQ(blob.field_count, 1u);
  EXPECT_EQ(blob.fields[0], 2147483645);
  EXPECT_EQ(blob.snapshot_id, -1);
  EXPECT_EQ(blob.sequence_number, -1);
  EXPECT_EQ(blob.offset, sample_.second_at);
  EXPECT_EQ(blob.length, static_cast<std::int64_t>(sample_.second.size()));
  EXPECT_EQ(blob.codec, std::uint32_t{dvk_codec_none});
  EXPECT_EQ(blob.is_deletion_vector, 1u);
  EXPECT_EQ(text_of(blob.referenced_data_file), path_b);
  EXPECT_EQ(blob.cardinality, 1u);
  EXPECT_EQ(blob.property_count, 2u);
  EXPECT_EQ(blob.fault.code, std::uint32_t{dvk_error_ok});
  ASSERT_TRUE(dvk_puffin_blob(reader_, 2, &blob));
  EXPECT_EQ(blob.is_deletion_vector, 0u);
  dvk_text name, value;
  ASSERT_TRUE(dvk_puffin_blob_property(reader_, 2, 0, &name, &value));
  EXPECT_EQ(text_of(name) + "=" + text_of(value), "k=v");
  EXPECT_FALSE(dvk_puffin_blob_property(reader_, 2, 1, &name, &value));
  EXPECT_FALSE(dvk_puffin_blob_property(reader_, 3, 0, &name, &value));
  EXPECT_FALSE(dvk_puffin_property(reader_, 0, &name, &value));
  EXPECT_FALSE(dvk_puffin_blob(reader_, 3, &blob));
}

TEST_F(c_reader, fills_a_shorter_struct_of_an_older_caller) {
  dvk_blob blob;
  std::memset(&blob, 0x5a, sizeof blob);
  blob.struct_size = offsetof(dvk_blob, fields);
  ASSERT_TRUE(dvk_puffin_blob(reader_, 1, &blob));
  EXPECT_EQ(text_of(blob.type), "deletion-vector-v1");
  EXPECT_EQ(blob.struct_size, offsetof(dvk_blob, fields));
  EXPECT_EQ(blob.field_count, 0x5a5a5a5a5a5a5a5a);
}

TEST_F(c_reader, a_vector_outlives_its_reader) {
  std::size_t index = 99;
  EXPECT_EQ(dvk_puffin_find(reader_, "nowhere", 7, &index, &error_),
            std::uint32_t{dvk_error_not_found});
  EXPECT_EQ(index, 99u);
  ASSERT_EQ(dvk_puffin_find(reader_, path_a.data(), path_a.size(), &index, &error_), 0u);
  EXPECT_EQ(index, 0u);
  dvk_vector* vector = nullptr;
  ASSERT_EQ(dvk_puffin_read_vector(reader_, index, nullptr, &vector, &error_), 0u);
  dvk_puffin_free(reader_);
  reader_ = nullptr;
  EXPECT_EQ(dvk_vector_cardinality(vector), 5u);
  EXPECT_TRUE(dvk_vector_contains(vector, 9));
  dvk_vector_free(vector);
}

TEST_F(c_reader, refuses_what_is_not_there) {
  dvk_vector* vector = nullptr;
  dvk_buffer* buffer = nullptr;
  EXPECT_EQ(dvk_puffin_read_vector(reader_, 3, nullptr, &vector, &error_),
            std::uint32_t{dvk_error_invalid_argument});
  EXPECT_EQ(dvk_puffin_read_vector(reader_, 2, nullptr, &vector, &error_),
            std::uint32_t{dvk_error_invalid_argument});
  EXPECT_EQ(dvk_puffin_read_blob(reader_, 3, &buffer, &error_),
            std::uint32_t{dvk_error_invalid_argument});
  dvk_open_options options = DVK_OPTIONS(dvk_open_options);
  options.flags = dvk_check_cardinality;
  options.expected_cardinality = 6;
  EXPECT_NE(dvk_puffin_read_vector(reader_, 0, &options, &vector, &error_), 0u);
  EXPECT_EQ(vector, nullptr);
  EXPECT_EQ(buffer, nullptr);
  ASSERT_EQ(dvk_puffin_read_blob(reader_, 2, &buffer, &error_), 0u);
  EXPECT_EQ(take(buffer), sample_.other);
}

TEST_F(c_reader, options_reach_the_reader) {
  dvk_puffin_options options = DVK_OPTIONS(dvk_puffin_options);
  options.max_footer_bytes = 10;
  dvk_puffin_reader* second = nullptr;
  const auto open = [&](std::string file) {
    return dvk_puffin_open_memory(file.data(), file.size(), &options, &second, &error_);
  };
  EXPECT_EQ(open(sample_.file), std::uint32_t{dvk_error_footer_too_large});
  options.max_footer_bytes = 0;
  options.footer_size = sample_.payload.size() + 15;
  EXPECT_NE(open(sample_.file), 0u);
  options.footer_size = 0;
  options.reserved = 1;
  EXPECT_EQ(open(sample_.file), std::uint32_t{dvk_error_invalid_argument});
  options.reserved = 0;
  options.tolerate = 1;
  EXPECT_EQ(open(sample_.file), std::uint32_t{dvk_error_invalid_argument});
  options.tolerate = DVK_QUIRK_BIT(dvk_quirk_velox_footer);
  ASSERT_EQ(open(sample_.file), 0u);
  EXPECT_EQ(dvk_puffin_tolerated(second), 0u);
  dvk_puffin_free(second);
  options.tolerate = 0;
  std::string headless = sample_.file;
  headless[0] = 'X';
  EXPECT_EQ(open(headless), std::uint32_t{dvk_error_head_magic});
  options.skip_head = 1;
  EXPECT_EQ(open(headless), 0u);
  dvk_puffin_free(second);
}

// A source in C: reads of a string, until `left` reads are done.
struct counted {
  const std::string* file;
  int left;
  static int read(void* context, std::uint64_t offset, void* out, std::size_t size) {
    auto* self = static_cast<counted*>(context);
    if (self->left-- == 0) return EIO;
    std::memcpy(out, self->file->data() + offset, size);
    return 0;
  }
};

TEST_F(c_reader, reads_through_a_function) {
  counted source = {&sample_.file, 100};
  dvk_puffin_reader* second = nullptr;
  ASSERT_EQ(dvk_puffin_open_source(sample_.file.size(), counted::read, &source, nullptr, &second,
                                   &error_),
            0u);
  dvk_buffer* buffer = nullptr;
  ASSERT_EQ(dvk_puffin_read_blob(second, 2, &buffer, &error_), 0u);
  EXPECT_EQ(take(buffer), sample_.other);
  source.left = 0;
  EXPECT_EQ(dvk_puffin_read_blob(second, 2, &buffer, &error_), std::uint32_t{dvk_error_io_error});
  EXPECT_EQ(error_.found, std::uint64_t{EIO});
  dvk_puffin_free(second);
}

class c_builder : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(dvk_builder_create(&builder_, &error_), 0u);
    const std::uint64_t rows[] = {900, 7, 7, 100000};
    ASSERT_EQ(dvk_builder_add_many(builder_, rows, 4, &error_), 0u);
    ASSERT_EQ(dvk_builder_add(builder_, 8, &error_), 0u);
    ASSERT_EQ(dvk_builder_add_range(builder_, 200, 300, &error_), 0u);
    ASSERT_EQ(dvk_builder_remove(builder_, 7, &error_), 0u);
    ASSERT_EQ(dvk_builder_remove_range(builder_, 210, 300, &error_), 0u);
    for (std::uint64_t row = 200; row < 210; ++row)
      rows_.push_back(row);
    rows_.insert(rows_.begin(), 8);
    rows_.insert(rows_.end(), {900, 100000});
  }
  void TearDown() override { dvk_builder_free(builder_); }

  std::string serialize(std::uint32_t form = dvk_form_blob) {
    dvk_serialize_options options = DVK_OPTIONS(dvk_serialize_options);
    options.form = form;
    dvk_buffer* buffer = nullptr;
    EXPECT_EQ(dvk_builder_serialize(builder_, &options, &buffer, &error_), 0u);
    return take(buffer);
  }

  dvk_builder* builder_ = nullptr;
  std::vector<std::uint64_t> rows_;
  dvk_error error_ = {};
};

TEST_F(c_builder, serialises_the_rows_added) {
  EXPECT_EQ(dvk_builder_cardinality(builder_), rows_.size());
  EXPECT_TRUE(dvk_builder_contains(builder_, 209));
  EXPECT_FALSE(dvk_builder_contains(builder_, 210));
  EXPECT_EQ(serialize(), dvk_test::vector_blob(rows_));
  EXPECT_EQ(serialize(dvk_form_bitmap),
            dvk_test::text_of(dvk_test::bitmap_writer().add(rows_).bitmap64()));
  dvk_builder_clear(builder_);
  EXPECT_EQ(dvk_builder_cardinality(builder_), 0u);
}

TEST_F(c_builder, refuses_rows_and_results_that_are_too_large) {
  const std::uint64_t too_large = dvk::max_position + 1;
  EXPECT_EQ(dvk_builder_add(builder_, too_large, &error_),
            std::uint32_t{dvk_error_invalid_argument});
  EXPECT_EQ(error_.found, too_large);
  dvk_serialize_options options = DVK_OPTIONS(dvk_serialize_options);
  dvk_buffer* buffer = nullptr;
  options.max_bytes = 20;
  EXPECT_EQ(dvk_builder_serialize(builder_, &options, &buffer, &error_),
            std::uint32_t{dvk_error_limit_exceeded});
  options.max_bytes = 0;
  options.form = 2;
  EXPECT_EQ(dvk_builder_serialize(builder_, &options, &buffer, &error_),
            std::uint32_t{dvk_error_invalid_argument});
  options.form = dvk_form_blob;
  options.keys = dvk_keys_iceberg_java;
  options.max_gap_bytes = 12;
  ASSERT_EQ(dvk_builder_add(builder_, std::uint64_t{3} << 32, &error_), 0u);
  EXPECT_EQ(dvk_builder_serialize(builder_, &options, &buffer, &error_),
            std::uint32_t{dvk_error_limit_exceeded});
  EXPECT_EQ(buffer, nullptr);
}

TEST_F(c_builder, merges_and_combines_vectors) {
  const std::string one = dvk_test::vector_blob({1, 2, 3}), two = dvk_test::vector_blob({3, 4});
  dvk_vector *a = nullptr, *b = nullptr;
  ASSERT_EQ(dvk_vector_open_blob(one.data(), one.size(), nullptr, &a, &error_), 0u);
  ASSERT_EQ(dvk_vector_open_blob(two.data(), two.size(), nullptr, &b, &error_), 0u);
  const auto combined = [&](std::uint32_t operation) {
    dvk_buffer* buffer = nullptr;
    EXPECT_EQ(dvk_combine_vectors(operation, a, b, nullptr, &buffer, &error_), 0u);
    return take(buffer);
  };
  EXPECT_EQ(combined(dvk_union), dvk_test::vector_blob({1, 2, 3, 4}));
  EXPECT_EQ(combined(dvk_intersection), dvk_test::vector_blob({3}));
  EXPECT_EQ(combined(dvk_difference), dvk_test::vector_blob({1, 2}));
  EXPECT_EQ(combined(dvk_symmetric_difference), dvk_test::vector_blob({1, 2, 4}));
  dvk_buffer* buffer = nullptr;
  EXPECT_EQ(dvk_combine_vectors(4, a, b, nullptr, &buffer, &error_),
            std::uint32_t{dvk_error_invalid_argument});
  dvk_builder_clear(builder_);
  ASSERT_EQ(dvk_builder_merge(builder_, a, &error_), 0u);
  ASSERT_EQ(dvk_builder_merge(builder_, b, &error_), 0u);
  EXPECT_EQ(serialize(), dvk_test::vector_blob({1, 2, 3, 4}));
  dvk_vector_free(a);
  dvk_vector_free(b);
}

// What a writer made of two vectors, read back.
void expect_two_vectors(dvk_puffin_reader* reader, std::uint64_t offset, std::uint64_t length) {
  ASSERT_EQ(dvk_puffin_blob_count(reader), 2u);
  dvk_blob blob = {};
  blob.struct_size = sizeof blob;
  ASSERT_TRUE(dvk_puffin_blob(reader, 1, &blob));
  EXPECT_EQ(text_of(blob.referenced_data_file), path_b);
  EXPECT_EQ(static_cast<std::uint64_t>(blob.offset), offset);
  EXPECT_EQ(static_cast<std::uint64_t>(blob.length), length);
  dvk_text name, value;
  ASSERT_TRUE(dvk_puffin_property(reader, 0, &name, &value));
  EXPECT_EQ(text_of(name) + "=" + text_of(value), "created-by=test");
  dvk_vector* vector = nullptr;
  ASSERT_EQ(dvk_puffin_read_vector(reader, 0, nullptr, &vector, nullptr), 0u);
  EXPECT_EQ(dvk_vector_cardinality(vector), 3u);
  dvk_vector_free(vector);
}

class c_writer : public ::testing::Test {
 protected:
  void TearDown() override { dvk_puffin_writer_free(writer_); }

  void write_two() {
    for (const auto& [blob, path, n] :
         {std::tuple(&first_, &path_a, 3u), std::tuple(&second_, &path_b, 1u)}) {
      ASSERT_EQ(dvk_puffin_write_vector(writer_, blob->data(), blob->size(), path->data(),
                                        path->size(), n, &offset_, &length_, &error_),
                0u);
    }
  }
  dvk_puffin_writer_options options() {
    dvk_puffin_writer_options options = DVK_OPTIONS(dvk_puffin_writer_options);
    options.created_by = {"test", 4};
    return options;
  }

  std::string first_ = dvk_test::vector_blob({1, 2, 3}), second_ = dvk_test::vector_blob({9});
  dvk_puffin_writer* writer_ = nullptr;
  std::uint64_t offset_ = 0, length_ = 0, file_size_ = 0;
  dvk_error error_ = {};
};

TEST_F(c_writer, to_memory) {
  const auto with = options();
  ASSERT_EQ(dvk_puffin_writer_create_memory(&with, &writer_, &error_), 0u);
  write_two();
  dvk_buffer* file = nullptr;
  ASSERT_EQ(dvk_puffin_writer_finish(writer_, &file_size_, &file, &error_), 0u);
  const std::string bytes = take(file);
  EXPECT_EQ(bytes.size(), file_size_);
  dvk_puffin_reader* reader = nullptr;
  ASSERT_EQ(dvk_puffin_open_memory(bytes.data(), bytes.size(), nullptr, &reader, &error_), 0u);
  expect_two_vectors(reader, offset_, length_);
  dvk_puffin_free(reader);
}

TEST_F(c_writer, to_a_file_only_when_finished) {
  std::string folder = (std::filesystem::temp_directory_path() / "dvk-c-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/deletes.puffin";
  const auto with = options();
  ASSERT_EQ(dvk_puffin_writer_create_file(path.c_str(), &with, &writer_, &error_), 0u);
  write_two();
  dvk_puffin_writer_free(writer_);
  writer_ = nullptr;
  EXPECT_TRUE(std::filesystem::is_empty(folder));

  ASSERT_EQ(dvk_puffin_writer_create_file(path.c_str(), &with, &writer_, &error_), 0u);
  write_two();
  auto* file = reinterpret_cast<dvk_buffer*>(1);
  ASSERT_EQ(dvk_puffin_writer_finish(writer_, &file_size_, &file, &error_), 0u);
  EXPECT_EQ(file, nullptr);
  EXPECT_EQ(std::filesystem::file_size(path), file_size_);
  dvk_puffin_reader* reader = nullptr;
  ASSERT_EQ(dvk_puffin_open_file(path.c_str(), nullptr, &reader, &error_), 0u);
  expect_two_vectors(reader, offset_, length_);
  dvk_puffin_free(reader);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(dvk_puffin_open_file(path.c_str(), nullptr, &reader, &error_),
            std::uint32_t{dvk_error_io_error});
  EXPECT_EQ(error_.found, std::uint64_t{ENOENT});
  dvk_puffin_writer* none = nullptr;
  EXPECT_EQ(dvk_puffin_writer_create_file(path.c_str(), &with, &none, &error_),
            std::uint32_t{dvk_error_io_error});
}

TEST_F(c_writer, validates_what_it_is_given) {
  ASSERT_EQ(dvk_puffin_writer_create_memory(nullptr, &writer_, &error_), 0u);
  EXPECT_EQ(dvk_puffin_write_vector(writer_, first_.data(), first_.size(), path_a.data(),
                                    path_a.size(), 4, &offset_, &length_, &error_),
            std::uint32_t{dvk_error_cardinality_mismatch});
  EXPECT_EQ(offset_, 0u);
}

}  // namespace
