// The layout walk: a bounds-checked cursor over the headers of a serialised 64-bit Roaring bitmap.
// It reads no payload but the run counts, and refuses whatever does not have exactly one reading:
// everything that level `trusted` refuses.
//
//   layout_walk walk(bytes, begin, end);
//   while (walk.next_bitmap()) {
//     while (walk.next_container()) use(walk.container());
//   }
//   if (walk.failed()) return walk.fault();
//
// With a set of quirks it reads what writers with these faults meant: bitmap keys in any order
// (which of them stand twice is then for the caller to see), no offset headers where there are
// fewer than four containers and no runs, bitsets in place of arrays.
//
// All positions are offsets from the start of `bytes`. Sizes are compared as `size > end - at`, in
// 64 bits, so no sum can wrap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bytes/load.hpp"
#include "dvk/result.hpp"
#include "roaring/container.hpp"
#include "roaring/format.hpp"

namespace dvk::inline v0::detail {

// One 32-bit bitmap. Offsets of 0 stand for parts that are absent.
struct bitmap_place {
  std::uint32_t key = 0;
  std::uint32_t containers = 0;
  std::uint64_t key_at = 0;
  std::uint64_t cookie_at = 0;
  std::uint64_t flags_at = 0;  // run flags
  std::uint64_t descriptors_at = 0;
  std::uint64_t offsets_at = 0;
};

struct container_place {
  container_type type;
  std::uint64_t key;          // row number >> 16
  std::uint32_t cardinality;  // as declared, 1 to 65,536
  std::uint32_t runs;         // 0 to 65,535; 0 unless it is a run container
  std::uint64_t at;           // payload, the run count included
  std::uint32_t bytes;
};

class layout_walk {
 public:
  layout_walk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
              quirk_set reading = {}) noexcept;

  // Number of 32-bit bitmaps that the vector claims; the claim fits in its bytes.
  [[nodiscard]] std::uint64_t bitmap_count() const noexcept { return bitmap_count_; }

  // Goes to the next bitmap and checks its headers. False after the last one, and on a fault.
  // Precondition: the containers of the current bitmap have been walked.
  bool next_bitmap() noexcept;
  [[nodiscard]] const bitmap_place& bitmap() const noexcept { return bitmap_; }

  // Goes to the next container of the current bitmap. False after the last one, and on a fault.
  bool next_container() noexcept;
  [[nodiscard]] const container_place& container() const noexcept { return container_; }

  // Whether a container so far was a bitset in place of an array.
  [[nodiscard]] bool met_undersized_bitset() const noexcept { return met_undersized_bitset_; }

  [[nodiscard]] bool failed() const noexcept { return fault_.code != error_code::ok; }
  [[nodiscard]] const error& fault() const noexcept { return fault_; }

 private:
  [[nodiscard]] const std::uint8_t* data(std::uint64_t at) const noexcept { return bytes_ + at; }
  [[nodiscard]] bool has(std::uint64_t size) const noexcept { return size <= end_ - at_; }
  bool fail(error_code code, std::uint64_t offset, std::uint64_t expected = 0,
            std::uint64_t found = 0) noexcept;
  bool truncated(std::uint64_t size) noexcept;
  bool read_cookie() noexcept;
  bool check_container_keys() noexcept;
  [[nodiscard]] bool is_run(std::uint32_t i) const noexcept {
    return bitmap_.flags_at != 0 && ((data(bitmap_.flags_at)[i / 8] >> (i % 8)) & 1) != 0;
  }
  bool is_undersized_bitset(std::uint32_t i) noexcept;
  [[nodiscard]] bool has_size_of_bitset(std::uint32_t i) const noexcept;

  const std::uint8_t* bytes_;
  std::uint64_t at_;
  std::uint64_t end_;
  quirk_set reading_;
  std::uint64_t bitmap_count_ = 0;
  std::uint64_t bitmaps_read_ = 0;
  std::uint32_t containers_read_ = 0;
  bool met_undersized_bitset_ = false;
  bitmap_place bitmap_ = {};
  container_place container_ = {};
  error fault_ = {};
};

inline bool layout_walk::next_container() noexcept {
  const std::uint32_t i = containers_read_;
  if (i == bitmap_.containers) return false;
  // The stored offset says nothing that the packed layout does not say. Readers that follow it and
  // readers that do not would see different rows, so it has to agree, and is never used.
  if (bitmap_.offsets_at != 0) {
    const std::uint64_t offset_at = bitmap_.offsets_at + 4 * std::uint64_t{i};
    const std::uint32_t stored = bytes::load_le32(data(offset_at));
    if (stored != at_ - bitmap_.cookie_at) {
      return fail(error_code::offset_mismatch, offset_at, at_ - bitmap_.cookie_at, stored);
    }
  }
  const std::uint32_t descriptor =
      bytes::load_le32(data(bitmap_.descriptors_at + 4 * std::uint64_t{i}));
  container_.key = std::uint64_t{bitmap_.key} << 16 | (descriptor & 0xffff);
  container_.cardinality = (descriptor >> 16) + 1;
  container_.at = at_;
  container_.runs = 0;
  if (is_run(i)) {
    if (!has(2)) return truncated(2);
    container_.type = run_container;
    container_.runs = bytes::load_le16(data(at_));
    container_.bytes = 2 + 4 * container_.runs;
  } else if (container_.cardinality <= max_array_cardinality &&
             !(reading_.contains(quirk::undersized_bitset) && is_undersized_bitset(i))) {
    container_.type = array_container;
    container_.bytes = 2 * container_.cardinality;
  } else {
    container_.type = bitset_container;
    container_.bytes = bitset_bytes;
  }
  if (!has(container_.bytes)) return truncated(container_.bytes);
  at_ += container_.bytes;
  ++containers_read_;
  return true;
}

}  // namespace dvk::inline v0::detail
