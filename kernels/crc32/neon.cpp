// The CRC-32 instructions alone: cores without carry-less multiplication, such as the Cortex-A72 of
// the Raspberry Pi 4.
#include "crc32/crc32.hpp"
#include "crc32/lanes_neon.hpp"
#include "crc32/pieces.hpp"

namespace dvk::inline v0::detail::crc {
namespace {

std::uint32_t extend(std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
  return ~crc_instructions(~crc, p, n);
}

}  // namespace

constinit const crc32_table neon{
    .extend = extend, .copy = copy_in_pieces<extend>, .shift = nullptr};

}  // namespace dvk::inline v0::detail::crc
