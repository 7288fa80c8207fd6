#include "roaring/quirks.hpp"

#include "bytes/load.hpp"
#include "roaring/layout.hpp"

namespace dvk::inline v0::detail {
namespace {

const std::uint8_t* data_at(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  return reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
}

// Walks all headers. Whether they fit: failed() of what it returns.
layout_walk try_reading(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                        quirk_set reading) noexcept {
  layout_walk walk(bytes, begin, end, reading);
  while (walk.next_bitmap()) {
    while (walk.next_container()) {
    }
  }
  return walk;
}

bool starts_as_bitmap32(const std::uint8_t* p) noexcept {
  const std::uint32_t cookie = bytes::load_le32(p);
  if ((cookie & 0xffff) == run_cookie) return true;
  return cookie == no_run_cookie && bytes::load_le32(p + 4) <= max_containers;
}

bool is_deletion_vector_magic(std::uint32_t magic) noexcept {
  return magic == blob_magic || magic == delta_native_magic;
}

// Frames that other formats have: recognised by their first bytes.
quirk guess_foreign_format(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 8) return quirk::none;
  const std::uint8_t* p = data_at(bytes, 0);
  if (bytes::load_be32(p) == delta_native_magic || bytes::load_be32(p + 4) == delta_native_magic) {
    return quirk::delta_native;
  }
  if (bytes.size() >= 9 && p[0] == 1 && is_deletion_vector_magic(bytes::load_be32(p + 5)))
    return quirk::delta_file;
  if (starts_as_bitmap32(p)) return quirk::roaring32;
  return quirk::none;
}

}  // namespace

quirk guess_frame_quirk(std::span<const std::byte> blob, const error& fault) noexcept {
  if (fault.code == error_code::bad_crc) {
    return fault.found == (~fault.expected & 0xffffffff) ? quirk::crc_not_inverted : quirk::none;
  }
  const quirk foreign = guess_foreign_format(blob);
  if (foreign != quirk::none) return foreign;
  // The writer of bare bitmaps is that of missing offset headers: some files have both faults.
  const bool bare = !try_reading(blob, 0, blob.size(), {}).failed() ||
                    !try_reading(blob, 0, blob.size(), {quirk::missing_offset_header}).failed();
  return bare ? quirk::bare_bitmap : quirk::none;
}

quirk guess_bitmap_quirk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                         const error& fault, quirk_set reading) noexcept {
  switch (fault.code) {
    case error_code::bitmap_count_too_large:
      return guess_foreign_format(
          bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    case error_code::key_order:
      return fault.found + 1 < fault.expected ? quirk::keys_in_hash_order : quirk::none;
    case error_code::truncated:
    case error_code::trailing_bytes:
    case error_code::offset_mismatch:
    case error_code::array_order: {
      quirk_set without_offsets = reading;
      without_offsets.insert(quirk::missing_offset_header);
      // Where only a payload is at fault the headers fit as they are.
      if (fault.code != error_code::array_order && without_offsets != reading &&
          !try_reading(bytes, begin, end, without_offsets).failed()) {
        return quirk::missing_offset_header;
      }
      quirk_set undersized = reading;
      undersized.insert(quirk::undersized_bitset);
      const layout_walk walk = try_reading(bytes, begin, end, undersized);
      return !walk.failed() && walk.met_undersized_bitset() ? quirk::undersized_bitset
                                                            : quirk::none;
    }
    default:
      return quirk::none;
  }
}

}  // namespace dvk::inline v0::detail
