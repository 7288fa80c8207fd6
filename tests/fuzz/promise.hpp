// How a fuzz target says that dvk broke a promise: it ends the program, so that the fuzzer keeps
// the input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "dvk/result.hpp"

// The one function of a target. Always 0: what stands in the bytes is never the fuzzer's fault.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace dvk_fuzz {

[[noreturn]] inline void broken(const char* promise, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
  std::abort();
}

#define PROMISE(...) \
  (static_cast<bool>(__VA_ARGS__) ? void() : ::dvk_fuzz::broken(#__VA_ARGS__, __FILE__, __LINE__))

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

// An error that stands for bytes of `size`: a code of the list, at one of them or at their end.
inline void check_error(const dvk::error& e, std::uint64_t size) {
  PROMISE(e.code != dvk::error_code::ok);
  PROMISE(!dvk::error_name(e.code).empty() && !dvk::error_text(e.code).empty());
  PROMISE(e.offset <= size);
}

// Its message besides: one line of printable ASCII, whatever stands in the bytes.
inline void check_error_text(const dvk::error& e, std::uint64_t size) {
  check_error(e, size);
  const std::string text = e.message();
  PROMISE(!text.empty() && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }));
}

// The same fault at the same byte.
inline bool same_fault(const dvk::error& a, const dvk::error& b) {
  return a.code == b.code && a.offset == b.offset;
}

}  // namespace dvk_fuzz
