// The limit loops over vectors of `Bytes` bytes, in the compilers' vector extension: included by
// one file per tier, which is compiled with that tier's flags.
#pragma once

#include "bench/limits.hpp"

namespace dvk_bench {
namespace {

template <class T, std::size_t Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};

// Four counters in four named variables: with one, the chain of additions would be measured, with
// an array, the stack.
template <class T, std::size_t Bytes>
void iota(T* out, std::size_t n) noexcept {
  using vector = typename vector_of<T, Bytes>::type;
  constexpr std::size_t lanes = Bytes / sizeof(T);
  T first[lanes];
  for (std::size_t i = 0; i < lanes; ++i)
    first[i] = static_cast<T>(i);
  vector a;
  __builtin_memcpy(&a, first, Bytes);
  vector b = a + static_cast<T>(lanes);
  vector c = a + static_cast<T>(2 * lanes);
  vector d = a + static_cast<T>(3 * lanes);
  const vector step = vector{} + static_cast<T>(4 * lanes);
  for (T* const end = out + n; out != end; out += 4 * lanes) {
    __builtin_memcpy(out, &a, Bytes);
    __builtin_memcpy(out + lanes, &b, Bytes);
    __builtin_memcpy(out + 2 * lanes, &c, Bytes);
    __builtin_memcpy(out + 3 * lanes, &d, Bytes);
    a += step;
    b += step;
    c += step;
    d += step;
  }
}

template <std::size_t Bytes>
std::uint64_t xor_words(const unsigned char* p, std::size_t n) noexcept {
  using vector = typename vector_of<std::uint64_t, Bytes>::type;
  vector sum[4] = {};
  const unsigned char* const end = p + n;
  for (; end - p >= static_cast<std::ptrdiff_t>(4 * Bytes); p += 4 * Bytes) {
    vector v[4];
    __builtin_memcpy(&v[0], p, Bytes);
    __builtin_memcpy(&v[1], p + Bytes, Bytes);
    __builtin_memcpy(&v[2], p + 2 * Bytes, Bytes);
    __builtin_memcpy(&v[3], p + 3 * Bytes, Bytes);
    sum[0] ^= v[0];
    sum[1] ^= v[1];
    sum[2] ^= v[2];
    sum[3] ^= v[3];
  }
  const vector all = (sum[0] ^ sum[1]) ^ (sum[2] ^ sum[3]);
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < Bytes / 8; ++i)
    result ^= all[i];
  for (; p != end; p += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, p, 8);
    result ^= word;
  }
  return result;
}

template <std::size_t Bytes>
constexpr limit_table table_of = {iota<std::uint16_t, Bytes>, iota<std::uint32_t, Bytes>,
                                  xor_words<Bytes>};

}  // namespace
}  // namespace dvk_bench
