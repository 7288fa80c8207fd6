// From a list of positions to containers.
#pragma once

#include <cstdint>
#include <span>

#include "builder/bitmap_writer.hpp"

namespace dvk::inline v0::detail {

// What one look at a list of positions tells.
struct position_order {
  bool ascending = true;  // repeats allowed
  bool strictly = true;   // no repeats
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
};
position_order order_of(std::span<const std::uint64_t> positions) noexcept;

// The first position above max_position, which there is, as an error.
error first_beyond(std::span<const std::uint64_t> positions) noexcept;

// Puts the rows of `positions`, all within max_position, into `writer`.
void write_positions(bitmap_writer& writer, std::span<const std::uint64_t> positions,
                     const position_order& order);

// A first size for the writer's vector.
std::uint64_t expected_bytes(std::span<const std::uint64_t> positions);

}  // namespace dvk::inline v0::detail
