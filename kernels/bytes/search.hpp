// Searches in sorted little-endian u16 keys at any alignment: the values of an array container
// (stride 2) or the starts of a run container (stride 4). Branch-free, because where a key lies is
// unpredictable: a mispredicted branch costs as much as five of these steps. Whatever the bytes
// hold, the loops end and stay inside the n keys.
#pragma once

#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/load.hpp"

namespace dvk::inline v0::bytes {

// `place + step` if the condition holds, else `place`; never by a branch.
DVK_INLINE std::uint64_t advance_if(bool condition, std::uint64_t place, std::uint64_t step) {
#if defined(__clang__)
  // Clang turns a conditional move that waits for a load back into a branch, unless it cannot see
  // it.
  std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition);
  __asm__("" : "+r"(mask));
  return place + (step & mask);
#else
  return __builtin_expect_with_probability(condition, 1, 0.5) ? place + step : place;
#endif
}

// A part of an array or run container that a search has been narrowed down to.
struct key_window {
  std::uint32_t first;
  std::uint32_t count;
};

// Halves [0, n) until at most `most` >= 1 keys are left. All keys before the window are < x, all
// behind it are >= x.
template <std::uint32_t stride>
DVK_INLINE key_window narrow(const std::uint8_t* keys, std::uint32_t n, std::uint32_t x,
                             std::uint32_t most) {
  std::uint64_t first = 0;  // in bytes
  while (n > most) {
    const std::uint32_t half = n / 2;
    const std::uint64_t step = std::uint64_t{stride} * half;
    // If the last key of the lower half is too small, all of that half is.
    first = advance_if(load_le16(keys + first + step - stride) < x, first, step);
    n -= half;
  }
  return {static_cast<std::uint32_t>(first / stride), n};
}

// Number of keys < x; n >= 1, x <= 65536.
template <std::uint32_t stride>
DVK_INLINE std::uint32_t lower_bound(const std::uint8_t* keys, std::uint32_t n, std::uint32_t x) {
  const std::uint32_t i = narrow<stride>(keys, n, x, 1).first;
  return i + static_cast<std::uint32_t>(load_le16(keys + stride * i) < x);
}

// Index of the last run that starts at or before `slot`; 0 if there is none. n >= 1.
DVK_INLINE std::uint32_t last_run_from(const std::uint8_t* runs, std::uint32_t n,
                                       std::uint32_t slot) {
  const std::uint32_t after = lower_bound<4>(runs, n, slot + 1);
  return after - static_cast<std::uint32_t>(after != 0);
}

}  // namespace dvk::inline v0::bytes
