// What stands behind the handles of the C interface, and how answers and options cross it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "dvk/dvk.h"
#include "dvk/io.hpp"
#include "dvk/result.hpp"

struct dvk_vector {
  std::shared_ptr<const dvk::byte_buffer> bytes;  // null if they are borrowed
  dvk::deletion_vector vector;
};

struct dvk_buffer {
  explicit dvk_buffer(std::vector<std::byte>&& from) noexcept
      : made(std::move(from)), bytes(made) {}
  explicit dvk_buffer(dvk::byte_buffer&& from) noexcept
      : read(std::move(from)), bytes(read.bytes()) {}
  dvk_buffer(const dvk_buffer&) = delete;
  dvk_buffer& operator=(const dvk_buffer&) = delete;

  // One of the two holds the bytes, as whoever made them left them.
  std::vector<std::byte> made;
  dvk::byte_buffer read;
  std::span<const std::byte> bytes;
};

namespace dvk::inline v0::c {

// The return value of a call that can fail, told in full to whoever asked.
inline std::uint32_t answer(const error& failure, dvk_error* out) noexcept {
  if (out != nullptr) {
    *out = {.code = static_cast<std::uint32_t>(failure.code),
            .quirk = static_cast<std::uint32_t>(failure.quirk),
            .offset = failure.offset,
            .expected = failure.expected,
            .found = failure.found};
  }
  return static_cast<std::uint32_t>(failure.code);
}
inline std::uint32_t answer(error_code code, dvk_error* out) noexcept {
  return answer(error{.code = code}, out);
}

// Makes a handle of what `arguments` build, and gives it to the caller.
template <class Handle, class... Arguments>
std::uint32_t hand_over(Handle** out, dvk_error* failure, Arguments&&... arguments) noexcept {
  auto* handle = new (std::nothrow) Handle{std::forward<Arguments>(arguments)...};
  if (handle == nullptr) return answer(error_code::out_of_memory, failure);
  *out = handle;
  return answer(error_code::ok, failure);
}

// Options as this library knows them. Older callers have shorter structs: the rest is 0, the
// default. Newer ones have longer structs: what we do not know must be 0, or we would ignore a
// wish. False if it is not, and for a size that is none.
template <class Options>
[[nodiscard]] inline bool read_options(const Options* given, Options& out) noexcept {
  out = Options{};
  if (given == nullptr) return true;
  if (given->size == sizeof(Options)) {
    out = *given;
    return true;
  }
  constexpr std::size_t longest = 4096;  // a size beyond is garbage
  if (given->size < sizeof given->size || given->size > longest) return false;
  std::memcpy(&out, given, std::min(given->size, sizeof(Options)));
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  return given->size <= sizeof(Options) ||
         std::all_of(bytes + sizeof(Options), bytes + given->size,
                     [](unsigned char byte) { return byte == 0; });
}

// Sets of quirks. Bits of no quirk are a wish that this library does not know: false.
[[nodiscard]] inline bool to_cpp(std::uint64_t bits, quirk_set& out) noexcept {
  for (unsigned i = 1; i < 64; ++i) {
    if (((bits >> i) & 1) == 0) continue;
    if (i >= quirk_count) return false;
    out.insert(static_cast<quirk>(i));
  }
  return (bits & 1) == 0;
}
inline std::uint64_t to_bits(quirk_set members) noexcept {
  std::uint64_t bits = 0;
  for (unsigned i = 1; i < quirk_count; ++i)
    bits |= std::uint64_t{members.contains(static_cast<quirk>(i))} << i;
  return bits;
}

[[nodiscard]] bool to_cpp(const dvk_open_options* given, open_options& out) noexcept;

inline std::uint64_t or_default(std::uint64_t given, std::uint64_t otherwise) noexcept {
  return given != 0 ? given : otherwise;
}

inline std::span<const std::byte> bytes_of(const void* bytes, std::size_t size) noexcept {
  return {static_cast<const std::byte*>(bytes), size};
}

}  // namespace dvk::inline v0::c
