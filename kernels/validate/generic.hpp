// What the tiers of the validate family share: the loops that find the exact place of a fault.
// Vector tiers take them from here too, after their own kernels (vector.hpp) have found that there
// is one. Everything has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/load.hpp"
#include "roaring/container.hpp"
#include "validate/validate.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

// Index in [from, n) of the first value not greater than the one before it; n if there is none.
// from >= 1.
DVK_INLINE std::uint32_t first_disorder(const std::uint8_t* values, std::uint32_t from,
                                        std::uint32_t n) {
  for (std::uint32_t i = from; i < n; ++i) {
    if (bytes::load_le16(values + 2 * i) <= bytes::load_le16(values + 2 * i - 2)) return i;
  }
  return n;
}

// Set bits of a word by adding neighbours, as no instruction for it is in the baseline.
DVK_INLINE std::uint64_t count_bits(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (x * 0x0101010101010101u) >> 56;
}

// Last slot of run i, 65,536 or more if it passes the end of the container.
DVK_INLINE std::uint32_t last_slot(const std::uint8_t* runs, std::uint32_t i) {
  return std::uint32_t{bytes::load_le16(runs + 4 * i)} + bytes::load_le16(runs + 4 * i + 2);
}

struct run_totals {
  std::uint32_t lengths = 0;  // sum of length - 1
  bool touching = false;
};

// Checks runs [from, n) given the totals of those before, and answers for all of them.
DVK_INLINE run_check check_runs(const std::uint8_t* runs, std::uint32_t from, std::uint32_t n,
                                run_totals totals) {
  // First slot that the next run may start at; a run that starts right there touches the one
  // before.
  std::uint32_t free = 0;
  if (from != 0) free = last_slot(runs, from - 1) + 1;
  for (std::uint32_t i = from; i < n; ++i) {
    const std::uint32_t start = bytes::load_le16(runs + 4 * i);
    const std::uint32_t length = bytes::load_le16(runs + 4 * i + 2);
    if (start < free) return {i, 0, false, totals.touching};
    if (start + length >= container_rows) return {i, 0, true, totals.touching};
    totals.touching = totals.touching || (i != 0 && start == free);
    totals.lengths += length;
    free = start + length + 1;
  }
  return {n, totals.lengths + n, false, totals.touching};
}

}  // namespace
}  // namespace dvk::inline v0::detail::validate
