// CRoaring's containers in place, which its public functions do not offer: written as they lie, and
// added to.
#pragma once

#include <roaring/containers/containers.h>
#include <roaring/roaring.h>

#include <bit>
#include <cstdint>

#include "builder/bitmap_writer.hpp"
#include "bytes/load.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0::detail {

// Serialised byte order, in `scratch` where the machine's own differs.
template <class T>
inline const std::uint8_t* little_endian(const T* p, std::uint32_t n, std::uint8_t* scratch) {
  if constexpr (std::endian::native == std::endian::little)
    return reinterpret_cast<const std::uint8_t*>(p);
  for (std::uint32_t i = 0; i < n; ++i)
    bytes::store_le(scratch + i * sizeof(T), p[i]);
  return scratch;
}

inline void write_container(bitmap_writer& writer, std::uint16_t key, const void* container,
                            std::uint8_t type) {
  using namespace ::roaring::internal;
  std::uint8_t scratch[4 * 65536];  // touched on big-endian machines only
  switch (type) {
    case ARRAY_CONTAINER_TYPE: {
      const auto* c = static_cast<const array_container_t*>(container);
      const auto n = static_cast<std::uint32_t>(c->cardinality);
      return writer.put_array(key, little_endian(c->array, n, scratch), n);
    }
    case BITSET_CONTAINER_TYPE: {
      const auto* c = static_cast<const bitset_container_t*>(container);
      const std::uint8_t* words = little_endian(c->words, bitset_bytes / 8, scratch);
      return writer.put_bitset(key, words, active_setops().bitset_count(words));
    }
    default: {
      const auto* c = static_cast<const run_container_t*>(container);
      const auto n = static_cast<std::uint32_t>(c->n_runs);
      std::uint32_t rows = n;
      for (std::uint32_t i = 0; i < n; ++i)
        rows += c->runs[i].length;
      return writer.put_runs(key, little_endian(&c->runs->value, 2 * n, scratch), n, rows, true);
    }
  }
}

// Longer lists of runs CRoaring turns into bitsets.
inline constexpr std::int32_t most_runs = 2047;

// Adds [first, last] to the container of the last call, as CRoaring would, which leaves the
// container of the same form. False if nothing was done: the rows go to another container, not to
// its end, or there is no room.
//
// Rows come in ascending order above all. Where they go to the end of a container, or into a
// bitset, there is little to do, and CRoaring's functions take longer to find that out.
inline bool append(const ::roaring::api::roaring_bulk_context_t& context, std::uint32_t first,
                   std::uint32_t last) noexcept {
  using namespace ::roaring::internal;
  if (context.container == nullptr || context.key != first >> 16 || context.key != last >> 16)
    return false;
  const auto begin = static_cast<std::uint16_t>(first), end = static_cast<std::uint16_t>(last);
  const auto rows = static_cast<std::int32_t>(last - first) + 1;
  switch (context.typecode) {
    case ARRAY_CONTAINER_TYPE: {
      auto* const c = static_cast<array_container_t*>(context.container);
      const std::int32_t n = c->cardinality;
      if (n == 0 || n + rows > c->capacity || c->array[n - 1] >= begin) return false;
      for (std::int32_t i = 0; i < rows; ++i)
        c->array[n + i] = static_cast<std::uint16_t>(begin + i);
      c->cardinality = n + rows;
      return true;
    }
    case BITSET_CONTAINER_TYPE:
      if (rows != 1) return false;
      bitset_container_set(static_cast<bitset_container_t*>(context.container), begin);
      return true;
    case RUN_CONTAINER_TYPE: {
      auto* const c = static_cast<run_container_t*>(context.container);
      const std::int32_t n = c->n_runs;
      if (n == 0) return false;
      rle16_t& before = c->runs[n - 1];
      const std::uint32_t after = std::uint32_t{before.value} + before.length + 1;
      if (begin < after) return false;
      if (begin == after) {
        before.length = static_cast<std::uint16_t>(end - before.value);
        return true;
      }
      if (n == c->capacity || n >= most_runs) return false;
      c->runs[n] = {begin, static_cast<std::uint16_t>(end - begin)};
      c->n_runs = n + 1;
      return true;
    }
    default:
      return false;
  }
}

using bulk_context = ::roaring::api::roaring_bulk_context_t;

inline bulk_context context_at(const ::roaring::api::roaring_array_t& list, std::int32_t i) {
  return {.container = list.containers[i],
          .idx = i,
          .key = list.keys[i],
          .typecode = list.typecodes[i]};
}

// The context of the bitmap's last container, if it holds `row`: for after calls that give none.
inline bulk_context last_container(const ::roaring::api::roaring_bitmap_t& bitmap,
                                   std::uint32_t row) noexcept {
  const ::roaring::api::roaring_array_t& list = bitmap.high_low_container;
  const std::int32_t i = list.size - 1;
  return i >= 0 && list.keys[i] == row >> 16 ? context_at(list, i) : bulk_context{};
}

// The context of the container that holds `row`, if there is one. Rows in no order defeat a search
// that branches.
inline bulk_context find_container(const ::roaring::api::roaring_bitmap_t& bitmap,
                                   std::uint32_t row) noexcept {
  const ::roaring::api::roaring_array_t& list = bitmap.high_low_container;
  std::int32_t at = 0;
  for (std::int32_t left = list.size; left > 1;) {
    const std::int32_t half = left / 2;
    at += half & -static_cast<std::int32_t>(list.keys[at + half] <= row >> 16);
    left -= half;
  }
  return list.size != 0 && list.keys[at] == row >> 16 ? context_at(list, at) : bulk_context{};
}

}  // namespace dvk::inline v0::detail
