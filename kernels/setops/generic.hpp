// What several tiers share: byte-wise marking of bitsets.
#pragma once

#include "bytes/load.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

using bytes::load_le16;
using bytes::load_le64;
using bytes::store_le;

constexpr std::uint32_t words_of_bitset = 1024;
constexpr std::uint32_t slots = 65536;

DVK_INLINE std::uint32_t value(const std::uint8_t* values, std::uint32_t i) {
  return load_le16(values + 2 * std::size_t{i});
}
DVK_INLINE void put(std::uint8_t* values, std::uint32_t i, std::uint32_t v) {
  store_le(values + 2 * std::size_t{i}, static_cast<std::uint16_t>(v));
}
// x if `which`, else y: by mask, where compilers make a branch of the conditional operator.
template <class T>
DVK_INLINE T pick(bool which, T x, T y) {
  return y ^ ((x ^ y) & (T{0} - static_cast<T>(which)));
}
DVK_INLINE void flip(std::uint8_t* words, std::uint32_t slot, std::uint32_t bit = 1) {
  words[slot >> 3] = static_cast<std::uint8_t>(words[slot >> 3] ^ bit << (slot & 7));
}

// Neighbours in the list mostly fall into the same or the next byte, and a read-modify-write of a
// byte waits for the one before. Four streams from four quarters of the list keep apart.
[[maybe_unused]] void set_values(std::uint8_t* words, const std::uint8_t* values,
                                 std::uint32_t n) noexcept {
  const auto set = [words](std::uint32_t v) {
    words[v >> 3] = static_cast<std::uint8_t>(words[v >> 3] | 1u << (v & 7));
  };
  const std::uint32_t quarter = n / 4;
  for (std::uint32_t i = 0; i < quarter; ++i) {
    const std::uint32_t a = value(values, i), b = value(values, i + quarter),
                        c = value(values, i + 2 * quarter), d = value(values, i + 3 * quarter);
    set(a);
    set(b);
    set(c);
    set(d);
  }
  for (std::uint32_t i = 4 * quarter; i < n; ++i)
    set(value(values, i));
}

// Few runs are filled word by word. Many are short, and how many words each spans is not
// predictable: then only their borders are flipped, and a prefix xor over all bits fills in
// between. Touching runs flip their common border twice, which is right.
constexpr std::uint32_t many_runs = 96;

[[maybe_unused]] void runs_to_bitset(const std::uint8_t* runs, std::uint32_t n,
                                     std::uint8_t* words) noexcept {
  __builtin_memset(words, 0, 8 * words_of_bitset);
  const auto or_word = [words](std::uint32_t word, std::uint64_t mask) {
    store_le(words + 8 * word, load_le64(words + 8 * word) | mask);
  };
  for (std::uint32_t i = 0; n < many_runs && i < n; ++i) {
    const std::uint32_t first = value(runs, 2 * i);
    const std::uint32_t sum = first + value(runs, 2 * i + 1);
    const std::uint32_t last = sum < slots ? sum : slots - 1;
    const std::uint64_t head = ~std::uint64_t{0} << (first & 63);
    const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (last & 63));
    if (first / 64 == last / 64) {
      or_word(first / 64, head & tail);
      continue;
    }
    or_word(first / 64, head);
    for (std::uint32_t w = first / 64 + 1; w < last / 64; ++w)
      store_le(words + 8 * w, ~std::uint64_t{0});
    or_word(last / 64, tail);
  }
  if (n < many_runs) return;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t first = value(runs, 2 * i);
    const std::uint32_t after = first + value(runs, 2 * i + 1) + 1;
    flip(words, first);
    // A border at or past the end is none: nothing is flipped, at an address that exists.
    flip(words, after < slots ? after : 0, after < slots);
  }
  std::uint64_t inside = 0;  // all ones between a start and an end
  for (std::uint32_t w = 0; w < words_of_bitset; ++w) {
    std::uint64_t x = load_le64(words + 8 * w);
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    x ^= x << 32;
    x ^= inside;
    store_le(words + 8 * w, x);
    inside = 0 - (x >> 63);
  }
}

}  // namespace
}  // namespace dvk::inline v0::detail
