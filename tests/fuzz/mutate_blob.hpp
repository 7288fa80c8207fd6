// Mutations of deletion-vector-v1 blobs: of the bitmap, behind a frame that is then right again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/mutate_bitmap.hpp"
#include "tests/support/bitmap_builder.hpp"

namespace dvk_fuzz {

inline constexpr std::size_t frame_bytes = 12;  // length, magic, CRC

// Makes length, magic and CRC say the truth about what lies between.
inline void seal(byte_vector& blob) {
  if (blob.size() < frame_bytes) blob.resize(frame_bytes);
  const std::size_t size = blob.size();
  store_be32(blob, 0, static_cast<std::uint32_t>(size - 8));
  store_be32(blob, 4, 0xd1d33964);
  const auto sealed = std::as_bytes(std::span(blob)).subspan(4, size - 8);
  store_be32(blob, size - 4, dvk_test::plain_crc32(sealed));
}

inline byte_vector bitmap_of(const byte_vector& blob) {
  if (blob.size() < frame_bytes) return {};
  return {blob.begin() + 8, blob.end() - 4};
}
inline byte_vector blob_of(const byte_vector& bitmap) {
  byte_vector out(8);
  out.insert(out.end(), bitmap.begin(), bitmap.end());
  out.resize(out.size() + 4);
  seal(out);
  return out;
}

inline byte_vector mutate_blob(byte_vector blob, std::size_t max, chooser& pick) {
  if (pick.one_in(8) || max <= frame_bytes) return mutate_plainly(std::move(blob), max);
  return blob_of(mutate_bitmap(bitmap_of(blob), max - frame_bytes, pick));
}

}  // namespace dvk_fuzz
