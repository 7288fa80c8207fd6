// What the program writes: a buffered stream of bytes, and JSON on top of it.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dvk::cli {

// A file descriptor behind a fixed buffer, so that output of any length takes the same memory.
// A reader that went away (EPIPE) is no error: what follows is dropped, and closed() tells loops to
// stop. Any other error is kept for finish().
class output {
 public:
  explicit output(int descriptor) noexcept : descriptor_(descriptor) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  output& operator<<(std::string_view text);
  output& operator<<(char c) {
    reserve(1);
    buffer_[used_++] = c;
    return *this;
  }
  template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>) output& operator<<(T value) {
    reserve(20);
    char* const begin = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(begin, begin + 20, value).ptr - begin);
    return *this;
  }
  // `value` in decimal with `digits` places after the point.
  output& fixed(double value, int digits);
  // 16 hexadecimal digits.
  output& hex(std::uint64_t value);

  // Whether nobody reads any more, or writing failed.
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  // Writes what is buffered; the errno of the first failure, 0 if there was none.
  int finish();

 private:
  void reserve(std::size_t bytes) {
    if (buffer_.size() - used_ < bytes) flush();
  }
  void flush();
  void write(const char* bytes, std::size_t size);

  int descriptor_;
  int error_ = 0;
  bool closed_ = false;
  std::size_t used_ = 0;
  std::array<char, std::size_t{64} * 1024> buffer_;
};

output& standard_output();

// Bytes of a file or argument as they may be shown: UTF-8 stays; controls, line separators, quotes
// and backslashes are escaped as in JSON; a byte that is no UTF-8 becomes U+FFFD.
std::string escaped(std::string_view bytes);

// Writes JSON without blanks; the caller keeps begin and end in balance.
class json {
 public:
  explicit json(output& out) noexcept : out_(out) {}

  json& begin(char bracket);
  json& end(char bracket);
  json& key(std::string_view name);
  json& value(std::string_view text);
  json& value(const char* text) { return value(std::string_view(text)); }
  json& value(bool b);
  json& value(double d);
  json& null();
  template <std::integral T>
  requires(!std::same_as<T, bool>) json& value(T number) {
    separate();
    out_ << number;
    return *this;
  }
  template <class T>
  json& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  template <class T>
  json& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }

 private:
  void separate();

  output& out_;
  bool first_ = true;  // nothing stands before the next value, or a key does
};

}  // namespace dvk::cli
