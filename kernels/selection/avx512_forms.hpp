// AVX-512: from mask words to byte masks, other bit positions and filtered lists; and edges.
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

// A window of 2,048 bits in four registers; which of 16 (32) elements have their bit set.
template <class T>
class bit_window {
 public:
  DVK_INLINE_MEMBER bit_window(const std::uint64_t* words, std::size_t count) {
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t left = count > 8 * k ? count - 8 * k : 0;
      part_[k] = _mm512_maskz_loadu_epi64(
          static_cast<__mmask8>(_bzhi_u32(0xff, left < 8 ? static_cast<unsigned>(left) : 8)),
          words + (left != 0 ? 8 * k : 0));
    }
  }
  // VPERMI2 looks a lane's word up in two registers at once; the next index bit chooses between the
  // two pairs.
  DVK_INLINE_MEMBER std::uint32_t test(__m512i bit) const {
    if constexpr (sizeof(T) == 4) {
      const __m512i lane = _mm512_srli_epi32(bit, 5);
      const __mmask16 high = _mm512_test_epi32_mask(lane, _mm512_set1_epi32(32));
      const __m512i word =
          _mm512_mask_blend_epi32(high, _mm512_permutex2var_epi32(part_[0], lane, part_[1]),
                                  _mm512_permutex2var_epi32(part_[2], lane, part_[3]));
      return _mm512_test_epi32_mask(
          _mm512_srlv_epi32(word, _mm512_and_si512(bit, _mm512_set1_epi32(31))),
          _mm512_set1_epi32(1));
    } else {
      const __m512i lane = _mm512_srli_epi16(bit, 4);
      const __mmask32 high = _mm512_test_epi16_mask(lane, _mm512_set1_epi16(64));
      const __m512i word =
          _mm512_mask_blend_epi16(high, _mm512_permutex2var_epi16(part_[0], lane, part_[1]),
                                  _mm512_permutex2var_epi16(part_[2], lane, part_[3]));
      return _mm512_test_epi16_mask(
          _mm512_srlv_epi16(word, _mm512_and_si512(bit, _mm512_set1_epi16(15))),
          _mm512_set1_epi16(1));
    }
  }

 private:
  __m512i part_[4];
};

template <class T>
DVK_INLINE __m512i load_first(const T* in, unsigned n) {
  if constexpr (sizeof(T) == 2) return _mm512_maskz_loadu_epi16(_bzhi_u32(~0u, n), in);
  if constexpr (sizeof(T) == 4)
    return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(_bzhi_u32(0xffff, n)), in);
}
template <class T>
DVK_INLINE __m512i sub(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return _mm512_sub_epi16(a, b);
  if constexpr (sizeof(T) == 4) return _mm512_sub_epi32(a, b);
}
template <class T>
DVK_INLINE std::uint32_t less(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return _mm512_cmplt_epu16_mask(a, b);
  if constexpr (sizeof(T) == 4) return _mm512_cmplt_epu32_mask(a, b);
}
template <class T>
DVK_INLINE __m512i compress(__m512i v, std::uint32_t keep) {
  if constexpr (sizeof(T) == 2) return _mm512_mask_compress_epi16(v, keep, v);
  if constexpr (sizeof(T) == 4)
    return _mm512_mask_compress_epi32(v, static_cast<__mmask16>(keep), v);
}

template <class T>
DVK_INLINE std::size_t filter_512(const std::uint64_t* words, std::uint32_t bit,
                                  std::uint32_t window, T first, const T* in, std::size_t n, T* out,
                                  std::size_t* taken) {
  constexpr unsigned lanes = per_vector<T>;
  const bit_window<T> mask(words, (bit + window + 63) / 64);
  const __m512i origin = splat<T>(first), limit = splat<T>(window), shift = splat<T>(bit);
  T* o = out;
  std::size_t i = 0;
  while (i < n) {
    const unsigned count = n - i < lanes ? static_cast<unsigned>(n - i) : lanes;
    const __m512i v = load_first(in + i, count);
    const __m512i distance = sub<T>(v, origin);
    const auto inside = static_cast<unsigned>(_tzcnt_u64(~std::uint64_t{less<T>(distance, limit)}));
    const unsigned take = inside < count ? inside : count;
    const std::uint32_t keep = _bzhi_u32(mask.test(add<T>(distance, shift)), take);
    // A whole vector may be stored if all its lanes were taken: it reaches no further than the
    // elements just read.
    if (take == lanes) {
      _mm512_storeu_si512(o, compress<T>(v, keep));
    } else {
      store_first(o, compress<T>(v, keep), static_cast<unsigned>(_mm_popcnt_u32(keep)));
    }
    o += _mm_popcnt_u32(keep);
    i += take;
    if (take < lanes) break;
  }
  *taken = i;
  return static_cast<std::size_t>(o - out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
