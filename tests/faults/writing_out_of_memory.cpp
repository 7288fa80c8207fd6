// Making vectors and files with every allocation failing in turn.
#include <roaring/memory.h>

#include <filesystem>

#include "dvk/builder.hpp"
#include "dvk/commit.hpp"
#include "dvk/dvk_files.h"
#include "tests/faults/out_of_memory.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::deletion_vector;
using dvk::deletion_vector_builder;

// CRoaring does not check all of its allocations (builder.hpp says so): those do not fail here,
// where its code may be reached with containers in place.
bool roaring_is_spared = false;

template <class Allocate>
void* for_roaring(Allocate allocate) {
  return roaring_is_spared ? unfailing(allocate) : allocate();
}

class out_of_memory : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::roaring_init_memory_hook(
        {.malloc = [](std::size_t n) { return for_roaring([n] { return malloc(n); }); },
         .realloc = [](void* p,
                       std::size_t n) { return for_roaring([p, n] { return realloc(p, n); }); },
         .calloc = [](std::size_t n,
                      std::size_t size) { return for_roaring([=] { return calloc(n, size); }); },
         .free = free,
         .aligned_malloc =
             [](std::size_t alignment, std::size_t n) {
               return for_roaring([=] { return aligned_alloc(alignment, n); });
             },
         .aligned_free = free});
    roaring_is_spared = true;
  }
  static void TearDownTestSuite() { roaring_is_spared = false; }
};

void prepare(deletion_vector_builder& builder) {
  ASSERT_EQ(builder.add_range(100, 200000), dvk::error{});
  for (std::uint64_t i = 0; i < 3000; ++i)
    ASSERT_EQ(builder.add(1000000 + 7 * i), dvk::error{});
}

// The change, on an empty vector and on one with rows; a failure leaves the rows as they were.
template <class Change>
void expect_unchanged(std::uint64_t least, Change change) {
  for (const bool empty : {true, false}) {
    EXPECT_GE(fail_each_allocation([&] {
                deletion_vector_builder builder;
                dvk::error answer;
                unfailing([&] {
                  if (!empty) prepare(builder);
                });
                const std::uint64_t rows = builder.cardinality();
                answer = change(builder);
                if (answer.code != dvk::error_code::ok && builder.cardinality() != rows)
                  answer.code = dvk::error_code::invalid_argument;  // which is not expected
                return answer;
              }),
              least);
  }
}

constexpr std::uint64_t far = std::uint64_t{5} << 32;
const std::uint64_t unsorted_rows[] = {900, 1, far + 3, 1, 7, far, 99999};

TEST_F(out_of_memory, builder_changes) {
  expect_unchanged(0, [](auto& b) { return b.add(5); });
  expect_unchanged(1, [](auto& b) { return b.add(far); });
  expect_unchanged(0, [](auto& b) { return b.add_range(150000, 500000); });
  expect_unchanged(1, [](auto& b) { return b.add_range(far - 10, far + 10); });
  expect_unchanged(4, [](auto& b) { return b.add_many(std::span(unsorted_rows)); });
  expect_unchanged(0, [](auto& b) { return b.remove_range(1000, 1010); });
  const dvk::position_delete rows[] = {{"a", 3}, {"b", 4}, {"a", far}};
  expect_unchanged(4, [&](auto& b) { return b.add_rows("a", rows); });
  const std::string blob = vector_blob({3, 4, 99999, far});
  const auto vector = deletion_vector::open_blob(bytes_of(blob));
  ASSERT_TRUE(vector);
  expect_unchanged(4, [&](auto& b) { return b.merge(*vector); });
}

// What needs no container that is there already survives failures of CRoaring as well.
TEST_F(out_of_memory, in_croaring_too) {
  roaring_is_spared = false;
  const std::string blob = vector_blob({3, 4, 99999, far});
  const auto vector = deletion_vector::open_blob(bytes_of(blob));
  ASSERT_TRUE(vector);
  EXPECT_GT(fail_each_allocation([&] {
              deletion_vector_builder builder;
              return builder.add_many(std::span(unsorted_rows));
            }),
            10u);
  EXPECT_GT(fail_each_allocation([&] {
              deletion_vector_builder builder;
              return builder.merge(*vector);
            }),
            10u);
  roaring_is_spared = true;
}

TEST_F(out_of_memory, serialising) {
  deletion_vector_builder builder;
  prepare(builder);
  ASSERT_EQ(builder.add(far), dvk::error{});
  for (const auto keys : {dvk::key_mode::present_keys, dvk::key_mode::iceberg_java}) {
    EXPECT_GT(fail_each_allocation([&] { return builder.serialize_blob({.keys = keys}).error(); }),
              1u);
    EXPECT_GT(
        fail_each_allocation([&] { return builder.serialize_bitmap({.keys = keys}).error(); }), 1u);
  }
  EXPECT_GT(fail_each_allocation(
                [&] { return dvk::serialize_positions(std::span(unsorted_rows)).error(); }),
            1u);
}

TEST_F(out_of_memory, set_operations) {
  const std::string a = vector_blob({1, 5, 70000, far}), b = vector_blob({5, 6, 70001, far + 1});
  const auto x = deletion_vector::open_blob(bytes_of(a)),
             y = deletion_vector::open_blob(bytes_of(b));
  ASSERT_TRUE(x && y);
  for (const auto operation : {dvk::set_union, dvk::set_intersection, dvk::set_difference,
                               dvk::set_symmetric_difference}) {
    EXPECT_GT(
        fail_each_allocation([&] { return operation(*x, *y, dvk::output_form::blob, {}).error(); }),
        0u);
  }
}

class out_of_memory_in_commit : public out_of_memory {
 protected:
  void SetUp() override {
    prepare(first_);
    ASSERT_EQ(second_.add_range(3, 9), dvk::error{});
    deletes_ = {{"s3://bucket/a-file-with-a-long-name.parquet", &first_},
                {"s3://bucket/b-file-with-a-long-name.parquet", &second_},
                {"s3://bucket/a-file-with-a-long-name.parquet", &second_}};
  }
  deletion_vector_builder first_, second_;
  std::vector<dvk::data_file_deletes> deletes_;
  dvk::commit_options options_{.duplicates = dvk::duplicate_paths::merge};
};

TEST_F(out_of_memory_in_commit, to_memory) {
  EXPECT_GT(fail_each_allocation(
                [&] {
                  dvk::memory_sink sink;
                  return dvk::write_deletion_vectors(sink, "p", deletes_, options_).error();
                },
                1),
            10u);
  dvk::vector_manifest_entry entry;
  entry.file_path = std::string(100, 'x');
  const std::vector entries(2, entry);
  EXPECT_GT(fail_each_allocation([&] { return dvk::manifest_json(entries).error(); }), 0u);
}

TEST_F(out_of_memory_in_commit, to_a_file_that_then_does_not_appear) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("dvk-out-of-memory-" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string path = (folder / "vectors.puffin").string();
  EXPECT_GT(fail_each_allocation(
                [&] {
                  const auto written = dvk::write_deletion_vectors(path, deletes_, options_);
                  const dvk::error answer = written.error();
                  return unfailing([&] {
                    const bool appeared = !fs::is_empty(folder);
                    fs::remove(path);
                    return appeared == written.has_value()
                               ? answer
                               : dvk::error{.code = dvk::error_code::invalid_argument};
                  });
                },
                1),
            10u);
  fs::remove_all(folder);
}

TEST_F(out_of_memory, puffin_writer) {
  const std::string blob = vector_blob({1, 3}), text(5000, 'x');
  const auto bitmap = std::string_view(blob).substr(8, blob.size() - 12);
  for (const auto codec :
       {dvk::puffin::codec::none, dvk::puffin::codec::lz4, dvk::puffin::codec::zstd}) {
    for (const bool compress_footer : {false, true}) {
      EXPECT_GT(fail_each_allocation([&] {
                  dvk::memory_sink sink;
                  dvk::puffin::writer writer(sink, {.compress_footer = compress_footer});
                  const auto a = writer.write_vector(bytes_of(blob), path_a, 2);
                  const auto b = writer.write_bitmap(bytes_of(bitmap), path_b, 2);
                  const auto c =
                      writer.write_blob({.type = "text", .compression = codec}, bytes_of(text));
                  const auto end = writer.finish();
                  // What failed once fails to the end.
                  return end.has_value() && !(a && b && c)
                             ? dvk::error{.code = dvk::error_code::invalid_argument}
                             : end.error();
                }),
                10u);
    }
  }
}

// Calls make(&handle), frees what it made, and passes on what it answered.
template <class Handle>
dvk::error made_and_freed(void (*release)(Handle*), auto make) {
  Handle* made = nullptr;
  const std::uint32_t code = make(&made);
  if (code == dvk_error_ok) release(made);
  return {.code = static_cast<dvk::error_code>(code)};
}

TEST_F(out_of_memory, c_interface_reading) {
  const sample parts;
  const auto bytes = bytes_of(parts.first);
  EXPECT_GT(fail_each_allocation([&] {
              return made_and_freed(dvk_vector_free, [&](dvk_vector** out) {
                return dvk_vector_open_blob(bytes.data(), bytes.size(), nullptr, out, nullptr);
              });
            }),
            1u);
  const auto open = [&](dvk_puffin_reader** out) {
    return dvk_puffin_open_memory(parts.file.data(), parts.file.size(), nullptr, out, nullptr);
  };
  EXPECT_GT(fail_each_allocation([&] { return made_and_freed(dvk_puffin_free, open); }), 5u);
  dvk_puffin_reader* reader = nullptr;
  ASSERT_EQ(open(&reader), std::uint32_t{dvk_error_ok});
  EXPECT_GT(fail_each_allocation([&] {
              return made_and_freed(dvk_vector_free, [&](dvk_vector** out) {
                return dvk_puffin_read_vector(reader, 0, nullptr, out, nullptr);
              });
            }),
            2u);
  EXPECT_GT(fail_each_allocation([&] {
              return made_and_freed(dvk_buffer_free, [&](dvk_buffer** out) {
                return dvk_puffin_read_blob(reader, 2, out, nullptr);
              });
            }),
            1u);
  dvk_puffin_free(reader);
}

TEST_F(out_of_memory, c_interface_writing) {
  const sample parts;
  const auto bytes = bytes_of(parts.first);
  EXPECT_GT(fail_each_allocation([&] {
              return made_and_freed(dvk_buffer_free, [](dvk_buffer** out) {
                dvk_builder* builder = nullptr;
                std::uint32_t code = dvk_builder_create(&builder, nullptr);
                if (code != dvk_error_ok) return code;
                code =
                    dvk_builder_add_many(builder, unsorted_rows, std::size(unsorted_rows), nullptr);
                if (code == dvk_error_ok)
                  code = dvk_builder_serialize(builder, nullptr, out, nullptr);
                dvk_builder_free(builder);
                return code;
              });
            }),
            6u);
  EXPECT_GT(fail_each_allocation([&] {
              return made_and_freed(dvk_buffer_free, [&](dvk_buffer** out) {
                dvk_puffin_writer* writer = nullptr;
                std::uint64_t offset = 0, size = 0;
                std::uint32_t code = dvk_puffin_writer_create_memory(nullptr, &writer, nullptr);
                if (code != dvk_error_ok) return code;
                code = dvk_puffin_write_vector(writer, bytes.data(), bytes.size(), "a", 1, 5,
                                               &offset, &size, nullptr);
                if (code == dvk_error_ok)
                  code = dvk_puffin_writer_finish(writer, &size, out, nullptr);
                dvk_puffin_writer_free(writer);
                return code;
              });
            }),
            6u);
}

// A message needs memory, but its meaning does not.
TEST_F(out_of_memory, c_messages) {
  const dvk_error error{
      .code = dvk_error_bad_crc, .quirk = 0, .offset = 5, .expected = 1, .found = 2};
  char text[200] = {};
  {
    const failing_allocation now(0, failure::from_there_on);
    dvk_error_message(&error, text, sizeof text);
  }
  EXPECT_EQ(std::string_view(text), dvk::error_text(dvk::error_code::bad_crc));
}

}  // namespace
