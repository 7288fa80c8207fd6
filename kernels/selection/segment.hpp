// What every tier does alike with a segment: find its first value or run, read values safely, write
// its mask.
//
// Everything here is inlined into the tier that includes it. All of it is safe on lying payloads
// (trusted level): values are compared with the segment's bounds before they are used as an index,
// so unsorted arrays and overlong runs give wrong rows and nothing worse.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/load.hpp"
#include "selection/selection.hpp"

namespace dvk::inline v0::detail {
namespace {

using bytes::load_le16;
using bytes::load_le32;
using bytes::load_le64;

DVK_INLINE std::uint32_t units(const container& c) {
  return static_cast<std::uint32_t>(c.units_minus_one) + 1;
}

// A run's bounds in slots: [begin, end), end up to 131,071 on a lying payload.
struct run_bounds {
  std::uint32_t begin;
  std::uint32_t end;
};
DVK_INLINE run_bounds run_at(const std::uint8_t* runs, std::uint32_t i) {
  const std::uint32_t pair = load_le32(runs + 4 * std::size_t{i});
  const std::uint32_t begin = pair & 0xffff;
  return {begin, begin + (pair >> 16) + 1};
}

// Number of values below x: halving without branches, since the comparisons of a random search are
// coin tosses.
DVK_INLINE std::uint32_t lower_bound(const std::uint8_t* values, std::uint32_t n, std::uint32_t x) {
  const std::uint8_t* base = values;
  while (n > 1) {
    const std::uint32_t half = n / 2;
    base += load_le16(base + 2 * (half - 1)) < x ? 2 * half : 0;
    n -= half;
  }
  return static_cast<std::uint32_t>(base - values) / 2 + (n == 1 && load_le16(base) < x ? 1 : 0);
}

// Number of runs that end at or before slot x.
DVK_INLINE std::uint32_t runs_before(const std::uint8_t* runs, std::uint32_t n, std::uint32_t x) {
  std::uint32_t first = 0;
  while (n > 1) {
    const std::uint32_t half = n / 2;
    first += run_at(runs, first + half - 1).end <= x ? half : 0;
    n -= half;
  }
  return first + (n == 1 && run_at(runs, first).end <= x ? 1 : 0);
}

// Whether the hint is right, which two loads tell.
DVK_INLINE bool is_first_value(const container& c, std::uint32_t lo, std::uint32_t hint) {
  const std::uint32_t n = units(c);
  return hint <= n && (hint == 0 || load_le16(c.payload + 2 * (hint - 1)) < lo) &&
         (hint == n || load_le16(c.payload + 2 * hint) >= lo);
}
DVK_INLINE bool is_first_run(const container& c, std::uint32_t lo, std::uint32_t hint) {
  const std::uint32_t n = units(c);
  return hint <= n && (hint == 0 || run_at(c.payload, hint - 1).end <= lo) &&
         (hint == n || run_at(c.payload, hint).end > lo);
}

// First array value >= lo.
DVK_INLINE std::uint32_t first_value(const container& c, std::uint32_t lo, std::uint32_t hint) {
  return is_first_value(c, lo, hint) ? hint : lower_bound(c.payload, units(c), lo);
}

// First run that ends after lo.
DVK_INLINE std::uint32_t first_run(const container& c, std::uint32_t lo, std::uint32_t hint) {
  return is_first_run(c, lo, hint) ? hint : runs_before(c.payload, units(c), lo);
}

// The frame of a segment: word 0 holds slot `origin`; head and tail mask out the slots that are not
// the segment's.
struct frame {
  std::uint32_t origin;
  std::uint32_t words;
  std::uint64_t head;
  std::uint64_t tail;
};
DVK_INLINE frame frame_of(std::uint32_t lo, std::uint32_t hi) {
  const std::uint32_t origin = lo & ~63u;
  return {origin, (hi - origin + 63) / 64, ~std::uint64_t{0} << (lo & 63),
          ~std::uint64_t{0} >> ((64 - (hi & 63)) & 63)};
}

// Flips bits [begin, end) of the mask; begin < end.
DVK_INLINE void flip_bits(std::uint64_t* words, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t a = begin / 64, z = (end - 1) / 64;
  const std::uint64_t from = ~std::uint64_t{0} << (begin & 63);
  const std::uint64_t to = ~std::uint64_t{0} >> ((64 - (end & 63)) & 63);
  if (a == z) {
    words[a] ^= from & to;
    return;
  }
  words[a] ^= from;
  for (std::uint32_t k = a + 1; k < z; ++k)
    words[k] = ~words[k];
  words[z] ^= to;
}

// Uniform or not, before anything is written; `unit` is the first value >= lo, or the first run
// that ends after lo, unless the segment is uniform: then it is the same for hi.
struct opening {
  segment_kind kind;
  std::uint32_t unit;
};

// `first`: first_value's answer. A strictly ascending array has all n slots of the segment exactly
// if its n-th value from there on lies in it.
DVK_INLINE opening open_array(const container& c, std::uint32_t lo, std::uint32_t hi,
                              std::uint32_t first) {
  const std::uint32_t n = units(c);
  if (first == n || load_le16(c.payload + 2 * first) >= hi) return {segment_kind::all_live, first};
  const std::uint32_t rows = hi - lo;
  if (rows <= n - first && load_le16(c.payload + 2 * (first + rows - 1)) < hi) {
    return {segment_kind::none_live, first + rows};
  }
  return {segment_kind::mixed, first};
}

// `first`: first_run's answer. Runs may touch (legal, if not canonical), so it can take several to
// cover the segment.
DVK_INLINE opening open_run(const container& c, std::uint32_t lo, std::uint32_t hi,
                            std::uint32_t first) {
  const std::uint32_t n = units(c);
  if (first == n) return {segment_kind::all_live, first};
  run_bounds r = run_at(c.payload, first);
  if (r.begin >= hi) return {segment_kind::all_live, first};
  if (r.begin > lo) return {segment_kind::mixed, first};
  std::uint32_t k = first;
  while (r.end < hi) {
    if (++k == n) return {segment_kind::mixed, first};
    const run_bounds next = run_at(c.payload, k);
    if (next.begin != r.end) return {segment_kind::mixed, first};
    r = next;
  }
  return {segment_kind::none_live, r.end > hi ? k : k + 1};
}

// A word of the payload of a bitset, frame word k.
DVK_INLINE std::uint64_t bitset_word(const container& c, const frame& f, std::uint32_t k) {
  return load_le64(c.payload + f.origin / 8 + 8 * std::size_t{k});
}

// Most bitset segments show both values in their first word, and that settles it. `uniform(value,
// from)` answers whether frame words 1 to words - 2 all equal `value`; it is asked only if the
// first word does.
template <class Uniform>
DVK_INLINE segment_kind open_bitset(const container& c, const frame& f, Uniform&& uniform) {
  const std::uint64_t head = f.words == 1 ? f.head & f.tail : f.head;
  const std::uint64_t first = bitset_word(c, f, 0) & head;
  if (first != 0 && first != head) return segment_kind::mixed;
  const std::uint64_t value = first == 0 ? 0 : ~std::uint64_t{0};
  const bool same =
      f.words == 1 || (((bitset_word(c, f, f.words - 1) ^ value) & f.tail) == 0 && uniform(value));
  if (!same) return segment_kind::mixed;
  return value == 0 ? segment_kind::all_live : segment_kind::none_live;
}

}  // namespace
}  // namespace dvk::inline v0::detail
