// How a batch is cut into segments: the one loop that all forms share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/selection.hpp"
#include "roaring/directory.hpp"
#include "selection/segment.hpp"
#include "selection/selection.hpp"

namespace dvk::inline v0::detail {

inline constexpr std::uint64_t row_limit = std::uint64_t{1}
                                           << 63;  // positions are non-negative i64

// Where a scan stands: the container of the last batch's end, and the unit inside it.
struct cursor {
  std::size_t container = 0;
  std::uint32_t unit = 0;
};

// find_container for a scan: the cursor's container or the one after it, nearly always, or the end.
inline std::size_t find_near(directory d, std::uint64_t key, std::size_t hint) {
  const container* c = d.containers;
  if (hint <= d.count && (hint == d.count || c[hint].key >= key) &&
      (hint == 0 || c[hint - 1].key < key)) [[likely]]
    return hint;
  return find_container(d, key, hint);
}

// Whether a batch of rows, not empty, lies in the container and nowhere else. Such rows are valid.
inline bool is_inside(const container& c, row_range rows) {
  return c.key == rows.start >> 16 && rows.count - 1 < container_rows - (rows.start & 0xffff);
}

// Whether the run at the cursor holds slots [lo, hi), which is all that a file of long runs asks.
// Moves the cursor past the run if it ends at hi.
inline bool in_one_run(const container& c, std::uint32_t lo, std::uint32_t hi,
                       std::uint32_t* unit) {
  if (c.type != run_container || *unit >= units(c)) return false;
  const run_bounds r = run_at(c.payload, *unit);
  if (r.begin > lo || r.end < hi) return false;
  if (r.end == hi) ++*unit;
  return true;
}

// Calls, in row order, either
//   gap(row, n): rows [row, row + n) have no container, so they are live, or
//   segment(c, lo, hi, row, hint): slots [lo, hi) of container c, whose slot lo is row `row`.
// Precondition: rows.count > 0 and rows.start + rows.count <= row_limit.
template <class Gap, class Segment>
void for_each_segment(directory d, row_range rows, cursor& at, Gap&& gap, Segment&& segment) {
  std::uint64_t row = rows.start;
  const std::uint64_t end = rows.start + rows.count;
  std::size_t i = find_near(d, row >> 16, at.container);
  if (i != at.container) at = {i, 0};
  while (row < end) {
    const std::uint64_t key = i < d.count ? d.containers[i].key : sentinel_key;
    if (key > row >> 16) {
      const std::uint64_t next = key << 16;
      const std::uint64_t n = (next < end ? next : end) - row;
      gap(row, n);
      row += n;
      continue;
    }
    const std::uint64_t base = key << 16;
    const auto lo = static_cast<std::uint32_t>(row - base);
    const auto hi =
        static_cast<std::uint32_t>(end - base < container_rows ? end - base : container_rows);
    segment(d.containers[i], lo, hi, row, &at.unit);
    row = base + hi;
    if (hi == container_rows) at = {++i, 0};
  }
}

inline bool valid(row_range rows) {
  return rows.start <= row_limit && rows.count <= row_limit - rows.start;
}

// True if the ranges are valid, ascending and disjoint; *total is the number of rows.
inline bool valid(std::span<const row_range> ranges, std::uint64_t* total) {
  std::uint64_t sum = 0, end = 0;
  for (const row_range& r : ranges) {
    if (!valid(r) || r.start < end) return false;
    end = r.start + r.count;
    sum += r.count;
  }
  *total = sum;
  return true;
}

// How many numbers the output spans: one more than the last listed row's.
inline std::uint64_t numbers_of(std::span<const row_range> ranges, numbering how,
                                std::uint64_t rows) {
  if (how == numbering::packed || rows == 0) return rows;
  std::size_t last = ranges.size() - 1;
  while (ranges[last].count == 0)
    --last;
  return ranges[last].start + ranges[last].count - ranges.front().start;
}

inline batch_kind kind_of(std::uint64_t live, std::uint64_t rows) {
  if (live == 0) return batch_kind::none_live;
  return live == rows ? batch_kind::all_live : batch_kind::mixed;
}

}  // namespace dvk::inline v0::detail
