// Which way a segment takes, written once for the vector tiers: decided from a few loads, by
// thresholds of each tier (measured, see README.md).
//
// A tier brings `Ops`, a struct of static members. Thresholds:
//   sparse_array_share           up to rows / share deleted values, live rows are a few long
//                                stretches, each written as a fill
//   sparse_runs(rows, deleted)   the number of runs up to which the list is written stretch by
//                                stretch
//   crowded_share, crowded_rows  array values above rows / share are marked as bytes, since xors
//                                into the same word wait for each other; only in segments of at
//                                most crowded_rows rows, 0 for never
//   dense_run_share              runs above rows / share: borders are toggled instead of
//                                stretches cleared
//   few_live                     bitsets with more rows deleted than this leave most vectors of a
//                                word empty
// Operations:
//   first_value, first_run       as in segment.hpp
//   words_equal(from, count, value)          whether `count` payload words all have this value
//   flip_words(from, count, flip, words)     copies payload words, each xor `flip`
//   set_words(words, count, value)
//   each_value(c, lo, hi, unit, put)         put(slot) for the array's values from *unit on that
//                                            lie in [lo, hi); moves *unit past them
//   spread_borders(words, count, ground)     inclusive prefix xor of all bits, then xor `ground`
//   zeros(bytes)                             bit b of the result: byte b of 64 is zero; only with
//                                            crowded_rows
//   decode<few>(f, head, bits, first, out, word)   decode_* of frame words word(0), word(1), ...,
//                                            each asked for once, in order; applies the frame's
//                                            head and tail. `few`: most words have few bits set
//   array_edges(c, lo, hi, w, end, unit)     adds the array's values in [lo, hi) to the
//                                            edge_writer, whose room ends at `end`; moves *unit
//   iota(out, n, first)                      as iota_*
#pragma once

#include <cstddef>
#include <cstdint>

#include "selection/edges.hpp"
#include "selection/fill.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

template <class Ops>
DVK_INLINE opening open_listed(const container& c, std::uint32_t lo, std::uint32_t hi,
                               std::uint32_t hint) {
  return c.type == array_container ? open_array(c, lo, hi, Ops::first_value(c, lo, hint))
                                   : open_run(c, lo, hi, Ops::first_run(c, lo, hint));
}

template <class Ops>
DVK_INLINE segment_kind open_words(const container& c, const frame& f) {
  return open_bitset(c, f, [&](std::uint64_t value) {
    return Ops::words_equal(c.payload + f.origin / 8 + 8, f.words - 2, value);
  });
}

template <class Ops>
DVK_INLINE void fill_array(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                           std::uint64_t ground, std::uint64_t* words, std::uint32_t* unit) {
  Ops::set_words(words, f.words, ground);
  Ops::each_value(c, lo, hi, unit, [&](std::uint32_t slot) { flip_bit(words, slot - f.origin); });
}

template <class Ops>
DVK_INLINE void fill_runs(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                          std::uint64_t ground, std::uint64_t* words, std::uint32_t* unit) {
  if (more_runs_than(c, *unit, (hi - lo) / Ops::dense_run_share, hi)) {
    Ops::set_words(words, f.words, 0);
    flip_borders(c, f, lo, hi, words, unit);
    Ops::spread_borders(words, f.words, ground);
  } else if (ground == 0) {
    Ops::set_words(words, f.words, 0);
    each_run(c, lo, hi, unit, [&](std::uint32_t from, std::uint32_t to) {
      flip_bits(words, from - f.origin, to - f.origin);
    });
  } else {
    Ops::set_words(words, f.words, ground);
    clear_runs(c, f, lo, hi, words, unit);
  }
}

template <class Ops>
segment_kind fill(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                  std::uint64_t* words, std::uint32_t* hint) noexcept {
  const frame f = frame_of(lo, hi);
  const std::uint64_t ground = deleted ? 0 : ~std::uint64_t{0};
  if (c.type == bitset_container) {
    const segment_kind kind = open_words<Ops>(c, f);
    if (kind != segment_kind::mixed) return kind;
    Ops::flip_words(c.payload + f.origin / 8, f.words, ground, words);
  } else {
    const opening o = open_listed<Ops>(c, lo, hi, *hint);
    *hint = o.unit;
    if (o.kind != segment_kind::mixed) return o.kind;
    if (c.type == array_container) {
      fill_array<Ops>(c, f, lo, hi, ground, words, hint);
    } else {
      fill_runs<Ops>(c, f, lo, hi, ground, words, hint);
    }
  }
  words[0] &= f.head;
  words[f.words - 1] &= f.tail;
  return segment_kind::mixed;
}

template <class Ops, class T>
DVK_INLINE auto gaps(T* out, std::uint32_t lo, std::uint64_t first) {
  const auto iota = [](T* o, std::size_t n, std::uint64_t from) { Ops::iota(o, n, from); };
  return gap_writer<T, decltype(iota)>(out, lo, first, iota);
}

template <class Ops, class T>
DVK_INLINE std::uint32_t array_indices(const container& c, const frame& f, std::uint32_t lo,
                                       std::uint32_t hi, bool deleted, std::uint64_t first, T* out,
                                       std::uint32_t* unit) {
  if (deleted) {  // the values are the list
    T* o = out;
    Ops::each_value(c, lo, hi, unit,
                    [&](std::uint32_t slot) { *o++ = static_cast<T>(first + (slot - lo)); });
    return static_cast<std::uint32_t>(o - out);
  }
  const std::uint32_t rows = hi - lo;
  if (!more_values_than(c, *unit, rows / Ops::sparse_array_share, hi)) {
    auto live = gaps<Ops>(out, lo, first);
    Ops::each_value(c, lo, hi, unit,
                    [&](std::uint32_t slot) { live.deleted_range(slot, slot + 1); });
    return live.finish(hi);
  }
  const std::size_t head = lo - f.origin, bits = hi - f.origin;
  if constexpr (Ops::crowded_rows != 0) {
    if (rows <= Ops::crowded_rows && more_values_than(c, *unit, rows / Ops::crowded_share, hi)) {
      alignas(64) std::uint64_t marks[(Ops::crowded_rows + 64) / 8];
      Ops::set_words(marks, 8 * f.words, 0);
      auto* bytes = reinterpret_cast<std::uint8_t*>(marks);
      Ops::each_value(c, lo, hi, unit, [&](std::uint32_t slot) { bytes[slot - f.origin] = 1; });
      return static_cast<std::uint32_t>(Ops::template decode<false>(
          f, head, bits, first - head, out,
          [&](std::uint32_t k) { return Ops::zeros(bytes + 64 * std::size_t{k}); }));
    }
  }
  std::uint64_t words[max_frame_words];
  fill_array<Ops>(c, f, lo, hi, ~std::uint64_t{0}, words, unit);
  return static_cast<std::uint32_t>(Ops::template decode<false>(
      f, head, bits, first - head, out, [&](std::uint32_t k) { return words[k]; }));
}

template <class Ops, class T>
DVK_INLINE std::uint32_t run_indices(const container& c, const frame& f, std::uint32_t lo,
                                     std::uint32_t hi, bool deleted, std::uint64_t first, T* out,
                                     std::uint32_t* unit) {
  if (!more_runs_than(c, *unit, Ops::sparse_runs(hi - lo, deleted), hi)) {
    if (deleted) {
      T* o = out;
      each_run(c, lo, hi, unit, [&](std::uint32_t from, std::uint32_t to) {
        Ops::iota(o, to - from, first + (from - lo));
        o += to - from;
      });
      return static_cast<std::uint32_t>(o - out);
    }
    auto live = gaps<Ops>(out, lo, first);
    each_run(c, lo, hi, unit,
             [&](std::uint32_t from, std::uint32_t to) { live.deleted_range(from, to); });
    return live.finish(hi);
  }
  std::uint64_t words[max_frame_words];
  fill_runs<Ops>(c, f, lo, hi, deleted ? 0 : ~std::uint64_t{0}, words, unit);
  const std::size_t head = lo - f.origin;
  return static_cast<std::uint32_t>(Ops::template decode<false>(
      f, head, hi - f.origin, first - head, out, [&](std::uint32_t k) { return words[k]; }));
}

template <class Ops, class T>
segment_result indices(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                       std::uint64_t first, T* out, std::uint32_t* hint) noexcept {
  const frame f = frame_of(lo, hi);
  if (c.type == bitset_container) {
    const segment_kind kind = open_words<Ops>(c, f);
    if (kind != segment_kind::mixed) return {0, kind};
    const std::size_t head = lo - f.origin, bits = hi - f.origin;
    const std::uint64_t flip = deleted ? 0 : ~std::uint64_t{0};
    const auto word = [&](std::uint32_t k) { return bitset_word(c, f, k) ^ flip; };
    const std::uint32_t wanted = deleted ? units(c) : container_rows - units(c);
    const std::size_t n = wanted < container_rows - Ops::few_live
                              ? Ops::template decode<true>(f, head, bits, first - head, out, word)
                              : Ops::template decode<false>(f, head, bits, first - head, out, word);
    return {static_cast<std::uint32_t>(n), kind};
  }
  const opening o = open_listed<Ops>(c, lo, hi, *hint);
  *hint = o.unit;
  if (o.kind != segment_kind::mixed) return {0, o.kind};
  return {c.type == array_container ? array_indices<Ops>(c, f, lo, hi, deleted, first, out, hint)
                                    : run_indices<Ops>(c, f, lo, hi, deleted, first, out, hint),
          segment_kind::mixed};
}

template <class Ops>
std::uint32_t edges(const container& c, std::uint32_t lo, std::uint32_t hi, std::uint32_t first,
                    bool* deleted, std::uint32_t* out, std::uint32_t* hint) noexcept {
  if (c.type == bitset_container) {
    // A bit differs from the one before it: w ^ (w << 1), the last bit of the word before shifted
    // in. Slots before lo repeat the incoming state, so that the first edge is at lo or later.
    const frame f = frame_of(lo, hi);
    std::uint64_t carry = *deleted ? 1 : 0, w = 0;
    const auto word = [&](std::uint32_t k) {
      w = bitset_word(c, f, k);
      if (k == 0) w = carry != 0 ? w | ~f.head : w & f.head;
      const std::uint64_t e = w ^ (w << 1 | carry);
      carry = w >> 63;
      return e;
    };
    const std::size_t head = lo - f.origin;
    const std::size_t n =
        Ops::template decode<false>(f, head, hi - f.origin, std::uint64_t{first} - head, out, word);
    *deleted = (w >> ((hi - 1) & 63) & 1) != 0;
    return static_cast<std::uint32_t>(n);
  }
  edge_writer w(out, lo, first - lo, *deleted);
  if (c.type == array_container) {
    *hint = Ops::first_value(c, lo, *hint);
    Ops::array_edges(c, lo, hi, w, out + (hi - lo), hint);
  } else {
    *hint = Ops::first_run(c, lo, *hint);
    each_run(c, lo, hi, hint,
             [&](std::uint32_t from, std::uint32_t to) { w.deleted_range(from, to); });
  }
  w.finish(hi);
  *deleted = w.deleted_;
  return static_cast<std::uint32_t>(w.out_ - out);
}

template <class Ops, class T>
std::size_t decode(const std::uint64_t* words, std::size_t head, std::size_t bits,
                   std::uint64_t first, T* out) noexcept {
  const frame f{0, static_cast<std::uint32_t>((bits + 63) / 64), ~std::uint64_t{0},
                ~std::uint64_t{0}};
  return Ops::template decode<false>(f, head, bits, first, out,
                                     [&](std::uint32_t k) { return words[k]; });
}

template <class Ops, class T>
void iota(T* out, std::size_t n, std::uint64_t first) noexcept {
  Ops::iota(out, n, first);
}

}  // namespace
}  // namespace dvk::inline v0::detail
