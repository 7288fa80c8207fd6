// AVX-512: from containers to mask words. What its members do is said in paths.hpp.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "selection/fill.hpp"
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

struct fill_512 {
  static DVK_INLINE_MEMBER std::uint32_t first_value(const container& c, std::uint32_t lo,
                                                     std::uint32_t hint) {
    const std::uint32_t n = units(c);
    return is_first_value(c, lo, hint) ? hint : lower_bound_512(c.payload, n, lo);
  }
  static DVK_INLINE_MEMBER std::uint32_t first_run(const container& c, std::uint32_t lo,
                                                   std::uint32_t hint) {
    const std::uint32_t n = units(c);
    return is_first_run(c, lo, hint) ? hint : runs_before_512(c.payload, n, lo);
  }

  static DVK_INLINE_MEMBER bool words_equal(const std::uint8_t* from, std::uint32_t count,
                                            std::uint64_t value) {
    const __m512i expected = _mm512_set1_epi64(static_cast<long long>(value));
    for (std::uint32_t k = 0; k < count; k += 8) {
      const __mmask8 valid = first_lanes(count - k);
      const __m512i v = _mm512_maskz_loadu_epi64(valid, from + 8 * std::size_t{k});
      if (_mm512_mask_cmpneq_epi64_mask(valid, v, expected) != 0) return false;
    }
    return true;
  }
  static DVK_INLINE_MEMBER void flip_words(const std::uint8_t* from, std::uint32_t count,
                                           std::uint64_t flip, std::uint64_t* words) {
    const __m512i flips = _mm512_set1_epi64(static_cast<long long>(flip));
    for (std::uint32_t k = 0; k < count; k += 8) {
      const __mmask8 valid = first_lanes(count - k);
      const __m512i v = _mm512_maskz_loadu_epi64(valid, from + 8 * std::size_t{k});
      _mm512_mask_storeu_epi64(words + k, valid, _mm512_xor_si512(v, flips));
    }
  }
  static DVK_INLINE_MEMBER void set_words(std::uint64_t* words, std::uint32_t count,
                                          std::uint64_t value) {
    const __m512i v = _mm512_set1_epi64(static_cast<long long>(value));
    std::uint32_t k = 0;
    for (; k + 8 <= count; k += 8)
      _mm512_storeu_si512(words + k, v);
    _mm512_mask_storeu_epi64(words + k, first_lanes(count - k), v);
  }

  // Values are compared with the bounds 32 at a time, which is the one check that unsorted payloads
  // need, and spares the loop a branch a value.
  template <class Put>
  static DVK_INLINE_MEMBER void each_value(const container& c, std::uint32_t lo, std::uint32_t hi,
                                           std::uint32_t* unit, Put put) {
    const std::uint32_t n = units(c);
    const __m512i low = _mm512_set1_epi16(static_cast<short>(lo));
    const __m512i most = _mm512_set1_epi16(static_cast<short>(hi - lo - 1));
    const auto inside = [&](std::uint32_t i, __mmask32 valid) {
      const __m512i v = _mm512_maskz_loadu_epi16(valid, c.payload + 2 * std::size_t{i});
      return _mm512_mask_cmple_epu16_mask(valid, _mm512_sub_epi16(v, low), most);
    };
    const auto put_four = [&](const std::uint8_t* p) {
      const std::uint64_t four = load_le64(p);
      put(static_cast<std::uint32_t>(four & 0xffff));
      put(static_cast<std::uint32_t>((four >> 16) & 0xffff));
      put(static_cast<std::uint32_t>((four >> 32) & 0xffff));
      put(static_cast<std::uint32_t>(four >> 48));
    };
    std::uint32_t i = *unit;
    for (; i + 32 <= n && inside(i, ~0u) == ~0u; i += 32) {
      for (std::uint32_t k = 0; k < 32; k += 4)
        put_four(c.payload + 2 * std::size_t{i} + 2 * k);
    }
    // Up to the first value outside; a payload that goes on inside behind it lies.
    const __mmask32 rest = i < n ? inside(i, _bzhi_u32(~0u, n - i < 32 ? n - i : 32)) : 0;
    const std::uint32_t end = i + static_cast<std::uint32_t>(_tzcnt_u64(~std::uint64_t{rest}));
    for (; i + 4 <= end; i += 4)
      put_four(c.payload + 2 * std::size_t{i});
    for (; i < end; ++i)
      put(load_le16(c.payload + 2 * std::size_t{i}));
    *unit = i;
  }

  // A carry-less product with all ones is the prefix xor of 64 bits; the parity of the words before
  // enters as a complement.
  static DVK_INLINE_MEMBER void spread_borders(std::uint64_t* words, std::uint32_t count,
                                               std::uint64_t ground) {
    const __m512i ones = _mm512_set1_epi64(-1);
    // Whether the words so far left the state at one: all lanes alike.
    std::uint32_t flipped = ground != 0 ? 0xff : 0;
    for (std::uint32_t k = 0; k < count; k += 8) {
      const __mmask8 valid = first_lanes(count - k);
      __m512i v = _mm512_maskz_loadu_epi64(valid, words + k);
      v = _mm512_unpacklo_epi64(_mm512_clmulepi64_epi128(v, ones, 0x00),
                                _mm512_clmulepi64_epi128(v, ones, 0x11));
      // Bit 63 of a prefix xor is the parity of its word.
      std::uint32_t parity = _mm512_movepi64_mask(v);
      parity ^= parity << 1;
      parity ^= parity << 2;
      parity ^= parity << 4;
      v = _mm512_mask_xor_epi64(v, static_cast<__mmask8>((parity << 1) ^ flipped), v, ones);
      _mm512_mask_storeu_epi64(words + k, valid, v);
      if ((parity & 0x80) != 0) flipped ^= 0xff;
    }
  }

  static DVK_INLINE_MEMBER std::uint64_t zeros(const std::uint8_t* bytes) {
    const __m512i v = _mm512_loadu_si512(bytes);
    return _mm512_testn_epi8_mask(v, v);
  }

 private:
  // The first n of eight lanes, or all.
  static DVK_INLINE_MEMBER __mmask8 first_lanes(std::uint32_t n) {
    return static_cast<__mmask8>(_bzhi_u32(0xff, n < 8 ? n : 8));
  }
};

}  // namespace
}  // namespace dvk::inline v0::detail
