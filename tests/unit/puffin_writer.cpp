// Writer: the bytes it makes, and what it refuses.
#include <gtest/gtest.h>

#include "dvk/puffin.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace puffin = dvk::puffin;

constexpr std::int32_t one[] = {1};

TEST(puffin_writer, nothing_but_a_footer) {
  dvk::memory_sink sink;
  puffin::writer writer(sink, {.created_by = ""});
  EXPECT_TRUE(sink.bytes().empty());
  const auto written = writer.finish();
  ASSERT_TRUE(written);
  EXPECT_EQ(written->file_size, 32u);
  EXPECT_EQ(written->footer_size, 28u);
  EXPECT_EQ(text_of(sink.bytes()), puffin_file("", R"({"blobs":[]})"));
}

TEST(puffin_writer, created_by_is_the_first_property) {
  dvk::memory_sink sink;
  const puffin::property more[] = {{"b", "2"}, {"a", "1"}};
  puffin::writer writer(sink, {.properties = more});
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(text_of(sink.bytes()),
            puffin_file("", R"({"blobs":[],"properties":{"created-by":"dvk )" DVK_VERSION_STRING
                            R"(","b":"2","a":"1"}})"));
}

TEST(puffin_writer, bytes_of_a_file_with_vectors) {
  const std::string first = vector_blob({1, 3, 5, 7, 9});
  const std::string second = vector_blob({7});
  dvk::memory_sink sink;
  puffin::writer writer(sink, {.created_by = "me"});
  const auto a = writer.write_vector(bytes_of(first), "s3://b/a.parquet", 5);
  ASSERT_TRUE(a) << a.error().message();
  EXPECT_EQ(a->offset, 4u);
  EXPECT_EQ(a->length, first.size());
  // The bare bitmap: the frame is the writer's work.
  const auto b =
      writer.write_bitmap(bytes_of(second).subspan(8, second.size() - 12), "s3://b/b.parquet", 1);
  ASSERT_TRUE(b) << b.error().message();
  EXPECT_EQ(b->offset, 4 + first.size());
  EXPECT_EQ(b->length, second.size());
  const auto file = writer.finish();
  ASSERT_TRUE(file);
  EXPECT_EQ(file->file_size, sink.bytes().size());
  const std::string payload =
      R"({"blobs":[{"type":"deletion-vector-v1","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,"offset":4,)"
      R"("length":50,"properties":{"referenced-data-file":"s3://b/a.parquet","cardinality":"5"}},)"
      R"({"type":"deletion-vector-v1","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,"offset":54,)"
      R"("length":42,"properties":{"referenced-data-file":"s3://b/b.parquet","cardinality":"1"}}],)"
      R"("properties":{"created-by":"me"}})";
  EXPECT_EQ(text_of(sink.bytes()), puffin_file(first + second, payload));
  EXPECT_EQ(file->footer_size, payload.size() + 16);
}

TEST(puffin_writer, escapes_like_jackson) {
  std::string name;
  for (char c = 0; c < 0x23; ++c)
    name += c;
  name += "/\\\x7f\xc3\xa9\xf0\x9f\xa4\xaf";
  dvk::memory_sink sink;
  const puffin::property properties[] = {{"k", name}};
  puffin::writer writer(sink, {.created_by = "", .properties = properties});
  ASSERT_TRUE(writer.finish());
  const std::string escaped =
      "\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000B\\f\\r\\u000E\\u000F"
      "\\u0010\\u0011\\u0012"
      "\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001A\\u001B\\u001C\\u001D\\u001E\\u001F "
      "!\\\"/\\\\\x7f\xc3\xa9"
      "\xf0\x9f\xa4\xaf";
  EXPECT_EQ(text_of(sink.bytes()),
            puffin_file("", R"({"blobs":[],"properties":{"k":")" + escaped + "\"}}"));
  const auto reader = puffin::reader::open(dvk::memory_source(sink.bytes()));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->properties()[0].value, name);
}

// One character of each kind at each place among plain ones: those are looked at eight at a time.
TEST(puffin_writer, escapes_at_any_place) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const std::string_view c : {"\x01", "\x1f", " ", "!", "\"", "#", "[", "\\", "]", "\x7f",
                                       "\xc3\xa9", "\xe2\x80\xa8"}) {
        std::string name(size, at % 2 != 0 ? 'x' : '~');
        name.replace(at, 1, c);
        dvk::memory_sink sink;
        const puffin::property properties[] = {{"k", name}};
        puffin::writer writer(sink, {.properties = properties});
        ASSERT_TRUE(writer.finish());
        const auto reader = puffin::reader::open(dvk::memory_source(sink.bytes()));
        ASSERT_TRUE(reader) << size << ' ' << at;
        ASSERT_EQ(reader->properties()[1].value, name) << size << ' ' << at;
      }
    }
  }
}

TEST(puffin_writer, round_trip_of_codecs_and_footers) {
  const std::string text = std::string(5000, 'x') + "some end";
  for (const bool compress_footer : {false, true}) {
    dvk::memory_sink sink;
    puffin::writer writer(sink, {.compress_footer = compress_footer});
    const puffin::property properties[] = {{"ndv", "17"}};
    for (const auto compression : {puffin::codec::none, puffin::codec::lz4, puffin::codec::zstd}) {
      for (const std::string_view content : {std::string_view(text), std::string_view()}) {
        const auto place = writer.write_blob({.type = "some-type",
                                              .fields = one,
                                              .snapshot_id = 9223372036854775807,
                                              .sequence_number = 0,
                                              .compression = compression,
                                              .properties = properties},
                                             bytes_of(content));
        ASSERT_TRUE(place) << place.error().message();
      }
    }
    ASSERT_TRUE(writer.write_vector(bytes_of(vector_blob({5})), "p", 1));
    const auto written = writer.finish();
    ASSERT_TRUE(written);
    const dvk::memory_source source(sink.bytes());
    const auto reader = puffin::reader::open(source);
    ASSERT_TRUE(reader) << reader.error().message();
    EXPECT_EQ(reader->footer_compressed(), compress_footer);
    EXPECT_EQ(reader->footer_size(), written->footer_size);
    EXPECT_EQ(reader->check(), dvk::error{});
    ASSERT_EQ(reader->blobs().size(), 7u);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto content = reader->read_blob(i);
      ASSERT_TRUE(content) << i << content.error().message();
      EXPECT_EQ(text_of(content->bytes()), i % 2 == 0 ? text : "") << i;
      EXPECT_EQ(reader->blobs()[i].snapshot_id, 9223372036854775807);
      EXPECT_EQ(reader->blobs()[i].find("ndv"), "17");
    }
    EXPECT_LT(reader->blobs()[2].length, 200);
    EXPECT_TRUE(reader->read_vector(6)->vector.contains(5));
  }
}

TEST(puffin_writer, reader_limits_blobs_by_their_content) {
  dvk::memory_sink sink;
  puffin::writer writer(sink);
  const std::string text(1000, 'x');
  for (const auto compression : {puffin::codec::none, puffin::codec::lz4, puffin::codec::zstd}) {
    ASSERT_TRUE(writer.write_blob({.type = "t", .compression = compression}, bytes_of(text)));
  }
  ASSERT_TRUE(writer.finish());
  const dvk::memory_source source(sink.bytes());
  const auto reader = puffin::reader::open(source, {.max_blob_bytes = 999});
  for (std::size_t i = 0; i < 3; ++i) {
    const dvk::error e = reader->read_blob(i).error();
    EXPECT_EQ(e.code, error_code::limit_exceeded) << i;
    EXPECT_EQ(e.offset, static_cast<std::uint64_t>(reader->blobs()[i].offset));
  }
}

TEST(puffin_writer, a_bomb_in_the_footer) {
  dvk::memory_sink sink;
  const std::string filler(20 << 20, 'x');
  const puffin::property properties[] = {{"k", filler}};
  puffin::writer writer(sink, {.properties = properties, .compress_footer = true});
  ASSERT_TRUE(writer.finish());
  EXPECT_LT(sink.bytes().size(), 100000u);
  const dvk::memory_source source(sink.bytes());
  EXPECT_EQ(puffin::reader::open(source).error().code, error_code::footer_too_large);
  EXPECT_TRUE(puffin::reader::open(source, {.max_footer_bytes = 32 << 20}));
}

TEST(puffin_writer, refuses_bad_arguments) {
  const std::string blob = vector_blob({1});
  dvk::memory_sink sink;
  puffin::writer writer(sink, {.created_by = ""});
  const puffin::property bad[] = {{"k", "\xff"}};
  const auto code = [](const auto& r) { return r.error().code; };
  EXPECT_EQ(code(writer.write_blob({.type = "\xc0"}, {})), error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_blob({.type = "t", .properties = bad}, {})),
            error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_blob({.type = "t", .compression = puffin::codec::unknown}, {})),
            error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_blob({.type = puffin::deletion_vector_type}, bytes_of(blob))),
            error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_vector(bytes_of(blob), "", 1)), error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_vector(bytes_of(blob), "\xed\xa0\x80", 1)),
            error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_vector(bytes_of(blob), "p", 2)), error_code::cardinality_mismatch);
  EXPECT_EQ(code(writer.write_vector(bytes_of(blob.substr(1)), "p", 1)), error_code::blob_length);
  EXPECT_EQ(code(writer.write_bitmap({}, "p", 0)), error_code::invalid_argument);
  // None of these left a trace, and the writer goes on.
  EXPECT_TRUE(sink.bytes().empty());
  EXPECT_TRUE(writer.write_vector(bytes_of(blob), "p", 1));
  EXPECT_EQ(code(writer.write_vector(bytes_of(blob), "p", 1)), error_code::dv_duplicate_reference);
  EXPECT_TRUE(writer.finish());
  EXPECT_EQ(code(writer.finish()), error_code::invalid_argument);
  EXPECT_EQ(code(writer.write_vector(bytes_of(blob), "q", 1)), error_code::invalid_argument);

  puffin::writer not_utf8(sink, {.created_by = "\xff"});
  EXPECT_EQ(code(not_utf8.finish()), error_code::invalid_argument);

  const puffin::property twice[] = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
  puffin::writer duplicate(sink, {.properties = twice});
  EXPECT_EQ(code(duplicate.finish()), error_code::invalid_argument);
  const puffin::property created[] = {{"created-by", "me"}};
  puffin::writer created_twice(sink, {.created_by = "dvk", .properties = created});
  EXPECT_EQ(code(created_twice.finish()), error_code::invalid_argument);
}

TEST(puffin_writer, frames) {
  const std::string blob = vector_blob({1, 2, 3, 70000});
  const auto bitmap = bytes_of(blob).subspan(8, blob.size() - 12);
  EXPECT_EQ(puffin::frame_size(bitmap.size()), blob.size());
  std::string out(blob.size() + 1, '#');
  EXPECT_EQ(puffin::frame(bitmap, std::as_writable_bytes(std::span(out))), dvk::error{});
  EXPECT_EQ(out, blob + "#");
  EXPECT_EQ(
      puffin::frame(bitmap, std::as_writable_bytes(std::span(out.data(), blob.size() - 1))).code,
      error_code::invalid_argument);
  EXPECT_EQ(puffin::frame({bitmap.data(), 0x7fffffff}, {}).code, error_code::limit_exceeded);
}

// A sink that fails makes the writer fail, now and ever after, and is never committed.
TEST(puffin_writer, sticky_errors) {
  class failing_sink final : public dvk::sink {
   public:
    int writes_left = 0;
    bool committed = false;
    dvk::error write(std::span<const std::byte>) noexcept override {
      return writes_left-- > 0 ? dvk::error{}
                               : dvk::error{.code = error_code::io_error, .found = 28};
    }
    dvk::error commit() noexcept override {
      committed = true;
      return {};
    }
  };
  const std::string content(100'000, 'x');  // more than the writer holds back
  for (int n = 0; n < 3; ++n) {             // head, blob, footer
    failing_sink sink;
    sink.writes_left = n;
    puffin::writer writer(sink);
    const auto blob = writer.write_blob({.type = "t"}, bytes_of(content));
    EXPECT_EQ(blob.has_value(), n >= 2);
    EXPECT_EQ(writer.finish().error().found, 28u) << n;
    sink.writes_left = 100;
    EXPECT_EQ(writer.finish().error().found, 28u) << n;
    EXPECT_FALSE(sink.committed);
  }
}

}  // namespace
