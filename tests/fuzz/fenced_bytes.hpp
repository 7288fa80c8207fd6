// A copy of an input whose last byte is the last before an inaccessible page: sanitizers miss
// masked loads, expand loads and gathers that go too far. One mapping for the whole run, since one
// for each input would cost more than the target.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "tests/support/guard_buffer.hpp"

namespace dvk_fuzz {

inline std::span<const std::byte> fenced(std::span<const std::byte> bytes) {
  constexpr std::size_t room = std::size_t{4} << 20;  // more than any fuzzer's input
  static const dvk_test::guard_buffer buffer(room);
  if (bytes.size() > room) return bytes;
  std::uint8_t* const start = buffer.data() + (room - bytes.size());
  if (!bytes.empty()) std::memcpy(start, bytes.data(), bytes.size());
  return {reinterpret_cast<const std::byte*>(start), bytes.size()};
}

}  // namespace dvk_fuzz
