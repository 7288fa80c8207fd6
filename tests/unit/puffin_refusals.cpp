// Corners of the Puffin reader and writer that no ordinary file leads to.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "dvk/puffin.hpp"
#include "puffin/codec.hpp"
#include "tests/support/faulty_system.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace fs = std::filesystem;
namespace puffin = dvk::puffin;

// A sound vector, one without properties, one of an unknown codec, and other blobs.
struct mixed_file {
  sample parts;
  std::string file = puffin_file(
      parts.first + "12345",
      footer_of({vector_entry(4, static_cast<std::int64_t>(parts.first.size()), path_a, "5"),
                 entry("deletion-vector-v1", 4, 0), entry("t", 4, 0, R"(,"compression-codec":"x")"),
                 entry("t", static_cast<std::int64_t>(parts.first.size()) + 4, 5),
                 entry("t", 2, 5)}));
  dvk::memory_source source{bytes_of(file)};
  dvk::result<puffin::reader> reader = puffin::reader::open(source);
};

TEST(puffin_refusals, stored_bytes_that_the_caller_has) {
  const mixed_file m;
  ASSERT_TRUE(m.reader);
  const auto& r = *m.reader;
  EXPECT_EQ(text_of(r.decode_blob(3, bytes_of("12345"))->bytes()), "12345");
  EXPECT_EQ(r.decode_blob(3, bytes_of("1234")).error().code, error_code::invalid_argument);
  EXPECT_EQ(r.decode_blob(2, {}).error().code, error_code::unknown_codec);
  EXPECT_EQ(r.decode_blob(1, {}).error().code, error_code::dv_properties);
  EXPECT_EQ(r.decode_vector(1, {}).error().code, error_code::dv_properties);
  EXPECT_EQ(r.decode_vector(3, bytes_of("12345")).error().code, error_code::invalid_argument);
  EXPECT_EQ(r.decode_vector(0, bytes_of("12345")).error().code, error_code::invalid_argument);
  const auto stored = bytes_of(m.parts.first);
  EXPECT_TRUE(r.decode_vector(0, stored, {.expected_cardinality = 5}));
  EXPECT_EQ(r.decode_vector(0, stored, {.expected_cardinality = 6}).error().code,
            error_code::cardinality_mismatch);
}

TEST(puffin_refusals, blobs_that_are_no_sound_vector) {
  const mixed_file m;
  ASSERT_TRUE(m.reader);
  const auto& r = *m.reader;
  EXPECT_EQ(r.read_vector(4).error().code, error_code::blob_range);
  EXPECT_EQ(r.read_vector(3).error().code, error_code::invalid_argument);
  EXPECT_EQ(r.read_vector(0, {.max_bytes = 10}).error().code, error_code::limit_exceeded);
  const std::size_t faulty[] = {0, 4}, beyond[] = {5}, all[] = {0, 1, 3, 4};
  EXPECT_EQ(r.plan(faulty).error().code, error_code::blob_range);
  EXPECT_EQ(r.plan(beyond).error().code, error_code::invalid_argument);
  EXPECT_EQ(r.read_vectors(beyond).error().code, error_code::invalid_argument);
  const auto each = r.read_vectors(all);
  ASSERT_TRUE(each);
  EXPECT_TRUE((*each)[0]);
  EXPECT_EQ((*each)[1].error().code, error_code::dv_properties);
  EXPECT_EQ((*each)[2].error().code, error_code::invalid_argument);
  EXPECT_EQ((*each)[3].error().code, error_code::blob_range);
  const auto limited = r.read_vectors(all, {.max_bytes = 10});
  ASSERT_TRUE(limited);
  EXPECT_EQ((*limited)[0].error().code, error_code::limit_exceeded);
  EXPECT_EQ(r.find("").error().code, error_code::not_found);
}

TEST(puffin_refusals, manifest_entries_that_no_table_has) {
  const mixed_file m;
  ASSERT_TRUE(m.reader);
  puffin::manifest_entry entry{
      .content_offset = 4,
      .content_size_in_bytes = static_cast<std::int64_t>(m.parts.first.size()),
      .record_count = 5,
      .referenced_data_file = path_a};
  EXPECT_TRUE(m.reader->bind(entry));
  entry.record_count = -5;
  EXPECT_EQ(m.reader->bind(entry).error().code, error_code::manifest_mismatch);
  entry.referenced_data_file = "other";
  EXPECT_EQ(m.reader->bind(entry).error().code, error_code::manifest_mismatch);
  entry.content_offset = 5;
  EXPECT_EQ(m.reader->bind(entry).error().code, error_code::not_found);
}

TEST(puffin_refusals, moving_a_reader) {
  mixed_file m;
  const sample other;
  const dvk::memory_source source(bytes_of(other.file));
  auto second = puffin::reader::open(source);
  ASSERT_TRUE(m.reader && second);
  *second = std::move(*m.reader);
  EXPECT_EQ(second->blobs().size(), 5u);
}

// Numbers that fit no type of C++ are JSON all the same, in a member that nobody knows.
TEST(puffin_refusals, numbers_of_any_length) {
  const auto open = [](const std::string& value) {
    return open_error(puffin_file("", R"({"blobs":[],"a\"b":"1e99\\","n":)" + value + "}")).code;
  };
  const std::string digits(400, '7');
  using values = std::vector<std::string>;
  for (const std::string& value :
       values{digits, "-" + digits, digits + "." + digits, digits + "e5", "1E+9999", "-1e-99999",
              "1e9999", "0." + digits, "[1e9999,2e9999]", "0e99999999"})
    EXPECT_EQ(open(value), error_code::ok) << value.substr(0, 20);
  for (const std::string& value :
       values{"0" + digits, "-", "-." + digits, digits + ".", digits + "e", digits + "e+",
              digits + ".e1", digits + "-1", "+" + digits, "--" + digits, digits + "e1.5",
              "1e9999e", "E" + digits})
    EXPECT_EQ(open(value), error_code::footer_json) << value.substr(0, 20);
  // The last byte of the text is a number's.
  EXPECT_EQ(open_error(puffin_file("", "1e99999")).code, error_code::footer_shape);
}

TEST(puffin_refusals, members_by_the_dozen) {
  const auto with = [](int members, const std::string& last) {
    std::string text = "{\"blobs\":[],\"x\":{";
    for (int i = 0; i < members; ++i)
      text += "\"m" + std::to_string(i) + "\":1,";
    return open_error(puffin_file("", text + "\"" + last + "\":1}}")).code;
  };
  for (const int members : {1, 31, 32, 33, 100}) {
    EXPECT_EQ(with(members, "z"), error_code::ok) << members;
    EXPECT_EQ(with(members, "m0"), error_code::footer_json) << members;
  }
}

TEST(puffin_refusals, text_that_is_not_utf8) {
  dvk::memory_sink sink;
  puffin::writer writer(sink);
  const std::string bad = "\xff";
  const puffin::property name[] = {{bad, "x"}}, value[] = {{"x", bad}};
  EXPECT_EQ(writer.write_blob({.type = "t", .properties = name}, {}).error().code,
            error_code::invalid_argument);
  EXPECT_EQ(writer.write_blob({.type = "t", .properties = value}, {}).error().code,
            error_code::invalid_argument);
  EXPECT_EQ(writer.write_blob({.type = bad}, {}).error().code, error_code::invalid_argument);
}

// Fails the write or commit numbered `at`.
class failing_sink final : public dvk::sink {
 public:
  explicit failing_sink(int at) : left_(at) {}
  dvk::error write(std::span<const std::byte>) noexcept override { return next(); }
  dvk::error commit() noexcept override { return next(); }

 private:
  dvk::error next() noexcept {
    return left_-- == 0 ? dvk::error{.code = error_code::io_error, .found = 28} : dvk::error{};
  }
  int left_;
};

TEST(puffin_refusals, a_sink_that_fails_at_each_step) {
  const std::string large(100'000, 'x');  // more than the writer holds back
  for (const bool empty : {true, false}) {
    int at = 0;
    for (;; ++at) {
      failing_sink sink(at);
      puffin::writer writer(sink);
      const bool written = empty || writer.write_blob({.type = "t"}, bytes_of(large));
      const auto end = writer.finish();
      if (end) break;
      EXPECT_EQ(end.error().code, error_code::io_error) << at;
      EXPECT_EQ(writer.finish().error(), end.error()) << at << ' ' << written;
    }
    EXPECT_EQ(at, empty ? 2 : 4);  // (head, blob,) what waited at the end, commit
  }
}

class puffin_paths : public testing::Test {
 protected:
  void SetUp() override {
    now = {};
    before_ = fs::current_path();
    folder_ = fs::temp_directory_path() / ("dvk-paths-" + std::to_string(getpid()));
    fs::create_directory(folder_);
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  fs::path before_, folder_;
};

TEST_F(puffin_paths, without_a_folder) {
  auto sink = dvk::file_sink::create("here.puffin", &faulty);
  ASSERT_TRUE(sink);
  ASSERT_EQ(sink->write(bytes_of("x")), dvk::error{});
  ASSERT_EQ(sink->commit(), dvk::error{});
  EXPECT_EQ(load_file("here.puffin"), "x");
  EXPECT_EQ(sink->write(bytes_of("y")).code, error_code::invalid_argument);
  EXPECT_EQ(sink->commit().code, error_code::invalid_argument);
}

TEST_F(puffin_paths, in_the_root_folder) {
  now = {.failing = "open", .with = EACCES};  // whoever runs this
  const auto sink = dvk::file_sink::create("/dvk-test.puffin", &faulty);
  EXPECT_EQ(sink.error().found, static_cast<std::uint64_t>(EACCES));
  EXPECT_EQ(now.log, (std::vector<std::string>{"open_directory", "open", "close"}));
}

TEST_F(puffin_paths, a_device_that_takes_nothing) {
  system_calls full = faulty;
  full.write = [](int, const void*, std::size_t) -> ssize_t { return 0; };
  auto sink = dvk::file_sink::create("full.puffin", &full);
  ASSERT_TRUE(sink);
  EXPECT_EQ(sink->write(bytes_of("x")).found, static_cast<std::uint64_t>(ENOSPC));
  EXPECT_TRUE(fs::is_empty("."));
}

TEST_F(puffin_paths, assigning_sources_and_sinks) {
  for (const char* name : {"a", "b"}) {
    auto sink = dvk::file_sink::create(name, &faulty);
    ASSERT_TRUE(sink);
    ASSERT_EQ(sink->write(bytes_of(name)), dvk::error{});
    ASSERT_EQ(sink->commit(), dvk::error{});
  }
  {
    auto a = dvk::file_source::open("a", &faulty), b = dvk::file_source::open("b", &faulty);
    ASSERT_TRUE(a && b);
    *a = std::move(*b);
    std::byte out[1];
    ASSERT_EQ(a->read_at(0, out), dvk::error{});
    EXPECT_EQ(out[0], std::byte{'b'});
    auto first = dvk::file_sink::create("c", &faulty),
         second = dvk::file_sink::create("d", &faulty);
    ASSERT_TRUE(first && second);
    *first = std::move(*second);
    auto& same = *first;
    *first = std::move(same);
    ASSERT_EQ(first->commit(), dvk::error{});
    EXPECT_FALSE(fs::exists("c"));
    EXPECT_TRUE(fs::exists("d"));
  }
  EXPECT_EQ(now.open_descriptors, 0);
}

TEST(puffin_refusals, a_buffer_larger_than_the_address_space) {
  EXPECT_EQ(dvk::byte_buffer::allocate(~std::uint64_t{0}).error().code, error_code::out_of_memory);
}

}  // namespace
