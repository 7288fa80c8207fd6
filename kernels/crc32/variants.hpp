// Which CRC-32 kernels there are, and which one serves. Not for tier files.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "crc32/crc32.hpp"
#include "dvk/dispatch.hpp"

namespace dvk::inline v0::detail {

struct crc32_variant {
  std::string_view name;
  tier admitted;      // the lowest tier that may use it
  bool runnable;      // on this CPU, whatever the active tier
  bool preferred;     // runnable, and chosen here where no later variant is
  crc32_table table;  // complete: null slots inherited
};

// Every variant that was built, ascending. Static storage; thread safe.
std::span<const crc32_variant> crc32_variants() noexcept;

// The variant that serves under the tier dispatch::tier_list[index]: the last preferred one that it
// admits.
const crc32_variant& crc32_chosen(std::size_t index) noexcept;

}  // namespace dvk::inline v0::detail
