// The selection kernels that know no container: fills, decoding and packing of masks, filters.
#pragma once

#include "selection/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "tests/support/guard_buffer.hpp"
#include "tests/support/random.hpp"

namespace dvk_test::selection_comparisons {

using dvk::detail::selection_table;

template <class T>
void check_iota(void (*kernel)(T*, std::size_t, std::uint64_t), std::mt19937_64& rng) {
  for (std::size_t n = 0; n < 300; ++n) {
    const guard_buffer out(n * sizeof(T),
                           n % 2 == 0 ? guard_buffer::side::end : guard_buffer::side::start);
    const std::uint64_t first = rng();
    kernel(out.as<T>().data(), n, first);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(out.as<T>()[i], static_cast<T>(first + i));
  }
}

template <class T>
void check_decode(std::size_t (*kernel)(const std::uint64_t*, std::size_t, std::size_t,
                                        std::uint64_t, T*),
                  std::mt19937_64& rng) {
  for (std::size_t step = 1; step < 720; ++step) {
    const std::size_t bits = step < 700 ? step : static_cast<std::size_t>(700 + below(rng, 9000));
    const auto head = static_cast<std::size_t>(below(rng, std::min<std::size_t>(bits, 64)));
    const guard_buffer words((bits + 63) / 64 * 8), out((bits - head) * sizeof(T));
    const std::uint64_t density = below(rng, 5), first = rng();
    std::vector<T> expected;
    std::memset(words.data(), 0, words.size());
    for (std::size_t i = head; i < bits; ++i) {
      if (density != 4 && below(rng, 4) < density) continue;
      words.as<std::uint64_t>()[i / 64] |= std::uint64_t{1} << (i % 64);
      expected.push_back(static_cast<T>(first + i));
    }
    ASSERT_EQ(kernel(words.as<std::uint64_t>().data(), head, bits, first, out.as<T>().data()),
              expected.size());
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.as<T>().data()))
        << bits << " bits from " << head;
  }
}

inline void iota_and_decode(const selection_table& kernels) {
  auto rng = generator(4);
  check_iota(+kernels.iota_u16, rng);
  check_iota(+kernels.iota_u32, rng);
  check_iota(+kernels.iota_u64, rng);
  for (std::size_t round = 0; round < cases(8); ++round) {
    check_decode<std::uint16_t>(kernels.decode_u16, rng);
    check_decode<std::uint32_t>(kernels.decode_u32, rng);
    check_decode<std::uint64_t>(kernels.decode_u64, rng);
  }
}

inline void popcount(const selection_table& kernels) {
  auto rng = generator(5);
  for (std::size_t n = 0; n < 200; ++n) {
    const guard_buffer words(n * 8);
    std::size_t expected = 0;
    for (auto& w : words.as<std::uint64_t>()) {
      w = rng() & rng();
      expected += static_cast<std::size_t>(__builtin_popcountll(w));
    }
    ASSERT_EQ(kernels.popcount(words.as<std::uint64_t>().data(), n), expected);
  }
}

// Source bits and target of a mask move, with the answer worked out bit by bit.
inline void bits_and_bytes(const selection_table& kernels) {
  auto rng = generator(6);
  for (std::size_t round = 0; round < cases(3); ++round) {
    for (std::size_t n = 1; n < 600; ++n) {
      const auto from = static_cast<std::size_t>(below(rng, 64)),
                 to = static_cast<std::size_t>(below(rng, 64));
      const guard_buffer source((from + n + 63) / 64 * 8), target((to + n + 63) / 64 * 8);
      for (auto& w : source.as<std::uint64_t>())
        w = rng();
      // The source lies at any alignment, as payloads do, with its end at a guard page.
      const guard_buffer shifted(source.size() + 8);
      std::uint8_t* const words = shifted.data() + 8 - below(rng, 8);
      std::memcpy(words, source.data(), source.size());
      const bool flipped = below(rng, 2) != 0;
      const std::uint64_t flip = flipped ? ~std::uint64_t{0} : 0;
      std::size_t set = 0;
      const auto bit = [](const guard_buffer& b, std::size_t i) {
        return ((b.as<std::uint64_t>()[i / 64] >> (i % 64)) & 1) != 0;
      };
      for (std::size_t i = 0; i < n; ++i)
        set += bit(source, from + i) != flipped ? 1 : 0;
      const std::array moves = {kernels.bits_replace, kernels.bits_and, kernels.bits_or};
      const std::array spreads = {kernels.bytes_replace, kernels.bytes_and, kernels.bytes_or};
      for (std::size_t how = 0; how < 3; ++how) {
        std::vector<bool> expected;
        for (auto& w : target.as<std::uint64_t>())
          w = rng();
        for (std::size_t i = 0; i < target.size() * 8; ++i) {
          const bool old = bit(target, i), in = i >= to && i < to + n,
                     s = in && bit(source, from + i - to) != flipped;
          expected.push_back(!in ? old : how == 0 ? s : how == 1 ? old && s : old || s);
        }
        ASSERT_EQ(moves[how](words, from, flip, n, target.as<std::uint64_t>().data(), to), set);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(bit(target, i), expected[i])
              << "bit " << i << " of " << n << " from " << from << " to " << to << " how " << how;

        const guard_buffer mask(n,
                                n % 2 == 0 ? guard_buffer::side::end : guard_buffer::side::start);
        std::vector<std::uint8_t> wanted;
        for (std::size_t i = 0; i < n; ++i) {
          mask.data()[i] = static_cast<std::uint8_t>(below(rng, 2) * below(rng, 256));
          const bool old = mask.data()[i] != 0, s = bit(source, from + i) != flipped;
          wanted.push_back((how == 0 ? s : how == 1 ? old && s : old || s) ? 1 : 0);
        }
        ASSERT_EQ(spreads[how](words, from, flip, n, mask.data()), set);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), mask.data()))
            << n << " bytes from bit " << from << " how " << how;
      }
    }
  }
}

template <class T>
void check_filter(std::size_t (*kernel)(const std::uint8_t*, std::uint32_t, std::uint64_t,
                                        std::uint32_t, T, const T*, std::size_t, T*, std::size_t*),
                  std::mt19937_64& rng) {
  const auto window = static_cast<std::uint32_t>(1 + below(rng, 4033));
  const auto shift = static_cast<std::uint32_t>(below(rng, 64));
  const guard_buffer words(((shift + window + 63) / 64 + dvk::detail::filter_slack) * 8);
  for (auto& w : words.as<std::uint64_t>())
    w = rng();
  const guard_buffer shifted(words.size() + 8);
  std::uint8_t* const mask = shifted.data() + 8 - below(rng, 8);
  std::memcpy(mask, words.data(), words.size());
  const std::uint64_t flip = below(rng, 2) != 0 ? ~std::uint64_t{0} : 0;
  const auto n = static_cast<std::size_t>(below(rng, 400)),
             gap = static_cast<std::size_t>(below(rng, 8) + 1);
  const guard_buffer list(n * sizeof(T));
  const auto limit = std::uint64_t{std::numeric_limits<T>::max()} - window + 1;
  const T first = static_cast<T>(below(rng, limit + 1));
  std::uint64_t at = first;
  for (T& value : list.as<T>()) {
    const std::uint64_t any = below(rng, 2) == 0 ? rng() : at - below(rng, 8);
    value = static_cast<T>(below(rng, 80) == 0 ? any : at);
    at += below(rng, 2 * gap);
  }
  std::vector<T> expected;
  std::size_t taken = 0, found = 0;
  for (; taken < n && static_cast<T>(list.as<T>()[taken] - first) < window; ++taken) {
    const std::size_t bit = shift + static_cast<T>(list.as<T>()[taken] - first);
    if (((words.as<std::uint64_t>()[bit / 64] >> (bit % 64)) & 1) != (flip & 1))
      expected.push_back(list.as<T>()[taken]);
  }
  const std::vector<T> rest(list.as<T>().begin() + static_cast<std::ptrdiff_t>(taken),
                            list.as<T>().end());
  const std::size_t kept =
      kernel(mask, shift, flip, window, first, list.as<T>().data(), n, list.as<T>().data(), &found);
  ASSERT_EQ(found, taken);
  ASSERT_EQ(kept, expected.size());
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), list.as<T>().data()));
  ASSERT_TRUE(std::equal(rest.begin(), rest.end(),
                         list.as<T>().begin() + static_cast<std::ptrdiff_t>(taken)))
      << "elements not taken were clobbered";
}

inline void filter(const selection_table& kernels) {
  auto rng = generator(7);
  for (std::size_t k = 0; k < cases(20000) && !::testing::Test::HasFailure(); ++k) {
    check_filter<std::uint16_t>(kernels.filter_u16, rng);
    check_filter<std::uint32_t>(kernels.filter_u32, rng);
  }
}

}  // namespace dvk_test::selection_comparisons
