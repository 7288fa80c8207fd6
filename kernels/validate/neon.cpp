// NEON: batches of 16 bytes.
#include <arm_neon.h>

#include "validate/validate.hpp"
#include "validate/vector.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

std::uint32_t array_order(const std::uint8_t* values, std::uint32_t n) noexcept {
  return array_order_vector<xsimd::neon64>(values, n);
}

// Counts per byte are added up in bytes for 16 vectors (at most 128 each), then widened.
std::uint32_t bitset_count(const std::uint8_t* words) noexcept {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < bitset_bytes; i += 256) {
    uint8x16_t counts = vcntq_u8(vld1q_u8(words + i));
    for (std::uint32_t k = 16; k < 256; k += 16) {
      counts = vaddq_u8(counts, vcntq_u8(vld1q_u8(words + i + k)));
    }
    sum += vaddlvq_u8(counts);
  }
  return sum;
}

run_check run_order(const std::uint8_t* runs, std::uint32_t n) noexcept {
  return run_order_vector<xsimd::neon64>(runs, n);
}

}  // namespace

constinit const validate_table neon{array_order, bitset_count, run_order};

}  // namespace dvk::inline v0::detail::validate
