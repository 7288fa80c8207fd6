// The directory of an opened vector, and point questions to it. Tier-free: what layers above the
// probe family share without including its table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/search.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0::detail {

struct probe_table;

// `count` containers with ascending keys; containers[count] is the sentinel. An empty vector has
// count 0 and may have a null pointer.
struct directory {
  const container* containers = nullptr;
  std::size_t count = 0;
};

// Index of the first container whose key is >= `key`; directory.count if none. Precondition: count
// >= 1. Keys ascend strictly, so a key lies at most key - first key entries behind the first and at
// most last key - key entries before the last: if m keys are missing between the two, which is 0 or
// few in most files, the binary search is over m + 1 entries. Branch-free but for the ends.
DVK_INLINE std::size_t locate(directory d, std::uint64_t key) {
  const container* c = d.containers;
  const std::uint64_t last = d.count - 1;
  if (key <= c[0].key) return 0;
  if (key > c[last].key) return d.count;
  const std::uint64_t behind = key - c[0].key;
  const std::uint64_t before = c[last].key - key;
  std::uint64_t i = before < last ? last - before : 0;
  std::uint64_t n = (behind < last ? behind : last) - i;
  while (n != 0) {
    const std::uint64_t half = (n + 1) / 2;
    i = bytes::advance_if(c[i + half - 1].key < key, i, half);
    n -= half;
  }
  return static_cast<std::size_t>(i);
}

// The same for any directory, with a guess where the container may be: checked first, as is the
// entry after it.
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
