// Mutators that know a format. Without them nearly all inputs of a fuzzer stop at a length or a
// checksum. Each takes bytes and returns others; what it cannot read it leaves to the fuzzer's own
// mutations. Only fuzzers use them: a replay has its bytes already.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define DVK_WRITTEN_UNSEEN(data, size) __msan_unpoison(data, size)
#endif
#endif
#ifndef DVK_WRITTEN_UNSEEN
#define DVK_WRITTEN_UNSEEN(data, size) static_cast<void>(0)
#endif

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace dvk_fuzz {

using byte_vector = std::vector<std::uint8_t>;

class chooser {
 public:
  explicit chooser(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  std::uint64_t bits() { return std::uint64_t{engine_()} << 32 | engine_(); }

 private:
  std::minstd_rand engine_;  // 31 bits are enough for choices
};

// The fuzzer's own mutations.
inline byte_vector mutate_plainly(byte_vector bytes, std::size_t max) {
  const std::size_t size = std::min(bytes.size(), max);
  bytes.resize(max);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, max));
  DVK_WRITTEN_UNSEEN(bytes.data(), bytes.size());
  return bytes;
}

// A number near an edge of its range, near what stands there, or any.
inline std::uint64_t other_number(std::uint64_t old, std::size_t width, chooser& pick) {
  constexpr std::uint64_t edges[] = {0,    1,     2,      3,      4,      4095,       4096,
                                     4097, 32767, 0x7fff, 0x8000, 0xfffe, 0xffff,     0x10000,
                                     7,    8,     12346,  12347,  255,    0x7fffffff, 0x80000000};
  const std::uint64_t mask = width >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
  switch (pick.below(5)) {
    case 0:
      return (old + 1) & mask;
    case 1:
      return (old - 1) & mask;
    case 2:
      return edges[pick.below(std::size(edges))] & mask;
    case 3:
      return (old ^ std::uint64_t{1} << pick.below(8 * width)) & mask;
    default:
      return pick.bits() & mask;
  }
}

template <class T>
void append_le(byte_vector& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
}
inline std::uint64_t load_le(const byte_vector& bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}
inline void store_le(byte_vector& bytes, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}
inline void store_be32(byte_vector& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

// A mutator as libFuzzer calls it. Results that are too long are left out.
template <class Mutate>
std::size_t run_mutator(Mutate&& mutate, std::uint8_t* data, std::size_t size, std::size_t max,
                        unsigned seed) {
  DVK_WRITTEN_UNSEEN(data, size);  // libFuzzer is a library without instrumentation
  chooser pick(seed);
  const byte_vector out = mutate(byte_vector(data, data + size), max, pick);
  if (out.empty() || out.size() > max) return LLVMFuzzerMutate(data, size, max);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}

}  // namespace dvk_fuzz

#ifdef DVK_LIBFUZZER
#define DVK_MUTATE_AS(mutate)                                                          \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, \
                                                 std::size_t max, unsigned seed);      \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, \
                                                 std::size_t max, unsigned seed) {     \
    return ::dvk_fuzz::run_mutator(mutate, data, size, max, seed);                     \
  }
#else
#define DVK_MUTATE_AS(mutate)
#endif
