#include "roaring/quirks.hpp"

#include "bytes/load.hpp"
#include "roaring/layout.hpp"
#include "validate/validate.hpp"

namespace dvk::inline v0::detail {
namespace {

const std::uint8_t* data_at(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  return reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
}

bool is_bitmap64(std::span<const std::byte> bytes) noexcept {
  layout_walk walk(bytes, 0, bytes.size());
  while (walk.next_bitmap()) {
    while (walk.next_container()) {
    }
  }
  return !walk.failed();
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

// Headers of the 32-bit bitmap at `cookie_at`, as far as they can be read although the bitmap as a
// whole is refused.
struct loose_headers {
  std::uint64_t containers = 0;
  std::uint64_t flags_at = 0;
  std::uint64_t descriptors_at = 0;
  std::uint64_t payload_at = 0;  // without an offset header
};

bool read_headers(std::span<const std::byte> bytes, std::uint64_t cookie_at, std::uint64_t end,
                  loose_headers& h) noexcept {
  if (end - cookie_at < 8) return false;
  const std::uint32_t cookie = bytes::load_le32(data_at(bytes, cookie_at));
  h.descriptors_at = cookie_at + 8;
  if (cookie == no_run_cookie) {
    h.containers = bytes::load_le32(data_at(bytes, cookie_at + 4));
  } else {
    h.containers = (cookie >> 16) + 1;
    h.flags_at = cookie_at + 4;
    h.descriptors_at = h.flags_at + (h.containers + 7) / 8;
  }
  h.payload_at = h.descriptors_at + 4 * h.containers;
  return h.containers <= max_containers && h.payload_at <= end;
}

// Bytes of a non-run payload of the cardinality that descriptor i declares.
std::uint64_t declared_bytes(std::span<const std::byte> bytes, const loose_headers& h,
                             std::uint64_t i) noexcept {
  const std::uint64_t cardinality =
      bytes::load_le16(data_at(bytes, h.descriptors_at + 4 * i + 2)) + 1u;
  return cardinality <= max_array_cardinality ? 2 * cardinality : bitset_bytes;
}

// Whether the bitmap fills its bytes exactly if the offset header is thought away.
bool lacks_offset_header(std::span<const std::byte> bytes, std::uint64_t end,
                         const loose_headers& h) noexcept {
  if (h.flags_at != 0 || h.containers >= min_containers_with_offsets) return false;
  std::uint64_t at = h.payload_at;
  for (std::uint64_t i = 0; i < h.containers; ++i)
    at += declared_bytes(bytes, h, i);
  return at == end;
}

// Whether some container has the size of a bitset and the cardinality of an array, going by the
// stored offsets.
bool has_undersized_bitset(std::span<const std::byte> bytes, std::uint64_t cookie_at,
                           std::uint64_t end, const loose_headers& h) noexcept {
  const bool stored = h.flags_at == 0 || h.containers >= min_containers_with_offsets;
  if (!stored || 4 * h.containers > end - h.payload_at) return false;
  const auto offset = [&](std::uint64_t i) {
    return i == h.containers ? end - cookie_at
                             : bytes::load_le32(data_at(bytes, h.payload_at + 4 * i));
  };
  for (std::uint64_t i = 0; i < h.containers; ++i) {
    const bool run = h.flags_at != 0 && ((*data_at(bytes, h.flags_at + i / 8) >> (i % 8)) & 1) != 0;
    const bool array = !run && declared_bytes(bytes, h, i) < bitset_bytes;
    if (array && offset(i + 1) - offset(i) == bitset_bytes) return true;
  }
  return false;
}

// Where a fault lies: cookie of the bitmap (0 if the fault is before any), and the last container
// that starts before it.
struct fault_place {
  std::uint64_t cookie_at = 0;
  container_place container = {};
};

fault_place find_fault(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                       std::uint64_t offset) noexcept {
  layout_walk walk(bytes, begin, end);
  fault_place place;
  for (bool more = true; more;) {
    more = walk.next_bitmap();
    if (walk.bitmap().cookie_at > offset) break;
    place.cookie_at = walk.bitmap().cookie_at;
    while (more && walk.next_container() && walk.container().at <= offset) {
      place.container = walk.container();
    }
  }
  return place;
}

// An array of 4,096 values and a bitset have the same size: only the bits tell.
bool is_bitset_of_4096(std::span<const std::byte> bytes, const container_place& c) noexcept {
  return c.type == array_container && c.cardinality == max_array_cardinality &&
         active_validators().bitset_count(data_at(bytes, c.at)) == c.cardinality;
}

}  // namespace

quirk guess_frame_quirk(std::span<const std::byte> blob, const error& fault) noexcept {
  if (fault.code == error_code::bad_crc) {
    return fault.found == (~fault.expected & 0xffffffff) ? quirk::crc_not_inverted : quirk::none;
  }
  const quirk foreign = guess_foreign_format(blob);
  if (foreign != quirk::none) return foreign;
  return is_bitmap64(blob) ? quirk::bare_bitmap : quirk::none;
}

quirk guess_bitmap_quirk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                         const error& fault) noexcept {
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
      const fault_place place = find_fault(bytes, begin, end, fault.offset);
      loose_headers h;
      if (place.cookie_at == 0 || !read_headers(bytes, place.cookie_at, end, h)) return quirk::none;
      if (lacks_offset_header(bytes, end, h)) return quirk::missing_offset_header;
      if (has_undersized_bitset(bytes, place.cookie_at, end, h) ||
          (fault.code == error_code::array_order && is_bitset_of_4096(bytes, place.container))) {
        return quirk::undersized_bitset;
      }
      return quirk::none;
    }
    default:
      return quirk::none;
  }
}

}  // namespace dvk::inline v0::detail
