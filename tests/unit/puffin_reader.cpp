// Reader: requests, rules of the container and of single blobs, lookup, plans.
#include <gtest/gtest.h>

#include <algorithm>

#include "dvk/puffin.hpp"
#include "tests/support/puffin.hpp"
#include "tests/support/random.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace puffin = dvk::puffin;

const std::string empty_payload = R"({"blobs":[]})";
const std::string path_a = "s3://bucket/a.parquet";
const std::string path_b = "s3://bucket/b.parquet";

dvk::error open_error(const std::string& file, const puffin::reader_options& options = {}) {
  const dvk::memory_source source(bytes_of(file));
  return puffin::reader::open(source, options).error();
}

void expect_fault(const std::string& file, error_code code, std::uint64_t offset,
                  std::string_view what) {
  const dvk::error e = open_error(file);
  EXPECT_EQ(dvk::error_name(e.code), dvk::error_name(code)) << what;
  EXPECT_EQ(e.offset, offset) << what;
}

// Two vectors and a blob of a type nobody knows.
struct sample {
  std::string first = vector_blob({1, 3, 5, 7, 9});
  std::string second = vector_blob({2});
  std::string other = "some bytes";
  std::int64_t second_at = 4 + static_cast<std::int64_t>(first.size());
  std::int64_t other_at = second_at + static_cast<std::int64_t>(second.size());
  std::string payload =
      footer_of({vector_entry(4, static_cast<std::int64_t>(first.size()), path_a, "5"),
                 vector_entry(second_at, static_cast<std::int64_t>(second.size()), path_b, "1"),
                 entry("future-blob-v9", other_at, 10, R"(,"properties":{"k":"v"},"new":[1.5])")});
  std::string file = puffin_file(first + second + other, payload);
};

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

TEST(puffin_reader, refuses_false_containers) {
  const sample s;
  const std::uint64_t size = s.file.size();
  const std::uint64_t footer = size - 16 - s.payload.size();
  const auto with = [&](std::uint64_t at, std::string_view bytes) {
    return std::string(s.file).replace(at, bytes.size(), bytes);
  };
  for (std::size_t n = 0; n < 20; ++n) {
    expect_fault(std::string("PFA1PFA1PFA1PFA1PFA1").substr(0, n), error_code::file_too_small, 0,
                 "short");
  }
  expect_fault(with(0, "PFA2"), error_code::head_magic, 0, "head");
  expect_fault(with(size - 1, "2"), error_code::tail_magic, size - 4, "tail");
  expect_fault(with(footer, "pFA1"), error_code::footer_magic, footer, "footer");
  expect_fault("PFA1PFA1" + std::string(8, '\0') + "PFA1", error_code::footer_json, 8,
               "no payload");
  expect_fault("PFA1" + empty_payload + le32(12) + le32(0) + "PFA1", error_code::footer_size, 16,
               "shared magic");
  for (const std::uint32_t flags : {2u, 3u, 0x80u, 0x100u, 0x10000u, 0x80000000u, ~0u}) {
    expect_fault(with(size - 8, le32(flags)), error_code::footer_flags, size - 8, "flags");
  }
  for (const std::uint32_t n :
       {~0u, ~11u, ~15u, 0x80000000u, 0x7fffffffu, static_cast<std::uint32_t>(size - 19)}) {
    expect_fault(with(size - 12, le32(n)), error_code::footer_size, size - 12, "payload size");
  }
  expect_fault(with(size - 12, le32(static_cast<std::uint32_t>(s.payload.size() + 1))),
               error_code::footer_magic, footer - 1, "payload size + 1");
  EXPECT_EQ(open_error(s.file, {.max_footer_bytes = s.payload.size() - 1}).code,
            error_code::footer_too_large);
  EXPECT_EQ(open_error(s.file, {.max_footer_bytes = s.payload.size()}).code, error_code::ok);
}

TEST(puffin_reader, names_files_that_only_look_like_puffin) {
  EXPECT_EQ(open_error(vector_blob({1})).quirk, dvk::quirk::bare_blob);
  EXPECT_EQ(open_error(std::string("\x01").append(vector_blob({1}))).quirk, dvk::quirk::delta_file);
  EXPECT_EQ(open_error(std::string(100, 'x')).quirk, dvk::quirk::none);
}

TEST(puffin_reader, refuses_every_truncation) {
  const sample s;
  for (std::size_t n = 0; n < s.file.size(); ++n) {
    EXPECT_NE(open_error(s.file.substr(0, n)).code, error_code::ok) << n;
  }
}

// A negative size is refused by its sign, not because the file happens to be shorter than 2^32.
TEST(puffin_reader, negative_payload_size_in_a_huge_file) {
  struct huge {
    static dvk::error read(void*, std::uint64_t offset, std::span<std::byte> out) noexcept {
      constexpr std::uint64_t size = std::uint64_t{1} << 40;
      const std::string tail = le32(~11u) + le32(0) + "PFA1";
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint64_t from_end = size - (offset + i);
        out[i] = from_end <= tail.size() ? static_cast<std::byte>(tail[tail.size() - from_end])
                                         : std::byte{0};
      }
      return {};
    }
  };
  const dvk::callback_source source(std::uint64_t{1} << 40, huge::read, nullptr);
  EXPECT_EQ(puffin::reader::open(source).error().code, error_code::footer_size);
}

TEST(puffin_reader, json_grammar_and_shape) {
  const auto fault = [](std::string_view payload) {
    return open_error(puffin_file("", payload)).code;
  };
  const auto with = [](std::string_view member) {
    return R"({"blobs":[{"type":"t","fields":[],"snapshot-id":0,"sequence-number":0,"offset":4,"length":0)" +
           std::string(member) + "}]}";
  };
  ASSERT_EQ(fault(with("")), error_code::ok);
  for (const char* good :
       {R"(,"x":123456789012345678901234567890)", R"(,"x":1e400,"y":-1.5e-3)", R"(,"Offset":1.5)",
        R"(,"compression-codec":null)", R"(,"compression-codec":"zip")", R"(,"properties":{})",
        R"(,"x":{"a":[{"a":1},{"a":2}]})", R"(,"t\u0079pes":1)", R"(,"x":"\"1e400")"}) {
    EXPECT_EQ(fault(with(good)), error_code::ok) << good;
  }
  for (const char* bad :
       {"", "   ", "{", R"({"blobs":[]}})", R"({"blobs":[]}{})", R"({"blobs":[]} 1)",
        "\xef\xbb\xbf{}", R"({"blobs":[],"blobs":[]})", R"({"blobs":[],"x":{"y":[{"z":1,"z":1}]}})",
        R"({"blobs":[],})", R"({"blobs":[],"x":"\ud800"})", R"({"blobs":[],"x":"\udc00y"})",
        R"({"blobs":[],"x":04})", R"({"blobs":[],"x":4.})", R"({"blobs":[],"x":NaN})",
        "{\"blobs\":[],\"x\":\"\n\"}", R"({"blobs":[],"":1,"":2})"}) {
    EXPECT_EQ(fault(bad), error_code::footer_json) << bad;
  }
  for (const char* bad :
       {R"(,"type":"u")", R"(,"o\u0066fset":4)", R"(,"x":123456789012345678901234567890.)",
        R"(,"properties":{"a":"1","a":"1"})"}) {
    EXPECT_EQ(fault(with(bad)), error_code::footer_json) << bad;
  }
  EXPECT_EQ(fault("{\"blobs\":[],\"x\":\"\xff\"}"), error_code::footer_utf8);
  EXPECT_EQ(fault("{\"blobs\":[],\"x\":\"\xed\xa0\x80\"}"), error_code::footer_utf8);
  for (const char* bad :
       {"[]", "null", "7", "{}", R"({"blobs":null})", R"({"blobs":{}})", R"({"blobs":[1]})",
        R"({"blobs":[{}]})", R"({"blobs":[],"properties":null})",
        R"({"blobs":[],"properties":{"a":1}})"}) {
    EXPECT_EQ(fault(bad), error_code::footer_shape) << bad;
  }
  for (const char* bad : {R"(,"properties":null)", R"(,"properties":{"cardinality":5})",
                          R"(,"compression-codec":1)"}) {
    EXPECT_EQ(fault(with(bad)), error_code::footer_shape) << bad;
  }
  const std::string good = with("");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"offset\":4", "\"offset\":4.0"},
           {"\"offset\":4", "\"offset\":4e0"},
           {"\"offset\":4", "\"offset\":\"4\""},
           {"\"offset\":4", "\"offset\":9223372036854775808"},
           {"\"offset\":4", "\"offset\":18446744073709551620"},
           {"\"offset\":4", "\"offset\":" + std::string(1000, '4')},
           {"\"offset\":4", "\"offset\":1e400"},
           {"\"offset\":4", "\"offset\":null"},
           {"\"offset\":4", "\"x\":4"},
           {"[]", "[2147483648]"},
           {"[]", "[1.0]"},
           {"[]", "[\"1\"]"},
           {"\"t\"", "1"}}) {
    std::string bad = good;
    bad.replace(bad.find(from, 10), from.size(), to);
    EXPECT_EQ(fault(bad), error_code::footer_shape) << bad;
  }
}

TEST(puffin_reader, depth_limit) {
  const auto nested = [](std::size_t n) {
    return open_error(puffin_file("", R"({"blobs":[],"x":)" + std::string(n, '[') +
                                          std::string(n, ']') + "}"))
        .code;
  };
  EXPECT_EQ(nested(63), error_code::ok);
  EXPECT_EQ(nested(64), error_code::footer_json);
  EXPECT_EQ(nested(100000), error_code::footer_json);
}

TEST(puffin_reader, velox_footer_is_named) {
  const std::string payload =
      R"({"blobs":[{"type":"deletion-vector-v1","fields":[{"source-field-id":2147483646}],"offset":4,"length":50}]})";
  const dvk::error e = open_error(puffin_file("", payload));
  EXPECT_EQ(e.code, error_code::footer_shape);
  EXPECT_EQ(e.quirk, dvk::quirk::velox_footer);
}

// Faults of the entries given, over a body of 100 bytes (blobs lie in [4, 104)).
std::vector<error_code> faults_of(const std::vector<std::string>& entries) {
  const std::string file = puffin_file(std::string(100, 'b'), footer_of(entries));
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source);
  if (!reader) return {reader.error().code};
  std::vector<error_code> out;
  for (std::size_t i = 0; i < reader->blobs().size(); ++i) {
    out.push_back(reader->blobs()[i].fault.code);
    if (out.back() != error_code::ok) {
      EXPECT_EQ(reader->read_blob(i).error(), reader->blobs()[i].fault);
    }
  }
  const auto first =
      std::find_if(out.begin(), out.end(), [](error_code c) { return c != error_code::ok; });
  EXPECT_EQ(reader->check().code, first == out.end() ? error_code::ok : *first);
  return out;
}
using codes = std::vector<error_code>;

TEST(puffin_reader, ranges_of_blobs) {
  constexpr std::int64_t max = 0x7fffffffffffffff;
  constexpr std::int64_t min = -max - 1;
  for (const auto& [offset, length] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 4},
                                                          {3, 4},
                                                          {-1, 4},
                                                          {min, 4},
                                                          {max, 4},
                                                          {105, 0},
                                                          {4, 101},
                                                          {104, 1},
                                                          {4, -1},
                                                          {4, min},
                                                          {4, max},
                                                          {max, max},
                                                          {max, min},
                                                          {-50, -50},
                                                          {(std::int64_t{1} << 32) + 4, 4}}) {
    EXPECT_EQ(faults_of({entry("t", offset, length), entry("t", 10, 5)}),
              (codes{error_code::blob_range, error_code::ok}))
        << offset << ' ' << length;
  }
  EXPECT_EQ(faults_of({entry("t", 4, 100)}), codes{error_code::ok});
  EXPECT_EQ(faults_of({entry("t", 104, 0)}), codes{error_code::ok});
}

TEST(puffin_reader, overlaps) {
  const auto overlap = error_code::blob_overlap;
  const auto ok = error_code::ok;
  EXPECT_EQ(faults_of({entry("t", 4, 10), entry("t", 14, 10)}), (codes{ok, ok}));
  EXPECT_EQ(faults_of({entry("t", 4, 10), entry("t", 13, 10)}), (codes{ok, overlap}));
  EXPECT_EQ(faults_of({entry("t", 13, 10), entry("t", 4, 10)}), (codes{overlap, ok}));
  EXPECT_EQ(faults_of({entry("t", 4, 10), entry("t", 4, 10)}), (codes{ok, overlap}));
  EXPECT_EQ(faults_of({entry("t", 4, 90), entry("t", 10, 2), entry("t", 50, 2)}),
            (codes{ok, overlap, overlap}));
  EXPECT_EQ(faults_of({entry("t", 4, 10), entry("t", 8, 0)}), (codes{ok, ok}));
}

TEST(puffin_reader, rules_of_deletion_vectors) {
  const auto fault = [](const std::string& e) { return faults_of({e})[0]; };
  EXPECT_EQ(fault(vector_entry(4, 20, "p", "0")), error_code::ok);
  EXPECT_EQ(fault(vector_entry(4, 20, "p", "9223372036854775807")), error_code::ok);
  EXPECT_EQ(fault(vector_entry(4, 20, "p", "1", R"(,"compression-codec":null)")), error_code::ok);
  EXPECT_EQ(fault(vector_entry(4, 19, "p", "1")), error_code::blob_too_small);
  EXPECT_EQ(fault(vector_entry(4, 0, "p", "1")), error_code::blob_too_small);
  for (const char* name : {"none", "", "zstd", "lz4", "x"}) {
    EXPECT_EQ(fault(vector_entry(4, 20, "p", "1",
                                 R"(,"compression-codec":")" + std::string(name) + "\"")),
              error_code::dv_codec)
        << name;
  }
  for (const char* bad :
       {"", "-1", "+1", "01", "00", " 1", "1 ", "1.0", "1e3", "0x1", "9223372036854775808", "x",
        "18446744073709551617", "99999999999999999999999", "\\u0661"}) {
    EXPECT_EQ(fault(vector_entry(4, 20, "p", bad)), error_code::dv_properties) << bad;
  }
  EXPECT_EQ(fault(vector_entry(4, 20, "", "1")), error_code::dv_properties);
  EXPECT_EQ(fault(entry("deletion-vector-v1", 4, 20)), error_code::dv_properties);
  EXPECT_EQ(fault(entry("deletion-vector-v1", 4, 20, R"(,"properties":{"cardinality":"1"})")),
            error_code::dv_properties);
  EXPECT_EQ(faults_of({vector_entry(4, 20, "p", "1"), vector_entry(24, 20, "q", "1"),
                       vector_entry(44, 20, "p", "1")}),
            (codes{error_code::ok, error_code::ok, error_code::dv_duplicate_reference}));
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
  EXPECT_EQ(faults_of({entry("t", 4, 5, R"(,"compression-codec":"brotli")")}),
            codes{error_code::ok});
  const std::string file =
      puffin_file("12345", footer_of({entry("t", 4, 5, R"(,"compression-codec":"brotli")")}));
  const dvk::memory_source source(bytes_of(file));
  EXPECT_EQ(puffin::reader::open(source)->read_blob(0).error().code, error_code::unknown_codec);
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
