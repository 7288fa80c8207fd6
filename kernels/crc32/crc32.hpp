// CRC-32 kernels (polynomial 0x04C11DB7, reflected). Contracts only; the algorithm is explained in
// scalar.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dvk::inline v0::detail {

struct crc32_table {
  // CRC of A||p[0, n), given crc of A in zlib's convention (0 for the empty A). Any n, any
  // alignment; reads only p[0, n).
  std::uint32_t (*extend)(std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept;
  // The same, and copies p[0, n) to out[0, n). The two do not overlap; writes only out[0, n).
  std::uint32_t (*copy)(std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                        std::size_t n) noexcept;
  // crc * x^(8 * n) mod P: the CRC register moved past n zero bytes, without pre- and
  // post-inversion.
  std::uint32_t (*shift)(std::uint32_t crc, std::uint64_t n) noexcept;
};

namespace crc {
#define DVK_CRC32_VARIANT(name, admitted, needs, prefers) extern const crc32_table name;
#include "crc32/variants.def"
#undef DVK_CRC32_VARIANT
}  // namespace crc

}  // namespace dvk::inline v0::detail
