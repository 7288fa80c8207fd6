// Loops that do nothing but move bytes: what no kernel that produces, or reads, as many bytes can
// beat. One per tier, with its widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dvk_bench {

struct limit_table {
  // 0, 1, ..., n-1 to out, any alignment of its type. n is a multiple of 128.
  void (*iota_u16)(std::uint16_t* out, std::size_t n) noexcept;
  void (*iota_u32)(std::uint32_t* out, std::size_t n) noexcept;
  // Xor of all 8-byte words, n a multiple of 8: a load and one operation for every vector.
  std::uint64_t (*xor_words)(const unsigned char* bytes, std::size_t n) noexcept;
};

namespace limits {
#define DVK_TIER(name, needs) extern const limit_table name;
#include "dispatch/tiers.def"
#undef DVK_TIER
}  // namespace limits

}  // namespace dvk_bench
