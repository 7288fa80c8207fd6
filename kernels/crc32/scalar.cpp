// CRC-32, portable: slicing by 16.
//
// A message is a polynomial over GF(2): its first bit is the highest power of x, and the bits of a
// byte count from the least significant one. Its CRC is message * x^32 mod P, where the first 32
// bits of the message are inverted beforehand and the result is inverted afterwards. Registers are
// reflected alike: bit i stands for x^(31 - i).
//
// Inverting the first 32 bits is the same as starting with a register of ones; and a register of
// any value takes the place of the message read so far. So crc32(A||B) starts on B with the
// register that A left, and the public function inverts on entry what it inverted on return.
//
// One step of the register by a byte: add the byte to the register's low eight bits (the highest
// powers), shift these out, and add what they amount to mod P: a table of 256 entries. Since
// everything is linear, a step by 16 bytes is the sum of 16 independent look-ups: table k holds
// what a byte amounts to when k more bytes follow it in the step. That is all; the look-ups of one
// step wait only for the register that the step before left.
//
// The other variants look at the message as a whole and multiply: see README.md.
#include "bytes/load.hpp"
#include "crc32/crc32.hpp"
#include "crc32/pieces.hpp"

namespace dvk::inline v0::detail::crc {
namespace {

constexpr std::uint32_t polynomial = 0xedb88320;  // P without x^32, reflected

DVK_INLINE constexpr std::uint32_t times_x(std::uint32_t v) {
  return (v >> 1) ^ ((v & 1) != 0 ? polynomial : 0);
}

struct slices {
  std::uint32_t at[16][256];

  constexpr slices() : at{} {
    for (std::uint32_t b = 0; b < 256; ++b) {
      std::uint32_t v = b;
      for (int i = 0; i < 8; ++i)
        v = times_x(v);
      at[0][b] = v;
    }
    for (int k = 1; k < 16; ++k) {
      for (int b = 0; b < 256; ++b)
        at[k][b] = (at[k - 1][b] >> 8) ^ at[0][at[k - 1][b] & 0xff];
    }
  }
};
constexpr slices slice;

// What the word amounts to when `after` more bytes of the step follow it.
DVK_INLINE std::uint32_t look_up(std::uint32_t word, int after) {
  return slice.at[after + 3][word & 0xff] ^ slice.at[after + 2][(word >> 8) & 0xff] ^
         slice.at[after + 1][(word >> 16) & 0xff] ^ slice.at[after][word >> 24];
}

std::uint32_t extend(std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
  crc = ~crc;
  for (; n >= 16; n -= 16, p += 16) {
    crc = look_up(crc ^ bytes::load_le32(p), 12) ^ look_up(bytes::load_le32(p + 4), 8) ^
          look_up(bytes::load_le32(p + 8), 4) ^ look_up(bytes::load_le32(p + 12), 0);
  }
  if (n >= 8) {
    crc = look_up(crc ^ bytes::load_le32(p), 4) ^ look_up(bytes::load_le32(p + 4), 0);
    n -= 8, p += 8;
  }
  if (n >= 4) {
    crc = look_up(crc ^ bytes::load_le32(p), 0);
    n -= 4, p += 4;
  }
  for (; n != 0; --n, ++p)
    crc = (crc >> 8) ^ slice.at[0][(crc ^ *p) & 0xff];
  return ~crc;
}

// a * b mod P.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (int i = 31; i >= 0; --i) {  // coefficients of a from x^0 up, each times b * x^k
    product ^= b & (0 - ((a >> i) & 1));
    b = times_x(b);
  }
  return product;
}

struct squares {
  std::uint32_t at[32];  // x^(8 * 2^k)

  constexpr squares() : at{} {
    std::uint32_t v = std::uint32_t{1} << 23;
    for (std::uint32_t& s : at) {
      s = v;
      v = multiply(v, v);
    }
  }
};
constexpr squares square;

// x has the order 2^32 - 1, so n counts modulo that.
std::uint32_t shift(std::uint32_t crc, std::uint64_t n) noexcept {
  n = (n & 0xffffffff) + (n >> 32);
  n = (n & 0xffffffff) + (n >> 32);
  for (int k = 0; n != 0; n >>= 1, ++k) {
    if ((n & 1) != 0) crc = multiply(square.at[k], crc);
  }
  return crc;
}

}  // namespace

constinit const crc32_table scalar{
    .extend = extend, .copy = copy_in_pieces<extend>, .shift = shift};

}  // namespace dvk::inline v0::detail::crc
