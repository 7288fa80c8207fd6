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

// 64 rows: the mask register is the bits, a blend of ones and zeros is the bytes.
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
DVK_INLINE std::size_t spread_bits(const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                                   std::size_t n, std::uint8_t* out) {
  std::size_t set = 0, i = 0;
  const auto put = [&](std::uint64_t bits, __mmask64 which) {
    spread_64<kind>(bits, which, out + i);
    set += static_cast<std::size_t>(__builtin_popcountll(bits));
  };
  // A shift by `bit` needs the next word, which then holds a bit of the source, and none by 0.
  if (bit == 0) {
    for (; i + 64 <= n; i += 64)
      put(bytes::load_native<std::uint64_t>(source + i / 8) ^ flip, ~std::uint64_t{0});
  } else {
    for (; i + 64 <= n; i += 64) {
      const std::uint8_t* word = source + i / 8;
      put((bytes::load_native<std::uint64_t>(word) >> bit |
           bytes::load_native<std::uint64_t>(word + 8) << (64 - bit)) ^
              flip,
          ~std::uint64_t{0});
    }
  }
  if (i < n) {
    const std::uint64_t which = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(n - i));
    put(bits_at(source, bit + i, n - i) ^ (flip & which), which);
  }
  return set;
}

// The target's whole words, eight at a time, by a funnel shift of neighbouring source words; its
// first and last word bit-wise.
template <merge_kind kind>
DVK_INLINE std::size_t move_bits_512(const std::uint8_t* source, std::size_t from,
                                     std::uint64_t flip, std::size_t n, std::uint64_t* target,
                                     std::size_t to) {
  std::size_t set = 0;
  if (to != 0) {
    const std::size_t head = 64 - to < n ? 64 - to : n;
    set += move_bits<kind>(source, from, flip, head, target, to);
    source += (from + head) / 64 * 8;
    from = (from + head) % 64;
    n -= head;
    ++target;
  }
  const __m512i flips = _mm512_set1_epi64(static_cast<long long>(flip));
  const __m512i shift = _mm512_set1_epi64(static_cast<long long>(from));
  __m512i sets = _mm512_setzero_si512();
  const auto words = [&](__mmask8 which) {
    __m512i v = _mm512_maskz_loadu_epi64(which, source);
    // With a shift the last word's high bits come from the word behind, which then holds a bit of
    // the source.
    if (from != 0) v = _mm512_shrdv_epi64(v, _mm512_maskz_loadu_epi64(which, source + 8), shift);
    v = _mm512_maskz_xor_epi64(which, v, flips);
    sets = _mm512_add_epi64(sets, _mm512_popcnt_epi64(v));
    if constexpr (kind == merge_kind::both)
      v = _mm512_and_si512(v, _mm512_maskz_loadu_epi64(which, target));
    if constexpr (kind == merge_kind::either)
      v = _mm512_or_si512(v, _mm512_maskz_loadu_epi64(which, target));
    _mm512_mask_storeu_epi64(target, which, v);
  };
  for (; n >= 512; n -= 512, source += 64, target += 8)
    words(0xff);
  if (n >= 64) {
    words(static_cast<__mmask8>(_bzhi_u32(0xff, static_cast<unsigned>(n / 64))));
    source += n / 64 * 8;
    target += n / 64;
  }
  if (n % 64 != 0) set += move_bits<kind>(source, from, flip, n % 64, target, 0);
  return set + static_cast<std::size_t>(_mm512_reduce_add_epi64(sets));
}

}  // namespace
}  // namespace dvk::inline v0::detail
