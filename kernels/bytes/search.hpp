// Searches in sorted little-endian u16 keys at any alignment: the values of an array container
// (stride 2) or the starts of a run container (stride 4). Branch-free, because where a key lies is
// unpredictable: a mispredicted branch costs as much as five of these steps. Whatever the bytes
// hold, the loops end and stay inside the n keys.
#pragma once

#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/load.hpp"

namespace dvk::inline v0::bytes {

// A part of an array or run container that a search has been narrowed down to.
struct key_window {
  std::uint32_t first;
  std::uint32_t count;
};

// Halves [0, n) until at most `most` >= 1 keys are left. Of the keys < x all lie before the
// window's end; all before the window are < x.
template <std::uint32_t stride>
DVK_INLINE key_window narrow(const std::uint8_t* keys, std::uint32_t n, std::uint32_t x,
                             std::uint32_t most) {
  std::uint32_t first = 0;
  while (n > most) {
    const std::uint32_t half = n / 2;
    // All ones if the last key of the lower half is too small: the lower half can be dropped.
    const std::uint32_t drop =
        0u - static_cast<std::uint32_t>(load_le16(keys + stride * (first + half - 1)) < x);
    first += half & drop;
    n -= half;
  }
  return {first, n};
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
