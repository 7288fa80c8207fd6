// crc32/<size>[/off333]/<variant>, crc32/mix_<from>_<to>/<variant>, crc32_copy/<size>/<variant>,
// crc32_combine/<length>/<variant>; zlib, libdeflate and ISA-L under peer/. Items are calls. No
// checksum can beat limit/load_xor (limits.cpp). Messages begin on a line but not on a page, as a
// heap's do. Every variant that can run is measured, whichever is chosen here.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "bench/suite.hpp"
#include "crc32/variants.hpp"
#ifdef DVK_WITH_zlib
#include <zlib.h>
#endif
#ifdef DVK_WITH_deflate
#include <libdeflate.h>
#endif
#ifdef DVK_WITH_isal
#include <isa-l.h>
#endif

namespace dvk_bench {
namespace {

using dvk::detail::crc32_variant;

constexpr std::size_t largest = std::size_t{16} << 20;
constexpr std::size_t start =
    320;  // of the message in the buffer: on a line, not at the start of a page
constexpr std::size_t odd_start = 333;

const std::uint8_t* message() {
  static const std::vector<std::uint64_t> words = [] {
    std::vector<std::uint64_t> noise((largest + 8192) / 8);
    std::mt19937_64 rng(42);
    for (auto& word : noise)
      word = rng();
    return noise;
  }();
  const auto address = reinterpret_cast<std::uintptr_t>(words.data());
  return reinterpret_cast<const std::uint8_t*>(words.data()) + (4096 - address % 4096) % 4096;
}

std::uint32_t reference(std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
  return dvk::detail::crc32_variants()[0].table.extend(crc, p, n);
}

struct named_size {
  const char* name;
  std::size_t bytes;
};
constexpr named_size sizes[] = {{"16B", 16},         {"64B", 64},           {"256B", 256},
                                {"1KiB", 1 << 10},   {"4KiB", 4 << 10},     {"16KiB", 16 << 10},
                                {"64KiB", 64 << 10}, {"256KiB", 256 << 10}, {"1MiB", 1 << 20},
                                {"16MiB", largest}};

// Calls in one pass: enough that what surrounds it does not count.
std::uint64_t calls(std::size_t bytes) {
  return std::clamp<std::uint64_t>(65536 / bytes, 1, 1024);
}

// F is a type of its own for each candidate: no indirection of ours is timed.
template <class F>
job one_size(F f, std::size_t offset, std::size_t bytes) {
  const std::uint64_t count = calls(bytes);
  const auto pass = [=, p = message() + offset] {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i)
      sum += f(static_cast<std::uint32_t>(i), p, bytes);
    return sum;
  };
  const auto check = [=, p = message() + offset] {
    return f(5, p, bytes) == reference(5, p, bytes);
  };
  return {check, pass, count, count * bytes};
}

// Log-uniform lengths at random offsets, in an order that no branch predictor learns.
template <class F>
job mixed_sizes(F f, std::size_t from, std::size_t to) {
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> exponent(std::log(static_cast<double>(from)),
                                                  std::log(static_cast<double>(to) + 0.99));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces(4096);
  std::uint64_t bytes = 0;
  for (auto& [offset, n] : pieces) {
    n = static_cast<std::uint32_t>(std::exp(exponent(rng)));
    offset = static_cast<std::uint32_t>(rng() % (64 * to));
    bytes += n;
  }
  const auto pass = [=, p = message()] {
    std::uint64_t sum = 0;
    for (const auto& [offset, n] : pieces)
      sum += f(0, p + offset, n);
    return sum;
  };
  const auto check = [=, p = message()] {
    return std::all_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
      return f(0, p + piece.first, piece.second) == reference(0, p + piece.first, piece.second);
    });
  };
  return {check, pass, pieces.size(), bytes};
}

template <class F>
job copying(F f, std::size_t bytes) {
  static std::vector<std::uint8_t> out(largest + 64);
  const std::uint64_t count = calls(bytes);
  const auto pass = [=, p = message() + start] {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i)
      sum += f(static_cast<std::uint32_t>(i), out.data(), p, bytes);
    return sum;
  };
  const auto check = [=, p = message() + start] {
    return f(5, out.data(), p, bytes) == reference(5, p, bytes) &&
           std::memcmp(out.data(), p, bytes) == 0;
  };
  return {check, pass, count, count * bytes};
}

// Each call takes the result of the one before: what a chain of pieces costs.
template <class F>
job combining(F f, std::uint64_t length) {
  const auto pass = [=] {
    std::uint32_t crc = 1;
    for (int i = 0; i < 256; ++i)
      crc = f(crc, 7, length);
    return std::uint64_t{crc};
  };
  const auto check = [=] {
    return f(99, 7, length) == (dvk::detail::crc32_variants()[0].table.shift(99, length) ^ 7);
  };
  return {check, pass, 256};
}

template <class F>
void add_checksum(const std::string& before, const std::string& after, F f) {
  for (const auto& [name, bytes] : sizes) {
    add(before + "/" + name + after, {}, [=, n = bytes] { return one_size(f, start, n); });
    add(before + "/" + name + "/off333" + after, {},
        [=, n = bytes] { return one_size(f, odd_start, n); });
  }
  for (const auto& [from, to] : {std::pair{1, 64}, {16, 256}, {50, 8192}}) {
    const std::string name =
        before + "/mix_" + std::to_string(from) + "_" + std::to_string(to) + after;
    add(name, {}, [=, a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to)] {
      return mixed_sizes(f, a, b);
    });
  }
  // The two passes that crc32_copy saves.
  if (!after.empty()) return;
  for (const auto& [name, bytes] : sizes) {
    add(before + "_after_memcpy/" + name, {}, [=, n = bytes] {
      return copying(
          [=](std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p, std::size_t size) {
            std::memcpy(out, p, size);
            return f(crc, out, size);
          },
          n);
    });
  }
}

constexpr std::pair<const char*, std::uint64_t> lengths[] = {
    {"1KiB", 1 << 10}, {"1MB", 1000000}, {"4GiB-1", 0xffffffff - 1}};

}  // namespace

void register_crc32() {
  for (const crc32_variant& v : dvk::detail::crc32_variants()) {
    if (!v.runnable) continue;
    const std::string end = std::string("/").append(v.name);
    add_checksum("crc32", end, v.table.extend);
    for (const auto& [name, bytes] : sizes) {
      add("crc32_copy/" + std::string(name) + end, {},
          [f = v.table.copy, n = bytes] { return copying(f, n); });
    }
    for (const auto& [name, length] : lengths) {
      add("crc32_combine/" + std::string(name) + end, {}, [shift = v.table.shift, n = length] {
        return combining([shift](std::uint32_t a, std::uint32_t b,
                                 std::uint64_t size) { return shift(a, size) ^ b; },
                         n);
      });
    }
  }
#ifdef DVK_WITH_zlib
  add_checksum("peer/zlib_crc32", "", [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
    return static_cast<std::uint32_t>(::crc32_z(crc, p, n));
  });
  for (const auto& [name, length] : lengths) {
    add("peer/zlib_crc32_combine/" + std::string(name), {}, [n = length] {
      return combining(
          [](std::uint32_t a, std::uint32_t b, std::uint64_t size) {
            return static_cast<std::uint32_t>(::crc32_combine(a, b, static_cast<z_off_t>(size)));
          },
          n);
    });
  }
#endif
#ifdef DVK_WITH_deflate
  add_checksum("peer/libdeflate_crc32", "",
               [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
                 return libdeflate_crc32(crc, p, n);
               });
#endif
#ifdef DVK_WITH_isal
  add_checksum("peer/isal_crc32", "", [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
    return crc32_gzip_refl(crc, p, n);
  });
#endif
}

}  // namespace dvk_bench
