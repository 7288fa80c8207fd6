// From a list of positions to containers.
#pragma once

#include <cstdint>
#include <span>

#include "builder/bitmap_writer.hpp"

namespace dvk::inline v0::detail {

// The first position above max_position, as an error; code ok if there is none. i64 comes in as its
// two's complement.
error check_positions(std::span<const std::uint64_t> positions) noexcept;

// Puts the rows of `positions` (any order, repeats allowed, all within max_position) into `writer`.
void write_positions(bitmap_writer& writer, std::span<const std::uint64_t> positions);

// A first size for the writer's vector.
std::uint64_t expected_bytes(std::span<const std::uint64_t> positions);

}  // namespace dvk::inline v0::detail
