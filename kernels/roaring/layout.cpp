// The parts of the layout walk that run once a bitmap.
#include "roaring/layout.hpp"

#include "validate/validate.hpp"

namespace dvk::inline v0::detail {

layout_walk::layout_walk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                         quirk_set reading) noexcept
    : bytes_(reinterpret_cast<const std::uint8_t*>(bytes.data())),
      at_(begin),
      end_(end),
      reading_(reading) {
  if (!has(8)) {
    truncated(8);
    return;
  }
  const std::uint64_t count = bytes::load_le64(data(begin));
  at_ += 8;
  // A 20-byte blob may claim 2^31 - 1 bitmaps. Nothing is sized by a count before the bytes for it
  // are there.
  const std::uint64_t most = (end_ - at_) / min_bitmap_bytes;
  if (count > most) {
    fail(error_code::bitmap_count_too_large, begin, most, count);
    return;
  }
  bitmap_count_ = count;
}

bool layout_walk::fail(error_code code, std::uint64_t offset, std::uint64_t expected,
                       std::uint64_t found) noexcept {
  fault_ = {.code = code, .offset = offset, .expected = expected, .found = found};
  return false;
}

bool layout_walk::truncated(std::uint64_t size) noexcept {
  return fail(error_code::truncated, at_, size, end_ - at_);
}

bool layout_walk::next_bitmap() noexcept {
  if (failed()) return false;
  if (bitmaps_read_ == bitmap_count_) {
    return at_ == end_ ? false : fail(error_code::trailing_bytes, at_, 0, end_ - at_);
  }
  if (!has(4)) return truncated(4);
  const std::uint32_t key = bytes::load_le32(data(at_));
  if (key > max_bitmap_key) return fail(error_code::key_out_of_range, at_, max_bitmap_key, key);
  const bool any_order = reading_.contains(quirk::keys_in_hash_order) && key != bitmap_.key;
  if (bitmaps_read_ != 0 && key <= bitmap_.key && !any_order) {
    return fail(error_code::key_order, at_, std::uint64_t{bitmap_.key} + 1, key);
  }
  bitmap_ = {.key = key, .key_at = at_, .cookie_at = at_ + 4};
  at_ += 4;
  ++bitmaps_read_;
  containers_read_ = 0;
  if (!read_cookie()) return false;

  const std::uint64_t n = bitmap_.containers;
  if (!has(4 * n)) return truncated(4 * n);
  bitmap_.descriptors_at = at_;
  at_ += 4 * n;
  if (!check_container_keys()) return false;
  const bool always = bitmap_.flags_at == 0 && !reading_.contains(quirk::missing_offset_header);
  if (always || n >= min_containers_with_offsets) {
    if (!has(4 * n)) return truncated(4 * n);
    bitmap_.offsets_at = at_;
    at_ += 4 * n;
  }
  return true;
}

bool layout_walk::read_cookie() noexcept {
  if (!has(4)) return truncated(4);
  const std::uint32_t cookie = bytes::load_le32(data(at_));
  if (cookie == no_run_cookie) {
    at_ += 4;
    if (!has(4)) return truncated(4);
    bitmap_.containers = bytes::load_le32(data(at_));
    if (bitmap_.containers > max_containers) {
      bitmap_.containers = 0;
      return fail(error_code::too_many_containers, at_, max_containers,
                  bytes::load_le32(data(at_)));
    }
    at_ += 4;
    return true;
  }
  if ((cookie & 0xffff) != run_cookie)
    return fail(error_code::bad_cookie, at_, no_run_cookie, cookie);
  at_ += 4;
  bitmap_.containers = (cookie >> 16) + 1;
  const std::uint64_t flag_bytes = (bitmap_.containers + 7) / 8;
  if (!has(flag_bytes)) return truncated(flag_bytes);
  bitmap_.flags_at = at_;
  at_ += flag_bytes;
  return true;
}

bool layout_walk::check_container_keys() noexcept {
  const std::uint8_t* descriptors = data(bitmap_.descriptors_at);
  for (std::uint64_t i = 1; i < bitmap_.containers; ++i) {
    const std::uint32_t before = bytes::load_le16(descriptors + 4 * (i - 1));
    const std::uint32_t key = bytes::load_le16(descriptors + 4 * i);
    if (key <= before) {
      return fail(error_code::container_key_order, bitmap_.descriptors_at + 4 * i, before + 1, key);
    }
  }
  return true;
}

// Whether container `i`, of so few rows that it should be an array, stands as a bitset.
bool layout_walk::is_undersized_bitset(std::uint32_t i) noexcept {
  if (!has(bitset_bytes) || !has_size_of_bitset(i)) return false;
  met_undersized_bitset_ = true;
  return true;
}

// Whether the next offset, or the end, lies 8 KiB ahead. An array of 4,096 values is as large, and
// there the payload tells: 4,096 different values cannot have as few as 4,096 bits set.
bool layout_walk::has_size_of_bitset(std::uint32_t i) const noexcept {
  if (container_.cardinality == max_array_cardinality)
    return active_validators().bitset_count(data(at_)) == max_array_cardinality;
  if (bitmap_.offsets_at == 0) return false;
  if (i + 1 == bitmap_.containers)
    return bitmaps_read_ == bitmap_count_ && end_ - at_ == bitset_bytes;
  const std::uint64_t next_at = bitmap_.offsets_at + 4 * (std::uint64_t{i} + 1);
  return bytes::load_le32(data(next_at)) == at_ + bitset_bytes - bitmap_.cookie_at;
}

}  // namespace dvk::inline v0::detail
