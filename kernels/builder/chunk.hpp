// One container of an opened vector, as the set operations read it.
#pragma once

#include <cstdint>

#include "bytes/load.hpp"
#include "dvk/deletion_vector.hpp"

namespace dvk::inline v0::detail {

struct chunk {
  std::uint64_t key;            // row >> 16
  const std::uint8_t* payload;  // first array value, bitset byte, or run
  std::uint32_t units;          // array values or runs; unused for a bitset
  container_kind kind;
};

inline chunk chunk_at(const deletion_vector& dv, std::size_t i) noexcept {
  const container_info info = dv.container(i);
  const auto* base = reinterpret_cast<const std::uint8_t*>(dv.bytes().data());
  const bool run = info.kind == container_kind::run;
  return {.key = info.first_row >> 16,
          .payload = base + info.offset + (run ? 2 : 0),
          .units = run ? info.runs : info.bytes / 2,
          .kind = info.kind};
}

// The borders of a container's runs in ascending order: a start, the end after it, the next
// start... An array value is a run of one row.
class border_cursor {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  border_cursor() noexcept = default;
  explicit border_cursor(const chunk& c) noexcept
      : unit_(c.payload), stride_(c.kind == container_kind::run ? 4 : 2), left_(c.units) {
    load();
  }
  [[nodiscard]] std::uint32_t next() const noexcept { return next_; }
  [[nodiscard]] bool inside() const noexcept { return inside_; }
  // Passes every border at `at`: two runs that touch leave no trace of their meeting.
  void pass(std::uint32_t at) noexcept {
    while (next_ == at) {
      inside_ = !inside_;
      if (inside_) {
        next_ = end_;
      } else {
        load();
      }
    }
  }

 private:
  void load() noexcept {
    if (left_ == 0) {
      next_ = none;
      return;
    }
    --left_;
    next_ = bytes::load_le16(unit_);
    end_ = next_ + 1 + (stride_ == 4 ? bytes::load_le16(unit_ + 2) : 0u);
    if (end_ > 65536) end_ = 65536;  // only where the bytes lie
    unit_ += stride_;
  }

  const std::uint8_t* unit_ = nullptr;
  std::uint32_t stride_ = 0;
  std::uint32_t left_ = 0;
  std::uint32_t next_ = none;
  std::uint32_t end_ = 0;
  bool inside_ = false;
};

}  // namespace dvk::inline v0::detail
