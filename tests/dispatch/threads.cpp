// One vector, many threads, every form, while another thread flips tiers: for the thread sanitizer,
// and for equal answers.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "dvk/crc32.hpp"
#include "dvk/deletion_vector.hpp"
#include "dvk/dispatch.hpp"
#include "dvk/selection.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/random.hpp"

namespace {

struct answers {
  std::uint64_t live = 0, bits = 0, bytes = 0, runs = 0, deleted = 0;
  std::uint32_t crc = 0;
  friend bool operator==(const answers&, const answers&) = default;
};

answers ask(const dvk::deletion_vector& dv, std::uint64_t rows) {
  answers a;
  dvk::scanner scan(dv);
  std::vector<std::uint32_t> indices(2048);
  std::vector<std::uint64_t> words(32);
  std::vector<std::uint8_t> bytes(2048);
  std::vector<dvk::row_run> runs(1025);
  for (std::uint64_t row = 0; row < rows; row += 2048) {
    a.live += scan.indices<std::uint32_t>({row, 2048}, indices).live;
    a.bits += scan.bits({row, 2048}, words).live;
    a.bytes += scan.bytes({row, 2048}, bytes).live;
    a.runs += scan.runs({row, 2048}, runs).written;
    a.deleted += dv.count({row, 2048}) + (dv.contains(row) ? 1 : 0);
  }
  a.crc = dvk::crc32(dv.bytes());
  return a;
}

TEST(threads, share_a_vector_while_tiers_change) {
  auto rng = dvk_test::generator(30);
  dvk_test::bitmap_writer writer;
  constexpr std::uint64_t rows = 1 << 18;
  std::uint64_t row = 0;
  while (row < rows) {
    const std::uint64_t stretch = row / 65536 % 3 == 0 ? 1 : 1 + dvk_test::below(rng, 40);
    writer.add_range(row, stretch);
    row += stretch + 1 + dvk_test::below(rng, row / 65536 % 2 == 0 ? 3 : 100);
  }
  const auto blob = writer.blob();
  const auto dv = dvk::deletion_vector::open_blob(blob);
  ASSERT_TRUE(dv) << dv.error().message();
  const answers expected = ask(*dv, rows);
  EXPECT_EQ(expected.live, expected.bits);
  EXPECT_EQ(expected.live, expected.bytes);

  std::atomic<bool> stop{false};
  std::thread flipper([&] {
    for (std::size_t i = 0; !stop.load(); ++i) {
      dvk::set_max_isa(dvk::supported_tiers()[i % dvk::supported_tiers().size()]);
      std::this_thread::yield();
    }
  });
  std::atomic<int> wrong{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < 16; ++t) {
    workers.emplace_back([&] {
      for (std::size_t k = 0; k < dvk_test::cases(20); ++k) {
        if (ask(*dv, rows) != expected) ++wrong;
        const auto again =
            dvk::deletion_vector::open_blob(blob);  // opening, too, under changing tiers
        if (!again || again->cardinality() != dv->cardinality()) ++wrong;
      }
    });
  }
  for (auto& w : workers)
    w.join();
  stop = true;
  flipper.join();
  dvk::reset_max_isa();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
