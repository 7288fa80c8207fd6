// SSE4.2 with POPCNT: batches of 16 bytes.
#include <nmmintrin.h>

#include "validate/validate.hpp"
#include "validate/vector.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

std::uint32_t array_order(const std::uint8_t* values, std::uint32_t n) noexcept {
  return array_order_vector<xsimd::sse4_2>(values, n);
}

// Four sums, because POPCNT of some CPUs waits for its destination register.
std::uint32_t bitset_count(const std::uint8_t* words) noexcept {
  std::uint64_t sums[4] = {};
  for (std::uint32_t i = 0; i < bitset_bytes; i += 32) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      sums[k] += static_cast<std::uint64_t>(_mm_popcnt_u64(bytes::load_le64(words + i + 8 * k)));
    }
  }
  return static_cast<std::uint32_t>(sums[0] + sums[1] + sums[2] + sums[3]);
}

run_check run_order(const std::uint8_t* runs, std::uint32_t n) noexcept {
  return run_order_vector<xsimd::sse4_2>(runs, n);
}

}  // namespace

constinit const validate_table sse42{array_order, bitset_count, run_order};

}  // namespace dvk::inline v0::detail::validate
