// AVX-512: from mask words to index lists.
//
// One word at a time: VPCOMPRESSB packs the numbers 0..63 of the set bits to the front of a
// register, VPERMB widens 64 / sizeof(T) of them at a time to elements, an addition makes them
// indices, and whole vectors are stored. The next word's stores begin where the list ends, over the
// garbage behind it. Stores are the limit: compressed lists are not aligned, and a 64-byte store
// that crosses a line costs two.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

template <class T>
inline constexpr unsigned per_vector = 64 / sizeof(T);

template <class T>
DVK_INLINE __m512i splat(std::uint64_t v) {
  if constexpr (sizeof(T) == 2) return _mm512_set1_epi16(static_cast<short>(v));
  if constexpr (sizeof(T) == 4) return _mm512_set1_epi32(static_cast<int>(v));
  if constexpr (sizeof(T) == 8) return _mm512_set1_epi64(static_cast<long long>(v));
}
template <class T>
DVK_INLINE __m512i add(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return _mm512_add_epi16(a, b);
  if constexpr (sizeof(T) == 4) return _mm512_add_epi32(a, b);
  if constexpr (sizeof(T) == 8) return _mm512_add_epi64(a, b);
}
DVK_INLINE __m512i byte_numbers() {
  alignas(64) static constexpr std::uint8_t numbers[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  return _mm512_load_si512(numbers);
}
// 0, 1, 2, ... in elements of T.
template <class T>
DVK_INLINE __m512i lane_numbers() {
  if constexpr (sizeof(T) == 2) return _mm512_cvtepu8_epi16(_mm512_castsi512_si256(byte_numbers()));
  if constexpr (sizeof(T) == 4) return _mm512_cvtepu8_epi32(_mm512_castsi512_si128(byte_numbers()));
  if constexpr (sizeof(T) == 8) return _mm512_cvtepu8_epi64(_mm512_castsi512_si128(byte_numbers()));
}
// Stores the first n elements (0 to per_vector) of v.
template <class T>
DVK_INLINE void store_first(T* out, __m512i v, unsigned n) {
  if constexpr (sizeof(T) == 2) _mm512_mask_storeu_epi16(out, _bzhi_u32(~0u, n), v);
  if constexpr (sizeof(T) == 4)
    _mm512_mask_storeu_epi32(out, static_cast<__mmask16>(_bzhi_u32(0xffff, n)), v);
  if constexpr (sizeof(T) == 8)
    _mm512_mask_storeu_epi64(out, static_cast<__mmask8>(_bzhi_u32(0xff, n)), v);
}

// The lowest byte of each element.
template <class T>
inline constexpr std::uint64_t lowest_bytes = sizeof(T) == 2   ? 0x5555555555555555
                                              : sizeof(T) == 4 ? 0x1111111111111111
                                                               : 0x0101010101010101;
// Elements part * per_vector, part * per_vector + 1, ...
template <class T>
DVK_INLINE __m512i part_numbers(unsigned part) {
  return add<T>(lane_numbers<T>(), splat<T>(part * per_vector<T>));
}
// Bytes [part * per_vector, ...) of v as elements: VPERMB fetches a byte to the lowest byte of each
// element, zeroing the others.
template <class T>
DVK_INLINE __m512i widen_part(__m512i v, unsigned part) {
  return _mm512_maskz_permutexvar_epi8(lowest_bytes<T>, part_numbers<T>(part), v);
}

template <class T>
class decoder {
 public:
  explicit DVK_INLINE_MEMBER decoder(std::uint64_t first) : first_(splat<T>(first)) {}
  // Appends the word's indices; may clobber out[0, 64).
  DVK_INLINE_MEMBER void full(std::uint64_t word, T*& out) {
    const __m512i packed = pack(word);
    for (unsigned p = 0; p < sizeof(T); ++p)
      _mm512_storeu_si512(out + p * per_vector<T>, widen(packed, p));
    next(word, out);
  }
  // The same, but leaves out vectors that hold no index: pays where about half of the rows or fewer
  // are wanted. The two borders, one vector and three quarters of a word, lie where the counts of
  // common densities seldom fall: a branch at every vector is mispredicted once a word at 50 %.
  DVK_INLINE_MEMBER void sparse(std::uint64_t word, T*& out) {
    constexpr unsigned parts = sizeof(T), most = parts == 2 ? 2 : parts * 3 / 4;
    const __m512i packed = pack(word);
    const auto n = static_cast<unsigned>(__builtin_popcountll(word));
    _mm512_storeu_si512(out, widen(packed, 0));
    if (parts == 2 || n > per_vector<T>) {
      for (unsigned p = 1; p < most; ++p)
        _mm512_storeu_si512(out + p * per_vector<T>, widen(packed, p));
      if (n > 48) {
        for (unsigned p = most; p < parts; ++p)
          _mm512_storeu_si512(out + p * per_vector<T>, widen(packed, p));
      }
    }
    next(word, out);
  }
  // The same, writing nothing after the word's indices.
  DVK_INLINE_MEMBER void exact(std::uint64_t word, T*& out) {
    const __m512i packed = pack(word);
    const auto n = static_cast<unsigned>(__builtin_popcountll(word));
    for (unsigned p = 0; p < sizeof(T) && p * per_vector<T> < n; ++p) {
      const unsigned left = n - p * per_vector<T>;
      store_first(out + p * per_vector<T>, widen(packed, p),
                  left < per_vector<T> ? left : per_vector<T>);
    }
    next(word, out);
  }

 private:
  // Merge-masked into a live register, not zero-masked: Zen 4 and 5 make the zeroing form wait for
  // the destination's last writer. What lanes past the count hold does not matter.
  DVK_INLINE_MEMBER __m512i pack(std::uint64_t word) const {
    return _mm512_mask_compress_epi8(byte_numbers(), word, byte_numbers());
  }
  DVK_INLINE_MEMBER __m512i widen(__m512i packed, unsigned p) const {
    return add<T>(first_, widen_part<T>(packed, p));
  }
  DVK_INLINE_MEMBER void next(std::uint64_t word, T*& out) {
    first_ = add<T>(first_, splat<T>(64));
    out += __builtin_popcountll(word);
  }

  __m512i first_;  // index of the word's bit 0
};

// Indices of the frame's set bits; word(k) gives frame word k, called once each, in order. `bits`
// and `head` as in decode_*: a full step is safe at word 0 if the room holds 64 elements, and at
// word k > 0 if bits reach its end, since at most 64 k - head indices lie before it.
template <bool few, class T, class Word>
DVK_INLINE std::size_t decode_frame(const frame& f, std::size_t head, std::size_t bits,
                                    std::uint64_t first, T* out, Word word) {
  decoder<T> d(first);
  T* o = out;
  std::uint32_t k = 0;
  const std::uint64_t first_word = word(0) & f.head & (f.words == 1 ? f.tail : ~std::uint64_t{0});
  if (bits - head < 64) {
    d.exact(first_word, o);
  } else {
    d.full(first_word, o);
  }
  const auto whole = static_cast<std::uint32_t>(bits / 64);
  for (k = 1; k < whole; ++k) {
    if constexpr (few) {
      d.sparse(word(k), o);
    } else {
      d.full(word(k), o);
    }
  }
  if (k < f.words) d.exact(word(k) & f.tail, o);
  return static_cast<std::size_t>(o - out);
}

// first, first + 1, ...: exactly n. From 192 elements on the stores are aligned after the first,
// which they overlap.
template <class T>
DVK_INLINE void iota_exact(T* out, std::size_t n, std::uint64_t first) {
  constexpr unsigned lanes = per_vector<T>;
  if (n >= 192) {
    const std::size_t ahead = (-reinterpret_cast<std::uintptr_t>(out) & 63) / sizeof(T);
    _mm512_storeu_si512(out, add<T>(lane_numbers<T>(), splat<T>(first)));
    out += ahead;
    n -= ahead;
    first += ahead;
  }
  __m512i v = add<T>(lane_numbers<T>(), splat<T>(first));
  const __m512i step = splat<T>(lanes), step2 = splat<T>(2 * lanes), step3 = splat<T>(3 * lanes),
                step4 = splat<T>(4 * lanes);
  for (; n >= 4 * lanes; n -= 4 * lanes, out += 4 * lanes) {
    _mm512_storeu_si512(out, v);
    _mm512_storeu_si512(out + lanes, add<T>(v, step));
    _mm512_storeu_si512(out + 2 * lanes, add<T>(v, step2));
    _mm512_storeu_si512(out + 3 * lanes, add<T>(v, step3));
    v = add<T>(v, step4);
  }
  for (; n >= lanes; n -= lanes, out += lanes) {
    _mm512_storeu_si512(out, v);
    v = add<T>(v, step);
  }
  store_first(out, v, static_cast<unsigned>(n));
}

}  // namespace
}  // namespace dvk::inline v0::detail
