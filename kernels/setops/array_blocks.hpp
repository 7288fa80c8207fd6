// Set operations on two arrays, on vectors of any width.
#pragma once

#include "setops/array_merge.hpp"
#include "setops/block_merge.hpp"

namespace dvk::inline v0::detail {
namespace {

// So many values are merged one by one before a single step of blocks is done.
constexpr std::uint32_t few_values = 16;

enum class keep : std::uint8_t { once, doubles, singles };

// Both arrays are merged, and from the merged list go the values wanted: each value once (union),
// those that stand twice (intersection), or those that stand alone (symmetric difference). No value
// stands more than twice, and equal ones are neighbours.
//
// `vector` is one of merge_lists, and for this it gives, for the 32 values at p: equal(p, q), a bit
// for each that equals its like at q; and store_kept(out, p, mask), which packs those of the mask,
// may write 32 values, and returns their number.
template <class vector, keep what>
[[maybe_unused]] std::uint32_t merge_arrays(const std::uint8_t* a, std::uint32_t na,
                                            const std::uint8_t* b, std::uint32_t nb,
                                            std::uint8_t* out) noexcept {
  constexpr std::uint32_t block = 32;
  const std::uint32_t total = na + nb;
  if (total <= few_values) {
    return merge_by_one<what != keep::doubles, what != keep::doubles, what != keep::singles>(
        a, na, b, nb, out);
  }
  // A block ahead of the result, which therefore never gets to what is still to be read.
  std::uint8_t* const merged = out + 2 * block;
  merge_lists<vector>(a, na, b, nb, merged);
  // Outer neighbours, which equal nothing.
  put(merged - 2, 0, value(merged, 0) ^ 1);
  put(merged, total, value(merged, total - 1) ^ 1);

  std::size_t n = 0;
  const auto keep_block = [&n, out](const std::uint8_t* at, std::uint32_t real) {
    std::uint32_t wanted = vector::equal(at, at - 2);
    if constexpr (what == keep::singles) wanted |= vector::equal(at, at + 2);
    if constexpr (what != keep::doubles) wanted = ~wanted;
    n += vector::store_kept(out + 2 * n, at, wanted & real);
  };
  std::uint32_t place = 0;
  for (; place + block <= total; place += block)
    keep_block(merged + 2 * std::size_t{place}, ~0u);
  if (place < total) keep_block(merged + 2 * std::size_t{place}, ~0u >> (block - (total - place)));
  return static_cast<std::uint32_t>(n);
}

// a - b as (a xor (a and b)): the merged list does not tell which array a value came from.
template <class vector>
[[maybe_unused]] std::uint32_t subtract_arrays(const std::uint8_t* a, std::uint32_t na,
                                               const std::uint8_t* b, std::uint32_t nb,
                                               std::uint8_t* out) noexcept {
  std::uint8_t common[2 * (2 * 4096 + setops_slack)];
  const std::uint32_t n = merge_arrays<vector, keep::doubles>(a, na, b, nb, common);
  // More than b's only where the bytes lie.
  return merge_arrays<vector, keep::singles>(a, na, common, n < nb ? n : nb, out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
