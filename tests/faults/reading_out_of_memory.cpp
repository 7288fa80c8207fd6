// Reading with every allocation failing in turn: out_of_memory, nothing leaked, nothing half open.
#include <filesystem>

#include "dvk/delta.hpp"
#include "dvk/puffin.hpp"
#include "dvk/scope.hpp"
#include "tests/faults/out_of_memory.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::deletion_vector;

byte_vector blob_of_two_keys() {
  return bitmap_writer().add_range(5, 70000).add_range(std::uint64_t{3} << 32, 10).blob();
}

TEST(out_of_memory, opening_a_blob_or_bitmap) {
  const byte_vector blob = blob_of_two_keys();
  const auto bitmap = std::span(blob).subspan(8, blob.size() - 12);
  EXPECT_EQ(fail_each_allocation([&] { return deletion_vector::open_blob(blob).error(); }), 1u);
  EXPECT_EQ(fail_each_allocation([&] { return deletion_vector::open_bitmap(bitmap).error(); }), 1u);
}

// Two vectors; blobs stored as lz4 and zstd; a compressed footer.
std::string everything_in_one_file(const std::string& first, const std::string& second) {
  dvk::memory_sink sink;
  dvk::puffin::writer writer(sink, {.compress_footer = true});
  EXPECT_TRUE(writer.write_vector(bytes_of(first), path_a, 5));
  EXPECT_TRUE(writer.write_vector(bytes_of(second), path_b, 1));
  const std::string text(100000, 'x');
  for (const auto codec : {dvk::puffin::codec::lz4, dvk::puffin::codec::zstd})
    EXPECT_TRUE(writer.write_blob({.type = "text", .compression = codec}, bytes_of(text)));
  EXPECT_TRUE(writer.finish());
  return text_of(sink.bytes());
}

class out_of_memory_in_puffin : public testing::Test {
 protected:
  sample parts_;
  std::string file_ = everything_in_one_file(parts_.first, parts_.second);
  dvk::memory_source source_{bytes_of(file_)};
  dvk::result<dvk::puffin::reader> reader_ = dvk::puffin::reader::open(source_);
};

TEST_F(out_of_memory_in_puffin, opening) {
  EXPECT_GT(fail_each_allocation([&] { return dvk::puffin::reader::open(source_).error(); }), 5u);
  const dvk::memory_source plain(bytes_of(parts_.file));
  EXPECT_GT(fail_each_allocation([&] { return dvk::puffin::reader::open(plain).error(); }), 5u);
}

TEST_F(out_of_memory_in_puffin, opening_a_file) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("dvk-out-of-memory-" + std::to_string(getpid()) + ".puffin");
  std::ofstream(path, std::ios::binary) << file_;
  EXPECT_GT(
      fail_each_allocation([&] { return dvk::puffin::reader::open_file(path.c_str()).error(); }),
      5u);
  std::filesystem::remove(path);
}

TEST_F(out_of_memory_in_puffin, reading_each_blob) {
  ASSERT_TRUE(reader_);
  ASSERT_EQ(reader_->blobs().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_GT(fail_each_allocation([&] { return reader_->read_blob(i).error(); }), 0u);
  EXPECT_GT(fail_each_allocation([&] { return reader_->read_vector(0).error(); }), 2u);
}

TEST_F(out_of_memory_in_puffin, reading_by_a_plan) {
  ASSERT_TRUE(reader_);
  const std::size_t wanted[] = {0, 1};
  EXPECT_GT(fail_each_allocation([&] { return reader_->plan(wanted).error(); }), 2u);
  EXPECT_GT(fail_each_allocation([&] {
              const auto all = reader_->read_vectors(wanted);
              if (!all) return all.error();
              for (const auto& one : *all) {  // each has its own answer
                if (!one) return one.error();
              }
              return dvk::error{};
            }),
            5u);
}

TEST(out_of_memory, delta) {
  namespace delta = dvk::delta;
  const byte_vector blob = blob_of_two_keys();
  const auto bitmap = std::span(blob).subspan(8, blob.size() - 12);
  const std::span<const std::byte> blobs[] = {blob, blob};
  const auto file = delta::write_file(blobs);
  const auto inline_vector = delta::make_inline(bitmap, 70010);
  ASSERT_TRUE(file && inline_vector);
  const std::string prefix(100, 'p');
  const auto path = delta::encode_path({1, 2, 3}, prefix);
  ASSERT_TRUE(path);
  const delta::descriptor by_uuid{
      .storage_type = "u",
      .path_or_inline_dv = *path,
      .offset = 1,
      .size_in_bytes = static_cast<std::int64_t>(file->vectors[0].size_in_bytes),
      .cardinality = 70010};
  const std::string root = "s3://" + std::string(100, 'r');
  const auto entry = delta::to_iceberg(by_uuid, root);
  ASSERT_TRUE(entry);
  const auto each = [](auto body) { EXPECT_GT(fail_each_allocation(body), 0u); };
  each([&] { return delta::open_in_file(file->bytes, by_uuid).error(); });
  each([&] { return delta::list_vectors(file->bytes).error(); });
  each([&] { return delta::write_file(blobs).error(); });
  each([&] { return delta::make_inline(bitmap, 70010).error(); });
  each([&] { return delta::decode_inline(*inline_vector).error(); });
  each([&] { return delta::relative_path(by_uuid).error(); });
  each([&] { return delta::resolve_path(by_uuid, root).error(); });
  each([&] { return delta::encode_path({1, 2, 3}, prefix).error(); });
  each([&] { return delta::z85_encode(blob).error(); });
  each([&] { return delta::z85_decode(std::string_view(*path).substr(100), 16).error(); });
  each([&] { return delta::to_iceberg(by_uuid, root).error(); });
  each([&] { return delta::from_iceberg(*entry).error(); });
}

TEST(out_of_memory, scope) {
  const dvk::data_file file{.file_path = "a", .data_sequence_number = 1, .partition = {}};
  dvk::delete_entry deletes;
  deletes.content = dvk::delete_content::position_deletes;
  deletes.data_sequence_number = 2;
  const std::vector entries(3, deletes);
  EXPECT_GT(fail_each_allocation([&] { return dvk::scope_of(file, entries).error(); }), 0u);
  EXPECT_GT(fail_each_allocation([&] { return dvk::plan_replacement(file, entries).error(); }), 1u);
}

}  // namespace
