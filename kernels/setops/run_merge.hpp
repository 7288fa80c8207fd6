// Set operations on two ascending lists of runs, without branches that depend on the rows.
//
// The loops feed candidate runs, ascending by start, to a run_joiner, which joins what touches or
// overlaps. Which list a step takes from, and whether a candidate counts, become increments and
// masks: at random a branch would be wrong half of the time.
#pragma once

#include "setops/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

// Serialised runs, with inclusive bounds.
struct run_list {
  const std::uint8_t* runs;
  std::uint32_t size;

  std::int32_t first(std::uint32_t i) const { return load_le16(runs + 4 * std::size_t{i}); }
  std::int32_t last(std::uint32_t i) const {
    const std::uint8_t* run = runs + 4 * std::size_t{i};
    const std::int32_t sum = load_le16(run) + load_le16(run + 2);
    return pick(sum < 65535, sum, 65535);  // above only where the bytes lie
  }
};

// What lies between the runs of a list: one gap more than runs, some of them empty (last < first).
struct gap_list {
  run_list between;
  std::uint32_t size = between.size + 1;

  std::int32_t first(std::uint32_t i) const { return i == 0 ? 0 : between.last(i - 1) + 1; }
  std::int32_t last(std::uint32_t i) const {
    return i == between.size ? 65535 : between.first(i) - 1;
  }
};

class run_joiner {
 public:
  explicit run_joiner(std::uint8_t* out) : out_(out) {}

  void feed(std::int32_t first, std::int32_t last, bool counts) {
    const bool separate = counts & (first > last_ + 1);
    // The run at hand is stored before it is known to be complete; the first time there is none,
    // and the place is used again.
    store();
    n_ += separate & (last_ >= 0);
    first_ = pick(separate, first, first_);
    last_ = pick(counts & (last > last_), last, last_);
  }
  std::uint32_t finish() {
    store();
    return n_ + (last_ >= 0);
  }

 private:
  void store() {
    put(out_, 2 * n_, static_cast<std::uint32_t>(first_));
    put(out_, 2 * n_ + 1, static_cast<std::uint32_t>(last_ - first_));
  }

  std::uint8_t* out_;
  std::uint32_t n_ = 0;
  std::int32_t first_ = 0;
  std::int32_t last_ = -2;  // no row touches it
};

[[maybe_unused]] std::uint32_t unite_runs(const std::uint8_t* a, std::uint32_t na,
                                          const std::uint8_t* b, std::uint32_t nb,
                                          std::uint8_t* out) noexcept {
  const run_list x{a, na}, y{b, nb};
  run_joiner joined(out);
  std::uint32_t i = 0, j = 0;
  while (i < na && j < nb) {
    const std::int32_t p = x.first(i), q = y.first(j);
    const std::int32_t p_last = x.last(i), q_last = y.last(j);
    const bool from_a = p <= q;
    joined.feed(pick(from_a, p, q), pick(from_a, p_last, q_last), true);
    i += from_a;
    j += !from_a;
  }
  for (; i < na; ++i)
    joined.feed(x.first(i), x.last(i), true);
  for (; j < nb; ++j)
    joined.feed(y.first(j), y.last(j), true);
  return joined.finish();
}

template <class List>
DVK_INLINE std::uint32_t overlaps(run_list a, List b, std::uint8_t* out) {
  run_joiner joined(out);
  std::uint32_t i = 0, j = 0;
  while (i < a.size && j < b.size) {
    const std::int32_t p = a.first(i), q = b.first(j);
    const std::int32_t p_last = a.last(i), q_last = b.last(j);
    const std::int32_t first = pick(p > q, p, q), last = pick(p_last < q_last, p_last, q_last);
    joined.feed(first, last, first <= last);
    i += p_last <= q_last;
    j += q_last <= p_last;
  }
  return joined.finish();
}

[[maybe_unused]] std::uint32_t intersect_runs(const std::uint8_t* a, std::uint32_t na,
                                              const std::uint8_t* b, std::uint32_t nb,
                                              std::uint8_t* out) noexcept {
  return overlaps(run_list{a, na}, run_list{b, nb}, out);
}

// a - b is what a has in common with the gaps of b.
[[maybe_unused]] std::uint32_t subtract_runs(const std::uint8_t* a, std::uint32_t na,
                                             const std::uint8_t* b, std::uint32_t nb,
                                             std::uint8_t* out) noexcept {
  return overlaps(run_list{a, na}, gap_list{{b, nb}}, out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
