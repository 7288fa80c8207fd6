// Errors and results: what a call on untrusted bytes answers.
//
// Nothing in dvk throws, prints or aborts on bad input. A call that can fail returns result<T>: a
// value or an error that says which rule was broken, at which byte, and what stood there instead.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "dvk/error_codes.h"
#include "dvk/export.hpp"

namespace dvk::inline v0 {

// The codes, and the known faults of known writers: dvk/error_codes.h lists them.
enum class error_code : std::uint8_t {
#define DVK_X(name, text) name,
  DVK_ERROR_CODES(DVK_X)
#undef DVK_X
};

enum class quirk : std::uint8_t {
#define DVK_X(name, text) name,
  DVK_QUIRKS(DVK_X)
#undef DVK_X
};
// Their number, `none` included.
#define DVK_X(name, text) +1
inline constexpr unsigned quirk_count = DVK_QUIRKS(DVK_X);
#undef DVK_X

// The code's name as written above, for machines (`verify --json`); never null.
[[nodiscard]] DVK_EXPORT std::string_view error_name(error_code code) noexcept;
// The code's one-line meaning, for people.
[[nodiscard]] DVK_EXPORT std::string_view error_text(error_code code) noexcept;
[[nodiscard]] DVK_EXPORT std::string_view quirk_name(quirk which) noexcept;
[[nodiscard]] DVK_EXPORT std::string_view quirk_text(quirk which) noexcept;

// A set of quirks, of which `none` is never a member.
class quirk_set {
 public:
  constexpr quirk_set() noexcept = default;
  constexpr quirk_set(std::initializer_list<quirk> members) noexcept {
    for (const quirk member : members)
      insert(member);
  }

  constexpr void insert(quirk member) noexcept { bits_ |= bit(member); }
  constexpr void insert(quirk_set members) noexcept { bits_ |= members.bits_; }
  constexpr void erase(quirk member) noexcept { bits_ &= ~bit(member); }
  [[nodiscard]] constexpr bool contains(quirk which) const noexcept {
    return (bits_ & bit(which)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  friend constexpr bool operator==(quirk_set, quirk_set) = default;

 private:
  static constexpr std::uint32_t bit(quirk which) noexcept {
    return which == quirk::none ? 0 : std::uint32_t{1} << static_cast<unsigned>(which);
  }
  std::uint32_t bits_ = 0;
};

// What is wrong. `offset` is the byte offset of the first byte of the faulty field, counted from
// the start of the bytes that were handed in. `expected` and `found` are the two values that
// differ; both are 0 where the code needs none (a truncation, say). I/O errors carry errno in
// `found`.
struct error {
  error_code code = error_code::ok;
  dvk::quirk quirk = dvk::quirk::none;
  std::uint64_t offset = 0;
  std::uint64_t expected = 0;
  std::uint64_t found = 0;

  // One line for people: meaning, offset, the two values, and the quirk if one is known. Holds no
  // byte of the input except as a number.
  [[nodiscard]] DVK_EXPORT std::string message() const;

  friend bool operator==(const error&, const error&) = default;
};

// A value or an error. Like std::expected (C++23) in the few members that dvk's callers need; works
// under -fno-exceptions, where reading the wrong side is the caller's bug: check with `if (r)`
// first.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) noexcept : ok_(true) { std::construct_at(&value_, std::move(value)); }
  result(dvk::error failure) noexcept : error_(failure), ok_(false) {}
  result(result&& other) noexcept : ok_(other.ok_) {
    if (ok_) {
      std::construct_at(&value_, std::move(other.value_));
    } else {
      std::construct_at(&error_, other.error_);
    }
  }
  result& operator=(result&& other) noexcept {
    if (this != &other) {
      std::destroy_at(this);
      std::construct_at(this, std::move(other));
    }
    return *this;
  }
  result(const result&) = delete;
  result& operator=(const result&) = delete;
  ~result() {
    if (ok_) std::destroy_at(&value_);
  }

  [[nodiscard]] bool has_value() const noexcept { return ok_; }
  explicit operator bool() const noexcept { return ok_; }
  [[nodiscard]] T& value() & noexcept { return value_; }
  [[nodiscard]] const T& value() const& noexcept { return value_; }
  [[nodiscard]] T&& value() && noexcept { return std::move(value_); }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }
  T& operator*() & noexcept { return value_; }
  const T& operator*() const& noexcept { return value_; }
  T&& operator*() && noexcept { return std::move(value_); }
  // The error; the default error (code ok) when there is a value.
  [[nodiscard]] dvk::error error() const noexcept { return ok_ ? dvk::error{} : error_; }

 private:
  union {
    T value_;
    dvk::error error_;
  };
  bool ok_;
};

}  // namespace dvk::inline v0
