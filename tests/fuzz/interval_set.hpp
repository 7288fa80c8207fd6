// Sets of rows as a map of maximal half-open intervals: the oracle for whatever builds or combines
// deletion vectors. Slow in nothing that the fuzzer does, whatever the lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "dvk/deletion_vector.hpp"

namespace dvk_fuzz {

class interval_set {
 public:
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    auto at = map_.upper_bound(begin);
    if (at != map_.begin() && std::prev(at)->second >= begin) --at;
    while (at != map_.end() && at->first <= end) {
      if (at->first < begin) begin = at->first;
      if (at->second > end) end = at->second;
      at = map_.erase(at);
    }
    map_.emplace_hint(at, begin, end);
  }

  void remove(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    auto at = map_.upper_bound(begin);
    if (at != map_.begin() && std::prev(at)->second > begin) --at;
    while (at != map_.end() && at->first < end) {
      const auto [first, last] = *at;
      at = map_.erase(at);
      if (first < begin) map_.emplace(first, begin);
      if (last > end) map_.emplace(end, last);
    }
  }

  void clear() { map_.clear(); }

  [[nodiscard]] bool contains(std::uint64_t row) const {
    const auto at = map_.upper_bound(row);
    return at != map_.begin() && std::prev(at)->second > row;
  }
  [[nodiscard]] std::uint64_t cardinality() const {
    std::uint64_t sum = 0;
    for (const auto& [begin, end] : map_)
      sum += end - begin;
    return sum;
  }
  [[nodiscard]] std::vector<dvk::row_range> ranges() const {
    std::vector<dvk::row_range> out;
    for (const auto& [begin, end] : map_)
      out.push_back({begin, end - begin});
    return out;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> map_;
};

}  // namespace dvk_fuzz
