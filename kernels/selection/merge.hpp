// Moving bits into a mask that other filters may have written already: replace, and, or.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/load.hpp"

namespace dvk::inline v0::detail {
namespace {

enum class merge_kind { replace, both, either };

// `bits` has no bit outside `mask`; bits of `old` outside it stay.
template <merge_kind kind>
DVK_INLINE std::uint64_t merge(std::uint64_t old, std::uint64_t bits, std::uint64_t mask) {
  if constexpr (kind == merge_kind::replace) return (old & ~mask) | bits;
  if constexpr (kind == merge_kind::both) return old & (bits | ~mask);
  return old | bits;
}

// Bits [at, at + n) of the source, 1 <= n <= 64, as the low bits of the result; reads the next word
// only if it holds one of them.
DVK_INLINE std::uint64_t bits_at(const std::uint8_t* source, std::size_t at, std::size_t n) {
  const std::uint8_t* word = source + at / 64 * 8;
  std::uint64_t bits = bytes::load_native<std::uint64_t>(word) >> (at % 64);
  if (at % 64 + n > 64) bits |= bytes::load_native<std::uint64_t>(word + 8) << (64 - at % 64);
  return bits & (~std::uint64_t{0} >> (64 - n));
}

// The contract of selection_table::bits_*, a target word at a time.
template <merge_kind kind>
DVK_INLINE std::size_t move_bits(const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                                 std::size_t n, std::uint64_t* target, std::size_t to) {
  std::size_t set = 0;
  for (std::size_t done = 0; done < n;) {
    const std::size_t at = to + done, room = 64 - at % 64, take = n - done < room ? n - done : room;
    const std::uint64_t low = ~std::uint64_t{0} >> (64 - take);
    const std::uint64_t bits = bits_at(source, from + done, take) ^ (flip & low);
    target[at / 64] = merge<kind>(target[at / 64], bits << (at % 64), low << (at % 64));
    set += static_cast<std::size_t>(__builtin_popcountll(bits));
    done += take;
  }
  return set;
}

// The contract of selection_table::bytes_*, a byte at a time.
template <merge_kind kind>
DVK_INLINE std::size_t spread_each(const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                                   std::size_t n, std::uint8_t* out) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    bool set = bits_at(source, bit + i, 1) != (flip & 1);
    total += set ? 1 : 0;
    if constexpr (kind == merge_kind::both) set = set && out[i] != 0;
    if constexpr (kind == merge_kind::either) set = set || out[i] != 0;
    out[i] = set ? 1 : 0;
  }
  return total;
}

// The contract of selection_table::filter_*, from element i and `kept` elements on.
template <class T>
DVK_INLINE std::size_t filter_each(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                                   std::uint32_t window, T first, const T* in, std::size_t n,
                                   T* out, std::size_t* taken, std::size_t i, std::size_t kept) {
  for (; i < n; ++i) {
    const T value = in[i];
    const T distance = static_cast<T>(value - first);
    if (distance >= window) break;
    out[kept] = value;  // kept <= i: at most over an element already read
    kept += static_cast<std::size_t>(bits_at(mask, std::size_t{bit} + distance, 1) ^ (flip & 1));
  }
  *taken = i;
  return kept;
}

}  // namespace
}  // namespace dvk::inline v0::detail
