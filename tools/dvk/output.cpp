#include "output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace dvk::cli {

output& output::operator<<(std::string_view text) {
  while (!text.empty()) {
    reserve(1);
    const std::size_t n = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), n);
    used_ += n;
    text.remove_prefix(n);
  }
  return *this;
}

output& output::fixed(double value, int digits) {
  char text[64];
  const int n = std::snprintf(text, sizeof text, "%.*f", digits, value);
  return *this << std::string_view(text, static_cast<std::size_t>(n));
}

output& output::hex(std::uint64_t value) {
  reserve(16);
  for (int shift = 60; shift >= 0; shift -= 4) {
    buffer_[used_++] = "0123456789abcdef"[(value >> shift) & 15];
  }
  return *this;
}

void output::flush() {
  const char* at = buffer_.data();
  std::size_t left = used_;
  used_ = 0;
  while (left > 0 && !closed_) {
    const ssize_t n = ::write(descriptor_, at, left);
    if (n >= 0) {
      at += n;
      left -= static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      closed_ = true;
      if (errno != EPIPE) error_ = errno;
    }
  }
}

int output::finish() {
  flush();
  return error_;
}

output& standard_output() {
  static output out(STDOUT_FILENO);
  return out;
}

namespace {

struct character {
  unsigned code = 0;
  std::size_t length = 0;  // in bytes; 0 if the bytes are no UTF-8
};

// The character at the start of `s`. Overlong forms and surrogates are none.
character first_of(std::string_view s) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(s[i]));
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t n = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (n == 0 || s.size() < n) return {};
  unsigned code = lead & (0x7Fu >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < least[n] || code > 0x10FFFF || surrogate ? character{} : character{code, n};
}

// Controls, which a terminal might obey, and what some programs take for the end of a line.
bool acts_on_terminal(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::string escaped(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const character c = first_of(bytes);
    const std::string_view piece = bytes.substr(0, std::max<std::size_t>(c.length, 1));
    if (c.length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (acts_on_terminal(c.code)) {
      char text[8];
      std::snprintf(text, sizeof text, "\\u%04x", c.code & 0xFFFF);
      out += text;
    } else {
      if (c.code == '"' || c.code == '\\') out += '\\';
      out += piece;
    }
    bytes.remove_prefix(piece.size());
  }
  return out;
}

void json::separate() {
  if (!first_) out_ << ',';
  first_ = false;
}

json& json::begin(char bracket) {
  separate();
  out_ << bracket;
  first_ = true;
  return *this;
}

json& json::end(char bracket) {
  out_ << bracket;
  first_ = false;
  return *this;
}

json& json::key(std::string_view name) {
  separate();
  out_ << '"' << escaped(name) << "\":";
  first_ = true;
  return *this;
}

json& json::value(std::string_view text) {
  separate();
  out_ << '"' << escaped(text) << '"';
  return *this;
}

json& json::value(bool b) {
  separate();
  out_ << (b ? "true" : "false");
  return *this;
}

json& json::value(double d) {
  separate();
  char text[32];
  out_ << std::string_view(text, std::to_chars(text, text + sizeof text, d).ptr);
  return *this;
}

json& json::null() {
  separate();
  out_ << "null";
  return *this;
}

}  // namespace dvk::cli
