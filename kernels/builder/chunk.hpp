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

}  // namespace dvk::inline v0::detail
