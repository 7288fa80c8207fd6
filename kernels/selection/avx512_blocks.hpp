// AVX-512: from many mask words to index lists, with aligned stores.
//
// A list that is stored word by word begins its vectors anywhere, and a store that crosses a cache
// line costs two. So a strip of the mask is packed to bytes first: VPCOMPRESSB packs the numbers of
// a word's set bits within its block of 256 rows, one store a word. The bytes are the list but for
// the block's first row, and are widened from wherever a vector of the list is aligned.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "selection/avx512_decode.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

inline constexpr std::uint32_t block_words = 4;   // a byte numbers their rows
inline constexpr std::uint32_t strip_blocks = 9;  // 2,048 rows from any row on

// The packed list of a strip of the mask.
struct packed_strip {
  alignas(64) std::uint8_t numbers[64 * block_words * strip_blocks + 192];
  std::uint8_t* end[strip_blocks + 1];  // of each block; end[0]: where the first begins
  std::uint32_t blocks;
};

// Bytes as elements.
template <class T>
DVK_INLINE __m512i widen_from(const std::uint8_t* bytes) {
  if constexpr (sizeof(T) == 2)
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)));
  if constexpr (sizeof(T) == 4)
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
  if constexpr (sizeof(T) == 8)
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)));
}

// At least the first n elements, n <= most: one vector where the list begins, and as many aligned
// ones as `most` may take. No branch depends on n.
template <std::size_t most, class T>
DVK_INLINE void widen_most(const std::uint8_t* bytes, T* out, __m512i first) {
  constexpr std::size_t lanes = per_vector<T>;
  _mm512_storeu_si512(out, add<T>(first, widen_from<T>(bytes)));
  const std::size_t ahead = lanes - reinterpret_cast<std::uintptr_t>(out) / sizeof(T) % lanes;
  bytes += ahead;
  out += ahead;
  // Keeps GCC from working out each address from `ahead` anew, four instructions a vector.
  __asm__("" : "+r"(bytes), "+r"(out));
#pragma GCC unroll 32
  for (std::size_t i = 0; i < most; i += lanes)
    _mm512_store_si512(out + i, add<T>(first, widen_from<T>(bytes + i)));
}

// The list of a strip to out, of which `limit` is the end.
template <class T>
[[gnu::noinline]] void widen_strip(const packed_strip& s, std::uint64_t first, T* out, T* limit) {
  constexpr std::size_t lanes = per_vector<T>;
  __m512i base = splat<T>(first);
  for (std::uint32_t b = 0; b < s.blocks; ++b) {
    const std::uint8_t* bytes = s.end[b];
    auto n = static_cast<std::size_t>(s.end[b + 1] - bytes);
    // The borders lie where the counts of common densities seldom fall.
    const std::size_t most = n > 160 ? 256 : n > 64 ? 160 : 64;
    if (static_cast<std::size_t>(limit - out) >= most + lanes) {
      if (n > 160) {
        widen_most<256>(bytes, out, base);
      } else if (n > 64) {
        widen_most<160>(bytes, out, base);
      } else {
        widen_most<64>(bytes, out, base);
      }
      out += n;
    } else {
      for (; n >= lanes; n -= lanes, bytes += lanes, out += lanes)
        _mm512_storeu_si512(out, add<T>(base, widen_from<T>(bytes)));
      store_first(out, add<T>(base, widen_from<T>(bytes)), static_cast<unsigned>(n));
      out += n;
    }
    base = add<T>(base, splat<T>(64 * block_words));
  }
}

// As decode_frame, in strips.
template <class T, class Word>
DVK_INLINE std::size_t decode_strips(const frame& f, std::size_t head, std::size_t bits,
                                     std::uint64_t first, T* out, Word word) {
  packed_strip s;
  __m512i numbers[block_words];
  for (unsigned k = 0; k < block_words; ++k)
    numbers[k] = _mm512_add_epi8(byte_numbers(), _mm512_set1_epi8(static_cast<char>(64 * k)));
  T *o = out, *const limit = out + (bits - head);
  for (std::uint32_t k = 0; k < f.words;) {
    const std::uint64_t row = first + 64 * std::uint64_t{k};
    // As far from a cache line's begin as the list, in elements.
    std::uint8_t* p = s.numbers + reinterpret_cast<std::uintptr_t>(o) / sizeof(T) % 64;
    const auto pack = [&](unsigned i, std::uint64_t w) {
      _mm512_storeu_si512(p, _mm512_mask_compress_epi8(numbers[i], w, numbers[i]));
      p += __builtin_popcountll(w);
    };
    s.end[0] = p;
    for (s.blocks = 0; s.blocks < strip_blocks && k < f.words; k += block_words) {
      if (k != 0 && f.words - k > block_words) {
        for (unsigned i = 0; i < block_words; ++i)
          pack(i, word(k + i));
      } else {
        for (unsigned i = 0; i < block_words && k + i < f.words; ++i)
          pack(i, word(k + i) & (k + i == 0 ? f.head : ~std::uint64_t{0}) &
                      (k + i + 1 == f.words ? f.tail : ~std::uint64_t{0}));
      }
      s.end[++s.blocks] = p;
    }
    // What widen_most may look at behind the last block: nothing unwritten reaches the caller.
    _mm512_storeu_si512(p, _mm512_setzero_si512());
    _mm512_storeu_si512(p + 64, _mm512_setzero_si512());
    widen_strip(s, row, o, limit);
    o += p - s.end[0];
  }
  return static_cast<std::size_t>(o - out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
