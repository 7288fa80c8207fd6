// Mutations of Delta deletion-vector files: of one record's bitmap, or of the row of records; sizes
// and CRCs are then right again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/mutate_blob.hpp"

namespace dvk_fuzz {

inline std::vector<byte_vector> records_of(const byte_vector& file) {
  std::vector<byte_vector> out;
  for (std::size_t at = 1; at < file.size() && file.size() - at >= 8 && out.size() < 64;) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size = size << 8 | file[at + i];
    size = std::min(size, file.size() - at - 8) + 8;
    out.emplace_back(file.begin() + static_cast<std::ptrdiff_t>(at),
                     file.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  return out;
}

inline byte_vector mutate_delta(byte_vector file, std::size_t max, chooser& pick) {
  if (pick.one_in(6)) return mutate_plainly(std::move(file), max);
  std::vector<byte_vector> records = records_of(file);
  const std::size_t i = pick.below(records.size());
  switch (records.empty() ? 0 : pick.below(8)) {
    case 0:
      records.push_back(blob_of(serialise({any_chunk(pick.below(3), pick)})));
      break;
    case 1:
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 2:
      std::swap(records[i], records[pick.below(records.size())]);
      break;
    default:
      records[i] = mutate_blob(records[i], max, pick);
  }
  byte_vector out{static_cast<std::uint8_t>(pick.one_in(50) ? pick.below(256) : 1)};
  for (const byte_vector& record : records)
    out.insert(out.end(), record.begin(), record.end());
  return out;
}

}  // namespace dvk_fuzz
