// Every tier's validation kernels: against plain loops over every length around a vector, every
// seam for a fault, all alignments, with inaccessible pages on both sides.
#pragma once

#include "validate/validate.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "dispatch/tables.hpp"
#include "dvk/dispatch.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/random.hpp"

namespace dvk_test::validate_comparisons {

using dvk::detail::run_check;
using dvk::detail::validate_table;

inline std::vector<std::uint8_t> to_bytes(const std::vector<std::uint32_t>& u16) {
  std::vector<std::uint8_t> out;
  for (const std::uint32_t v : u16) {
    out.push_back(static_cast<std::uint8_t>(v & 0xff));
    out.push_back(static_cast<std::uint8_t>(v >> 8));
  }
  return out;
}

// The same bytes before a guard page, after one, and at an odd offset from it.
template <class F>
void at_every_place(const std::vector<std::uint8_t>& bytes, F&& check) {
  for (const auto side : {guard_buffer::side::start, guard_buffer::side::end}) {
    const guard_buffer buffer(bytes, side);
    check(buffer.data());
  }
}

inline std::uint32_t plain_array_order(const std::vector<std::uint32_t>& v) {
  for (std::uint32_t i = 1; i < v.size(); ++i) {
    if (v[i] <= v[i - 1]) return i;
  }
  return static_cast<std::uint32_t>(v.size());
}

inline std::vector<std::uint32_t> ascending(std::mt19937_64& rng, std::uint32_t n) {
  std::vector<std::uint32_t> out;
  const std::uint32_t step = 65535 / n;
  for (std::uint32_t i = 0; i < n; ++i) {
    out.push_back(i * step + static_cast<std::uint32_t>(below(rng, step)));
  }
  return out;
}

inline void arrays_of_every_length(const validate_table& table) {
  auto rng = generator(11);
  for (std::uint32_t n = 1; n <= 4096; n = n < 300 ? n + 1 : n + 251) {
    const auto values = ascending(rng, n);
    at_every_place(to_bytes(values),
                   [&](const std::uint8_t* p) { ASSERT_EQ(table.array_order(p, n), n); });
  }
}

inline void array_faults_at_every_seam(const validate_table& table) {
  auto rng = generator(12);
  for (const std::uint32_t n :
       {2u, 7u, 8u, 9u, 16u, 17u, 31u, 32u, 33u, 34u, 63u, 64u, 65u, 66u, 97u, 130u, 300u}) {
    for (std::uint32_t at = 1; at < n; ++at) {
      auto values = ascending(rng, n);
      values[at] = below(rng, 2) == 0 ? values[at - 1]
                                      : static_cast<std::uint32_t>(below(rng, values[at - 1] + 1));
      const std::uint32_t expected = plain_array_order(values);
      ASSERT_EQ(expected, at);
      at_every_place(to_bytes(values),
                     [&](const std::uint8_t* p) { ASSERT_EQ(table.array_order(p, n), at) << n; });
    }
  }
}

inline void arrays_compare_unsigned(const validate_table& table) {
  const std::vector<std::uint32_t> values = {0x7ffe, 0x7fff, 0x8000, 0x8001, 0xffff};
  const auto bytes = to_bytes(values);
  EXPECT_EQ(table.array_order(bytes.data(), 5), 5u);
  std::vector<std::uint32_t> many;
  for (std::uint32_t i = 0; i < 100; ++i)
    many.push_back(0x7fce + i);
  EXPECT_EQ(table.array_order(to_bytes(many).data(), 100), 100u);
  std::swap(many[49], many[50]);  // 0x8000, 0x7fff: ascends as signed numbers
  EXPECT_EQ(table.array_order(to_bytes(many).data(), 100), plain_array_order(many));
}

inline void random_arrays(const validate_table& table) {
  auto rng = generator(13);
  for (std::size_t i = 0; i < cases(2000); ++i) {
    const auto n = static_cast<std::uint32_t>(1 + below(rng, 1 + below(rng, 4096)));
    auto values = ascending(rng, n);
    for (auto k = static_cast<std::size_t>(below(rng, 3)); k != 0; --k)
      values[static_cast<std::size_t>(below(rng, n))] =
          static_cast<std::uint32_t>(below(rng, 65536));
    const auto shift = static_cast<std::size_t>(below(rng, 64));
    std::vector<std::uint8_t> bytes(shift);
    const auto payload = to_bytes(values);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    ASSERT_EQ(table.array_order(bytes.data() + shift, n), plain_array_order(values)) << n;
  }
}

inline void bitsets(const validate_table& table) {
  auto rng = generator(14);
  for (std::size_t i = 0; i < cases(200); ++i) {
    std::vector<std::uint8_t> words(8192);
    std::uint32_t expected = 0;
    const std::uint64_t density = i < 2 ? 0 : below(rng, 4);  // a full and an empty one first
    for (std::uint8_t& b : words) {
      const std::uint64_t r = rng();
      b = static_cast<std::uint8_t>(density == 0   ? (i % 2 == 0 ? 0xff : 0)
                                    : density == 1 ? r & r >> 8 & r >> 16
                                                   : r);
      for (unsigned k = 0; k < 8; ++k)
        expected += (b >> k) & 1u;
    }
    at_every_place(words,
                   [&](const std::uint8_t* p) { ASSERT_EQ(table.bitset_count(p), expected); });
  }
  for (std::size_t bit = 0; bit < 65536; bit += 61) {
    std::vector<std::uint8_t> words(8192);
    words[bit / 8] = static_cast<std::uint8_t>(1u << (bit % 8));
    ASSERT_EQ(table.bitset_count(words.data()), 1u);
  }
}

struct run {
  std::uint32_t start;
  std::uint32_t length;  // less one
};

inline run_check plain_run_order(const std::vector<run>& runs) {
  run_check r{static_cast<std::uint32_t>(runs.size()), 0, false, false};
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    const bool disorder = i != 0 && runs[i].start <= runs[i - 1].start + runs[i - 1].length;
    if (disorder || runs[i].start + runs[i].length > 65535) return {i, 0, !disorder, false};
    r.touching =
        r.touching || (i != 0 && runs[i].start == runs[i - 1].start + runs[i - 1].length + 1);
    r.cardinality += runs[i].length + 1;
  }
  return r;
}

inline std::vector<run> separate_runs(std::mt19937_64& rng, std::uint32_t n) {
  std::vector<run> out;
  const std::uint32_t step = 65536 / n;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto start = i * step + static_cast<std::uint32_t>(step > 2 ? below(rng, step / 2) : 0);
    const std::uint32_t room = (i + 1) * step - start;  // at least one; all of it makes runs touch
    out.push_back({start, room <= 2 ? 0 : static_cast<std::uint32_t>(below(rng, room - 1))});
  }
  return out;
}

inline void expect_runs(const validate_table& table, const std::vector<run>& runs) {
  std::vector<std::uint32_t> halves;
  for (const run& r : runs) {
    halves.push_back(r.start);
    halves.push_back(r.length);
  }
  const run_check expected = plain_run_order(runs);
  at_every_place(to_bytes(halves), [&](const std::uint8_t* p) {
    const run_check found = table.run_order(p, static_cast<std::uint32_t>(runs.size()));
    ASSERT_EQ(found.fault, expected.fault) << runs.size();
    if (expected.fault == runs.size()) {
      ASSERT_EQ(found.cardinality, expected.cardinality) << runs.size();
      ASSERT_EQ(found.touching, expected.touching) << runs.size();
    } else {
      ASSERT_EQ(found.overflow, expected.overflow) << runs.size();
    }
  });
}

inline void runs_of_every_length(const validate_table& table) {
  auto rng = generator(15);
  for (std::uint32_t n = 1; n <= 2100; n = n < 150 ? n + 1 : n + 149)
    expect_runs(table, separate_runs(rng, n));
  std::vector<run> most;  // 32,768 runs of one row
  for (std::uint32_t i = 0; i < 32768; ++i)
    most.push_back({2 * i, 0});
  expect_runs(table, most);
  std::vector<run> touching;  // 65,535 runs of one row, all touching
  for (std::uint32_t i = 0; i < 65535; ++i)
    touching.push_back({i, 0});
  expect_runs(table, touching);
}

inline void run_faults_at_every_seam(const validate_table& table) {
  auto rng = generator(16);
  for (const std::uint32_t n :
       {1u, 2u, 4u, 5u, 8u, 9u, 15u, 16u, 17u, 18u, 31u, 32u, 33u, 34u, 49u, 70u}) {
    for (std::uint32_t at = 0; at < n; ++at) {
      for (int fault = 0; fault < 6; ++fault) {
        auto runs = separate_runs(rng, n);
        const std::uint32_t before = at == 0 ? 0 : runs[at - 1].start + runs[at - 1].length;
        switch (fault) {
          case 0:
            runs[at].start = before;
            break;
          case 1:
            runs[at].start = before + 1;
            break;  // touching: no fault
          case 2:
            runs[at].start = 0;
            break;
          case 3:
            runs[at].length = 65535;
            break;
          case 4:
            runs[at].length = 65536 - runs[at].start;
            break;
          default:
            runs[at].length = 65535 - runs[at].start;
            break;  // the largest that fits
        }
        runs[at].length = runs[at].length > 65535 ? 65535 : runs[at].length;
        expect_runs(table, runs);
      }
    }
  }
}

}  // namespace dvk_test::validate_comparisons
