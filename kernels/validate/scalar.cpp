// Validation of container payloads, the reference, one value at a time.
//
// Why at all: membership, rank and selection rely on order. In an unsorted array a binary search
// misses rows that are there; overlapping runs count rows twice; a bitset whose bits differ from
// the declared cardinality shifts every rank behind it. Engines that skip these checks have shown
// deleted rows and hidden live ones. The payload is about to be in cache anyway (its CRC has just
// been computed), so the checks cost one more read of it and nothing else, if they keep up with the
// cache:
//
// - An array is sound if each value exceeds the one before it. Every pair is independent of all
// others, so a vector of values is compared
//   with the vector that starts one value earlier: two loads, one compare. No carry from lane to
//   lane is needed.
// - A bitset is sound if its population count is the declared one.
// - Runs are sound if each starts after the end of the one before and none passes slot 65,535. As
// for arrays, the run before
//   is a second load, four bytes earlier; a run is one 32-bit lane, start in the low half, length -
//   1 in the high half.
//
// The fast kernels only look for whether a block holds a fault; where it lies is then found by
// these loops, so all tiers name the same offset.
#include "bytes/load.hpp"
#include "validate/generic.hpp"
#include "validate/validate.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

std::uint32_t array_order(const std::uint8_t* values, std::uint32_t n) noexcept {
  return first_disorder(values, 1, n);
}

std::uint32_t bitset_count(const std::uint8_t* words) noexcept {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < bitset_bytes; i += 8)
    sum += count_bits(bytes::load_native<std::uint64_t>(words + i));
  return static_cast<std::uint32_t>(sum);
}

run_check run_order(const std::uint8_t* runs, std::uint32_t n) noexcept {
  run_totals totals;
  return check_runs(runs, 0, n, totals);
}

}  // namespace

constinit const validate_table scalar{array_order, bitset_count, run_order};

}  // namespace dvk::inline v0::detail::validate
