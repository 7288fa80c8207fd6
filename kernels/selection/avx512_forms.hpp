// AVX-512: from mask words to byte masks and other bit positions.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "selection/avx512_decode.hpp"
#include "selection/avx512_fill.hpp"
#include "selection/merge.hpp"

namespace dvk::inline v0::detail {
namespace {

DVK_INLINE std::size_t popcount_512(const std::uint64_t* words, std::size_t count) {
  __m512i sum = _mm512_setzero_si512();
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8)
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_loadu_si512(words + k)));
  const auto rest = static_cast<__mmask8>(_bzhi_u32(0xff, static_cast<unsigned>(count - k)));
  sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_maskz_loadu_epi64(rest, words + k)));
  return static_cast<std::size_t>(_mm512_reduce_add_epi64(sum));
}

// 64 rows at a time: the mask register is the bits, a masked set of ones is the bytes.
template <merge_kind kind>
DVK_INLINE void spread_64(std::uint64_t bits, __mmask64 which, std::uint8_t* out) {
  if constexpr (kind != merge_kind::replace) {
    const __m512i old = _mm512_maskz_loadu_epi8(which, out);
    const __mmask64 set = _mm512_test_epi8_mask(old, old);
    bits = kind == merge_kind::both ? bits & set : bits | set;
  }
  _mm512_mask_storeu_epi8(out, which, _mm512_maskz_set1_epi8(bits, 1));
}
template <merge_kind kind>
DVK_INLINE void spread_bits(const std::uint64_t* words, std::size_t bit, std::size_t n,
                            std::uint8_t* out) {
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64)
    spread_64<kind>(bits_at(words, bit + i, 64), ~std::uint64_t{0}, out + i);
  if (i < n)
    spread_64<kind>(bits_at(words, bit + i, n - i),
                    _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(n - i)), out + i);
}

// The target's whole words, eight at a time, by a funnel shift of neighbouring source words; its
// first and last word bit-wise.
template <merge_kind kind>
DVK_INLINE void move_bits_512(const std::uint64_t* source, std::size_t from, std::size_t n,
                              std::uint64_t* target, std::size_t to) {
  std::size_t done = to % 64 == 0 ? 0 : 64 - to % 64;
  if (done > n) done = n;
  if (done != 0) move_bits<kind>(source, from, done, target, to);
  const std::size_t shift = (from + done) % 64;
  const std::uint64_t* s = source + (from + done) / 64;
  std::uint64_t* t = target + (to + done) / 64;
  const __m512i count = _mm512_set1_epi64(static_cast<long long>(shift));
  for (; n - done >= 512; done += 512, s += 8, t += 8) {
    __m512i v = _mm512_loadu_si512(s);
    // With a shift the last word's high bits come from s[8], which then holds a bit of the source.
    if (shift != 0) v = _mm512_shrdv_epi64(v, _mm512_loadu_si512(s + 1), count);
    if constexpr (kind == merge_kind::both) v = _mm512_and_si512(v, _mm512_loadu_si512(t));
    if constexpr (kind == merge_kind::either) v = _mm512_or_si512(v, _mm512_loadu_si512(t));
    _mm512_storeu_si512(t, v);
  }
  if (done < n) move_bits<kind>(s, shift, n - done, t, 0);
}

}  // namespace
}  // namespace dvk::inline v0::detail
