// Kernels over xsimd batches of any width. They say only whether a fault exists, without a branch
// before the end: valid payloads, which is nearly all of them, take one straight pass, and for
// others the plain loops of generic.hpp find the place. Everything has internal linkage.
#pragma once

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "validate/generic.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

template <class Arch>
DVK_INLINE xsimd::batch<std::uint16_t, Arch> load_u16(const std::uint8_t* p) {
  return xsimd::batch<std::uint16_t, Arch>::load_unaligned(
      reinterpret_cast<const std::uint16_t*>(p));
}
template <class Arch>
DVK_INLINE xsimd::batch<std::uint32_t, Arch> load_u32(const std::uint8_t* p) {
  return xsimd::batch<std::uint32_t, Arch>::load_unaligned(
      reinterpret_cast<const std::uint32_t*>(p));
}

template <class Arch>
DVK_INLINE std::uint32_t array_order_vector(const std::uint8_t* values, std::uint32_t n) {
  using batch = xsimd::batch<std::uint16_t, Arch>;
  constexpr auto lanes = static_cast<std::uint32_t>(batch::size);
  if (n <= lanes) return first_disorder(values, 1, n);
  // By how much each value exceeds the one before it, or 0 if it does not (saturating): the least
  // of these is 0 exactly if some pair is out of order.
  const auto excess = [&](std::uint32_t i) {
    return xsimd::ssub(load_u16<Arch>(values + 2 * i), load_u16<Arch>(values + 2 * i - 2));
  };
  batch least = excess(n - lanes);  // the last block; it may overlap the one before
  batch second = least;
  std::uint32_t i = 1;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    least = xsimd::min(least, excess(i));
    second = xsimd::min(second, excess(i + lanes));
  }
  if (i + lanes <= n) least = xsimd::min(least, excess(i));
  least = xsimd::min(least, second);
  if (xsimd::none(least == batch(std::uint16_t{0}))) return n;
  return first_disorder(values, 1, n);
}

template <class Arch>
DVK_INLINE run_check run_order_vector(const std::uint8_t* runs, std::uint32_t n) {
  using batch = xsimd::batch<std::uint32_t, Arch>;
  using signed_batch = xsimd::batch<std::int32_t, Arch>;
  constexpr auto lanes = static_cast<std::uint32_t>(batch::size);
  if (n <= lanes) return check_runs(runs, 0, n, {});
  const batch low(std::uint32_t{0xffff});
  // Distance from each run's start to the last slot of the run before: 1 if they touch, less if
  // they are out of order. If none is, only the last run can pass the end of the container.
  signed_batch least(std::int32_t{container_rows});
  batch lengths(std::uint32_t{0});
  std::uint32_t i = 1;
  for (; i + lanes <= n; i += lanes) {
    const batch run = load_u32<Arch>(runs + 4 * i);
    const batch before = load_u32<Arch>(runs + 4 * i - 4);
    const batch distance = (run & low) - (before & low) - (before >> 16);
    least = xsimd::min(least, xsimd::bitwise_cast<std::int32_t>(distance));
    lengths += run >> 16;
  }
  const std::int32_t smallest = xsimd::reduce_min(least);
  const run_totals totals{xsimd::reduce_add(lengths) + bytes::load_le16(runs + 2), smallest == 1};
  const run_check sound = check_runs(runs, i, n, totals);
  if (smallest <= 0 || sound.fault != n || last_slot(runs, n - 1) >= container_rows) {
    return check_runs(runs, 0, n, {});
  }
  return sound;
}

}  // namespace
}  // namespace dvk::inline v0::detail::validate
