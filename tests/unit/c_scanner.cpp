// The C interface to selection: the same answers as the C++ one gives, and refusals that write
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "dvk/selection.hpp"
#include "tests/support/c_interface.hpp"

namespace {

using c_scanner = dvk_test::c_interface;

constexpr std::uint64_t starts[] = {0, 3, 64, 65536, 69000, 131000, 161000, 1u << 20};
constexpr std::uint64_t batch = 2048;

// Runs `c` and `cpp` on buffers of n elements, filled alike before, for batches that start
// everywhere. `used(live)`: the number of elements that hold the answer; what lies behind may be
// clobbered.
template <class T, class C, class Cpp, class Used>
void expect_equal_buffers(std::size_t n, C c, Cpp cpp, Used used) {
  for (const std::uint64_t start : starts) {
    SCOPED_TRACE(start);
    std::vector<T> a(n), b(n);
    std::memset(a.data(), 0x5a, n * sizeof(T));
    std::memset(b.data(), 0x5a, n * sizeof(T));
    const dvk_batch_result got = c(start, a);
    const dvk::batch_result want = cpp(start, b);
    EXPECT_EQ(got.live, want.live);
    EXPECT_EQ(got.kind, static_cast<std::uint32_t>(want.kind));
    a.resize(used(want.live));
    b.resize(used(want.live));
    EXPECT_EQ(a, b);
  }
}
template <class T, class C, class Cpp>
void expect_equal_buffers(std::size_t n, C c, Cpp cpp) {
  expect_equal_buffers<T>(n, c, cpp, [n](std::uint64_t) { return n; });
}

TEST_F(c_scanner, indices_of_every_type) {
  dvk::scanner scanner(expected_);
  dvk_index_options options = DVK_OPTIONS(dvk_index_options);
  options.base = 7;
  options.always_write = 1;
  for (const std::uint32_t rows : {dvk_live, dvk_deleted}) {
    options.rows = rows;
    const dvk::index_options same = {static_cast<dvk::polarity>(rows), 7, true};
    const auto check = [&]<class T>(T, auto c) {
      expect_equal_buffers<T>(
          batch,
          [&](std::uint64_t start, std::vector<T>& out) {
            return c(&scanner_, start, batch, out.data(), out.size(), &options);
          },
          [&](std::uint64_t start, std::vector<T>& out) {
            return scanner.indices({start, batch}, std::span(out), same);
          },
          [&](std::uint64_t live) { return rows == dvk_live ? live : batch - live; });
    };
    check(std::uint16_t{}, dvk_scan_indices_u16);
    check(std::uint32_t{}, dvk_scan_indices_u32);
    check(std::int32_t{}, dvk_scan_indices_i32);
    check(std::uint64_t{}, dvk_scan_indices_u64);
  }
}

TEST_F(c_scanner, masks) {
  dvk::scanner scanner(expected_);
  for (const std::uint32_t how : {dvk_replace, dvk_and_with, dvk_or_with}) {
    dvk_mask_options options = DVK_OPTIONS(dvk_mask_options);
    options.rows = dvk_deleted;
    options.how = how;
    options.always_write = how == dvk_replace;
    const dvk::mask_options same = {dvk::polarity::deleted, static_cast<dvk::combine>(how),
                                    how == dvk_replace};
    expect_equal_buffers<std::uint64_t>(
        batch / 64 + 2,
        [&](std::uint64_t start, auto& out) {
          return dvk_scan_bits(&scanner_, start, batch, out.data(), out.size(), 70, &options);
        },
        [&](std::uint64_t start, auto& out) {
          return scanner.bits({start, batch}, out, 70, same);
        });
    expect_equal_buffers<std::uint8_t>(
        batch + 1,
        [&](std::uint64_t start, auto& out) {
          return dvk_scan_bytes(&scanner_, start, batch, out.data(), out.size(), &options);
        },
        [&](std::uint64_t start, auto& out) {
          return scanner.bytes({start, batch}, out, same);
        });
  }
}

TEST_F(c_scanner, runs_and_lengths) {
  dvk::scanner scanner(expected_);
  for (const std::size_t capacity : {std::size_t{2}, std::size_t{4096}}) {
    std::vector<dvk_run> runs(capacity);
    std::vector<dvk::row_run> same_runs(capacity);
    std::vector<std::uint32_t> lengths(capacity), same_lengths(capacity);
    for (const std::uint64_t start : starts) {
      const dvk_run_result got =
          dvk_scan_runs(&scanner_, start, batch, runs.data(), capacity, nullptr);
      const dvk::run_result want = scanner.runs({start, batch}, same_runs);
      ASSERT_EQ(got.written, want.written);
      EXPECT_EQ(got.rows_done, want.rows_done);
      EXPECT_EQ(got.live, want.live);
      EXPECT_EQ(got.kind, static_cast<std::uint32_t>(want.kind));
      if (got.kind != dvk_mixed) continue;
      for (std::size_t i = 0; i < got.written; ++i) {
        EXPECT_EQ((dvk::row_run{runs[i].begin, runs[i].end}), same_runs[i]);
      }
      const dvk_run_result turns =
          dvk_scan_alternating(&scanner_, start, batch, lengths.data(), capacity, nullptr);
      const dvk::run_result same_turns = scanner.alternating({start, batch}, same_lengths);
      ASSERT_EQ(turns.written, same_turns.written);
      EXPECT_EQ(turns.rows_done, same_turns.rows_done);
      EXPECT_TRUE(std::equal(lengths.begin(), lengths.begin() + std::ptrdiff_t(turns.written),
                             same_lengths.begin()));
    }
  }
}

TEST_F(c_scanner, lists_of_ranges) {
  dvk::scanner scanner(expected_);
  for (const std::uint32_t numbering : {dvk_relative, dvk_packed}) {
    const auto number = static_cast<dvk::numbering>(numbering);
    expect_equal_buffers<std::uint32_t>(
        batch,
        [&](std::uint64_t start, auto& out) {
          const dvk_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return dvk_scan_ranges_indices_u32(&scanner_, ranges, 2, numbering, out.data(),
                                             out.size(), nullptr);
        },
        [&](std::uint64_t start, auto& out) {
          const dvk::row_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return scanner.indices(ranges, number, std::span(out));
        });
    expect_equal_buffers<std::uint64_t>(
        batch / 64,
        [&](std::uint64_t start, auto& out) {
          const dvk_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return dvk_scan_ranges_bits(&scanner_, ranges, 2, numbering, out.data(), out.size(), 3,
                                      nullptr);
        },
        [&](std::uint64_t start, auto& out) {
          const dvk::row_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return scanner.bits(ranges, number, out, 3);
        });
    expect_equal_buffers<std::uint8_t>(
        batch,
        [&](std::uint64_t start, auto& out) {
          const dvk_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return dvk_scan_ranges_bytes(&scanner_, ranges, 2, numbering, out.data(), out.size(),
                                       nullptr);
        },
        [&](std::uint64_t start, auto& out) {
          const dvk::row_range ranges[] = {{start, 100}, {start + 300, 1000}};
          return scanner.bytes(ranges, number, out);
        });
  }
}

TEST_F(c_scanner, counts_and_copies_of_the_cursor) {
  for (const std::uint64_t start : starts) {
    dvk_scanner copy = scanner_;
    const std::uint64_t live = batch - (rows_.rank(start + batch) - rows_.rank(start));
    EXPECT_EQ(dvk_scan_count(&scanner_, start, batch).live, live);
    EXPECT_EQ(dvk_scan_count(&copy, start, batch).live, live);
  }
}

TEST_F(c_scanner, refine_of_every_type) {
  const auto check = [&]<class T>(T, auto refine) {
    for (const std::uint32_t rows : {dvk_live, dvk_deleted}) {
      std::vector<T> selected, kept;
      for (T i = 0; i < 5000; i = static_cast<T>(i + 7))
        selected.push_back(i);
      for (const T i : selected) {
        const bool deleted = rows_.contains(68000 + static_cast<std::uint64_t>(i));
        if (deleted == (rows == dvk_deleted)) kept.push_back(i);
      }
      selected.resize(refine(&scanner_, 68000, selected.data(), selected.size(), rows));
      EXPECT_EQ(selected, kept);
    }
  };
  check(std::uint16_t{}, dvk_refine_u16);
  check(std::uint32_t{}, dvk_refine_u32);
  check(std::int32_t{}, dvk_refine_i32);
  check(std::uint64_t{}, dvk_refine_u64);
}

TEST_F(c_scanner, gather) {
  dvk::scanner scanner(expected_);
  std::vector<std::uint64_t> positions;
  for (std::uint64_t i = 0; i < 1000; ++i)
    positions.push_back(i * 7919 % 170000);
  positions.push_back(static_cast<std::uint64_t>(std::int64_t{-1}));
  const std::size_t n = positions.size();
  expect_equal_buffers<std::uint32_t>(
      n,
      [&](std::uint64_t, auto& out) {
        return dvk_gather_indices_u32(&scanner_, positions.data(), n, out.data(), n, nullptr);
      },
      [&](std::uint64_t, auto& out) {
        return scanner.gather_indices(std::span<const std::uint64_t>(positions), std::span(out));
      });
  expect_equal_buffers<std::uint64_t>(
      n / 64 + 1,
      [&](std::uint64_t, auto& out) {
        return dvk_gather_bits(&scanner_, positions.data(), n, out.data(), out.size(), 0, nullptr);
      },
      [&](std::uint64_t, auto& out) {
        return scanner.gather_bits(std::span<const std::uint64_t>(positions), out);
      });
  expect_equal_buffers<std::uint8_t>(
      n,
      [&](std::uint64_t, auto& out) {
        return dvk_gather_bytes(&scanner_, positions.data(), n, out.data(), n, nullptr);
      },
      [&](std::uint64_t, auto& out) {
        return scanner.gather_bytes(std::span<const std::uint64_t>(positions), out);
      });
}

TEST_F(c_scanner, refusals_write_nothing) {
  std::vector<std::uint32_t> out(batch, 0x5a5a5a5a);
  const std::vector<std::uint32_t> untouched = out;
  dvk_index_options options = DVK_OPTIONS(dvk_index_options);
  const auto kind = [&](std::size_t capacity) {
    return dvk_scan_indices_u32(&scanner_, 0, batch, out.data(), capacity, &options).kind;
  };
  EXPECT_EQ(kind(batch - 1), std::uint32_t{dvk_refused});
  options.rows = 2;
  EXPECT_EQ(kind(batch), std::uint32_t{dvk_refused});
  options.rows = dvk_live;
  options.size = 1;
  EXPECT_EQ(kind(batch), std::uint32_t{dvk_refused});
  const dvk_range range = {0, 100};
  EXPECT_EQ(dvk_scan_ranges_indices_u32(&scanner_, &range, 1, 2, out.data(), batch, nullptr).kind,
            std::uint32_t{dvk_refused});
  dvk_mask_options masks = DVK_OPTIONS(dvk_mask_options);
  masks.how = 3;
  auto* bytes = reinterpret_cast<std::uint8_t*>(out.data());
  EXPECT_EQ(dvk_scan_bytes(&scanner_, 0, 100, bytes, 100, &masks).kind, std::uint32_t{dvk_refused});
  masks.how = dvk_replace;
  masks.reserved = 1;
  EXPECT_EQ(dvk_scan_bytes(&scanner_, 0, 100, bytes, 100, &masks).kind, std::uint32_t{dvk_refused});
  EXPECT_EQ(out, untouched);
  options = DVK_OPTIONS(dvk_index_options);
  EXPECT_EQ(kind(batch), std::uint32_t{dvk_mixed});  // and so none of this was the batch's fault
}

}  // namespace
