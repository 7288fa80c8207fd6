// Guesses which known writer fault refused bytes look like, to save the reader of a message a
// search. Called on failure only; costs at most a walk over the headers and never changes the
// verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/result.hpp"

namespace dvk::inline v0::detail {

// For faults of the deletion-vector-v1 frame.
quirk guess_frame_quirk(std::span<const std::byte> blob, const error& fault) noexcept;

// For faults of the bitmap in bytes[begin, end).
quirk guess_bitmap_quirk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                         const error& fault) noexcept;

}  // namespace dvk::inline v0::detail
