#include "output.hpp"

#include <unistd.h>

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

// Length of the UTF-8 sequence at the start of `s`; 0 if it is none. Overlong forms, surrogates and
// C1 control characters count as none: the last would act on a terminal.
std::size_t sequence_length(std::string_view s) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(s[i]));
  };
  const unsigned lead = byte(0);
  const std::size_t n = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (n < 2 || lead > 0xF4 || s.size() < n) return n == 1 ? 1 : 0;
  unsigned code = lead & (0x7Fu >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr unsigned least[] = {0, 0, 0xA0, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < least[n] || code > 0x10FFFF || surrogate ? 0 : n;
}

}  // namespace

std::string escaped(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto c = static_cast<unsigned char>(bytes[0]);
    std::size_t n = 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += bytes[0];
    } else if (c < 0x20 || c == 0x7F) {
      char text[8];
      std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(c));
      out += text;
    } else if ((n = sequence_length(bytes)) == 0) {
      out += "\xEF\xBF\xBD";
      n = 1;
    } else {
      out += bytes.substr(0, n);
    }
    bytes.remove_prefix(n);
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
