// The directory of an opened vector, and point questions to it. Tier-free: what layers above the
// probe family share without including its table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "roaring/container.hpp"

namespace dvk::inline v0::detail {

struct probe_table;

// `count` containers with ascending keys; containers[count] is the sentinel. An empty vector has
// count 0 and may have a null pointer.
struct directory {
  const container* containers = nullptr;
  std::size_t count = 0;
};

// Index of the first container whose key is >= `key`; directory.count if none. `hint`: where it may
// be. O(1) if the hint or the entry after it is right, or if the keys are consecutive (most files);
// else a binary search.
std::size_t find_container(directory d, std::uint64_t key, std::size_t hint = 0) noexcept;

// The probe family's kernels of the active tier.
const probe_table& active_probes() noexcept;

// Deleted rows below `row`.
std::uint64_t rank(const probe_table& probes, directory d, std::uint64_t row) noexcept;

// Bit i of `words` = rows[i] is deleted; bits from `n` on in the last word are 0. Any order of
// rows; a row at or past 2^63 (a negative i64) is not deleted. Writes ceil(n / 64) words.
void member_bits(const probe_table& probes, directory d, const std::uint64_t* rows, std::size_t n,
                 std::uint64_t* words) noexcept;

}  // namespace dvk::inline v0::detail
