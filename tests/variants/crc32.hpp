// Every CRC-32 kernel against zlib (or, without it, the bit-serial definition): lengths, offsets,
// splits, guard pages.
#pragma once

#include "crc32/crc32.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "crc32/variants.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/random.hpp"
#ifdef DVK_WITH_zlib
#include <zlib.h>
#endif

namespace dvk_test::crc32_comparisons {

using dvk::detail::crc32_table;
using dvk::detail::crc32_variant;
using lengths = std::initializer_list<std::size_t>;

// The definition, one bit at a time; shares nothing with the library.
inline std::uint32_t bit_serial(std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
  crc = ~crc;
  for (std::size_t i = 0; i < 8 * n; ++i) {
    const std::uint32_t bit = (crc ^ (p[i / 8] >> (i % 8))) & 1;
    crc = (crc >> 1) ^ (bit != 0 ? 0xedb88320u : 0);
  }
  return ~crc;
}

inline std::uint32_t oracle(std::uint32_t crc, const std::uint8_t* p, std::size_t n) {
#ifdef DVK_WITH_zlib
  return n == 0 ? crc : static_cast<std::uint32_t>(::crc32_z(crc, p, n));
#else
  return bit_serial(crc, p, n);
#endif
}

inline std::vector<std::uint8_t> noise(std::size_t n, std::uint64_t stream) {
  auto rng = generator(stream);
  std::vector<std::uint8_t> bytes(n);
  for (auto& b : bytes)
    b = static_cast<std::uint8_t>(rng());
  return bytes;
}

inline void known_vectors(const crc32_table& kernel) {
  const struct {
    const char* text;
    std::uint32_t crc;
  } vectors[] = {{"", 0},
                 {"a", 0xe8b7be43},
                 {"abc", 0x352441c2},
                 {"123456789", 0xcbf43926},
                 {"message digest", 0x20159d7f},
                 {"The quick brown fox jumps over the lazy dog", 0x414fa339}};
  for (const auto& v : vectors) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(v.text);
    EXPECT_EQ(kernel.extend(0, p, std::strlen(v.text)), v.crc) << v.text;
    EXPECT_EQ(bit_serial(0, p, std::strlen(v.text)), v.crc) << v.text;
  }
  const std::vector<std::uint8_t> zeros(4096), ones(4096, 0xff);
  EXPECT_EQ(kernel.extend(0, zeros.data(), 4096), 0xc71c0011u);
  EXPECT_EQ(kernel.extend(0, ones.data(), 4096), 0xf154670au);
}

inline void every_length_and_offset(const crc32_table& kernel) {
  const auto bytes = noise(2300, 1);
  for (const std::size_t offset : lengths{0, 1, 7, 15, 31, 33, 63}) {
    for (std::size_t n = 0; n <= 2200; ++n) {
      const auto* p = bytes.data() + offset;
      ASSERT_EQ(kernel.extend(0, p, n), oracle(0, p, n)) << "offset " << offset << " length " << n;
      ASSERT_EQ(kernel.extend(0xdeadbeef, p, n), oracle(0xdeadbeef, p, n))
          << "offset " << offset << " length " << n;
    }
  }
}

inline void every_alignment(const crc32_table& kernel) {
  const auto bytes = noise(1500, 2);
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (const std::size_t n :
         lengths{1, 3, 16, 17, 63, 64, 65, 127, 129, 255, 256, 257, 1025, 1400}) {
      const auto* p = bytes.data() + offset;
      ASSERT_EQ(kernel.extend(7, p, n), oracle(7, p, n)) << "offset " << offset << " length " << n;
    }
  }
}

inline void random_lengths_offsets_and_initial_values(const crc32_table& kernel) {
  const auto bytes = noise(1 << 20, 3);
  auto rng = generator(4);
  for (std::size_t i = 0; i < cases(3000); ++i) {
    // Log-uniform: as many short messages as long ones.
    const std::size_t limit = std::size_t{1} << (1 + below(rng, 19));
    const auto n = static_cast<std::size_t>(below(rng, limit)),
               offset = static_cast<std::size_t>(below(rng, bytes.size() - n));
    const auto crc = static_cast<std::uint32_t>(rng());
    ASSERT_EQ(kernel.extend(crc, bytes.data() + offset, n), oracle(crc, bytes.data() + offset, n))
        << "offset " << offset << " length " << n << " initial " << crc;
  }
}

// Long messages may be cut in two, so that most of the loads are aligned.
inline void around_the_length_from_which_streams_are_aligned(const crc32_table& kernel) {
  const auto bytes = noise(33100, 10);
  for (const std::size_t offset : lengths{0, 1, 15, 32, 63}) {
    for (std::size_t n = 32768 - 70; n <= 32768 + 140; n += 3) {
      ASSERT_EQ(kernel.extend(11, bytes.data() + offset, n), oracle(11, bytes.data() + offset, n))
          << "offset " << offset << " length " << n;
    }
  }
}

// A wrong constant shows on a message with a single bit; noise could hide where it is.
inline void single_bits(const crc32_table& kernel) {
  for (const std::size_t n : lengths{1, 4, 16, 40, 64, 100, 250, 300, 1100, 3000, 5000}) {
    std::vector<std::uint8_t> bytes(n);
    for (std::size_t bit = 0; bit < 8 * n; bit += n < 1000 ? 1 : 3) {
      bytes[bit / 8] = static_cast<std::uint8_t>(1 << (bit % 8));
      ASSERT_EQ(kernel.extend(0, bytes.data(), n), oracle(0, bytes.data(), n))
          << "length " << n << " bit " << bit;
      bytes[bit / 8] = 0;
    }
  }
}

// First pieces of 1 to 3 bytes among them: published kernels lost the initial value there.
inline void splits_anywhere(const crc32_table& kernel) {
  for (const std::size_t n : lengths{5, 70, 300, 1300}) {
    const auto bytes = noise(n, n);
    const std::uint32_t whole = oracle(0, bytes.data(), n);
    for (std::size_t k = 0; k <= n; ++k) {
      ASSERT_EQ(kernel.extend(kernel.extend(0, bytes.data(), k), bytes.data() + k, n - k), whole)
          << "length " << n << " split at " << k;
    }
  }
}

inline void lengths_just_above_whole_planes_keep_the_initial_value(const crc32_table& kernel) {
  const auto bytes = noise(9000, 5);
  for (std::size_t planes = 1; planes < 130; ++planes) {
    for (const std::size_t plane : lengths{16, 32, 64}) {
      for (std::size_t rest = 0; rest < 6; ++rest) {
        const std::size_t n = planes * plane + rest;
        ASSERT_EQ(kernel.extend(0x01020304, bytes.data(), n), oracle(0x01020304, bytes.data(), n))
            << "length " << n;
      }
    }
  }
}

inline void reads_nothing_outside(const crc32_table& kernel) {
  for (const auto side : {guard_buffer::side::end, guard_buffer::side::start}) {
    for (std::size_t n = 0; n <= 1200; ++n) {
      const auto bytes = noise(n, n);
      const guard_buffer guarded(bytes, side);
      ASSERT_EQ(kernel.extend(0, guarded.data(), n), oracle(0, bytes.data(), n)) << "length " << n;
    }
  }
}

inline void copies_exactly(const crc32_table& kernel) {
  for (const auto side : {guard_buffer::side::end, guard_buffer::side::start}) {
    for (std::size_t n = 0; n <= 1500; n += n < 300 ? 1 : 13) {
      const auto bytes = noise(n, n);
      const guard_buffer from(bytes, side), to(n, side);
      ASSERT_EQ(kernel.copy(3, to.data(), from.data(), n), oracle(3, bytes.data(), n))
          << "length " << n;
      ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), to.data())) << "length " << n;
    }
  }
}

inline void copies_at_any_alignment_and_no_byte_more(const crc32_table& kernel) {
  auto rng = generator(6);
  const auto bytes = noise(70000, 7);
  std::vector<std::uint8_t> out(bytes.size() + 256);
  for (std::size_t i = 0; i < cases(600); ++i) {
    const auto n = static_cast<std::size_t>(below(rng, std::size_t{1} << (1 + below(rng, 16))));
    const auto offset = static_cast<std::size_t>(below(rng, 64)),
               at = static_cast<std::size_t>(64 + below(rng, 64));
    std::fill(out.begin(), out.end(), std::uint8_t{0xa5});
    ASSERT_EQ(kernel.copy(9, out.data() + at, bytes.data() + offset, n),
              oracle(9, bytes.data() + offset, n));
    ASSERT_EQ(std::memcmp(out.data() + at, bytes.data() + offset, n), 0);
    ASSERT_TRUE(std::all_of(out.data(), out.data() + at, [](auto b) { return b == 0xa5; }));
    ASSERT_TRUE(std::all_of(out.data() + at + n, out.data() + out.size(),
                            [](auto b) { return b == 0xa5; }));
  }
}

inline void shift_is_zero_bytes(const crc32_table& kernel) {
  const std::vector<std::uint8_t> zeros(70000);
  auto rng = generator(8);
  for (std::size_t n = 0; n < zeros.size(); n += n < 300 ? 1 : 997) {
    const auto crc = static_cast<std::uint32_t>(rng());
    ASSERT_EQ(kernel.shift(crc, n), ~bit_serial(~crc, zeros.data(), n)) << "length " << n;
  }
}

inline void shift_adds_up_for_lengths_no_memory_holds(const crc32_table& kernel) {
  auto rng = generator(9);
  for (std::size_t i = 0; i < cases(2000); ++i) {
    const std::uint64_t a = rng() >> (1 + below(rng, 60)), b = rng() >> (1 + below(rng, 60));
    const auto crc = static_cast<std::uint32_t>(rng());
    ASSERT_EQ(kernel.shift(kernel.shift(crc, a), b), kernel.shift(crc, a + b)) << a << " + " << b;
    ASSERT_EQ(kernel.shift(crc, a), dvk::detail::crc32_variants()[0].table.shift(crc, a)) << a;
  }
  for (const std::uint64_t n : {0xffffffffull, 0x100000000ull, 0x1fffffffeull, ~0ull, ~0ull - 1}) {
    ASSERT_EQ(kernel.shift(0x12345678, n),
              dvk::detail::crc32_variants()[0].table.shift(0x12345678, n))
        << n;
  }
  ASSERT_EQ(kernel.shift(0x12345678, 0xffffffffull), 0x12345678u);  // the order of x
}

}  // namespace dvk_test::crc32_comparisons
