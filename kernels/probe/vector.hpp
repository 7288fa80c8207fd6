// Parts of a tier's ops (generic.hpp) over xsimd batches of any width. Internal linkage.
#pragma once

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "probe/generic.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

// The last step of a search compares a whole block at once. The block may hold values outside the
// window: one that equals `slot` is a hit wherever it stands. So the block is moved back to end
// inside the array, and no tail is needed.
template <class Arch, std::uint32_t block>
DVK_INLINE bool array_holds_in_block(const std::uint8_t* values, std::uint32_t n,
                                     bytes::key_window window, std::uint32_t slot) {
  using batch = xsimd::batch<std::uint16_t, Arch>;
  constexpr auto lanes = static_cast<std::uint32_t>(batch::size);
  static_assert(block % lanes == 0);
  if (n < block) return array_holds_singly(values, n, slot);
  const std::uint32_t first = window.first < n - block ? window.first : n - block;
  const std::uint8_t* from = values + 2 * first;
  const batch wanted(static_cast<std::uint16_t>(slot));
  const auto hits = [&](std::uint32_t k) {
    return batch::load_unaligned(reinterpret_cast<const std::uint16_t*>(from + 2 * k)) == wanted;
  };
  auto found = hits(0);
  for (std::uint32_t k = lanes; k < block; k += lanes)
    found = found | hits(k);
  return xsimd::any(found);
}

template <class Arch>
DVK_INLINE bool ascending_vector(const std::uint64_t* rows, std::size_t n) {
  using batch = xsimd::batch<std::uint64_t, Arch>;
  constexpr std::size_t step = 4 * batch::size;
  std::size_t i = 1;
  for (; i + step <= n; i += step) {
    const auto descends = [&](std::size_t k) {
      return batch::load_unaligned(rows + i + k) < batch::load_unaligned(rows + i + k - 1);
    };
    auto fault = descends(0);
    for (std::size_t k = batch::size; k < step; k += batch::size)
      fault = fault | descends(k);
    if (xsimd::any(fault)) return false;
  }
  return ascends_from(rows, i, n);
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
