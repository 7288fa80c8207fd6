// Two opened vectors, walked in step by chunk.
#pragma once

#include <algorithm>

#include "builder/chunk.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0::detail {

enum class operation : std::uint8_t { both, either, first_only, one_only };

constexpr bool keeps_first(operation op) {
  return op != operation::both;
}
constexpr bool keeps_second(operation op) {
  return op == operation::either || op == operation::one_only;
}
constexpr bool keeps_common(operation op) {
  return op == operation::both || op == operation::either;
}

// Index of the first container from `i` on that belongs to another 32-bit bitmap.
inline std::size_t end_of_key(const deletion_vector& dv, std::size_t i,
                              std::uint64_t key) noexcept {
  const std::size_t count = dv.container_count();
  // Most vectors have one key: look at the last container first.
  if (i < count && dv.container(count - 1).first_row >> 32 == key) return count;
  while (i < count && dv.container(i).first_row >> 32 == key)
    ++i;
  return i;
}

// For every 32-bit bitmap calls visitor.begin(key, containers, runs_likely), with guesses of what
// it will hold; then, by chunk, visitor.put(chunk) for what only one vector holds and `op` keeps,
// and visitor.combine(a, b) for what both hold. `go_on` is asked after every chunk.
template <class Visitor, class GoOn>
void walk(const deletion_vector& a, const deletion_vector& b, operation op, Visitor& visitor,
          GoOn go_on) {
  std::size_t i = 0, j = 0;
  const std::size_t na = a.container_count(), nb = b.container_count();
  while (i < na || j < nb) {
    const std::uint64_t key = std::min(i < na ? a.container(i).first_row >> 32 : ~std::uint64_t{0},
                                       j < nb ? b.container(j).first_row >> 32 : ~std::uint64_t{0});
    const std::size_t end_a = end_of_key(a, i, key), end_b = end_of_key(b, j, key);
    const std::size_t most = std::max(end_a - i, end_b - j);
    bool runs_likely = false;
    for (std::size_t k = 0; k < 2; ++k) {  // a look at the first of each tells enough for a guess
      if (i + k < end_a) runs_likely |= a.container(i + k).kind == container_kind::run;
      if (j + k < end_b) runs_likely |= b.container(j + k).kind == container_kind::run;
    }
    visitor.begin(static_cast<std::uint32_t>(key), most, runs_likely);
    while (i < end_a || j < end_b) {
      // Keys past the end count as infinite.
      const chunk x = i < end_a
                          ? chunk_at(a, i)
                          : chunk{.key = sentinel_key, .payload = nullptr, .units = 0, .kind = {}};
      const chunk y = j < end_b
                          ? chunk_at(b, j)
                          : chunk{.key = sentinel_key, .payload = nullptr, .units = 0, .kind = {}};
      if (x.key == y.key) {
        visitor.combine(x, y);
      } else if (x.key < y.key) {
        if (keeps_first(op)) visitor.put(x);
      } else if (keeps_second(op)) {
        visitor.put(y);
      }
      i += x.key <= y.key;
      j += y.key <= x.key;
      if (!go_on()) return;
    }
  }
}

}  // namespace dvk::inline v0::detail
