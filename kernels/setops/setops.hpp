// Kernels on pairs of container payloads, and between the three container forms. Contracts only;
// scalar.cpp explains.
//
// Arrays (u16 values), runs (u16 start, u16 length - 1) and bitsets (8,192 bytes, LSB first) are
// little-endian and have any alignment, as inputs and as outputs: scratch looks like serialised
// bytes. Inputs may be lies (unsorted values, say): the rows are then wrong, but no access leaves
// the bounds below. Outputs never overlap inputs, but where it is said.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dvk/export.hpp"

namespace dvk::inline v0::detail {

struct bitset_facts {
  std::uint32_t cardinality;
  std::uint32_t runs;  // maximal runs of set bits
};

// Values beyond the last one that kernels may clobber in their output: three 64-byte vectors.
inline constexpr std::uint32_t setops_slack = 96;

// Runs in each list that run_and and run_andnot take: those of any container that is not better off
// in another form.
inline constexpr std::uint32_t most_runs_met = 2047;

struct setops_table {
  // Facts of one container. Maximal runs of an ascending array; n <= 65536 (0 gives 0).
  std::uint32_t (*array_runs)(const std::uint8_t* values, std::uint32_t n) noexcept;
  bitset_facts (*bitset_count)(const std::uint8_t* words) noexcept;

  // Two bitsets into a third (out may be a or b), and the facts of it.
  bitset_facts (*bitset_and)(const std::uint8_t* a, const std::uint8_t* b,
                             std::uint8_t* out) noexcept;
  bitset_facts (*bitset_or)(const std::uint8_t* a, const std::uint8_t* b,
                            std::uint8_t* out) noexcept;
  bitset_facts (*bitset_andnot)(const std::uint8_t* a, const std::uint8_t* b,
                                std::uint8_t* out) noexcept;
  bitset_facts (*bitset_xor)(const std::uint8_t* a, const std::uint8_t* b,
                             std::uint8_t* out) noexcept;

  // Two ascending arrays of na, nb <= 4096 values into a third; its length. `out` holds na + nb +
  // setops_slack values.
  std::uint32_t (*array_and)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                             std::uint32_t nb, std::uint8_t* out) noexcept;
  std::uint32_t (*array_or)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                            std::uint32_t nb, std::uint8_t* out) noexcept;
  std::uint32_t (*array_andnot)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                                std::uint32_t nb, std::uint8_t* out) noexcept;
  std::uint32_t (*array_xor)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                             std::uint32_t nb, std::uint8_t* out) noexcept;

  // Two ascending lists of runs into a third, of maximal runs: those of the inputs may touch; in
  // run_or they may overlap. `out` holds na + nb runs and setops_slack values more. na, nb <= 65535
  // in run_or, most_runs_met in the others.
  std::uint32_t (*run_and)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                           std::uint32_t nb, std::uint8_t* out) noexcept;
  std::uint32_t (*run_or)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                          std::uint32_t nb, std::uint8_t* out) noexcept;
  std::uint32_t (*run_andnot)(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                              std::uint32_t nb, std::uint8_t* out) noexcept;

  // The set bits as values, ascending; how many. `values` holds that many + setops_slack.
  std::uint32_t (*bitset_to_array)(const std::uint8_t* words, std::uint8_t* values) noexcept;
  // The maximal runs; how many. `runs` holds that many and setops_slack values more.
  std::uint32_t (*bitset_to_runs)(const std::uint8_t* words, std::uint8_t* runs) noexcept;
  std::uint32_t (*array_to_runs)(const std::uint8_t* values, std::uint32_t n,
                                 std::uint8_t* runs) noexcept;

  // Sets the bits of values in any order; others keep their value.
  void (*set_values)(std::uint8_t* words, const std::uint8_t* values, std::uint32_t n) noexcept;
  // The bitset of disjoint runs (they may touch); writes all 8,192 bytes. A run past slot 65,535 is
  // cut there. n <= 65535.
  void (*runs_to_bitset)(const std::uint8_t* runs, std::uint32_t n, std::uint8_t* words) noexcept;
};

namespace setops {
#define DVK_TIER(name, needs) extern const setops_table name;
#include "dispatch/tiers.def"
#undef DVK_TIER
}  // namespace setops

// Table of tier_list[i] (for tests and benchmarks), and of the active tier. Exported for
// dvk::builder, another library.
DVK_EXPORT const setops_table& setops_tables(std::size_t i) noexcept;
DVK_EXPORT const setops_table& active_setops() noexcept;

}  // namespace dvk::inline v0::detail
