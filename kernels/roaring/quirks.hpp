// Guesses which known writer fault refused bytes look like, to save the reader of a message a
// search, and to say which other reading may be tried. Called on failure only; costs at most two
// walks over the headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/result.hpp"

namespace dvk::inline v0::detail {

// For faults of the deletion-vector-v1 frame.
quirk guess_frame_quirk(std::span<const std::byte> blob, const error& fault) noexcept;

// For faults of the bitmap in bytes[begin, end), found while it was read with the quirks `reading`.
quirk guess_bitmap_quirk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                         const error& fault, quirk_set reading) noexcept;

}  // namespace dvk::inline v0::detail
