// From mask words to byte masks and other bit positions, for vectors of 16 and 32 bytes; see
// generic.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "bytes/attributes.hpp"
#include "selection/merge.hpp"

namespace dvk::inline v0::detail {
namespace {

// As many rows as a vector has bytes. Unsigned minima do the logic of bytes that are true if they
// are not 0: min(x, 1) is 1 or 0, and min(old, one) is 1 where both are true.
template <class Ops, merge_kind kind>
DVK_INLINE void spread_vector(std::uint64_t bits, std::uint8_t* out) {
  using bytes = xsimd::batch<std::uint8_t, typename Ops::arch>;
  bytes one = xsimd::min(Ops::spread(bits), bytes(1));
  if constexpr (kind != merge_kind::replace) {
    const auto old = bytes::load_unaligned(out);
    one = kind == merge_kind::both ? xsimd::min(old, one) : xsimd::min(old | one, bytes(1));
  }
  one.store_unaligned(out);
}

// The last vector overlaps the one before it: each of the three combinations gives the same when
// it is made twice.
template <class Ops, merge_kind kind>
void spread(const std::uint64_t* words, std::size_t bit, std::size_t n,
            std::uint8_t* out) noexcept {
  constexpr std::size_t lanes = xsimd::batch<std::uint8_t, typename Ops::arch>::size;
  if (n < lanes) {
    spread_each<kind>(words, bit, n, out);
    return;
  }
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t bits = bits_at(words, bit + i, 64);
    for (std::size_t k = 0; k < 64; k += lanes, bits >>= lanes)
      spread_vector<Ops, kind>(bits, out + i + k);
  }
  for (; i + lanes <= n; i += lanes)
    spread_vector<Ops, kind>(bits_at(words, bit + i, lanes), out + i);
  if (i < n) spread_vector<Ops, kind>(bits_at(words, bit + n - lanes, lanes), out + n - lanes);
}

// The target's whole words by a funnel shift of neighbouring source words, as many as fit a vector
// at a time; its first and last words bit-wise.
template <class Ops, merge_kind kind>
void move(const std::uint64_t* source, std::size_t from, std::size_t n, std::uint64_t* target,
          std::size_t to) noexcept {
  using words = xsimd::batch<std::uint64_t, typename Ops::arch>;
  std::size_t done = (64 - to % 64) % 64;
  if (done > n) done = n;
  if (done != 0) move_bits<kind>(source, from, done, target, to);
  const auto shift = static_cast<int>((from + done) % 64);
  const std::uint64_t* s = source + (from + done) / 64;
  std::uint64_t* t = target + (to + done) / 64;
  for (; n - done >= 64 * words::size;
       done += 64 * words::size, s += words::size, t += words::size) {
    auto v = words::load_unaligned(s);
    // With a shift the last word's high bits come from the word behind, which then holds a bit of
    // the source.
    if (shift != 0) v = (v >> shift) | (words::load_unaligned(s + 1) << (64 - shift));
    if constexpr (kind == merge_kind::both) v &= words::load_unaligned(t);
    if constexpr (kind == merge_kind::either) v |= words::load_unaligned(t);
    v.store_unaligned(t);
  }
  if (done < n) move_bits<kind>(s, static_cast<std::size_t>(shift), n - done, t, 0);
}

}  // namespace
}  // namespace dvk::inline v0::detail
