// What every opened deletion vector promises about itself: all its questions have answers that
// follow from its ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "tests/fuzz/promise.hpp"

namespace dvk_fuzz {

inline constexpr std::uint64_t rows_end = std::uint64_t{1} << 63;

inline dvk::quirk_set all_quirks() {
  dvk::quirk_set all;
  for (unsigned i = 0; i < dvk::quirk_count; ++i)
    all.insert(static_cast<dvk::quirk>(i));
  return all;
}

inline std::uint64_t end_of(const dvk::row_range& r) {
  return r.start + r.count;
}

// All maximal ranges: ascending, apart from each other, below 2^63, as many rows as the
// cardinality.
inline std::vector<dvk::row_range> ranges_of(const dvk::deletion_vector& dv) {
  std::vector<dvk::row_range> out;
  std::uint64_t sum = 0;
  for (auto r = dv.next_range(0); r; r = dv.next_range(end_of(*r))) {
    PROMISE(r->count != 0 && r->start < rows_end && r->count <= rows_end - r->start);
    PROMISE(out.empty() || r->start > end_of(out.back()));
    sum += r->count;
    PROMISE(sum <= dv.cardinality());
    out.push_back(*r);
  }
  PROMISE(sum == dv.cardinality());
  PROMISE(dv.empty() == out.empty());
  PROMISE(dv.min() == (out.empty() ? std::nullopt : std::optional(out.front().start)));
  PROMISE(dv.max() == (out.empty() ? std::nullopt : std::optional(end_of(out.back()) - 1)));
  return out;
}

inline void check_containers(const dvk::deletion_vector& dv) {
  std::uint64_t rank = 0;
  std::uint64_t next_row = 0;
  for (std::size_t i = 0; i < dv.container_count(); ++i) {
    const dvk::container_info c = dv.container(i);
    PROMISE(c.first_row % 65536 == 0 && c.first_row >= next_row && c.first_row < rows_end);
    PROMISE(c.rank == rank && c.cardinality >= 1 && c.cardinality <= 65536);
    PROMISE(c.offset <= dv.bytes().size() && c.bytes <= dv.bytes().size() - c.offset);
    PROMISE((c.kind == dvk::container_kind::run) == (c.runs != 0));
    PROMISE(c.kind != dvk::container_kind::array || c.bytes == 2 * c.cardinality);
    PROMISE(c.kind != dvk::container_kind::bitset || c.bytes == 8192);
    PROMISE(c.kind != dvk::container_kind::run || c.bytes == 2 + 4 * c.runs);
    rank += c.cardinality;
    next_row = c.first_row + 65536;
  }
  PROMISE(rank == dv.cardinality());
  PROMISE(dv.memory_bytes() <= dvk::deletion_vector::container_overhead(dv.bytes().size()));
}

// What a range's borders and neighbours must answer. `before`: deleted rows below the range.
inline void check_border(const dvk::deletion_vector& dv, const dvk::row_range& r,
                         std::uint64_t before) {
  const std::uint64_t end = end_of(r);
  PROMISE(dv.contains(r.start) && dv.contains(end - 1) && dv.contains(r.start + r.count / 2));
  PROMISE(r.start == 0 || !dv.contains(r.start - 1));
  PROMISE(!dv.contains(end));
  PROMISE(dv.rank(r.start) == before && dv.rank(end) == before + r.count);
  PROMISE(dv.select(before) == r.start && dv.select(before + r.count - 1) == end - 1);
  PROMISE(dv.count(r) == r.count);
  PROMISE(dv.count({r.start, 1}) == 1 && dv.count({r.start, 0}) == 0);
  PROMISE(dv.count({0, end}) == before + r.count);
  PROMISE(dv.next_deleted(r.start) == r.start && dv.next_deleted(end - 1) == end - 1);
  PROMISE(dv.next_live(r.start).value_or(rows_end) == end);
  PROMISE(dv.next_live(end - 1).value_or(rows_end) == end);
  PROMISE(dv.next_range(end - 1) == dvk::row_range{end - 1, 1});
  if (end < rows_end) PROMISE(dv.select_live(dv.live_rank(end)) == end);
  if (r.start != 0) {
    PROMISE(dv.next_deleted(r.start - 1) == r.start && dv.next_live(r.start - 1) == r.start - 1);
    PROMISE(dv.select_live(dv.live_rank(r.start - 1)) == r.start - 1);
  }
}

// Some ranges of a list, spread over all of it: rank and select may cost 8 KiB each.
inline std::vector<std::size_t> sample(std::size_t size, std::size_t most = 24) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(size, most); ++i)
    out.push_back(size <= most ? i : i * (size - 1) / (most - 1));
  return out;
}

// Checks all of the above and returns the ranges.
inline std::vector<dvk::row_range> check_view(const dvk::deletion_vector& dv) {
  check_containers(dv);
  std::vector<dvk::row_range> ranges = ranges_of(dv);
  std::vector<std::uint64_t> before;
  std::uint64_t sum = 0;
  for (const dvk::row_range& r : ranges) {
    before.push_back(sum);
    sum += r.count;
  }
  std::vector<std::uint64_t> rows;
  for (const std::size_t i : sample(ranges.size())) {
    check_border(dv, ranges[i], before[i]);
    rows.insert(rows.end(), {ranges[i].start - (ranges[i].start != 0), ranges[i].start,
                             end_of(ranges[i]) - 1, end_of(ranges[i])});
  }
  PROMISE(!dv.select(dv.cardinality()));
  PROMISE(dv.rank(~std::uint64_t{0}) == dv.cardinality());
  std::vector<std::uint8_t> in(rows.size(), 7);
  for (int order = 0; order < 2; ++order) {
    dv.contains_many(rows, in);
    for (std::size_t i = 0; i < rows.size(); ++i)
      PROMISE(in[i] == (dv.contains(rows[i]) ? 1 : 0));
    std::reverse(rows.begin(), rows.end());
  }
  return ranges;
}

}  // namespace dvk_fuzz
