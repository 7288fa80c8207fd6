// The two codecs of Puffin. Both mean exactly one frame, with its content size in the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/puffin.hpp"

namespace dvk::inline v0::puffin {

// Decodes a whole frame into a new buffer of its content size plus `padding` bytes (unspecified).
// Errors: blob_lz4 or blob_zstd for a broken frame, bytes after it, or a dictionary; content_size
// if that is missing or false; limit_exceeded if it is above `limit`. Error offsets are 0.
// Allocates nothing that the bytes cannot fill.
[[nodiscard]] result<byte_buffer> decode_lz4(std::span<const std::byte> frame, std::uint64_t limit,
                                             std::size_t padding = 0) noexcept;
[[nodiscard]] result<byte_buffer> decode_zstd(std::span<const std::byte> frame,
                                              std::uint64_t limit) noexcept;

// Encodes into a new buffer, of which the first `size` bytes are the frame.
struct encoded {
  byte_buffer buffer;
  std::size_t size = 0;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return buffer.bytes().first(size);
  }
};
[[nodiscard]] result<encoded> encode_lz4(std::span<const std::byte> content) noexcept;
[[nodiscard]] result<encoded> encode_zstd(std::span<const std::byte> content) noexcept;

}  // namespace dvk::inline v0::puffin
