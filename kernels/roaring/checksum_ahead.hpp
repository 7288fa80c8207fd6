// The checksum of a blob, fused into the pass that validates its payloads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/crc32.hpp"

namespace dvk::inline v0 {
namespace detail {

// The checksum of a blob's magic and bitmap, taken block by block just ahead of the payload checks,
// so that these find their bytes in the L1 cache and a large blob is read from memory once.
class checksum_ahead {
 public:
  // `bytes` from `begin` to `end` are covered; offsets count from the start of `bytes`.
  checksum_ahead(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end) noexcept
      : bytes_(bytes), at_(begin), end_(end) {}

  // Checksums the bytes before `offset` at least, and returns how far that went.
  std::uint64_t reach(std::uint64_t offset) noexcept {
    while (at_ < offset)
      take(std::min(end_ - at_, block_bytes));
    return at_;
  }

  std::uint32_t finish() noexcept {
    take(end_ - at_);
    return crc_;
  }

 private:
  // Long enough that the kernel's start and end do not count, short enough for an L1 cache.
  static constexpr std::uint64_t block_bytes = 32 * 1024;

  void take(std::uint64_t n) noexcept {
    crc_ = crc32_extend(crc_,
                        bytes_.subspan(static_cast<std::size_t>(at_), static_cast<std::size_t>(n)));
    at_ += n;
  }

  std::span<const std::byte> bytes_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::uint32_t crc_ = 0;
};

}  // namespace detail

}  // namespace dvk::inline v0
