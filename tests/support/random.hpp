// Random cases that can be repeated: the seed is printed by every test program and set by
// DVK_TEST_SEED.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace dvk_test {

inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    if (const char* text = std::getenv("DVK_TEST_SEED"); text != nullptr)
      return std::strtoull(text, nullptr, 0);
    return static_cast<unsigned long long>(std::random_device{}());
  }();
  return value;
}

// DVK_TEST_CASES scales the number of random cases: 1 by default, less under an emulator or a
// sanitizer.
inline double case_factor() {
  static const double value = [] {
    const char* text = std::getenv("DVK_TEST_CASES");
    return text == nullptr ? 1.0 : std::strtod(text, nullptr);
  }();
  return value;
}
inline std::size_t cases(std::size_t full) {
  const double n = static_cast<double>(full) * case_factor();
  return n < 1 ? 1 : static_cast<std::size_t>(n);
}

// A generator for one test: `stream` keeps tests independent of each other's order.
inline std::mt19937_64 generator(std::uint64_t stream) {
  return std::mt19937_64(seed() ^ (stream * 0x9e3779b97f4a7c15u));
}

inline std::uint64_t below(std::mt19937_64& rng, std::uint64_t limit) {
  return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(rng);
}

}  // namespace dvk_test
