// Names and messages of errors.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "dvk/dvk.h"
#include "dvk/result.hpp"

namespace {

// Numbers that fit no code of ours name none either.
template <class Code>
Code to_code(std::uint32_t number) noexcept {
  return static_cast<Code>(std::min<std::uint32_t>(number, 255));
}

// As much of the text as fits, and a zero.
std::size_t copy_text(std::string_view text, char* out, std::size_t capacity) noexcept {
  if (capacity != 0) {
    const std::size_t size = std::min(text.size(), capacity - 1);
    std::memcpy(out, text.data(), size);
    out[size] = '\0';
  }
  return text.size();
}

}  // namespace

// The names are literals, and so end with a zero.
const char* dvk_error_name(std::uint32_t code) {
  return dvk::error_name(to_code<dvk::error_code>(code)).data();
}
const char* dvk_quirk_name(std::uint32_t quirk) {
  return dvk::quirk_name(to_code<dvk::quirk>(quirk)).data();
}

std::size_t dvk_error_message(const dvk_error* error, char* out, std::size_t capacity) {
  const dvk::error failure{.code = to_code<dvk::error_code>(error->code),
                           .quirk = to_code<dvk::quirk>(error->quirk),
                           .offset = error->offset,
                           .expected = error->expected,
                           .found = error->found};
  try {
    return copy_text(failure.message(), out, capacity);
  } catch (...) {  // std::bad_alloc; the meaning alone needs no memory
    return copy_text(dvk::error_text(failure.code), out, capacity);
  }
}
