// What reading may cost, for every file at hand: memory by the documented functions of its size,
// and time that no file of this size needs.
#include <gtest/gtest.h>

#include <chrono>

#include "dvk/puffin.hpp"
#include "tests/faults/allocations.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::validation;

// A container takes 6 bytes at least (key, count, one value); 24 bytes of directory for each, and
// one entry that ends it. Then what malloc adds.
std::int64_t directory_bound(std::size_t bytes) {
  return 24 * (static_cast<std::int64_t>(bytes) / 6 + 1) + 64;
}

std::int64_t peak_of(auto&& body) {
  const allocation_meter meter;
  body();
  EXPECT_EQ(meter.held(), 0) << "leaked";
  return meter.peak();
}

void expect_bounded(const corpus_file& file) {
  for (const validation level : {validation::trusted, validation::standard, validation::strict}) {
    const dvk::open_options options{.level = level};
    if (file.kind == file_kind::bitmap || file.kind == file_kind::blob) {
      const std::int64_t peak = peak_of([&] {
        const auto opened = file.kind == file_kind::bitmap
                                ? dvk::deletion_vector::open_bitmap(file.bytes(), options)
                                : dvk::deletion_vector::open_blob(file.bytes(), options);
        if (opened) static_cast<void>(opened->max());
      });
      EXPECT_LE(peak, directory_bound(file.content.size())) << file.name;
    } else if (file.kind == file_kind::delta) {
      std::int64_t peak = peak_of([&] {
        // A list of 16 bytes a vector, which are 20 bytes at least, that grows by doubling.
        static_cast<void>(dvk::delta::list_vectors(file.bytes()));
      });
      EXPECT_LE(peak, 3 * 16 * (static_cast<std::int64_t>(file.content.size()) / 20 + 1) + 128)
          << file.name;
    }
    // The whole walk under what a caller may rely on.
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t peak =
        peak_of([&] { static_cast<void>(outcome_of(file.kind, file.bytes(), level)); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto size = static_cast<std::int64_t>(file.content.size());
    EXPECT_LE(peak, 4 * size + (std::int64_t{64} << 20)) << file.name;
    EXPECT_LT(took.count(), 5) << file.name;
  }
}

TEST(allocations, are_seen_and_can_fail) {
  const allocation_meter meter;
  auto bytes = std::make_unique<std::byte[]>(100000);
  bytes[0] = std::byte{1};
  EXPECT_GE(meter.held(), 100000);
  bytes.reset();
  EXPECT_LT(meter.held(), 1000);
  EXPECT_GE(meter.peak(), 100000);
  {
    const failing_allocation now(0);
    EXPECT_EQ(dvk::byte_buffer::allocate(10).error().code, dvk::error_code::out_of_memory);
    EXPECT_TRUE(now.happened());
  }
  EXPECT_TRUE(dvk::byte_buffer::allocate(10));
}

// simdjson keeps a few bytes from the first time that it chose its code for this CPU.
class memory_bounds : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string file = puffin_file("", "{\"blobs\":[]}");
    ASSERT_EQ(open_error(file), dvk::error{});
  }
};

TEST_F(memory_bounds, hold_for_valid_files) {
  for (const corpus_file& file : iceberg_files())
    expect_bounded(file);
}

TEST_F(memory_bounds, hold_for_hostile_files) {
  DVK_NEEDS_HOSTILE_CASES;
  for (const corpus_file& file : hostile_files())
    expect_bounded(file);
}

// At most about 20 times the JSON's size, and the tail that is read first.
TEST_F(memory_bounds, hold_for_footers) {
  DVK_NEEDS_HOSTILE_CASES;
  std::size_t opened = 0, compressed = 0;
  for (const corpus_file& file : hostile_files()) {
    if (file.kind != file_kind::puffin) continue;
    const dvk::memory_source source(file.bytes());
    const dvk::puffin::reader_options limits;
    std::uint64_t json = 0;
    const std::int64_t peak = peak_of([&] {
      const auto reader = dvk::puffin::reader::open(source, limits);
      if (!reader) return;
      json = reader->footer_compressed() ? limits.max_footer_bytes : reader->footer_size();
      ++(reader->footer_compressed() ? compressed : opened);
    });
    if (json != 0) {
      EXPECT_LE(peak, static_cast<std::int64_t>(20 * json) + 2 * 16384 + 8192) << file.name;
    }
  }
  EXPECT_GT(opened, 100u);
  EXPECT_GT(compressed, 2u);
}

}  // namespace
