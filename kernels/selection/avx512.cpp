// AVX-512 tier (Ice Lake set: VBMI2, VPOPCNTDQ, VPCLMULQDQ). Which path a segment takes is decided
// from a few loads; the thresholds and their measurements are in README.md.
#include "selection/avx512_decode.hpp"
#include "selection/avx512_edges.hpp"
#include "selection/avx512_fill.hpp"
#include "selection/avx512_forms.hpp"

namespace dvk::inline v0::detail {
namespace {

// Deleted rows (or runs) up to rows / sparse_share: the live rows are a few long stretches, each
// written as a fill.
constexpr std::uint32_t sparse_array_share = 512, sparse_run_share = 1024;
// Array values above rows / crowded_share: marked as bytes, since xors into the same word wait for
// each other.
constexpr std::uint32_t crowded_share = 48;
constexpr std::uint32_t crowded_rows = 16384;
// Runs above rows / dense_run_share: borders are toggled instead of stretches cleared.
constexpr std::uint32_t dense_run_share = 64;
// Bitsets with more rows deleted than this leave most of a word's vectors empty.
constexpr std::uint32_t few_live = 28000;

DVK_INLINE bool more_values_than(const container& c, std::uint32_t unit, std::uint32_t count,
                                 std::uint32_t hi) {
  return units(c) - unit > count && load_le16(c.payload + 2 * std::size_t{unit + count}) < hi;
}
DVK_INLINE bool more_runs_than(const container& c, std::uint32_t unit, std::uint32_t count,
                               std::uint32_t hi) {
  return units(c) - unit > count && load_le16(c.payload + 4 * std::size_t{unit + count}) < hi;
}

segment_kind fill(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                  std::uint64_t* words, std::uint32_t* hint) noexcept {
  const frame f = frame_of(lo, hi);
  const std::uint64_t ground = deleted ? 0 : ~std::uint64_t{0};
  if (c.type == bitset_container) {
    const segment_kind kind = open_bitset_512(c, f);
    if (kind != segment_kind::mixed) return kind;
    const __m512i flip = _mm512_set1_epi64(static_cast<long long>(ground));
    const std::uint8_t* from = c.payload + f.origin / 8;
    for (std::uint32_t k = 0; k < f.words; k += 8) {
      const auto valid = static_cast<__mmask8>(_bzhi_u32(0xff, f.words - k < 8 ? f.words - k : 8));
      _mm512_mask_storeu_epi64(
          words + k, valid, _mm512_xor_si512(_mm512_maskz_loadu_epi64(valid, from + 8 * k), flip));
    }
  } else if (c.type == array_container) {
    const opening o = open_array_512(c, lo, hi, *hint);
    *hint = o.unit;
    if (o.kind != segment_kind::mixed) return o.kind;
    set_words(words, f.words, ground);
    flip_array(c, f, lo, hi, words, hint);
  } else {
    const opening o = open_run_512(c, lo, hi, *hint);
    *hint = o.unit;
    if (o.kind != segment_kind::mixed) return o.kind;
    if (more_runs_than(c, o.unit, (hi - lo) / dense_run_share, hi)) {
      toggle_runs(c, f, lo, hi, ground, words, hint);
    } else if (deleted) {
      set_words(words, f.words, 0);
      each_run(c, lo, hi, hint, [&](std::uint32_t from, std::uint32_t to) {
        flip_bits(words, from - f.origin, to - f.origin);
      });
    } else {
      set_words(words, f.words, ground);
      clear_runs(c, f, lo, hi, words, hint);
    }
  }
  words[0] &= f.head;
  words[f.words - 1] &= f.tail;
  return segment_kind::mixed;
}

// Appends the stretches between deleted ranges: deleted_range(from, to) in ascending order,
// finish() at the end.
template <class T>
class gap_writer {
 public:
  DVK_INLINE_MEMBER gap_writer(T* out, std::uint32_t lo, std::uint64_t first)
      : begin_(out), out_(out), done_(lo), shift_(first - lo) {}
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
    iota_exact(out_, slot - done_, shift_ + done_);
    out_ += slot - done_;
  }
  T* begin_;
  T* out_;
  std::uint32_t done_;
  std::uint64_t shift_;
};

template <class T>
DVK_INLINE std::uint32_t array_indices(const container& c, const frame& f, std::uint32_t lo,
                                       std::uint32_t hi, bool deleted, std::uint64_t first, T* out,
                                       std::uint32_t* hint) {
  const std::uint32_t rows = hi - lo;
  if (!deleted && !more_values_than(c, *hint, rows / sparse_array_share, hi)) {
    gap_writer<T> gaps(out, lo, first);
    each_value(c, lo, hi, hint, [&](std::uint32_t slot) { gaps.deleted_range(slot, slot + 1); });
    return gaps.finish(hi);
  }
  if (deleted) {  // the values are the list
    T* o = out;
    each_value(c, lo, hi, hint,
               [&](std::uint32_t slot) { *o++ = static_cast<T>(first + (slot - lo)); });
    return static_cast<std::uint32_t>(o - out);
  }
  const std::size_t head = lo - f.origin, bits = hi - f.origin;
  if (rows <= crowded_rows && more_values_than(c, *hint, rows / crowded_share, hi)) {
    alignas(64) std::uint8_t marks[crowded_rows + 64];
    for (std::uint32_t k = 0; k < f.words; ++k)
      _mm512_store_si512(marks + 64 * k, _mm512_setzero_si512());
    each_value(c, lo, hi, hint, [&](std::uint32_t slot) { marks[slot - f.origin] = 1; });
    return static_cast<std::uint32_t>(
        decode_frame<false>(f, head, bits, first - head, out, [&](std::uint32_t k) {
          const __m512i m = _mm512_load_si512(marks + 64 * k);
          return _mm512_testn_epi8_mask(m, m);
        }));
  }
  std::uint64_t words[max_frame_words];
  set_words(words, f.words, ~std::uint64_t{0});
  flip_array(c, f, lo, hi, words, hint);
  return static_cast<std::uint32_t>(decode_frame<false>(f, head, bits, first - head, out,
                                                        [&](std::uint32_t k) { return words[k]; }));
}

template <class T>
DVK_INLINE std::uint32_t run_indices(const container& c, const frame& f, std::uint32_t lo,
                                     std::uint32_t hi, bool deleted, std::uint64_t first, T* out,
                                     std::uint32_t* hint) {
  const std::uint32_t rows = hi - lo;
  if (!more_runs_than(c, *hint, rows / sparse_run_share, hi)) {
    if (deleted) {
      T* o = out;
      each_run(c, lo, hi, hint, [&](std::uint32_t from, std::uint32_t to) {
        iota_exact(o, to - from, first + (from - lo));
        o += to - from;
      });
      return static_cast<std::uint32_t>(o - out);
    }
    gap_writer<T> gaps(out, lo, first);
    each_run(c, lo, hi, hint,
             [&](std::uint32_t from, std::uint32_t to) { gaps.deleted_range(from, to); });
    return gaps.finish(hi);
  }
  std::uint64_t words[max_frame_words];
  if (deleted || more_runs_than(c, *hint, rows / dense_run_share, hi)) {
    toggle_runs(c, f, lo, hi, deleted ? 0 : ~std::uint64_t{0}, words, hint);
  } else {
    set_words(words, f.words, ~std::uint64_t{0});
    clear_runs(c, f, lo, hi, words, hint);
  }
  const std::size_t head = lo - f.origin, bits = hi - f.origin;
  return static_cast<std::uint32_t>(decode_frame<false>(f, head, bits, first - head, out,
                                                        [&](std::uint32_t k) { return words[k]; }));
}

template <class T>
segment_result indices(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                       std::uint64_t first, T* out, std::uint32_t* hint) noexcept {
  const frame f = frame_of(lo, hi);
  const std::size_t head = lo - f.origin, bits = hi - f.origin;
  if (c.type == bitset_container) {
    const segment_kind kind = open_bitset_512(c, f);
    if (kind != segment_kind::mixed) return {0, kind};
    const std::uint64_t flip = deleted ? 0 : ~std::uint64_t{0};
    const auto word = [&](std::uint32_t k) { return bitset_word(c, f, k) ^ flip; };
    const std::uint32_t wanted = deleted ? units(c) : container_rows - units(c);
    const std::size_t n = wanted < container_rows - few_live
                              ? decode_frame<true>(f, head, bits, first - head, out, word)
                              : decode_frame<false>(f, head, bits, first - head, out, word);
    return {static_cast<std::uint32_t>(n), kind};
  }
  const bool array = c.type == array_container;
  const opening o = array ? open_array_512(c, lo, hi, *hint) : open_run_512(c, lo, hi, *hint);
  *hint = o.unit;
  if (o.kind != segment_kind::mixed) return {0, o.kind};
  return {array ? array_indices(c, f, lo, hi, deleted, first, out, hint)
                : run_indices(c, f, lo, hi, deleted, first, out, hint),
          segment_kind::mixed};
}

template <class T>
void iota(T* out, std::size_t n, std::uint64_t first) noexcept {
  iota_exact(out, n, first);
}

template <class T>
std::size_t decode(const std::uint64_t* words, std::size_t head, std::size_t bits,
                   std::uint64_t first, T* out) noexcept {
  const frame f{0, static_cast<std::uint32_t>((bits + 63) / 64), ~std::uint64_t{0},
                ~std::uint64_t{0}};
  return decode_frame<false>(f, head, bits, first, out, [&](std::uint32_t k) { return words[k]; });
}

std::uint32_t edges(const container& c, std::uint32_t lo, std::uint32_t hi, std::uint32_t first,
                    bool* deleted, std::uint32_t* out, std::uint32_t* hint) noexcept {
  if (c.type == bitset_container) {
    // A bit differs from the one before it: w ^ (w << 1), the last bit of the word before shifted
    // in. Slots before lo repeat the incoming state, so that the first edge is at lo or later.
    const frame f = frame_of(lo, hi);
    std::uint64_t carry = *deleted ? 1 : 0;
    std::uint64_t w = 0;
    const auto word = [&](std::uint32_t k) {
      w = bitset_word(c, f, k);
      if (k == 0) w = carry != 0 ? w | ~f.head : w & f.head;
      const std::uint64_t e = w ^ (w << 1 | carry);
      carry = w >> 63;
      return e;
    };
    const std::size_t head = lo - f.origin;
    const std::size_t n =
        decode_frame<false>(f, head, hi - f.origin, std::uint64_t{first} - head, out, word);
    *deleted = ((w >> ((hi - 1) & 63)) & 1) != 0;
    return static_cast<std::uint32_t>(n);
  }
  edge_writer w(out, lo, first - lo, *deleted);
  if (c.type == array_container) {
    const opening o = open_array_512(c, lo, hi, *hint);
    *hint = o.kind == segment_kind::none_live ? o.unit - (hi - lo) : o.unit;
    array_edges(c, lo, hi, w, out + (hi - lo), hint);
  } else {
    const opening o = open_run_512(c, lo, hi, *hint);
    if (o.kind == segment_kind::none_live) {
      w.deleted_range(lo, hi);
      *hint = o.unit;
    } else {
      *hint = o.unit;
      each_run(c, lo, hi, hint,
               [&](std::uint32_t from, std::uint32_t to) { w.deleted_range(from, to); });
    }
  }
  w.finish(hi);
  *deleted = w.deleted_;
  return static_cast<std::uint32_t>(w.out_ - out);
}

std::size_t popcount(const std::uint64_t* words, std::size_t count) noexcept {
  return popcount_512(words, count);
}

template <merge_kind kind>
void spread(const std::uint64_t* words, std::size_t bit, std::size_t n,
            std::uint8_t* out) noexcept {
  spread_bits<kind>(words, bit, n, out);
}
template <merge_kind kind>
void move(const std::uint64_t* source, std::size_t from, std::size_t n, std::uint64_t* target,
          std::size_t to) noexcept {
  move_bits_512<kind>(source, from, n, target, to);
}
template <class T>
std::size_t filter(const std::uint64_t* words, std::uint32_t bit, std::uint32_t window, T first,
                   const T* in, std::size_t n, T* out, std::size_t* taken) noexcept {
  return filter_512(words, bit, window, first, in, n, out, taken);
}

}  // namespace

namespace selection {
constinit const selection_table avx512{
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
