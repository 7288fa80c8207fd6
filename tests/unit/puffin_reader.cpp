// Reader: requests, lookup, plans, and reading vectors.
#include <gtest/gtest.h>

#include "dvk/puffin.hpp"
#include "tests/support/puffin.hpp"
#include "tests/support/random.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace puffin = dvk::puffin;

const std::string empty_payload = R"({"blobs":[]})";

TEST(puffin_reader, smallest_file) {
  const std::string file = puffin_file("", empty_payload);
  ASSERT_EQ(file.size(), 32u);
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_TRUE(reader->blobs().empty());
  EXPECT_TRUE(reader->properties().empty());
  EXPECT_EQ(reader->footer_size(), 28u);
  EXPECT_EQ(reader->file_size(), 32u);
  EXPECT_FALSE(reader->footer_compressed());
}

TEST(puffin_reader, lists_what_the_footer_says) {
  const sample s;
  const dvk::memory_source source(bytes_of(s.file));
  auto opened = puffin::reader::open(source);
  ASSERT_TRUE(opened) << opened.error().message();
  const puffin::reader reader = std::move(*opened);  // views survive a move
  ASSERT_EQ(reader.blobs().size(), 3u);
  const auto& dv = reader.blobs()[0];
  EXPECT_TRUE(dv.is_deletion_vector());
  EXPECT_EQ(dv.referenced_data_file, path_a);
  EXPECT_EQ(dv.cardinality, 5u);
  EXPECT_EQ(dv.fields[0], puffin::row_position_field);
  EXPECT_EQ(dv.snapshot_id, -1);
  EXPECT_FALSE(dv.has_codec_member);
  const auto& other = reader.blobs()[2];
  EXPECT_EQ(other.type, "future-blob-v9");
  EXPECT_EQ(other.find("k"), "v");
  EXPECT_EQ(other.find("x"), std::nullopt);
  EXPECT_EQ(reader.check(), dvk::error{});
  EXPECT_EQ(text_of(reader.read_blob(2)->bytes()), s.other);
}

TEST(puffin_reader, number_of_reads) {
  const sample s;
  const auto reads = [&](const puffin::reader_options& options, std::size_t gap = 100000) {
    counting_source source(
        puffin_file(s.first + s.second + s.other + std::string(gap, '.'), s.payload));
    EXPECT_TRUE(puffin::reader::open(source, options));
    return source.reads;
  };
  const std::uint64_t footer = s.payload.size() + 16;
  EXPECT_EQ(reads({}, 0), 1u);  // everything lies in the tail
  EXPECT_EQ(reads({}), 2u);     // tail and head
  EXPECT_EQ(reads({.check_head = false}), 1u);
  EXPECT_EQ(reads({.tail_bytes = 0}), 3u);
  EXPECT_EQ(reads({.tail_bytes = 0, .check_head = false}), 2u);
  EXPECT_EQ(reads({.footer_size = footer, .tail_bytes = 0, .check_head = false}), 1u);
  counting_source source(s.file);
  const auto reader = puffin::reader::open(source);
  source.reads = 0;
  EXPECT_TRUE(reader->read_vector(0));
  EXPECT_EQ(source.reads, 1u);
}

TEST(puffin_reader, footer_size_that_the_caller_knows) {
  const sample s;
  const std::uint64_t right = s.payload.size() + 16;
  EXPECT_EQ(open_error(s.file, {.footer_size = right}).code, error_code::ok);
  for (const std::uint64_t wrong : {right - 10, right - 1, right + 1, right + 10}) {
    EXPECT_EQ(open_error(s.file, {.footer_size = wrong}).code, error_code::footer_size) << wrong;
  }
  for (const std::uint64_t wrong :
       {std::uint64_t{0}, std::uint64_t{15}, s.file.size() - 3, ~std::uint64_t{0}}) {
    EXPECT_EQ(open_error(s.file, {.footer_size = wrong}).code, error_code::invalid_argument)
        << wrong;
  }
}

TEST(puffin_reader, finds_and_binds) {
  const sample s;
  const dvk::memory_source source(bytes_of(s.file));
  const auto reader = puffin::reader::open(source);
  EXPECT_EQ(*reader->find(path_a), 0u);
  EXPECT_EQ(*reader->find(path_b), 1u);
  EXPECT_EQ(reader->find(path_b + "x").error().code, error_code::not_found);
  EXPECT_EQ(reader->find("").error().code, error_code::not_found);

  const puffin::manifest_entry right{4, static_cast<std::int64_t>(s.first.size()), 5, path_a};
  EXPECT_EQ(*reader->bind(right), 0u);
  const auto mismatch = [&](auto change, std::uint64_t expected, std::uint64_t found) {
    puffin::manifest_entry wrong = right;
    change(wrong);
    const dvk::error e = reader->bind(wrong).error();
    EXPECT_EQ(e.code, error_code::manifest_mismatch);
    EXPECT_EQ(e.expected, expected);
    EXPECT_EQ(e.found, found);
  };
  mismatch([](auto& m) { m.content_offset = 5; }, 4, 5);
  mismatch([](auto& m) { m.content_size_in_bytes = -1; }, s.first.size(), ~std::uint64_t{0});
  mismatch([](auto& m) { m.record_count = 6; }, 5, 6);
  mismatch([](auto& m) { m.referenced_data_file = "s3://bucket/c.parquet"; }, 0, 0);
  EXPECT_EQ(reader->bind({7777, 50, 5, "s3://bucket/c.parquet"}).error().code,
            error_code::not_found);
}

TEST(puffin_reader, finds_each_of_many) {
  std::vector<std::string> entries;
  std::string body;
  for (int i = 0; i < 1000; ++i) {
    entries.push_back(vector_entry(4 + 20 * i, 20, "path/" + std::to_string(i * 7), "0"));
    body += vector_blob({});
  }
  const std::string file = puffin_file(body, footer_of(entries));
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader);
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto found = reader->find("path/" + std::to_string(i * 7));
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, i);
  }
  EXPECT_FALSE(reader->find("path/1"));
}

TEST(puffin_reader, two_vectors_of_one_file_are_found_as_an_error) {
  const std::string file =
      puffin_file(std::string(100, 'b'),
                  footer_of({vector_entry(4, 20, "p", "1"), vector_entry(24, 20, "p", "1")}));
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  EXPECT_EQ(reader->find("p").error().code, error_code::dv_duplicate_reference);
  EXPECT_EQ(reader->bind({4, 20, 1, "p"}).error().code, error_code::dv_duplicate_reference);
}

// A caller takes "not found" for "nothing deleted".
TEST(puffin_reader, a_faulty_vector_is_not_passed_over) {
  const std::string file =
      puffin_file(std::string(100, 'b'),
                  footer_of({vector_entry(4, 500, "p", "1"), vector_entry(4, 20, "q", "x"),
                             vector_entry(40, 5, "r", "1")}));
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->find("p").error().code, error_code::blob_range);
  EXPECT_EQ(reader->find("q").error().code, error_code::dv_properties);
  EXPECT_EQ(reader->bind({4, 500, 1, "p"}).error().code, error_code::blob_range);
  EXPECT_EQ(reader->bind({40, 5, 1, "r"}).error().code, error_code::blob_too_small);
  EXPECT_EQ(reader->find("s").error().code, error_code::not_found);
}

TEST(puffin_reader, plans_few_reads) {
  const std::string file =
      puffin_file(std::string(1000, 'b'),
                  footer_of({entry("t", 904, 100), entry("t", 4, 10), entry("t", 20, 10),
                             entry("t", 300, 10), entry("t", 25, 0)}));
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader) << reader.error().message();
  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 2};
  const auto plan = reader->plan(all, {.max_gap = 10, .max_bytes = 1000});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 3u);
  EXPECT_EQ((*plan)[0].offset, 4u);
  EXPECT_EQ((*plan)[0].length, 26u);
  EXPECT_EQ((*plan)[0].blobs, (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_EQ((*plan)[1].blobs, (std::vector<std::size_t>{3}));
  EXPECT_EQ((*plan)[2].offset, 904u);
  EXPECT_EQ(reader->plan(all, {.max_gap = 1000, .max_bytes = 2000})->size(), 1u);
  EXPECT_EQ(reader->plan(all, {.max_gap = 1000, .max_bytes = 20})->size(), 4u);
  EXPECT_EQ(reader->plan(std::vector<std::size_t>{5}).error().code, error_code::invalid_argument);
  EXPECT_TRUE(reader->plan({})->empty());
}

TEST(puffin_reader, reads_vectors) {
  const sample s;
  const dvk::memory_source source(bytes_of(s.file));
  const auto reader = puffin::reader::open(source);
  const auto dv = reader->read_vector(0);
  ASSERT_TRUE(dv) << dv.error().message();
  EXPECT_EQ(dv->vector.cardinality(), 5u);
  EXPECT_TRUE(dv->vector.contains(7));
  EXPECT_FALSE(dv->vector.contains(8));
  EXPECT_EQ(reader->read_vector(2).error().code, error_code::invalid_argument);
  EXPECT_EQ(reader->read_vector(0, {.expected_cardinality = 6}).error().code,
            error_code::cardinality_mismatch);
  EXPECT_EQ(reader->read_vector(0, {.max_bytes = 49}).error().code, error_code::limit_exceeded);
  EXPECT_EQ(reader->decode_vector(0, bytes_of(s.second)).error().code,
            error_code::invalid_argument);
}

TEST(puffin_reader, a_bad_vector_does_not_hide_the_others) {
  sample s;
  s.file[4 + 30] ^= 1;  // in the first vector
  counting_source source(s.file);
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader);
  source.reads = 0;
  const std::vector<std::size_t> wanted{1, 0, 2, 1};
  const auto vectors = reader->read_vectors(wanted);
  ASSERT_TRUE(vectors);
  ASSERT_EQ(vectors->size(), 4u);
  EXPECT_EQ(source.reads, 1u);
  ASSERT_TRUE((*vectors)[0]);
  EXPECT_TRUE((*vectors)[0]->vector.contains(2));
  EXPECT_EQ((*vectors)[1].error().code, error_code::bad_crc);
  EXPECT_EQ((*vectors)[1].error().offset, 4 + s.first.size() - 4);  // in the file
  EXPECT_EQ((*vectors)[2].error().code, error_code::invalid_argument);
  EXPECT_TRUE((*vectors)[3]);
}

TEST(puffin_reader, strict_wants_the_ids_of_the_specification) {
  const std::string blob = vector_blob({1});
  std::string payload =
      footer_of({vector_entry(4, static_cast<std::int64_t>(blob.size()), "p", "1")});
  payload.replace(payload.find("\"snapshot-id\":-1"), 16, "\"snapshot-id\":77");
  const std::string file = puffin_file(blob, payload);
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->read_vector(0));
  EXPECT_EQ(reader->read_vector(0, {.level = dvk::validation::strict}).error().code,
            error_code::not_canonical);
}

TEST(puffin_reader, passes_on_what_the_source_reports) {
  const sample s;
  for (int failing = 0; failing < 3; ++failing) {
    counting_source source(s.file);
    source.failing = failing;
    EXPECT_EQ(puffin::reader::open(source, {.tail_bytes = 0}).error().code, error_code::io_error)
        << failing;
  }
  counting_source source(s.file);
  const auto reader = puffin::reader::open(source);
  source.failing = static_cast<int>(source.reads);
  const dvk::error e = reader->read_vector(0).error();
  EXPECT_EQ(e.code, error_code::io_error);
  EXPECT_EQ(e.found, 5u);
}

TEST(puffin_reader, unknown_codec_matters_only_when_read) {
  const std::string file =
      puffin_file("12345", footer_of({entry("t", 4, 5, R"(,"compression-codec":"brotli")")}));
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  EXPECT_EQ(reader->check(), dvk::error{});
  EXPECT_EQ(reader->read_blob(0).error().code, error_code::unknown_codec);
}

// Whatever a byte becomes, the file is refused or read; a sanitizer or a guard page would speak up
// otherwise.
TEST(puffin_reader, any_single_byte_changed) {
  auto rng = generator(1);
  const sample s;
  for (std::size_t i = 0; i < s.file.size(); ++i) {
    std::string file = s.file;
    file[i] = static_cast<char>(file[i] ^ static_cast<char>(1 + below(rng, 255)));
    const dvk::memory_source source(bytes_of(file));
    const auto reader = puffin::reader::open(source);
    if (!reader) {
      EXPECT_LE(reader.error().offset, file.size());
      continue;
    }
    for (std::size_t b = 0; b < reader->blobs().size(); ++b) {
      (void)reader->read_blob(b);
      (void)reader->read_vector(b);
    }
  }
}

}  // namespace
