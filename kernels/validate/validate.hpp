// Validation kernels: one container payload in, the place of the first fault out.
//
// All pointers have any alignment; values are little-endian; nothing outside the payload is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"

namespace dvk::inline v0::detail {

// Wide fields on purpose: 24 bytes are returned through memory. A struct of 16 bytes or less is
// returned in registers, which GCC packs by narrow stores and a wide load that stalls on them: 4
// ns.
struct run_check {
  std::uint64_t fault;        // index of the first run that breaks a rule, or the number of runs
  std::uint64_t cardinality;  // rows of all runs; meaningful if there is no fault
  bool overflow;              // the fault is a run past slot 65,535, not a wrong order
  bool touching;  // some run starts right after the one before it (legal, not canonical)
};

struct validate_table {
  // Index of the first value that is not greater than the one before it; n if values ascend
  // strictly. 1 <= n <= 4096.
  std::uint32_t (*array_order)(const std::uint8_t* values, std::uint32_t n) noexcept;
  // Set bits of an 8,192-byte bitset: 0 to 65,536.
  std::uint32_t (*bitset_count)(const std::uint8_t* words) noexcept;
  // Runs must start after the end of the run before and end at or before slot 65,535. 1 <= n <=
  // 65535.
  run_check (*run_order)(const std::uint8_t* runs, std::uint32_t n) noexcept;
};

namespace validate {
#define DVK_TIER(name, needs) extern const validate_table name;
#include "dispatch/tiers.def"
#undef DVK_TIER
}  // namespace validate

// Table of tier_list[i] (for tests and benchmarks), and of the active tier.
const validate_table& validate_tables(std::size_t i) noexcept;
const validate_table& active_validators() noexcept;

}  // namespace dvk::inline v0::detail
