// From runs and gaps to mask words and index lists: the plain code that all vector tiers share.
//
// All writers here flip or clear bits of *deleted* slots on a ground of zeros (deleted rows wanted)
// or ones (live rows wanted).
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

// Whether more than `count` array values (runs) from `unit` on begin before slot hi.
DVK_INLINE bool more_values_than(const container& c, std::uint32_t unit, std::uint32_t count,
                                 std::uint32_t hi) {
  return units(c) - unit > count && load_le16(c.payload + 2 * std::size_t{unit + count}) < hi;
}
DVK_INLINE bool more_runs_than(const container& c, std::uint32_t unit, std::uint32_t count,
                               std::uint32_t hi) {
  return units(c) - unit > count && load_le16(c.payload + 4 * std::size_t{unit + count}) < hi;
}

DVK_INLINE void flip_bit(std::uint64_t* words, std::uint32_t bit) {
  words[bit / 64] ^= std::uint64_t{1} << (bit & 63);
}

// Calls put(from, to) for the runs from *unit on, clipped to the segment, and leaves *unit at the
// first run that ends after hi. `done` keeps overlapping runs of a lying payload in bounds.
template <class Put>
DVK_INLINE void each_run(const container& c, std::uint32_t lo, std::uint32_t hi,
                         std::uint32_t* unit, Put put) {
  std::uint32_t i = *unit, done = lo;
  for (const std::uint32_t n = units(c); i < n; ++i) {
    const auto [begin, end] = run_at(c.payload, i);
    if (begin >= hi) break;
    const std::uint32_t from = begin > done ? begin : done, to = end < hi ? end : hi;
    if (from < to) put(from, to), done = to;
    if (end > hi) break;
  }
  *unit = i;
}

// Runs of a few words at most: both border words are written without asking whether they are one
// and the same.
DVK_INLINE void clear_runs(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                           std::uint64_t* words, std::uint32_t* unit) {
  each_run(c, lo, hi, unit, [&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t a = (from - f.origin) / 64, z = (to - 1 - f.origin) / 64;
    const std::uint64_t begin = ~std::uint64_t{0} << (from & 63),
                        end = ~std::uint64_t{0} >> (63 - ((to - 1) & 63));
    const std::uint64_t apart = a == z ? 0 : ~std::uint64_t{0};
    // In one word the bits are begin & end; in two, begin's in the first and end's in the second.
    // Where both writes hit the same word the second changes nothing.
    words[a] &= ~(begin & (end | apart));
    words[z] &= ~(end & (begin | apart));
    for (std::uint32_t k = a + 1; k < z; ++k)
      words[k] = 0;
  });
}

// Many short runs: flips one bit at each border. A prefix xor over all bits then turns borders into
// stretches.
DVK_INLINE void flip_borders(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                             std::uint64_t* words, std::uint32_t* unit) {
  each_run(c, lo, hi, unit, [&](std::uint32_t from, std::uint32_t to) {
    flip_bit(words, from - f.origin);
    if (to - f.origin < 64 * f.words) flip_bit(words, to - f.origin);
  });
}

// Appends the stretches between deleted ranges: deleted_range(from, to) in ascending order,
// finish() at the end. iota(out, n, first) writes one.
template <class T, class Iota>
class gap_writer {
 public:
  DVK_INLINE_MEMBER gap_writer(T* out, std::uint32_t lo, std::uint64_t first, Iota iota)
      : begin_(out), out_(out), done_(lo), shift_(first - lo), iota_(iota) {}
  DVK_INLINE_MEMBER void deleted_range(std::uint32_t from, std::uint32_t to) {
    if (from > done_) live_until(from);
    done_ = to > done_ ? to : done_;
  }
  DVK_INLINE_MEMBER std::uint32_t finish(std::uint32_t hi) {
    if (hi > done_) live_until(hi);
    return static_cast<std::uint32_t>(out_ - begin_);
  }

 private:
  DVK_INLINE_MEMBER void live_until(std::uint32_t slot) {
    iota_(out_, slot - done_, shift_ + done_);
    out_ += slot - done_;
  }
  T* begin_;
  T* out_;
  std::uint32_t done_;
  std::uint64_t shift_;
  Iota iota_;
};

}  // namespace
}  // namespace dvk::inline v0::detail
