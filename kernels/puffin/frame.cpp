// The frame of a deletion-vector-v1 blob:
//   length:u32be (of magic and bitmap)  magic:u32le  bitmap  crc32:u32be (of magic and bitmap)
#include "bytes/load.hpp"
#include "dvk/crc32.hpp"
#include "dvk/puffin.hpp"

namespace dvk::inline v0::puffin {
namespace {

constexpr std::uint32_t vector_magic = 0x6439D3D1;
constexpr std::uint64_t largest_blob = 0x7fffffff;

}  // namespace

error frame(std::span<const std::byte> bitmap, std::span<std::byte> out) noexcept {
  if (bitmap.size() > largest_blob - frame_size(0)) {
    return {.code = error_code::limit_exceeded,
            .expected = largest_blob,
            .found = frame_size(bitmap.size())};
  }
  const auto size = static_cast<std::size_t>(frame_size(bitmap.size()));
  if (bitmap.size() < 8 || out.size() < size) {
    return {.code = error_code::invalid_argument, .expected = size, .found = out.size()};
  }
  std::byte* p = out.data();
  bytes::store_be32(p, static_cast<std::uint32_t>(bitmap.size() + 4));
  bytes::store_le(p + 4, vector_magic);
  const std::uint32_t crc_of_magic = crc32({p + 4, 4});
  bytes::store_be32(p + size - 4, crc32_copy(out.subspan(8, bitmap.size()), bitmap, crc_of_magic));
  return {};
}

}  // namespace dvk::inline v0::puffin
