// Planes of 16, 32 and 64 bytes on x86, for generic.hpp: whatever the including file's flags allow.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of its own _mm512_undefined_*() wherever an AVX-512 intrinsic is inlined.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "bytes/load.hpp"
#include "crc32/constants.hpp"

namespace dvk::inline v0::detail::crc {
namespace {

// Byte i holds i - 32 where that is a byte of a vector, and else a value that makes PSHUFB write
// zero: sixteen of them from 32 - s on move a vector s bytes up.
alignas(64) constexpr std::uint8_t shuffles[64] = {
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,  //
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,  //
    0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,   //
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};

DVK_INLINE __m128i load16(const void* p) {
  return _mm_loadu_si128(static_cast<const __m128i*>(p));
}
DVK_INLINE __m128i shift_up(__m128i v, std::size_t bytes) {
  return _mm_shuffle_epi8(v, load16(shuffles + 32 - bytes));
}

// What does not depend on the width: the register, and the reduction of the 96-bit sum.
struct x86_register {
  DVK_INLINE __m128i none() { return _mm_setzero_si128(); }
  DVK_INLINE __m128i initial(std::uint32_t crc, std::size_t n) {
    return _mm_clmulepi64_si128(
        _mm_cvtsi64_si128(static_cast<long long>(std::uint64_t{crc} << 1)),
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(constants.byte_powers + n)), 0x00);
  }
  // Adds the multiple of P that clears the low 64 bits; the remainder stands in the third dword.
  DVK_INLINE std::uint32_t reduce(__m128i sum) {
    const __m128i k = load16(constants.reduction);
    const __m128i multiple = _mm_clmulepi64_si128(_mm_clmulepi64_si128(sum, k, 0x00), k, 0x10);
    return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(sum, multiple), 2));
  }
  DVK_INLINE std::uint32_t multiply(std::uint32_t crc, std::uint32_t a, std::uint32_t b) {
    const __m128i ab = _mm_clmulepi64_si128(_mm_cvtsi32_si128(static_cast<int>(a)),
                                            _mm_cvtsi32_si128(static_cast<int>(b)), 0x00);
    // Three reflected factors, one bit up for each product: the layout of a 96-bit sum.
    return reduce(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(std::uint64_t{crc} << 1)),
                             _mm_add_epi64(ab, ab), 0x00));
  }
};

struct lanes_16 : x86_register {
  using plane = __m128i;
  static constexpr std::size_t size = 16;

  DVK_INLINE plane zero() { return _mm_setzero_si128(); }
  DVK_INLINE plane load(const void* p) { return load16(p); }
  DVK_INLINE void store(void* p, plane v) { _mm_storeu_si128(static_cast<__m128i*>(p), v); }
  DVK_INLINE plane weight(const std::uint64_t* p) { return load16(p); }
  DVK_INLINE plane broadcast(const std::uint64_t* p) { return load16(p); }
  DVK_INLINE plane first(std::uint32_t word) { return _mm_cvtsi32_si128(static_cast<int>(word)); }
  DVK_INLINE plane exclusive_or(plane a, plane b) { return _mm_xor_si128(a, b); }
  DVK_INLINE plane exclusive_or(plane a, plane b, plane c) {
    return _mm_xor_si128(_mm_xor_si128(a, b), c);
  }
  DVK_INLINE plane low(plane v, plane k) { return _mm_clmulepi64_si128(v, k, 0x00); }
  DVK_INLINE plane high(plane v, plane k) { return _mm_clmulepi64_si128(v, k, 0x11); }
  DVK_INLINE plane align_right(plane v, std::size_t r) { return shift_up(v, 16 - r); }

  // Two overlapping scalar loads hold any 4 to 15 bytes; what they have twice is shifted out of the
  // first.
  DVK_INLINE plane load_right(const std::uint8_t* p, std::size_t n) {
    if (n == 16) return load16(p);
    if (n >= 8) {
      const std::uint64_t a = bytes::load_le64(p) << (8 * (15 - n)) << 8;
      return _mm_set_epi64x(static_cast<long long>(bytes::load_le64(p + n - 8)),
                            static_cast<long long>(a));
    }
    std::uint64_t v = 0;
    if (n >= 4) {
      const std::uint32_t a =
          static_cast<std::uint32_t>(std::uint64_t{bytes::load_le32(p)} << (8 * (8 - n)));
      v = std::uint64_t{bytes::load_le32(p + n - 4)} << 32 | a;
    } else {
      // First, middle and last byte, which coincide when there are fewer than three.
      v = std::uint64_t{p[0]} << (8 * (8 - n)) | std::uint64_t{p[n / 2]} << (8 * (8 - n + n / 2)) |
          std::uint64_t{p[n - 1]} << 56;
    }
    return _mm_slli_si128(_mm_cvtsi64_si128(static_cast<long long>(v)), 8);
  }
  DVK_INLINE void copy_short(std::uint8_t* out, const std::uint8_t* p, std::size_t n) {
    __builtin_memcpy(out, p, n);
  }
  DVK_INLINE std::uint32_t finish(plane sum, __m128i init) {
    return reduce(_mm_xor_si128(sum, init));
  }
};

#if defined(__AVX2__) && defined(__VPCLMULQDQ__)
struct lanes_32 : x86_register {
  using plane = __m256i;
  static constexpr std::size_t size = 32;

  DVK_INLINE plane zero() { return _mm256_setzero_si256(); }
  DVK_INLINE plane load(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  DVK_INLINE void store(void* p, plane v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  DVK_INLINE plane weight(const std::uint64_t* p) { return load(p); }
  DVK_INLINE plane broadcast(const std::uint64_t* p) {
    return _mm256_broadcastsi128_si256(load16(p));
  }
  DVK_INLINE plane first(std::uint32_t word) {
    return _mm256_zextsi128_si256(_mm_cvtsi32_si128(static_cast<int>(word)));
  }
  DVK_INLINE plane exclusive_or(plane a, plane b) { return _mm256_xor_si256(a, b); }
  DVK_INLINE plane exclusive_or(plane a, plane b, plane c) {
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
  }
  DVK_INLINE plane low(plane v, plane k) { return _mm256_clmulepi64_epi128(v, k, 0x00); }
  DVK_INLINE plane high(plane v, plane k) { return _mm256_clmulepi64_epi128(v, k, 0x11); }

  // PSHUFB moves bytes within 16-byte halves only: each half moved up, and what the lower loses put
  // into the upper.
  DVK_INLINE plane align_right(plane v, std::size_t r) {
    const std::uint8_t* up = shuffles + r;           // 32 - s, for a shift by s = 32 - r
    const std::uint8_t* across = shuffles + 16 + r;  // s - 16
    return _mm256_or_si256(_mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(load16(up))),
                           _mm256_shuffle_epi8(_mm256_permute2x128_si256(v, v, 0x08),
                                               _mm256_broadcastsi128_si256(load16(across))));
  }
  DVK_INLINE plane load_right(const std::uint8_t* p, std::size_t n) {
    if (n >= 16) return _mm256_set_m128i(load16(p + n - 16), shift_up(load16(p), 32 - n));
    return _mm256_set_m128i(lanes_16::load_right(p, n), _mm_setzero_si128());
  }
  DVK_INLINE void copy_short(std::uint8_t* out, const std::uint8_t* p, std::size_t n) {
    __builtin_memcpy(out, p, n);
  }
  DVK_INLINE std::uint32_t finish(plane sum, __m128i init) {
    return reduce(_mm_xor_si128(
        _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)), init));
  }
};
#endif

#if defined(__AVX512VBMI2__) && defined(__VPCLMULQDQ__)
struct lanes_64 : x86_register {
  using plane = __m512i;
  static constexpr std::size_t size = 64;

  DVK_INLINE plane zero() { return _mm512_setzero_si512(); }
  DVK_INLINE plane load(const void* p) { return _mm512_loadu_si512(p); }
  DVK_INLINE void store(void* p, plane v) { _mm512_storeu_si512(p, v); }
  DVK_INLINE plane weight(const std::uint64_t* p) { return _mm512_load_si512(p); }
  DVK_INLINE plane broadcast(const std::uint64_t* p) { return _mm512_broadcast_i32x4(load16(p)); }
  DVK_INLINE plane
  first(std::uint32_t word) {  // zext: a cast would leave the upper lanes undefined
    return _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(word)));
  }
  DVK_INLINE plane exclusive_or(plane a, plane b) { return _mm512_xor_si512(a, b); }
  DVK_INLINE plane exclusive_or(plane a, plane b, plane c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
  }
  DVK_INLINE plane low(plane v, plane k) { return _mm512_clmulepi64_epi128(v, k, 0x00); }
  DVK_INLINE plane high(plane v, plane k) { return _mm512_clmulepi64_epi128(v, k, 0x11); }

  DVK_INLINE __mmask64 last(std::size_t n) { return ~std::uint64_t{0} << (64 - n); }
  DVK_INLINE __mmask64 until(std::size_t n) {
    return _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(n));
  }

  // Expanding to the last r places leaves zeros in the others (merged, not zero-masked: see the
  // design notes on Zen).
  DVK_INLINE plane align_right(plane v, std::size_t r) {
    return _mm512_mask_expand_epi8(zero(), last(r), v);
  }

  // A masked load faults on no byte it leaves out, but costs a microcode assist (167 ns) when those
  // lie in a page that is not there. So it reaches back before p within p's own page only, and else
  // forward and is aligned in the register; n <= 64 bytes from the first 64 of a page do not leave
  // it either.
  DVK_INLINE plane load_right(const std::uint8_t* p, std::size_t n) {
    if ((reinterpret_cast<std::uintptr_t>(p) & 4095) >= 64) [[likely]] {
      return _mm512_maskz_loadu_epi8(
          last(n), reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(p) + n - 64));
    }
    return align_right(_mm512_maskz_loadu_epi8(until(n), p), n);
  }
  DVK_INLINE void copy_short(std::uint8_t* out, const std::uint8_t* p, std::size_t n) {
    _mm512_mask_storeu_epi8(out, until(n), _mm512_maskz_loadu_epi8(until(n), p));
  }

  // 65 to 256 bytes as four planes, the earlier of them masked: no branch on the length, so nothing
  // to mispredict. The bytes left out lie at most 191 before p, and must be in its page.
  static constexpr std::size_t medium = 256;
  DVK_INLINE bool medium_is_safe(const std::uint8_t* p) {
    return (reinterpret_cast<std::uintptr_t>(p) & 4095) >= 192;
  }
  DVK_INLINE plane medium_sum(const std::uint8_t* p, std::size_t n) {
    const auto begin = reinterpret_cast<std::uintptr_t>(p) + n - 256;
    plane a = zero(), b = zero();
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
      // Bytes of this plane and those after it that belong to the message.
      const std::size_t rest = 256 - 64 * i;
      const __mmask64 mask = n >= rest        ? ~std::uint64_t{0}
                             : n + 64 <= rest ? 0
                                              : last(n + 64 - rest);
      const plane v = _mm512_maskz_loadu_epi8(mask, reinterpret_cast<const void*>(begin + 64 * i));
      const plane k = weight(constants.direct + 2 * direct_units - 8 * (4 - i));
      a = exclusive_or(a, b, low(v, k));
      b = high(v, k);
    }
    return exclusive_or(a, b);
  }
  DVK_INLINE std::uint32_t finish(plane sum, __m128i init) {
    const __m256i half =
        _mm256_xor_si256(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    return reduce(_mm_ternarylogic_epi64(_mm256_castsi256_si128(half),
                                         _mm256_extracti128_si256(half, 1), init, 0x96));
  }
};
#endif

}  // namespace
}  // namespace dvk::inline v0::detail::crc
