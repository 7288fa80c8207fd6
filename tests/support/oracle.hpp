// What a deletion vector must answer, from the sorted list of its rows and nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dvk_test {

class row_oracle {
 public:
  row_oracle() = default;
  explicit row_oracle(std::vector<std::uint64_t> rows) : rows_(std::move(rows)) {
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
  }

  [[nodiscard]] const std::vector<std::uint64_t>& rows() const { return rows_; }
  [[nodiscard]] std::uint64_t cardinality() const { return rows_.size(); }
  [[nodiscard]] bool contains(std::uint64_t row) const {
    return std::binary_search(rows_.begin(), rows_.end(), row);
  }
  [[nodiscard]] std::uint64_t rank(std::uint64_t row) const {
    return static_cast<std::uint64_t>(std::lower_bound(rows_.begin(), rows_.end(), row) -
                                      rows_.begin());
  }
  [[nodiscard]] std::optional<std::uint64_t> select(std::uint64_t index) const {
    if (index >= rows_.size()) return std::nullopt;
    return rows_[static_cast<std::size_t>(index)];
  }
  // Walks the deleted rows: slow and obvious.
  [[nodiscard]] std::uint64_t select_live(std::uint64_t index) const {
    std::uint64_t row = index;
    for (const std::uint64_t deleted : rows_) {
      if (deleted > row) break;
      ++row;
    }
    return row;
  }
  [[nodiscard]] std::optional<std::uint64_t> next_deleted(std::uint64_t row) const {
    return select(rank(row));
  }
  [[nodiscard]] std::uint64_t next_live(std::uint64_t row) const {
    for (auto i = static_cast<std::size_t>(rank(row)); i < rows_.size() && rows_[i] == row; ++i)
      ++row;
    return row;
  }

  struct range {
    std::uint64_t start;
    std::uint64_t count;
    friend bool operator==(const range&, const range&) = default;
  };
  [[nodiscard]] std::vector<range> ranges() const {
    std::vector<range> out;
    for (const std::uint64_t row : rows_) {
      if (!out.empty() && out.back().start + out.back().count == row) {
        ++out.back().count;
      } else {
        out.push_back({row, 1});
      }
    }
    return out;
  }

 private:
  std::vector<std::uint64_t> rows_;
};

}  // namespace dvk_test
