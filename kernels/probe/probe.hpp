// Probe kernels: membership, rank and select inside one container, and batches of rows over a
// directory.
//
// Containers are valid (opened at standard level or above), or at least in bounds (trusted level):
// then answers may be wrong but no access is. `slot` is a row number modulo 65,536. Nothing outside
// the payload is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "roaring/container.hpp"
#include "roaring/directory.hpp"

namespace dvk::inline v0::detail {

struct probe_table {
  bool (*contains)(const container& c, std::uint32_t slot) noexcept;
  // Set slots below `slot`, 0 <= slot <= 65,536.
  std::uint32_t (*rank)(const container& c, std::uint32_t slot) noexcept;
  // The slot with `index` set slots below it. Precondition: index < cardinality of the container.
  std::uint32_t (*select)(const container& c, std::uint32_t index) noexcept;
  // Whether rows never descend. n >= 1.
  bool (*ascending)(const std::uint64_t* rows, std::size_t n) noexcept;
  // Bits of member_bits (directory.hpp) for rows in any order.
  void (*unsorted)(directory d, const std::uint64_t* rows, std::size_t n,
                   std::uint64_t* words) noexcept;
  // Same for rows in ascending order (repeats allowed).
  void (*sorted)(directory d, const std::uint64_t* rows, std::size_t n,
                 std::uint64_t* words) noexcept;
};

namespace probe {
#define DVK_TIER(name, needs) extern const probe_table name;
#include "dispatch/tiers.def"
#undef DVK_TIER
}  // namespace probe

const probe_table& probe_tables(std::size_t i) noexcept;

}  // namespace dvk::inline v0::detail
