// Allocation failure as an error, for the layers that use the standard containers. Not for tier
// files.
#pragma once

#include "dvk/result.hpp"

namespace dvk::inline v0::detail {

// Runs `body`, which answers a result or an error; an allocation that fails in it becomes
// out_of_memory.
template <class Body>
auto guard_memory(Body body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {  // std::bad_alloc or std::length_error: nothing else is thrown in these layers
    return error{.code = error_code::out_of_memory};
  }
}

}  // namespace dvk::inline v0::detail
