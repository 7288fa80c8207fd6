// Copy and checksum for kernels that are not fused: piece by piece, so that the second pass finds
// the bytes in the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dvk::inline v0::detail::crc {
namespace {

template <auto extend>
std::uint32_t copy_in_pieces(std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                             std::size_t n) noexcept {
  while (n != 0) {
    const std::size_t piece = n < 4096 ? n : 4096;
    __builtin_memcpy(out, p, piece);
    crc = extend(crc, p, piece);
    p += piece, out += piece, n -= piece;
  }
  return crc;
}

}  // namespace
}  // namespace dvk::inline v0::detail::crc
