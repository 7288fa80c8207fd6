// Planes of 16 bytes on AArch64, for generic.hpp, and the CRC-32 instructions for what is shorter.
#pragma once

#include <arm_acle.h>
#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "bytes/load.hpp"
#include "crc32/constants.hpp"

namespace dvk::inline v0::detail::crc {
namespace {

// The register (inverted already) past n bytes. CRC32X waits two or three cycles for the one before
// it: right for short messages, and for cores that have no carry-less multiplication.
DVK_INLINE std::uint32_t crc_instructions(std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
  for (; n >= 8; n -= 8, p += 8)
    crc = __crc32d(crc, bytes::load_le64(p));
  if ((n & 4) != 0) {
    crc = __crc32w(crc, bytes::load_le32(p));
    p += 4;
  }
  if ((n & 2) != 0) {
    crc = __crc32h(crc, bytes::load_le<std::uint16_t>(p));
    p += 2;
  }
  if ((n & 1) != 0) crc = __crc32b(crc, *p);
  return crc;
}

#if defined(__ARM_FEATURE_AES)  // PMULL of 64-bit polynomials comes with it
// Byte i holds i - 16 where that is a byte of a vector, and else a value for which TBL gives zero.
alignas(16) constexpr std::uint8_t shuffles[48] = {
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,  //
    0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,   //
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};

struct lanes_16 {
  using plane = uint64x2_t;
  static constexpr std::size_t size = 16;

  DVK_INLINE plane bytes_of(uint8x16_t v) { return vreinterpretq_u64_u8(v); }
  DVK_INLINE plane product(std::uint64_t a, std::uint64_t b) {
    return vreinterpretq_u64_p128(vmull_p64(static_cast<poly64_t>(a), static_cast<poly64_t>(b)));
  }
  DVK_INLINE plane zero() { return vdupq_n_u64(0); }
  DVK_INLINE plane load(const std::uint8_t* p) { return bytes_of(vld1q_u8(p)); }
  DVK_INLINE void store(std::uint8_t* p, plane v) { vst1q_u8(p, vreinterpretq_u8_u64(v)); }
  DVK_INLINE plane weight(const std::uint64_t* p) { return vld1q_u64(p); }
  DVK_INLINE plane broadcast(const std::uint64_t* p) { return vld1q_u64(p); }
  DVK_INLINE plane first(std::uint32_t word) { return vsetq_lane_u64(word, zero(), 0); }
  DVK_INLINE plane exclusive_or(plane a, plane b) { return veorq_u64(a, b); }
  DVK_INLINE plane exclusive_or(plane a, plane b, plane c) {
#if defined(__ARM_FEATURE_SHA3)
    return veor3q_u64(a, b, c);
#else
    return veorq_u64(veorq_u64(a, b), c);
#endif
  }
  DVK_INLINE plane low(plane v, plane k) {
    return product(vgetq_lane_u64(v, 0), vgetq_lane_u64(k, 0));
  }
  DVK_INLINE plane high(plane v, plane k) {
    return vreinterpretq_u64_p128(
        vmull_high_p64(vreinterpretq_p64_u64(v), vreinterpretq_p64_u64(k)));
  }
  DVK_INLINE plane align_right(plane v, std::size_t r) {
    return bytes_of(vqtbl1q_u8(vreinterpretq_u8_u64(v), vld1q_u8(shuffles + r)));
  }

  // Five CRC32X are as fast as the two reductions of a partial and a full plane.
  static constexpr std::size_t serial_limit = 40;
  DVK_INLINE std::uint32_t serial(std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
    return crc_instructions(crc, p, n);
  }
  DVK_INLINE void copy_short(std::uint8_t* out, const std::uint8_t* p, std::size_t n) {
    __builtin_memcpy(out, p, n);
  }

  // CRC32X reduces a qword's 64 bits times x^32, which is what the sum's first qword is.
  DVK_INLINE std::uint32_t reduce(plane sum) {
    return __crc32d(0, vgetq_lane_u64(sum, 0)) ^ static_cast<std::uint32_t>(vgetq_lane_u64(sum, 1));
  }
  DVK_INLINE plane none() {
    return zero();
  }
  DVK_INLINE std::uint32_t finish(plane sum, plane init) {
    return reduce(exclusive_or(sum, init));
  }
  DVK_INLINE std::uint32_t multiply(std::uint32_t crc, std::uint32_t a, std::uint32_t b) {
    // Three reflected factors, one bit up for each product: the layout of a 96-bit sum.
    return reduce(product(std::uint64_t{crc} << 1, vgetq_lane_u64(product(a, b), 0) << 1));
  }
};
#endif

}  // namespace
}  // namespace dvk::inline v0::detail::crc
