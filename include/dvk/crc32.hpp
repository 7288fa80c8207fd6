// CRC-32 as in zlib, gzip and PNG (polynomial 0x04C11DB7 reflected, initial value and final xor all
// ones). Deletion vectors are sealed with it. This is not CRC-32C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/export.hpp"

namespace dvk::inline v0 {

// The CRC-32 of `bytes`: any length, any alignment; reads nothing outside the span. Equal to zlib's
// crc32(0, p, n). Linear time. Thread safe.
[[nodiscard]] DVK_EXPORT std::uint32_t crc32(std::span<const std::byte> bytes) noexcept;

// The CRC-32 of A||bytes, given crc = crc32(A); crc32_extend(0, b) == crc32(b). Thread safe.
[[nodiscard]] DVK_EXPORT std::uint32_t crc32_extend(std::uint32_t crc,
                                                    std::span<const std::byte> bytes) noexcept;

// The CRC-32 of A||B, given crc_a = crc32(A), crc_b = crc32(B) and the length of B in bytes. O(log
// length_b), no memory touched but small tables. Thread safe.
[[nodiscard]] DVK_EXPORT std::uint32_t crc32_combine(std::uint32_t crc_a, std::uint32_t crc_b,
                                                     std::uint64_t length_b) noexcept;

// Copies `source` to `destination` and returns crc32_extend(crc, source), reading the bytes once.
// Precondition: destination.size() >= source.size(); the two do not overlap. Writes source.size()
// bytes, not more.
DVK_EXPORT std::uint32_t crc32_copy(std::span<std::byte> destination,
                                    std::span<const std::byte> source,
                                    std::uint32_t crc = 0) noexcept;

// A running checksum for streaming writers. Binds the tier when it is made; a plain value,
// copyable.
class crc32_stream {
 public:
  DVK_EXPORT crc32_stream() noexcept;
  DVK_EXPORT void update(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint32_t value() const noexcept { return crc_; }
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }

 private:
  const void* kernels_;
  std::uint64_t length_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace dvk::inline v0
