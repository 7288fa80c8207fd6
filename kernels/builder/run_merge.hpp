// Set operations on two ascending lists of runs, without branches that depend on the rows.
//
// Both loops feed candidate runs, ascending by start, to a run_joiner, which joins what touches or
// overlaps. Which list a step takes from, and whether a candidate counts, become increments: at
// random a branch would be wrong half of the time.
#pragma once

#include <cstdint>

#include "builder/chunk.hpp"

namespace dvk::inline v0::detail {

// The runs of a container; array values are runs of one row. Bounds are inclusive.
class run_list {
 public:
  explicit run_list(const chunk& c) noexcept
      : payload_(c.payload), n_(c.units), run_(c.kind == container_kind::run) {}
  [[nodiscard]] std::uint32_t size() const noexcept { return n_; }
  [[nodiscard]] std::uint32_t first(std::uint32_t i) const noexcept {
    return bytes::load_le16(payload_ + (i << (run_ ? 2 : 1)));
  }
  [[nodiscard]] std::uint32_t last(std::uint32_t i) const noexcept {
    const std::uint32_t more = run_ ? bytes::load_le16(payload_ + 4 * i + 2) : 0;
    const std::uint32_t sum = first(i) + more;
    return sum < 65535 ? sum : 65535;  // above only where the bytes lie
  }

 private:
  const std::uint8_t* payload_;
  std::uint32_t n_;
  bool run_;
};

// What lies between the runs of a list: one gap more than runs, some of them empty (last < first).
class gap_list {
 public:
  explicit gap_list(run_list runs) noexcept : runs_(runs) {}
  [[nodiscard]] std::uint32_t size() const noexcept { return runs_.size() + 1; }
  [[nodiscard]] std::uint32_t first(std::uint32_t i) const noexcept {
    return i == 0 ? 0 : runs_.last(i - 1) + 1;
  }
  // One more than the last row, less one row: 0 - 1 wraps, and counts as empty.
  [[nodiscard]] std::uint32_t last(std::uint32_t i) const noexcept {
    return i == runs_.size() ? 65535 : runs_.first(i) - 1;
  }

 private:
  run_list runs_;
};

class run_joiner {
 public:
  // `out` has room for one run more than are fed: the first place takes what stands before the
  // first run.
  explicit run_joiner(std::uint8_t* out) noexcept : out_(out) {}

  void feed(std::uint32_t first, std::uint32_t last, bool counts) noexcept {
    const bool separate = counts & (static_cast<std::int64_t>(first) > last_ + 1);
    store();
    n_ += separate;
    first_ = separate ? first : first_;
    const std::int64_t longest =
        static_cast<std::int64_t>(last) > last_ ? static_cast<std::int64_t>(last) : last_;
    last_ = counts ? longest : last_;
  }
  // Number of runs; they stand in out from its second place on.
  std::uint32_t finish() noexcept {
    store();
    return n_;
  }

 private:
  void store() noexcept {
    bytes::store_le(out_ + 4 * n_, static_cast<std::uint16_t>(first_));
    bytes::store_le(out_ + 4 * n_ + 2, static_cast<std::uint16_t>(last_ - first_));
  }

  std::uint8_t* out_;
  std::uint32_t n_ = 0;
  std::uint32_t first_ = 0;
  std::int64_t last_ = -2;  // no row touches it
};

inline std::uint32_t join_runs(const run_list& a, const run_list& b, std::uint8_t* out) noexcept {
  run_joiner joined(out);
  std::uint32_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint32_t x = a.first(i), y = b.first(j);
    const std::uint32_t x_last = a.last(i), y_last = b.last(j);
    const bool from_a = x <= y;
    joined.feed(from_a ? x : y, from_a ? x_last : y_last, true);
    i += from_a;
    j += !from_a;
  }
  for (; i < a.size(); ++i)
    joined.feed(a.first(i), a.last(i), true);
  for (; j < b.size(); ++j)
    joined.feed(b.first(j), b.last(j), true);
  return joined.finish();
}

// With a gap_list for `b`, the difference.
template <class List>
std::uint32_t intersect_runs(const run_list& a, const List& b, std::uint8_t* out) noexcept {
  run_joiner joined(out);
  std::uint32_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint32_t x = a.first(i), y = b.first(j);
    // Signed: the gap before a run that starts at 0 ends at -1.
    const auto x_last = static_cast<std::int32_t>(a.last(i)),
               y_last = static_cast<std::int32_t>(b.last(j));
    const auto first = static_cast<std::int32_t>(x > y ? x : y);
    const std::int32_t last = x_last < y_last ? x_last : y_last;
    joined.feed(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), first <= last);
    i += x_last <= y_last;
    j += y_last <= x_last;
  }
  return joined.finish();
}

}  // namespace dvk::inline v0::detail
