// The container directory: what opening a deletion vector leaves behind, and all that the kernels
// read.
//
// Tier files include this header, so it holds plain data and constants only: an inline function
// here would be compiled with a tier's flags and could be picked by the linker for everyone (see
// kernels/README.md, "the ODR trap").
#pragma once

#include <cstdint>

namespace dvk::inline v0::detail {

inline constexpr std::uint32_t container_rows = 65536;
inline constexpr std::uint32_t max_array_cardinality = 4096;  // above it a container is a bitset
inline constexpr std::uint32_t bitset_bytes = 8192;

enum container_type : std::uint8_t { array_container = 0, bitset_container = 1, run_container = 2 };

// 24 bytes. `payload` has any alignment; it points at the first array value (u16), bitset word
// (u64) or run (u16 start, u16 length - 1), all little-endian, inside the opened bytes.
//
// The directory ends with a sentinel whose rank is the cardinality of the whole vector and whose
// key is above all others (2^48 - 1; the largest real key is 0x7fffffff'ffff), so the cardinality
// of entry i is entry[i+1].rank - entry[i].rank and a search needs no bounds check.
// The alignment is for 32-bit machines, some of which would pack it into 20.
struct alignas(8) container {
  const std::uint8_t* payload;
  std::uint64_t rank : 62;             // deleted rows in all containers before this one
  std::uint64_t type : 2;              // container_type
  std::uint64_t key : 48;              // row number >> 16
  std::uint64_t units_minus_one : 16;  // array values, runs, or set bits of a bitset, less one
};
static_assert(sizeof(container) == 24);

inline constexpr std::uint64_t sentinel_key = (std::uint64_t{1} << 48) - 1;

}  // namespace dvk::inline v0::detail
