#include "roaring/key_order.hpp"

#include <algorithm>

#include "roaring/format.hpp"

namespace dvk::inline v0::detail {
namespace {

// Where the payload starts and ends; the run count in front of runs belongs to it.
const std::uint8_t* begin_of(const container& c) noexcept {
  return c.payload - (c.type == run_container ? 2 : 0);
}
const std::uint8_t* end_of(const container& c) noexcept {
  if (c.type == bitset_container) return c.payload + bitset_bytes;
  const std::size_t unit_bytes = c.type == run_container ? 4 : 2;
  return c.payload + unit_bytes * (c.units_minus_one + std::size_t{1});
}

std::uint32_t bitmap_key(const container& c) noexcept {
  return static_cast<std::uint32_t>(c.key >> 16);
}

}  // namespace

std::optional<std::uint32_t> restore_key_order(std::span<container> directory) noexcept {
  const std::size_t n = directory.size() - 1;
  // While entries move, `rank` holds the cardinality.
  for (std::size_t i = 0; i < n; ++i)
    directory[i].rank = directory[i + 1].rank - directory[i].rank;
  const auto real = directory.first(n);
  // The payload decides between equal keys, so that every sort gives the same order.
  std::sort(real.begin(), real.end(), [](const container& a, const container& b) {
    return a.key != b.key ? a.key < b.key : a.payload < b.payload;
  });
  std::uint64_t rank = 0;
  for (container& c : real) {
    const std::uint64_t cardinality = c.rank;
    c.rank = rank & ((std::uint64_t{1} << 62) - 1);
    rank += cardinality;
  }
  // Payloads of one bitmap stand side by side; between those of two there are headers.
  for (std::size_t i = 1; i < n; ++i) {
    if (bitmap_key(directory[i]) == bitmap_key(directory[i - 1]) &&
        begin_of(directory[i]) != end_of(directory[i - 1])) {
      return bitmap_key(directory[i]);
    }
  }
  return std::nullopt;
}

error repeated_key(layout_walk walk, std::uint32_t key) noexcept {
  bool seen = false;
  while (walk.next_bitmap()) {
    while (walk.next_container()) {
    }
    const bitmap_place& b = walk.bitmap();
    if (b.key != key || b.containers == 0) continue;
    if (seen) {
      return {.code = error_code::key_order,
              .offset = b.key_at,
              .expected = std::uint64_t{key} + 1,
              .found = key};
    }
    seen = true;
  }
  return {.code = error_code::key_order};
}

}  // namespace dvk::inline v0::detail
