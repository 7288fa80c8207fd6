// Constants of the folding kernels: powers of x modulo P, reflected, and the bit matrices. Derived
// by tools/gen_crc_constants.py; explained in README.md. One copy for all variants.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dvk::inline v0::detail::crc {

// 16-byte units that the direct sum reaches.
inline constexpr std::size_t direct_units = 128;

struct constant_tables {
  // Two weights for each 16-byte unit, those of the last unit of the message at the end.
  alignas(64) std::uint64_t direct[2 * direct_units];
  // Pairs that move a plane by 64, 128, ... 512 bytes.
  std::uint64_t fold[16];
  // Inverse of the reflected P modulo z^64, and the reflected P.
  std::uint64_t reduction[2];
  // Bit matrices towards the planes 4, 5, 7 and 8 further on.
  std::uint64_t eliminate[4];
  // x^(8n) in the upper half of the qword.
  std::uint64_t byte_powers[257];
  // x^(8 * v * 16^k) at [16 k + v].
  std::uint32_t nibble_powers[128];
};

#if defined(__GNUC__)
__attribute__((visibility("hidden")))  // so that shared builds reach it without the GOT
#endif
extern const constant_tables constants;

}  // namespace dvk::inline v0::detail::crc
