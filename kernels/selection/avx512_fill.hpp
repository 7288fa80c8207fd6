// AVX-512: from containers to mask words.
//
// All writers here flip or set bits of *deleted* slots on a ground of zeros (deleted rows wanted)
// or ones (live rows wanted).
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

// lower_bound that ends in one masked compare of up to 32 values instead of the last five halvings.
DVK_INLINE std::uint32_t lower_bound_512(const std::uint8_t* values, std::uint32_t n,
                                         std::uint32_t x) {
  const std::uint8_t* base = values;
  while (n > 32) {
    const std::uint32_t half = n / 2;
    base += load_le16(base + 2 * (half - 1)) < x ? 2 * half : 0;
    n -= half;
  }
  const __mmask32 valid = _bzhi_u32(~0u, n);
  const __m512i v = _mm512_maskz_loadu_epi16(valid, base);
  const __mmask32 below =
      _mm512_mask_cmplt_epu16_mask(valid, v, _mm512_set1_epi16(static_cast<short>(x)));
  return static_cast<std::uint32_t>(base - values) / 2 +
         static_cast<std::uint32_t>(_mm_popcnt_u32(below));
}

// runs_before likewise, with up to 16 runs: a run ends at start + length, one past its last slot,
// which must be <= x.
DVK_INLINE std::uint32_t runs_before_512(const std::uint8_t* runs, std::uint32_t n,
                                         std::uint32_t x) {
  std::uint32_t first = 0;
  while (n > 16) {
    const std::uint32_t half = n / 2;
    first += run_at(runs, first + half - 1).end <= x ? half : 0;
    n -= half;
  }
  const auto valid = static_cast<__mmask16>(_bzhi_u32(0xffff, n));
  const __m512i v = _mm512_maskz_loadu_epi32(valid, runs + 4 * std::size_t{first});
  const __m512i last =
      _mm512_add_epi32(_mm512_and_si512(v, _mm512_set1_epi32(0xffff)), _mm512_srli_epi32(v, 16));
  const __mmask16 before =
      _mm512_mask_cmplt_epu32_mask(valid, last, _mm512_set1_epi32(static_cast<int>(x)));
  return first + static_cast<std::uint32_t>(_mm_popcnt_u32(before));
}

DVK_INLINE opening open_array_512(const container& c, std::uint32_t lo, std::uint32_t hi,
                                  std::uint32_t hint) {
  const std::uint32_t n = units(c);
  const bool right = hint <= n && (hint == 0 || load_le16(c.payload + 2 * (hint - 1)) < lo) &&
                     (hint == n || load_le16(c.payload + 2 * hint) >= lo);
  return open_array(c, lo, hi, right ? hint : lower_bound_512(c.payload, n, lo));
}
DVK_INLINE opening open_run_512(const container& c, std::uint32_t lo, std::uint32_t hi,
                                std::uint32_t hint) {
  const std::uint32_t n = units(c);
  const bool right = hint <= n && (hint == 0 || run_at(c.payload, hint - 1).end <= lo) &&
                     (hint == n || run_at(c.payload, hint).end > lo);
  return open_run(c, lo, hi, right ? hint : runs_before_512(c.payload, n, lo));
}
DVK_INLINE segment_kind open_bitset_512(const container& c, const frame& f) {
  return open_bitset(c, f, [&](std::uint64_t value) {
    const __m512i expected = _mm512_set1_epi64(static_cast<long long>(value));
    const std::uint8_t* from = c.payload + f.origin / 8;
    for (std::uint32_t k = 1; k + 1 < f.words; k += 8) {
      const auto valid =
          static_cast<__mmask8>(_bzhi_u32(0xff, f.words - 1 - k < 8 ? f.words - 1 - k : 8));
      const __m512i v = _mm512_maskz_loadu_epi64(valid, from + 8 * k);
      if (_mm512_mask_cmpneq_epi64_mask(valid, v, expected) != 0) return false;
    }
    return true;
  });
}

DVK_INLINE void set_words(std::uint64_t* words, std::uint32_t count, std::uint64_t value) {
  const __m512i v = _mm512_set1_epi64(static_cast<long long>(value));
  std::uint32_t k = 0;
  for (; k + 8 <= count; k += 8)
    _mm512_storeu_si512(words + k, v);
  _mm512_mask_storeu_epi64(words + k, static_cast<__mmask8>(_bzhi_u32(0xff, count - k)), v);
}

// Calls put(slot) for the array's values from *unit on that lie in [lo, hi), and moves *unit past
// them. Values are compared with the bounds 32 at a time, which is the one check that unsorted
// payloads need, and spares the loop a branch a value.
template <class Put>
DVK_INLINE void each_value(const container& c, std::uint32_t lo, std::uint32_t hi,
                           std::uint32_t* unit, Put put) {
  const std::uint32_t n = units(c);
  const __m512i low = _mm512_set1_epi16(static_cast<short>(lo));
  const __m512i most = _mm512_set1_epi16(static_cast<short>(hi - lo - 1));
  std::uint32_t i = *unit;
  while (i < n) {
    const __mmask32 valid = _bzhi_u32(~0u, n - i < 32 ? n - i : 32);
    const __m512i v = _mm512_maskz_loadu_epi16(valid, c.payload + 2 * std::size_t{i});
    const __mmask32 inside = _mm512_mask_cmple_epu16_mask(valid, _mm512_sub_epi16(v, low), most);
    const auto count = static_cast<std::uint32_t>(_tzcnt_u64(~std::uint64_t{inside}));
    const std::uint8_t* p = c.payload + 2 * std::size_t{i};
    std::uint32_t k = 0;
    for (; k + 4 <= count; k += 4) {
      const std::uint64_t four = load_le64(p + 2 * k);
      put(static_cast<std::uint32_t>(four & 0xffff));
      put(static_cast<std::uint32_t>((four >> 16) & 0xffff));
      put(static_cast<std::uint32_t>((four >> 32) & 0xffff));
      put(static_cast<std::uint32_t>(four >> 48));
    }
    for (; k < count; ++k)
      put(load_le16(p + 2 * k));
    i += count;
    if (count < 32) break;
  }
  *unit = i;
}

DVK_INLINE void flip_array(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                           std::uint64_t* words, std::uint32_t* unit) {
  each_value(c, lo, hi, unit, [&](std::uint32_t slot) {
    const std::uint32_t bit = slot - f.origin;
    words[bit / 64] ^= std::uint64_t{1} << (bit & 63);
  });
}

// Calls put(from, to) for the runs from *unit on, clipped to the segment, and leaves *unit at the
// first run that ends after hi.
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

// Many short runs: flip one bit at each border, then let a prefix xor over all bits turn borders
// into stretches. A carry-less product with all ones is the prefix xor of 64 bits; the parity of
// the words before enters as a complement.
DVK_INLINE void toggle_runs(const container& c, const frame& f, std::uint32_t lo, std::uint32_t hi,
                            std::uint64_t ground, std::uint64_t* words, std::uint32_t* unit) {
  set_words(words, f.words, 0);
  each_run(c, lo, hi, unit, [&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t a = from - f.origin, z = to - f.origin;
    words[a / 64] ^= std::uint64_t{1} << (a & 63);
    if (z < 64 * f.words) words[z / 64] ^= std::uint64_t{1} << (z & 63);
  });
  const __m512i ones = _mm512_set1_epi64(-1);
  std::uint32_t flipped =
      ground != 0 ? 0xff : 0;  // whether the words so far left the state at one: all lanes alike
  for (std::uint32_t k = 0; k < f.words; k += 8) {
    const auto valid = static_cast<__mmask8>(_bzhi_u32(0xff, f.words - k < 8 ? f.words - k : 8));
    __m512i v = _mm512_maskz_loadu_epi64(valid, words + k);
    v = _mm512_unpacklo_epi64(_mm512_clmulepi64_epi128(v, ones, 0x00),
                              _mm512_clmulepi64_epi128(v, ones, 0x11));
    std::uint32_t parity =
        _mm512_movepi64_mask(v);  // bit 63 of a prefix xor is the parity of its word
    parity ^= parity << 1;
    parity ^= parity << 2;
    parity ^= parity << 4;
    v = _mm512_mask_xor_epi64(v, static_cast<__mmask8>((parity << 1) ^ flipped), v, ones);
    _mm512_mask_storeu_epi64(words + k, valid, v);
    if ((parity & 0x80) != 0) flipped ^= 0xff;
  }
}

}  // namespace
}  // namespace dvk::inline v0::detail
