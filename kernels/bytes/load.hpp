// Unaligned little- and big-endian loads and stores. Serialised bytes have any alignment, so
// nothing in the library reads them through a typed pointer; a memcpy of constant size compiles to
// one instruction.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"

namespace dvk::inline v0::bytes {

template <class T>
DVK_INLINE T load_native(const void* p) {
  T v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

template <class T>
DVK_INLINE T swap_bytes(T v) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(v);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(v);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(v);
}

template <class T>
DVK_INLINE T load_le(const void* p) {
  const T v = load_native<T>(p);
  if constexpr (std::endian::native == std::endian::big) return swap_bytes(v);
  return v;
}

DVK_INLINE std::uint16_t load_le16(const void* p) {
  return load_le<std::uint16_t>(p);
}
DVK_INLINE std::uint32_t load_le32(const void* p) {
  return load_le<std::uint32_t>(p);
}
DVK_INLINE std::uint64_t load_le64(const void* p) {
  return load_le<std::uint64_t>(p);
}

DVK_INLINE std::uint32_t load_be32(const void* p) {
  const auto v = load_native<std::uint32_t>(p);
  if constexpr (std::endian::native == std::endian::little) return swap_bytes(v);
  return v;
}

template <class T>
DVK_INLINE void store_le(void* p, T v) {
  if constexpr (std::endian::native == std::endian::big) v = swap_bytes(v);
  __builtin_memcpy(p, &v, sizeof v);
}

DVK_INLINE void store_be32(void* p, std::uint32_t v) {
  if constexpr (std::endian::native == std::endian::little) v = swap_bytes(v);
  __builtin_memcpy(p, &v, sizeof v);
}

// Asks for the cache line `distance` bytes after p, which may lie past the data: a fetch is no
// access.
DVK_INLINE void fetch_ahead(const void* p, std::size_t distance) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(p) + distance));
}

}  // namespace dvk::inline v0::bytes
