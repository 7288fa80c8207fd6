// Walks inside one container, one step at a time: what point questions need beyond the probe
// family. Tier-free.
//
// Containers are valid or at least in bounds: for lying payloads (level trusted) answers are wrong
// but stay in the range given. The cost is a binary search for arrays, and at most one pass over a
// bitset (8 KiB) or over touching or earlier runs.
#pragma once

#include <cstdint>

#include "roaring/container.hpp"

namespace dvk::inline v0::detail {

// Payload units: values of an array, runs, set bits of a bitset.
inline std::uint32_t units(const container& c) noexcept {
  return static_cast<std::uint32_t>(c.units_minus_one) + 1;
}

// Deleted rows of a container that stands in a directory (its successor is read).
inline std::uint32_t cardinality(const container& c) noexcept {
  return static_cast<std::uint32_t>((&c)[1].rank - c.rank);
}

// First set / clear slot at or after `slot` <= 65,535; 65,536 if there is none.
std::uint32_t next_set(const container& c, std::uint32_t slot) noexcept;
std::uint32_t next_clear(const container& c, std::uint32_t slot) noexcept;

// Last set slot.
std::uint32_t last_set(const container& c) noexcept;

// The clear slot with `index` clear slots below it; 65,535 at most. Precondition: there are more
// than `index` clear slots.
std::uint32_t select_clear(const container& c, std::uint32_t index) noexcept;

}  // namespace dvk::inline v0::detail
