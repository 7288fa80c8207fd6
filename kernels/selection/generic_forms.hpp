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

// Set bits among bits [bit, bit + n) of the source, n > 0, each xor-ed with `flip`.
template <class Ops>
DVK_INLINE std::size_t count_bits(const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                                  std::size_t n) {
  const std::size_t last = (bit + n - 1) / 64, rest = 64 * (last + 1) - bit - n;
  std::size_t set = Ops::popcount(source, last + 1);
  if (bit != 0) set -= static_cast<std::size_t>(__builtin_popcountll(bits_at(source, 0, bit)));
  if (rest != 0)
    set -= static_cast<std::size_t>(__builtin_popcountll(bits_at(source, bit + n, rest)));
  return flip == 0 ? set : n - set;
}

// The last vector overlaps the one before it: each of the three combinations gives the same when
// it is made twice.
template <class Ops, merge_kind kind>
std::size_t spread(const std::uint8_t* source, std::size_t bit, std::uint64_t flip, std::size_t n,
                   std::uint8_t* out) noexcept {
  constexpr std::size_t lanes = xsimd::batch<std::uint8_t, typename Ops::arch>::size;
  if (n < lanes) return spread_each<kind>(source, bit, flip, n, out);
  std::size_t set = 0, i = 0;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t bits = bits_at(source, bit + i, 64) ^ flip;
    set += static_cast<std::size_t>(__builtin_popcountll(bits));
    for (std::size_t k = 0; k < 64; k += lanes, bits >>= lanes)
      spread_vector<Ops, kind>(bits, out + i + k);
  }
  if (i < n)
    set += static_cast<std::size_t>(
        __builtin_popcountll(bits_at(source, bit + i, n - i) ^ (flip >> (64 - (n - i)))));
  for (; i + lanes <= n; i += lanes)
    spread_vector<Ops, kind>(bits_at(source, bit + i, lanes) ^ flip, out + i);
  if (i < n)
    spread_vector<Ops, kind>(bits_at(source, bit + n - lanes, lanes) ^ flip, out + n - lanes);
  return set;
}

// The target's whole words by a funnel shift of neighbouring source words, as many as fit a vector
// at a time; its first and last words bit-wise.
template <class Ops, merge_kind kind>
std::size_t move(const std::uint8_t* source, std::size_t from, std::uint64_t flip, std::size_t n,
                 std::uint64_t* target, std::size_t to) noexcept {
  using words = xsimd::batch<std::uint64_t, typename Ops::arch>;
  std::size_t done = (64 - to % 64) % 64;
  if (done > n) done = n;
  if (done != 0) move_bits<kind>(source, from, flip, done, target, to);
  const auto shift = static_cast<int>((from + done) % 64);
  const std::uint8_t* s = source + (from + done) / 64 * 8;
  std::uint64_t* t = target + (to + done) / 64;
  for (; n - done >= 64 * words::size;
       done += 64 * words::size, s += 8 * words::size, t += words::size) {
    auto v = Ops::template load<std::uint64_t>(s);
    // With a shift the last word's high bits come from the word behind, which then holds a bit of
    // the source.
    if (shift != 0) v = (v >> shift) | (Ops::template load<std::uint64_t>(s + 8) << (64 - shift));
    v ^= words(flip);
    if constexpr (kind == merge_kind::both) v &= words::load_unaligned(t);
    if constexpr (kind == merge_kind::either) v |= words::load_unaligned(t);
    v.store_unaligned(t);
  }
  if (done < n) move_bits<kind>(s, static_cast<std::size_t>(shift), flip, n - done, t, 0);
  return count_bits<Ops>(source, from, flip, n);
}

}  // namespace
}  // namespace dvk::inline v0::detail
