// Output forms and what each must hold: shared by dvk's benchmarks and by the peers, so that equal
// answers mean the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/datasets.hpp"
#include "bench/suite.hpp"
#include "dvk/selection.hpp"

namespace dvk_bench {

// Whether `list` names the live rows of the batch, numbered from its start.
template <class T>
bool is_live_list(const dataset& d, dvk::row_range rows, std::span<const T> list) {
  std::size_t k = 0;
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    if (d.is_deleted(rows.start + i)) continue;
    if (k == list.size() || list[k] != static_cast<T>(i)) return false;
    ++k;
  }
  return k == list.size();
}

// Whether bits, LSB first, mark the live rows.
inline bool are_live_bits(const dataset& d, dvk::row_range rows,
                          std::span<const std::uint64_t> words) {
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    if ((words[i / 64] >> (i % 64) & 1) == std::uint64_t{d.is_deleted(rows.start + i)})
      return false;
  }
  return true;
}

inline bool are_live_bytes(const dataset& d, dvk::row_range rows,
                           std::span<const std::uint8_t> bytes) {
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    if (bytes[i] != (d.is_deleted(rows.start + i) ? 0 : 1)) return false;
  }
  return true;
}

// Whether runs are the maximal runs of live rows.
inline bool are_live_runs(const dataset& d, dvk::row_range rows,
                          std::span<const dvk::row_run> runs) {
  std::uint64_t i = 0;
  for (const dvk::row_run& run : runs) {
    for (; i < run.begin; ++i) {
      if (i >= rows.count || !d.is_deleted(rows.start + i)) return false;
    }
    if (run.begin >= run.end || run.end > rows.count) return false;
    for (; i < run.end; ++i) {
      if (d.is_deleted(rows.start + i)) return false;
    }
    if (i < rows.count && !d.is_deleted(rows.start + i)) return false;
  }
  for (; i < rows.count; ++i) {
    if (!d.is_deleted(rows.start + i)) return false;
  }
  return true;
}

inline std::uint64_t live_rows(const dataset& d, dvk::row_range rows) {
  std::uint64_t live = 0;
  for (std::uint64_t i = 0; i < rows.count; ++i)
    live += d.is_deleted(rows.start + i) ? 0 : 1;
  return live;
}

// Calls visit(rows) for consecutive batches of n rows from row `first` on to the end of the file.
template <class F>
void for_each_batch(const dataset& d, std::size_t n, F&& visit, std::uint64_t first = 0) {
  for (std::uint64_t start = first; start < d.rows; start += n) {
    visit(dvk::row_range{start, std::min<std::uint64_t>(n, d.rows - start)});
  }
}

}  // namespace dvk_bench
