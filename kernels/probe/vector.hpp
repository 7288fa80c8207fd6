// Parts of a tier's ops (generic.hpp) over xsimd batches of any width. Internal linkage.
#pragma once

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "probe/generic.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

// `keys` values are compared at once. They may lie outside the window that the search has narrowed
// down to: a value that equals `slot` anywhere in the array is a hit, so the block is moved back to
// end inside the array, and no tail is needed.
template <class Arch, std::uint32_t keys>
DVK_INLINE bool holds_in_block(const std::uint8_t* values, std::uint32_t n,
                               bytes::key_window window, std::uint32_t slot) {
  using batch = xsimd::batch<std::uint16_t, Arch>;
  constexpr auto lanes = static_cast<std::uint32_t>(batch::size);
  static_assert(keys % lanes == 0);
  if (n < keys) {
    const bytes::key_window last = bytes::narrow<2>(values, n, slot, 1);
    return bytes::load_le16(values + 2 * last.first) == slot;
  }
  const std::uint32_t first = window.first < n - keys ? window.first : n - keys;
  const batch wanted(static_cast<std::uint16_t>(slot));
  auto equal = batch(std::uint16_t{0}) != batch(std::uint16_t{0});
  for (std::uint32_t k = 0; k < keys; k += lanes) {
    equal = equal | (batch::load_unaligned(reinterpret_cast<const std::uint16_t*>(
                         values + 2 * (first + k))) == wanted);
  }
  return xsimd::any(equal);
}

// Sum of length - 1 of the first n runs.
template <class Arch>
DVK_INLINE std::uint32_t sum_lengths_vector(const std::uint8_t* runs, std::uint32_t n) {
  using batch = xsimd::batch<std::uint32_t, Arch>;
  constexpr auto lanes = static_cast<std::uint32_t>(batch::size);
  batch sums(std::uint32_t{0});
  std::uint32_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    sums += batch::load_unaligned(reinterpret_cast<const std::uint32_t*>(runs + 4 * i)) >> 16;
  }
  std::uint32_t sum = xsimd::reduce_add(sums);
  for (; i < n; ++i)
    sum += bytes::load_le16(runs + 4 * i + 2);
  return sum;
}

}  // namespace
}  // namespace dvk::inline v0::detail::probe
