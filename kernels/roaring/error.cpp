// Names and messages of errors.
#include <cstddef>
#include <cstring>
#include <span>

#include "dvk/result.hpp"

namespace dvk::inline v0 {
namespace {

struct text_pair {
  std::string_view name;
  std::string_view text;
};

constexpr text_pair codes[] = {
#define DVK_X(name, text) {#name, text},
    DVK_ERROR_CODES(DVK_X)
#undef DVK_X
};

constexpr text_pair quirks[] = {
#define DVK_X(name, text) {#name, text},
    DVK_QUIRKS(DVK_X)
#undef DVK_X
};

text_pair lookup(std::span<const text_pair> list, std::size_t i) noexcept {
  return i < list.size() ? list[i] : text_pair{"unknown", "unknown"};
}

}  // namespace

std::string_view error_name(error_code code) noexcept {
  return lookup(codes, static_cast<std::size_t>(code)).name;
}
std::string_view error_text(error_code code) noexcept {
  return lookup(codes, static_cast<std::size_t>(code)).text;
}
std::string_view quirk_name(quirk which) noexcept {
  return lookup(quirks, static_cast<std::size_t>(which)).name;
}
std::string_view quirk_text(quirk which) noexcept {
  return lookup(quirks, static_cast<std::size_t>(which)).text;
}

std::string error::message() const {
  std::string out(error_text(code));
  if (code == error_code::ok) return out;
  if (code == error_code::io_error) {
    out += ": ";
    out += std::strerror(static_cast<int>(found));
    return out;
  }
  out += " (at byte ";
  out += std::to_string(offset);
  if (expected != found) {
    out += ", expected ";
    out += std::to_string(expected);
    out += ", found ";
    out += std::to_string(found);
  }
  out += ')';
  if (quirk != dvk::quirk::none) {
    out += "; it looks like this: ";
    out += quirk_text(quirk);
  }
  return out;
}

}  // namespace dvk::inline v0
