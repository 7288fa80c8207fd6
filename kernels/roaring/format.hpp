// Constants of the serialised forms: the deletion-vector-v1 frame (Iceberg Puffin spec) and the
// portable 32- and 64-bit Roaring formats (RoaringFormatSpec).
#pragma once

#include <cstdint>

namespace dvk::inline v0::detail {

// Frame: u32 big-endian length of magic + vector, magic, vector, u32 big-endian CRC-32 of magic +
// vector.
inline constexpr std::uint64_t blob_length_bytes = 4;
inline constexpr std::uint64_t blob_head_bytes = 8;
inline constexpr std::uint64_t blob_crc_bytes = 4;
inline constexpr std::uint64_t blob_frame_bytes = blob_head_bytes + blob_crc_bytes;
inline constexpr std::uint64_t min_blob_bytes = blob_frame_bytes + 8;
inline constexpr std::uint32_t blob_magic = 0xd1d33964;          // as a big-endian number
inline constexpr std::uint32_t delta_native_magic = 0xd0d33964;  // likewise

// 64-bit bitmap: u64 count, then for each bitmap a u32 key and a 32-bit bitmap, the shortest of
// which has 8 bytes.
inline constexpr std::uint32_t max_bitmap_key = 0x7fffffff;  // positions must stay below 2^63
inline constexpr std::uint64_t min_bitmap_bytes = 4 + 8;

// 32-bit bitmap: cookie, then u32 container count (no_run_cookie), or count - 1 in the cookie's
// upper half and a bit per container that says whether it is a run container (run_cookie).
inline constexpr std::uint32_t no_run_cookie = 12346;
inline constexpr std::uint32_t run_cookie = 12347;
inline constexpr std::uint32_t max_containers = 65536;
// A bitmap with the run cookie and fewer containers has no offset header.
inline constexpr std::uint32_t min_containers_with_offsets = 4;

}  // namespace dvk::inline v0::detail
