// A bitset as an array or as runs, on vectors of any width.
#pragma once

#include "setops/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

// Which words hold bits is not predictable, unless several in a row hold none. So all words of a
// group are decoded, or none.
//
// `words` gives: group, a number of words; all_are(p, value), whether each word of the group at p
// is `value`; decode(w, base, out), which stores the places of the set bits of w, counted from
// `base`, may write 32 values more, and returns their number; block, a number of values, and
// store_lengths(p), which turns each pair of a start and the row after the end into a run, for the
// `block` values at p.
template <class words>
[[maybe_unused]] std::uint32_t decode_bitset(const std::uint8_t* bitset,
                                             std::uint8_t* values) noexcept {
  std::uint32_t n = 0;
  for (std::uint32_t i = 0; i < words_of_bitset; i += words::group) {
    if (words::all_are(bitset + 8 * i, 0)) continue;
    for (std::uint32_t k = i; k < i + words::group; ++k)
      n += words::decode(load_le64(bitset + 8 * k), 64 * k, values + 2 * n);
  }
  return n;
}

// The borders of the runs, start and end in turn, are the set bits of w ^ (w << 1). They take just
// the room of the runs; a second pass turns each end into a length. An end at slot 65,536 is
// stored as 0, and the subtraction modulo 2^16 comes out right.
template <class words>
[[maybe_unused]] std::uint32_t decode_runs(const std::uint8_t* bitset,
                                           std::uint8_t* runs) noexcept {
  std::uint32_t n = 0;
  std::uint64_t carry = 0;
  for (std::uint32_t i = 0; i < words_of_bitset; i += words::group) {
    if (words::all_are(bitset + 8 * i, 0 - carry)) continue;  // all inside a run, or all outside
    for (std::uint32_t k = i; k < i + words::group; ++k) {
      const std::uint64_t w = load_le64(bitset + 8 * k);
      n += words::decode(w ^ (w << 1 | carry), 64 * k, runs + 2 * n);
      carry = w >> 63;
    }
  }
  if (carry != 0) put(runs, n++, 0);
  for (std::uint32_t i = 0; i < n; i += words::block)
    words::store_lengths(runs + 2 * i);
  return n / 2;
}

}  // namespace
}  // namespace dvk::inline v0::detail
