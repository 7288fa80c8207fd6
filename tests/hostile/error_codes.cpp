// Every error code and every quirk is produced: by the hostile cases, or by the calls below.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "dvk/builder.hpp"
#include "dvk/puffin.hpp"
#include "dvk/scope.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
using dvk::quirk;

constexpr std::string_view code_names[] = {
#define DVK_X(name, text) #name,
    DVK_ERROR_CODES(DVK_X)
#undef DVK_X
};
constexpr std::string_view quirk_names[] = {
#define DVK_X(name, text) #name,
    DVK_QUIRKS(DVK_X)
#undef DVK_X
};

class produced {
 public:
  void note(const dvk::error& e) {
    codes_.insert(static_cast<std::size_t>(e.code));
    quirks_.insert(static_cast<std::size_t>(e.quirk));
  }
  // A text of outcome_of: each error is its code's name, the number of its quirk, and so on.
  void note(const std::string& outcome) {
    std::istringstream words(outcome);
    for (std::string word; words >> word;) {
      const auto* name = std::find(std::begin(code_names), std::end(code_names), word);
      std::size_t number = 0;
      if (name == std::end(code_names) || !(words >> number)) continue;
      codes_.insert(static_cast<std::size_t>(name - code_names));
      quirks_.insert(number);
    }
  }
  void expect_all() const {
    for (std::size_t i = 0; i < std::size(code_names); ++i)
      EXPECT_TRUE(codes_.contains(i)) << "no test produces " << code_names[i];
    for (std::size_t i = 0; i < std::size(quirk_names); ++i)
      EXPECT_TRUE(quirks_.contains(i)) << "no test produces the quirk " << quirk_names[i];
  }

 private:
  std::set<std::size_t> codes_, quirks_;
};

// Faults that lie in what the caller says or in the system, not in the bytes of one file.
void produce_the_rest(produced& seen) {
  const byte_vector blob = bitmap_writer().add(3).add(900).blob();
  const auto open = [&](const dvk::open_options& options) {
    return dvk::deletion_vector::open_blob(blob, options).error();
  };
  seen.note(open({.expected_cardinality = 3}));
  seen.note(open({.row_count = 900}));
  seen.note(open({.max_bytes = 10}));
  seen.note(
      open({.memory = {.allocate = [](void*, std::size_t) noexcept -> void* { return nullptr; },
                       .release = [](void*, void*, std::size_t) noexcept {},
                       .context = nullptr}}));
  seen.note(dvk::file_source::open("/no/such/file").error());
  std::byte out[4];
  seen.note(dvk::memory_source({}).read_at(0, out));
  seen.note(dvk::deletion_vector_builder().add(~std::uint64_t{0}));

  const sample file;
  const dvk::memory_source source(bytes_of(file.file));
  const auto reader = dvk::puffin::reader::open(source);
  ASSERT_TRUE(reader);
  seen.note(reader->find("no such file").error());
  seen.note(reader->bind({.content_offset = 5, .referenced_data_file = path_a}).error());
  seen.note(open_error(file.file, {.max_footer_bytes = 10}));

  namespace delta = dvk::delta;
  const std::span<const std::byte> blobs[] = {blob};
  const auto written = delta::write_file(blobs);
  ASSERT_TRUE(written);
  delta::descriptor d{.storage_type = "p",
                      .path_or_inline_dv = "s3://a/b.bin",
                      .offset = 1,
                      .size_in_bytes = static_cast<std::int64_t>(blob.size()) - 8,
                      .cardinality = 2};
  ASSERT_TRUE(delta::open_in_file(written->bytes, d));
  d.offset = 1000;
  seen.note(delta::open_in_file(written->bytes, d).error());
  d.storage_type = "x";
  seen.note(delta::check(d));
  seen.note(delta::z85_decode("~~~~~", 4).error());
  seen.note(delta::z85_decode("#0000", 1).error());

  const dvk::data_file data{.file_path = "a", .data_sequence_number = 1, .partition = {}};
  dvk::delete_entry vector;
  vector.data_sequence_number = 1;
  vector.referenced_data_file = "a";
  seen.note(dvk::scope_of(data, std::vector{vector, vector}).error());
}

TEST(error_codes, are_all_produced) {
  DVK_NEEDS_HOSTILE_CASES;
  produced seen;
  for (const corpus_file& file : hostile_files()) {
    for (const auto level : {dvk::validation::standard, dvk::validation::strict})
      seen.note(outcome_of(file.kind, file.bytes(), level));
  }
  produce_the_rest(seen);
  seen.expect_all();
}

}  // namespace
