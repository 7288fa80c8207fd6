// Byte masks as StarRocks makes them, and live runs as Impala does.
#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/forms.hpp"
#include "bench/peers/peers.hpp"

namespace dvk_bench::peers {
namespace {

// StarRocks: a mask of ones, a fresh iterator moved to the batch, 256 positions at a time, a zero
// for each. The live rows are counted afterwards.
std::uint64_t bytes_of_batch(const roaring64_bitmap_t* bitmap, dvk::row_range rows) {
  std::uint8_t* const out = output<std::uint8_t>().data();
  std::memset(out, 1, rows.count);
  roaring64_iterator_t* const it = roaring64_iterator_create(bitmap);
  std::uint64_t deleted = 0;
  if (roaring64_iterator_move_equalorlarger(it, rows.start)) {
    std::uint64_t block[256];
    const std::uint64_t end = rows.start + rows.count;
    for (bool more = true; more;) {
      const std::uint64_t got = roaring64_iterator_read(it, block, 256);
      more = got == 256;
      for (std::uint64_t i = 0; i < got; ++i) {
        if (block[i] >= end) {
          more = false;
          break;
        }
        out[block[i] - rows.start] = 0;
        ++deleted;
      }
    }
  }
  roaring64_iterator_free(it);
  return rows.count - deleted;
}

job iterator_bytes(const dataset& d, std::size_t n) {
  const auto check = [&d, n, bitmap = roaring64(d)] {
    bool right = true;
    for_each_batch(d, n, [&](dvk::row_range rows) {
      right = right && bytes_of_batch(bitmap, rows) == live_rows(d, rows) &&
              are_live_bytes(d, rows, output<std::uint8_t>());
    });
    return right;
  };
  const auto pass = [&d, n, bitmap = roaring64(d)] {
    std::uint64_t live = 0;
    for_each_batch(d, n, [&](dvk::row_range rows) {
      live += bytes_of_batch(bitmap, rows);
      benchmark::ClobberMemory();
    });
    return live;
  };
  return {check, pass, d.rows};
}

// Impala: one iterator for the scan, stepped from deleted row to deleted row; what lies between is
// a run of live rows.
template <class F>
void walk_runs(const dataset& d, std::size_t n, F&& visit) {
  roaring64_iterator_t* const it = roaring64_iterator_create(roaring64(d));
  for_each_batch(d, n, [&](dvk::row_range rows) {
    dvk::row_run* const out = output<dvk::row_run>().data();
    std::size_t runs = 0;
    std::uint64_t row = rows.start;
    const std::uint64_t end = rows.start + rows.count;
    while (roaring64_iterator_has_value(it) && roaring64_iterator_value(it) < end) {
      const std::uint64_t deleted = roaring64_iterator_value(it);
      if (deleted > row) {
        out[runs++] = {static_cast<std::uint32_t>(row - rows.start),
                       static_cast<std::uint32_t>(deleted - rows.start)};
      }
      row = deleted + 1;
      roaring64_iterator_advance(it);
    }
    if (row < end) {
      out[runs++] = {static_cast<std::uint32_t>(row - rows.start),
                     static_cast<std::uint32_t>(rows.count)};
    }
    visit(rows, runs);
    benchmark::ClobberMemory();
  });
  roaring64_iterator_free(it);
}

job iterator_runs(const dataset& d, std::size_t n) {
  const auto check = [&d, n] {
    bool right = true;
    walk_runs(d, n, [&](dvk::row_range rows, std::size_t runs) {
      right = right && are_live_runs(d, rows, output<dvk::row_run>().first(runs));
    });
    return right;
  };
  const auto pass = [&d, n] {
    std::uint64_t total = 0;
    walk_runs(d, n, [&](dvk::row_range, std::size_t runs) { total += runs; });
    return total;
  };
  return {check, pass, d.rows};
}

}  // namespace

void register_masks() {
  add_batched("starrocks_iterator_bytes", iterator_bytes);
  add_batched("impala_iterator_runs", iterator_runs);
}

}  // namespace dvk_bench::peers
