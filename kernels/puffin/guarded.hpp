// The edge between code that may throw (standard containers) and an interface that never does.
#pragma once

#include <new>
#include <stdexcept>

#include "dvk/result.hpp"

namespace dvk::inline v0::detail {

// Calls `body`, which returns an error or a result, and turns a failed allocation into
// out_of_memory.
template <class F>
auto guarded(F&& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return error{.code = error_code::out_of_memory};
  } catch (const std::length_error&) {  // a size past max_size(): the same thing, said otherwise
    return error{.code = error_code::out_of_memory};
  }
}

}  // namespace dvk::inline v0::detail
