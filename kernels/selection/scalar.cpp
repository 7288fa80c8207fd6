// Selection, the reference tier.
//
// The question: of rows [lo, hi) of a 65,536-row container, which are live (or deleted)? The answer
// is wanted as an index list, a mask or a list of edges, at the speed at which it can be stored.
// Three facts shape all tiers:
//
// 1. A container is already sorted by row, so a batch needs one search at its start (none when it
// goes on where the last one
//    ended: the hint), and then reads its values, words or runs once, in order.
//
// 2. The mask is the meeting point. A bitset is its own mask. An array becomes one by flipping one
// bit a value, a run by flipping a
//    range of bits. From the mask every form follows without a look at the container: index lists
//    by decoding set bits, byte masks by spreading bits, other bit offsets by a funnel shift. Masks
//    live in a frame that starts at a multiple of 64 slots, so that bitset words are used as they
//    stand; bits outside the batch are masked off in the first and last word only.
//
// 3. Where few rows are deleted the mask is a detour: the list of live rows is a few long stretches
// of consecutive numbers. The
//    stretch between two deleted rows is written as a fill, whose speed is that of the store unit.
//
// Live and deleted are the same mask and its complement; the edges between them are the same for
// both. A run list of live rows and one of deleted rows differ only in the state in front of the
// first row. So edges have no polarity, and skip/select lists are their differences.
//
// This tier is plain C++, safe on any byte order, compiled without the auto-vectoriser: what the
// others are tested against and measured by.
#include "selection/edges.hpp"
#include "selection/fill.hpp"
#include "selection/merge.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

std::size_t popcount(const std::uint64_t* words, std::size_t count) noexcept {
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i)
    total += static_cast<std::size_t>(__builtin_popcountll(words[i]));
  return total;
}

segment_kind fill_bitset(const container& c, const frame& f, std::uint64_t ground,
                         std::uint64_t* words) {
  const segment_kind kind = open_bitset(c, f, [&](std::uint64_t value) {
    for (std::uint32_t k = 1; k + 1 < f.words; ++k) {
      if (bitset_word(c, f, k) != value) return false;
    }
    return true;
  });
  if (kind != segment_kind::mixed) return kind;
  for (std::uint32_t k = 0; k < f.words; ++k)
    words[k] = bitset_word(c, f, k) ^ ground;
  return kind;
}

void fill_array(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                std::uint64_t* words, std::uint32_t* hint) {
  std::uint32_t i = *hint;
  for (const std::uint32_t n = units(c); i < n; ++i) {
    const std::uint32_t slot = load_le16(c.payload + 2 * i);
    if (slot - lo >= hi - lo)
      break;  // unsigned: also stops at a value below lo, which only a lying payload has
    flip_bit(words, slot - f.origin);
  }
  *hint = i;
}

// The mask of live slots is the complement of that of deleted ones: the ground that bits are
// flipped on is all ones.
segment_kind fill(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                  std::uint64_t* words, std::uint32_t* hint) noexcept {
  const frame f = frame_of(lo, hi);
  const std::uint64_t ground = deleted ? 0 : ~std::uint64_t{0};
  if (c.type == bitset_container) {
    const segment_kind kind = fill_bitset(c, f, ground, words);
    if (kind != segment_kind::mixed) return kind;
  } else {
    const opening o = c.type == array_container ? open_array(c, lo, hi, first_value(c, lo, *hint))
                                                : open_run(c, lo, hi, first_run(c, lo, *hint));
    *hint = o.unit;
    if (o.kind != segment_kind::mixed) return o.kind;
    for (std::uint32_t k = 0; k < f.words; ++k)
      words[k] = ground;
    if (c.type == array_container) {
      fill_array(c, f, lo, hi, words, hint);
    } else {
      each_run(c, lo, hi, hint, [&](std::uint32_t from, std::uint32_t to) {
        flip_bits(words, from - f.origin, to - f.origin);
      });
    }
  }
  // A frame has a word at least. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
  words[0] &= f.head;
  words[f.words - 1] &= f.tail;
  return segment_kind::mixed;
}

template <class T>
void iota(T* out, std::size_t n, std::uint64_t first) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<T>(first + i);
}

// Full words are a straight fill, sparse ones jump from bit to bit, the rest store every index and
// advance by its bit: no branch that depends on a single row. Such a store never leaves the room:
// at bit b at most b - head indices were kept before it.
template <class T>
std::size_t decode(const std::uint64_t* words, std::size_t head, std::size_t bits,
                   std::uint64_t first, T* out) noexcept {
  T* o = out;
  for (std::size_t k = 0; 64 * k < bits; ++k, first += 64) {
    std::uint64_t w = words[k];
    if (w == ~std::uint64_t{0}) {
      for (unsigned b = 0; b < 64; ++b)
        o[b] = static_cast<T>(first + b);
      o += 64;
    } else if (__builtin_popcountll(w) < 24) {
      for (; w != 0; w &= w - 1)
        *o++ = static_cast<T>(first + static_cast<unsigned>(__builtin_ctzll(w)));
    } else {
      const std::size_t limit = bits - 64 * k < 64 ? bits - 64 * k : 64;
      for (std::size_t b = k == 0 ? head : 0; b < limit; ++b) {
        *o = static_cast<T>(first + b);
        o += (w >> b) & 1;
      }
    }
  }
  return static_cast<std::size_t>(o - out);
}

template <class T>
segment_result indices(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                       std::uint64_t first, T* out, std::uint32_t* hint) noexcept {
  std::uint64_t words[max_frame_words];
  const segment_kind kind = fill(c, lo, hi, deleted, words, hint);
  if (kind != segment_kind::mixed) return {0, kind};
  const frame f = frame_of(lo, hi);
  const std::size_t n = decode(words, lo - f.origin, hi - f.origin, first - (lo - f.origin), out);
  return {static_cast<std::uint32_t>(n), kind};
}

std::uint32_t edges(const container& c, std::uint32_t lo, std::uint32_t hi, std::uint32_t first,
                    bool* deleted, std::uint32_t* out, std::uint32_t* hint) noexcept {
  if (c.type == bitset_container) {
    // A bit differs from the bit before it: w ^ (w << 1), with the last bit of the word before
    // shifted in.
    const frame f = frame_of(lo, hi);
    std::uint32_t* o = out;
    std::uint64_t carry = *deleted ? 1 : 0;
    for (std::uint32_t k = 0; k < f.words; ++k) {
      std::uint64_t w = bitset_word(c, f, k);
      // Slots before lo repeat the incoming state, so that the first edge is at lo or later.
      if (k == 0) w = carry != 0 ? w | ~f.head : w & f.head;
      std::uint64_t e = w ^ (w << 1 | carry);
      if (k == f.words - 1) e &= f.tail;
      carry = w >> 63;
      for (; e != 0; e &= e - 1)
        *o++ = f.origin + 64 * k + static_cast<std::uint32_t>(__builtin_ctzll(e)) + first - lo;
      *deleted = ((w >> ((hi - 1) & 63)) & 1) != 0;  // of the last word: the state of slot hi - 1
    }
    return static_cast<std::uint32_t>(o - out);
  }
  edge_writer w(out, lo, first - lo, *deleted);
  if (c.type == array_container) {
    *hint = first_value(c, lo, *hint);
    plain_array_edges(c, hi, w, units(c), hint);
  } else {
    *hint = first_run(c, lo, *hint);
    each_run(c, lo, hi, hint,
             [&](std::uint32_t from, std::uint32_t to) { w.deleted_range(from, to); });
  }
  w.finish(hi);
  *deleted = w.deleted_;
  return static_cast<std::uint32_t>(w.out_ - out);
}

template <merge_kind kind>
std::size_t spread(const std::uint8_t* source, std::size_t bit, std::uint64_t flip, std::size_t n,
                   std::uint8_t* out) noexcept {
  return spread_each<kind>(source, bit, flip, n, out);
}

template <merge_kind kind>
std::size_t move(const std::uint8_t* source, std::size_t from, std::uint64_t flip, std::size_t n,
                 std::uint64_t* target, std::size_t to) noexcept {
  return move_bits<kind>(source, from, flip, n, target, to);
}

template <class T>
std::size_t filter(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                   std::uint32_t window, T first, const T* in, std::size_t n, T* out,
                   std::size_t* taken) noexcept {
  return filter_each(mask, bit, flip, window, first, in, n, out, taken, 0, 0);
}

}  // namespace

namespace selection {
constinit const selection_table scalar{
    .indices_u16 = indices<std::uint16_t>,
    .indices_u32 = indices<std::uint32_t>,
    .indices_u64 = indices<std::uint64_t>,
    .fill = fill,
    .edges = edges,
    .iota_u16 = iota<std::uint16_t>,
    .iota_u32 = iota<std::uint32_t>,
    .iota_u64 = iota<std::uint64_t>,
    .decode_u16 = decode<std::uint16_t>,
    .decode_u32 = decode<std::uint32_t>,
    .decode_u64 = decode<std::uint64_t>,
    .popcount = popcount,
    .bytes_replace = spread<merge_kind::replace>,
    .bytes_and = spread<merge_kind::both>,
    .bytes_or = spread<merge_kind::either>,
    .bits_replace = move<merge_kind::replace>,
    .bits_and = move<merge_kind::both>,
    .bits_or = move<merge_kind::either>,
    .filter_u16 = filter<std::uint16_t>,
    .filter_u32 = filter<std::uint32_t>,
};
}  // namespace selection

}  // namespace dvk::inline v0::detail
