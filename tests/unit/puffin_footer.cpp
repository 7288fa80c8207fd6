// Reader: rules of the container, of the footer's JSON and of single blobs, each with its code.
#include <gtest/gtest.h>

#include <algorithm>

#include "dvk/puffin.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace puffin = dvk::puffin;

const std::string empty_payload = R"({"blobs":[]})";

void expect_fault(const std::string& file, error_code code, std::uint64_t offset,
                  std::string_view what) {
  const dvk::error e = open_error(file);
  EXPECT_EQ(dvk::error_name(e.code), dvk::error_name(code)) << what;
  EXPECT_EQ(e.offset, offset) << what;
}

TEST(puffin_footer, refuses_false_containers) {
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

TEST(puffin_footer, names_files_that_only_look_like_puffin) {
  EXPECT_EQ(open_error(vector_blob({1})).quirk, dvk::quirk::bare_blob);
  EXPECT_EQ(open_error(std::string("\x01").append(vector_blob({1}))).quirk, dvk::quirk::delta_file);
  EXPECT_EQ(open_error(std::string(100, 'x')).quirk, dvk::quirk::none);
}

TEST(puffin_footer, refuses_every_truncation) {
  const sample s;
  for (std::size_t n = 0; n < s.file.size(); ++n) {
    EXPECT_NE(open_error(s.file.substr(0, n)).code, error_code::ok) << n;
  }
}

// A negative size is refused by its sign, not because the file happens to be shorter than 2^32.
TEST(puffin_footer, negative_payload_size_in_a_huge_file) {
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

TEST(puffin_footer, json_grammar_and_shape) {
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

TEST(puffin_footer, depth_limit) {
  const auto nested = [](std::size_t n) {
    return open_error(puffin_file("", R"({"blobs":[],"x":)" + std::string(n, '[') +
                                          std::string(n, ']') + "}"))
        .code;
  };
  EXPECT_EQ(nested(63), error_code::ok);
  EXPECT_EQ(nested(64), error_code::footer_json);
  EXPECT_EQ(nested(100000), error_code::footer_json);
}

TEST(puffin_footer, velox_footer_is_named) {
  const std::string payload =
      R"({"blobs":[{"type":"deletion-vector-v1","fields":[{"source-field-id":2147483646}],"offset":4,"length":50}]})";
  const dvk::error e = open_error(puffin_file("", payload));
  EXPECT_EQ(e.code, error_code::footer_shape);
  EXPECT_EQ(e.quirk, dvk::quirk::velox_footer);

  const std::string file = puffin_file("", payload);
  const dvk::memory_source source(bytes_of(file));
  const auto reader = puffin::reader::open(source, {.tolerate = {dvk::quirk::velox_footer}});
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->tolerated(), dvk::quirk_set{dvk::quirk::velox_footer});
  ASSERT_EQ(reader->blobs()[0].fields.size(), 1u);
  EXPECT_EQ(reader->blobs()[0].fields[0], 2147483646);
  EXPECT_EQ(reader->blobs()[0].snapshot_id, -1);
  EXPECT_EQ(reader->blobs()[0].fault.code, error_code::blob_range);
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

TEST(puffin_footer, ranges_of_blobs) {
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

TEST(puffin_footer, overlaps) {
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

TEST(puffin_footer, rules_of_deletion_vectors) {
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

}  // namespace
