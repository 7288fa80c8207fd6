// What an earlier filter left of each batch: the lists that refine works on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "bench/datasets.hpp"

namespace dvk_bench {

struct selected_share {
  const char* name;
  std::uint64_t one_in;
};
inline constexpr selected_share selected_shares[] = {
    {"all", 1}, {"half", 2}, {"tenth", 10}, {"hundredth", 100}};

// Ascending list over n rows in which each row stands with probability 1 / one_in.
template <class T>
std::vector<T> selected_rows(std::size_t n, std::uint64_t one_in) {
  std::mt19937_64 rng(13);
  std::vector<T> out;
  for (std::size_t i = 0; i < n; ++i) {
    if (rng() % one_in == 0) out.push_back(static_cast<T>(i));
  }
  return out;
}

// Whether `kept` is what is left of `selected` in the batch that starts at `base`.
template <class T>
bool is_refined(const dataset& d, std::uint64_t base, const std::vector<T>& selected, const T* kept,
                std::size_t count) {
  std::size_t k = 0;
  for (const T i : selected) {
    if (d.is_deleted(base + i)) continue;
    if (k == count || kept[k] != i) return false;
    ++k;
  }
  return k == count;
}

}  // namespace dvk_bench
