// Searches over the container directory.
#include "roaring/directory.hpp"

#include <algorithm>

#include "probe/probe.hpp"
#include "roaring/slots.hpp"

namespace dvk::inline v0::detail {

std::size_t find_container(directory d, std::uint64_t key, std::size_t hint) noexcept {
  if (d.count == 0) return 0;
  const container* c = d.containers;
  if (hint < d.count) {
    const bool behind = hint == 0 || c[hint - 1].key < key;
    if (behind && c[hint].key >= key) return hint;
    // The sentinel's key is above all others, so entry `count` may be looked at.
    if (c[hint].key < key && c[hint + 1].key >= key) return hint + 1;
  }
  return locate(d, key);
}

std::uint64_t rank(const probe_table& probes, directory d, std::uint64_t row) noexcept {
  const std::size_t i = find_container(d, row >> 16);
  if (d.count == 0) return 0;
  const container& c = d.containers[i];
  if (i == d.count || c.key != row >> 16) return c.rank;
  // Lying payloads (level trusted) must not make ranks pass those of the next container.
  return c.rank + std::min(probes.rank(c, row & 0xffff), cardinality(c));
}

void member_bits(const probe_table& probes, directory d, const std::uint64_t* rows, std::size_t n,
                 std::uint64_t* words) noexcept {
  if (n == 0) return;
  if (d.count == 0) {
    std::fill_n(words, (n + 63) / 64, 0);
    return;
  }
  const auto kernel = probes.ascending(rows, n) ? probes.sorted : probes.unsorted;
  kernel(d, rows, n, words);
}

}  // namespace dvk::inline v0::detail
