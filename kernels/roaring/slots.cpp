#include "roaring/slots.hpp"

#include <algorithm>
#include <bit>

#include "bytes/load.hpp"
#include "bytes/search.hpp"

namespace dvk::inline v0::detail {
namespace {

constexpr std::uint32_t words = container_rows / 64;

struct run {
  std::uint32_t first;
  std::uint32_t
      end;  // one past the last slot; clipped, because lying runs may pass the container's end
};

run load_run(const container& c, std::uint32_t i) noexcept {
  const std::uint32_t first = bytes::load_le16(c.payload + 4 * i);
  return {first, std::min(first + bytes::load_le16(c.payload + 4 * i + 2) + 1, container_rows)};
}

std::uint32_t load_value(const container& c, std::uint32_t i) noexcept {
  return bytes::load_le16(c.payload + 2 * i);
}
std::uint64_t load_word(const container& c, std::uint32_t i) noexcept {
  return bytes::load_le64(c.payload + 8 * i);
}

// First set bit of the words, or of their complement, at or after `slot`.
std::uint32_t scan_bits(const container& c, std::uint32_t slot, std::uint64_t flip) noexcept {
  std::uint32_t i = slot / 64;
  std::uint64_t word = (load_word(c, i) ^ flip) & (~std::uint64_t{0} << (slot % 64));
  while (word == 0) {
    if (++i == words) return container_rows;
    word = load_word(c, i) ^ flip;
  }
  return 64 * i + static_cast<std::uint32_t>(std::countr_zero(word));
}

// Position of the set bit of `word` that has `index` set bits below it.
std::uint32_t select_bit(std::uint64_t word, std::uint32_t index) noexcept {
  for (; index != 0; --index)
    word &= word - 1;
  return static_cast<std::uint32_t>(std::countr_zero(word));
}

}  // namespace

std::uint32_t next_set(const container& c, std::uint32_t slot) noexcept {
  const std::uint32_t n = units(c);
  if (c.type == array_container) {
    const std::uint32_t i = bytes::lower_bound<2>(c.payload, n, slot);
    return i == n ? container_rows : std::max(load_value(c, i), slot);
  }
  if (c.type == bitset_container) return scan_bits(c, slot, 0);
  const std::uint32_t i = bytes::last_run_from(c.payload, n, slot);
  const run r = load_run(c, i);
  if (slot < r.end) return std::max(r.first, slot);
  return i + 1 == n ? container_rows : std::max(load_run(c, i + 1).first, slot);
}

std::uint32_t next_clear(const container& c, std::uint32_t slot) noexcept {
  const std::uint32_t n = units(c);
  if (c.type == array_container) {
    std::uint32_t i = bytes::lower_bound<2>(c.payload, n, slot);
    for (; i < n && load_value(c, i) == slot; ++i)
      ++slot;
    return slot;
  }
  if (c.type == bitset_container) return scan_bits(c, slot, ~std::uint64_t{0});
  // Runs may touch (readable, not canonical), so the end of one can lie in the next.
  for (std::uint32_t i = bytes::last_run_from(c.payload, n, slot); i < n; ++i) {
    const run r = load_run(c, i);
    if (slot < r.first) break;
    slot = std::max(slot, r.end);
  }
  return slot;
}

std::uint32_t last_set(const container& c) noexcept {
  const std::uint32_t n = units(c);
  if (c.type == array_container) return load_value(c, n - 1);
  if (c.type == run_container) return load_run(c, n - 1).end - 1;
  for (std::uint32_t i = words; i-- != 0;) {
    const std::uint64_t word = load_word(c, i);
    if (word != 0) return 64 * i + 63 - static_cast<std::uint32_t>(std::countl_zero(word));
  }
  return 0;
}

std::uint32_t select_clear(const container& c, std::uint32_t index) noexcept {
  const std::uint32_t n = units(c);
  if (c.type == bitset_container) {
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint64_t word = ~load_word(c, i);
      const auto here = static_cast<std::uint32_t>(std::popcount(word));
      if (index < here) return 64 * i + select_bit(word, index);
      index -= here;
    }
    return container_rows - 1;
  }
  std::uint32_t slot = index;
  if (c.type == array_container) {
    // Value i has value - i clear slots below it, which never falls as i rises: count the values
    // with `index` or fewer.
    std::uint32_t first = 0;
    for (std::uint32_t count = n; count != 0;) {
      const std::uint32_t half = count / 2;
      const bool below = load_value(c, first + half) <= index + first + half;
      first = below ? first + half + 1 : first;
      count = below ? count - half - 1 : half;
    }
    slot = index + first;
  } else {
    for (std::uint32_t i = 0; i < n; ++i) {
      const run r = load_run(c, i);
      if (slot < r.first) break;
      slot += r.end - r.first;
    }
  }
  return std::min(slot, container_rows - 1);
}

}  // namespace dvk::inline v0::detail
