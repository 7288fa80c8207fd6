// Searches over the container directory.
#include "roaring/directory.hpp"

#include <algorithm>

#include "probe/probe.hpp"
#include "roaring/slots.hpp"

namespace dvk::inline v0::detail {

std::size_t find_container(directory d, std::uint64_t key, std::size_t hint) noexcept {
  const container* c = d.containers;
  if (d.count == 0 || key <= c[0].key) return 0;
  // The sentinel's key is above all others, so entry count may be looked at.
  if (hint < d.count && c[hint].key < key && c[hint + 1].key >= key) return hint + 1;
  if (hint - 1 < d.count && c[hint - 1].key < key && c[hint].key >= key) return hint;
  // Keys ascend strictly, so a key lies at most key - first key entries behind the first, and just
  // there if none is missing.
  const std::uint64_t guess = key - c[0].key;
  if (guess < d.count && c[guess].key == key) return static_cast<std::size_t>(guess);
  std::size_t first = 1;
  std::size_t count = d.count - 1;
  while (count != 0) {
    const std::size_t half = count / 2;
    const bool below = c[first + half].key < key;
    first = below ? first + half + 1 : first;
    count = below ? count - half - 1 : half;
  }
  return first;
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
  std::size_t ascending = 1;
  while (ascending < n && rows[ascending - 1] <= rows[ascending])
    ++ascending;
  const auto kernel = ascending == n ? probes.sorted : probes.unsorted;
  kernel(d, rows, n, words);
}

}  // namespace dvk::inline v0::detail
