// Bitmaps whose keys do not ascend: one known writer puts them in the order of a hash table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dvk/result.hpp"
#include "roaring/container.hpp"
#include "roaring/layout.hpp"

namespace dvk::inline v0::detail {

// Sorts a directory that is in the order of the bytes, its last entry the sentinel, by key, and
// makes its ranks anew. Returns the smallest key that two bitmaps with rows have, if any: then the
// vector has no one meaning.
std::optional<std::uint32_t> restore_key_order(std::span<container> directory) noexcept;

// The refusal of a vector whose second bitmap with rows and this key has no right to be.
error repeated_key(layout_walk walk, std::uint32_t key) noexcept;

}  // namespace dvk::inline v0::detail
