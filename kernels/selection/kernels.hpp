// The slots of selection_table by element type and combination, for the templates of the entry
// points.
#pragma once

#include <cstdint>

#include "dvk/selection.hpp"
#include "selection/selection.hpp"

namespace dvk::inline v0::detail {

// Index types and the unsigned type that has a kernel: i32 lists are u32 lists whose numbers stay
// below 2^31.
template <class T>
struct kernel_type {
  using type = T;
};
template <>
struct kernel_type<std::int32_t> {
  using type = std::uint32_t;
};
template <class T>
using kernel_type_t = typename kernel_type<T>::type;

template <class T>
auto pick(auto u16, auto u32, auto u64) {
  if constexpr (sizeof(T) == 2) {
    return u16;
  } else if constexpr (sizeof(T) == 4) {
    return u32;
  } else {
    return u64;
  }
}
template <class T>
auto indices_of(const selection_table& k) {
  return pick<T>(k.indices_u16, k.indices_u32, k.indices_u64);
}
template <class T>
auto iota_of(const selection_table& k) {
  return pick<T>(k.iota_u16, k.iota_u32, k.iota_u64);
}
template <class T>
auto decode_of(const selection_table& k) {
  return pick<T>(k.decode_u16, k.decode_u32, k.decode_u64);
}
inline auto bits_of(const selection_table& k, combine how) {
  return how == combine::replace    ? k.bits_replace
         : how == combine::and_with ? k.bits_and
                                    : k.bits_or;
}
inline auto bytes_of(const selection_table& k, combine how) {
  return how == combine::replace    ? k.bytes_replace
         : how == combine::and_with ? k.bytes_and
                                    : k.bytes_or;
}

// What a scanner holds, unpacked.
struct bound {
  const selection_table& kernels;
  const probe_table& probes;
  directory where;
};

}  // namespace dvk::inline v0::detail
