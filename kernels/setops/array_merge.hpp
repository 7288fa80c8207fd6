// Set operations on two arrays, a value at a time.
#pragma once

#include "setops/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

// The merge behind all four array operations: which of "only in a", "only in b", "in both" are kept
// is known at compile time. Every step stores a candidate and moves the output on only if it is
// kept.
template <bool only_a, bool only_b, bool both>
[[maybe_unused]] std::uint32_t merge_by_one(const std::uint8_t* a, std::uint32_t na,
                                            const std::uint8_t* b, std::uint32_t nb,
                                            std::uint8_t* out) noexcept {
  std::uint32_t i = 0, j = 0, n = 0;
  while (i < na && j < nb) {
    const std::uint32_t x = value(a, i), y = value(b, j);
    put(out, n, x <= y ? x : y);
    n += (only_a && x < y) | (only_b && y < x) | (both && x == y);
    i += x <= y;
    j += y <= x;
  }
  for (; only_a && i < na; ++i)
    put(out, n++, value(a, i));
  for (; only_b && j < nb; ++j)
    put(out, n++, value(b, j));
  return n;
}

}  // namespace
}  // namespace dvk::inline v0::detail
