// Every tier's set-operation kernels against the plain truth (std::set_union and friends on lists
// of rows).
#pragma once

#include "setops/setops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bytes/load.hpp"
#include "dispatch/tables.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/random.hpp"

namespace dvk_test::setops_comparisons {

using dvk::detail::setops_slack;
using dvk::detail::setops_table;
using values_t = std::vector<std::uint16_t>;

// Little-endian bytes of `values`, ending or starting at a guard page, or `shift` bytes off
// alignment.
struct array_bytes {
  explicit array_bytes(const values_t& values, guard_buffer::side side = guard_buffer::side::end)
      : buffer(2 * values.size(), side) {
    for (std::size_t i = 0; i < values.size(); ++i)
      dvk::bytes::store_le(buffer.data() + 2 * i, values[i]);
  }
  guard_buffer buffer;
};

inline values_t read_values(const std::uint8_t* p, std::size_t n) {
  values_t out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = dvk::bytes::load_le16(p + 2 * i);
  return out;
}

inline values_t sorted_unique(values_t v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

// `n` values at most; `spread` small makes runs and common values.
inline values_t random_values(std::mt19937_64& rng, std::size_t n, std::uint64_t spread) {
  const std::uint64_t base = below(rng, 65536 - spread + 1);
  values_t v(n);
  for (auto& x : v)
    x = static_cast<std::uint16_t>(base + below(rng, spread));
  return sorted_unique(std::move(v));
}

inline std::vector<std::uint8_t> bitset_of(const values_t& values) {
  std::vector<std::uint8_t> words(8192);
  for (const auto v : values)
    words[v / 8] = static_cast<std::uint8_t>(words[v / 8] | 1 << v % 8);
  return words;
}

inline values_t runs_of(const values_t& values) {  // start, length - 1, start...
  values_t runs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0 && values[i] == values[i - 1] + 1) {
      ++runs.back();
    } else {
      runs.push_back(values[i]);
      runs.push_back(0);
    }
  }
  return runs;
}

inline std::vector<values_t> samples(std::mt19937_64& rng) {
  std::vector<values_t> out = {{}, {0}, {65535}, {0, 65535}, {63, 64}, {31, 32, 33}};
  for (std::size_t n = 1; n < 140; n += 1 + n / 40)
    out.push_back(random_values(rng, n, 300));
  for (const std::uint64_t spread : {70u, 2000u, 5000u, 65536u}) {
    for (const std::size_t n : {64u, 1000u, 4096u, 4096u})
      out.push_back(random_values(rng, n, spread));
  }
  values_t dense(4096);
  for (std::size_t i = 0; i < dense.size(); ++i)
    dense[i] = static_cast<std::uint16_t>(61440 + i);
  out.push_back(dense);
  return out;
}

inline void arrays(const setops_table& kernels) {
  auto rng = generator(11);
  using kernel = std::uint32_t (*)(const std::uint8_t*, std::uint32_t, const std::uint8_t*,
                                   std::uint32_t, std::uint8_t*) noexcept;
  using truth = std::back_insert_iterator<values_t> (*)(
      values_t::const_iterator, values_t::const_iterator, values_t::const_iterator,
      values_t::const_iterator, std::back_insert_iterator<values_t>);
  const std::pair<kernel, truth> operations[] = {
      {kernels.array_and, std::set_intersection},
      {kernels.array_or, std::set_union},
      {kernels.array_andnot, std::set_difference},
      {kernels.array_xor, std::set_symmetric_difference}};
  for (std::size_t round = 0; round < cases(2); ++round) {
    const auto lists = samples(rng);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      for (std::uint64_t j = below(rng, 7); j < lists.size(); j += 1 + below(rng, 7)) {
        const values_t &a = lists[i], &b = lists[static_cast<std::size_t>(j)];
        const auto side = (i + j) % 2 == 0 ? guard_buffer::side::end : guard_buffer::side::start;
        const array_bytes x(a, side), y(b, side);
        for (const auto& [run, expect] : operations) {
          values_t expected;
          expect(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
          const guard_buffer out(2 * (a.size() + b.size() + setops_slack));
          const auto n = run(x.buffer.data(), static_cast<std::uint32_t>(a.size()), y.buffer.data(),
                             static_cast<std::uint32_t>(b.size()), out.data());
          ASSERT_EQ(read_values(out.data(), n), expected)
              << "operation " << (&run - &operations[0].first) << " on " << a.size() << " and "
              << b.size() << " values";
        }
      }
    }
  }
}

// Runs of the rows of two arrays, some of them cut in two so that they touch.
inline values_t cut_runs(std::mt19937_64& rng, const values_t& rows) {
  values_t runs = runs_of(rows), out;
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    if (runs[i + 1] != 0 && below(rng, 3) == 0) {
      const auto head = static_cast<std::uint16_t>(below(rng, runs[i + 1]));
      out.insert(out.end(), {runs[i], head});
      out.insert(out.end(), {static_cast<std::uint16_t>(runs[i] + head + 1),
                             static_cast<std::uint16_t>(runs[i + 1] - head - 1)});
    } else {
      out.insert(out.end(), {runs[i], runs[i + 1]});
    }
  }
  return out;
}

inline values_t random_runs_rows(std::mt19937_64& rng) {
  values_t rows;
  const std::uint64_t longest = 1 + below(rng, 2000), gap = 1 + below(rng, 2000);
  for (std::uint64_t row = below(rng, gap); row < 65536; row += 1 + below(rng, gap)) {
    for (std::uint64_t n = 1 + below(rng, longest); n != 0 && row < 65536; --n)
      rows.push_back(static_cast<std::uint16_t>(row++));
  }
  return rows;
}

inline void run_lists(const setops_table& kernels) {
  auto rng = generator(15);
  using kernel = decltype(setops_table::run_or);
  for (std::size_t round = 0; round < cases(60); ++round) {
    const values_t a = below(rng, 8) == 0 ? values_t{} : random_runs_rows(rng);
    const values_t b = below(rng, 8) == 0 ? a : random_runs_rows(rng);
    const values_t x = cut_runs(rng, a), y = cut_runs(rng, b);
    const auto side = round % 2 == 0 ? guard_buffer::side::end : guard_buffer::side::start;
    const array_bytes p(x, side), q(y, side);
    values_t both, either, first;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(first));
    const std::pair<kernel, const values_t*> operations[] = {
        {kernels.run_and, &both}, {kernels.run_or, &either}, {kernels.run_andnot, &first}};
    for (const auto& [run, rows] : operations) {
      const guard_buffer out(2 * (x.size() + y.size() + setops_slack));
      const auto n = run(p.buffer.data(), static_cast<std::uint32_t>(x.size() / 2), q.buffer.data(),
                         static_cast<std::uint32_t>(y.size() / 2), out.data());
      ASSERT_EQ(read_values(out.data(), 2 * n), runs_of(*rows))
          << "operation " << rows - &both << " on " << x.size() / 2 << " and " << y.size() / 2;
    }
  }
}

// Runs in any order, overlapping and past the end: no access outside, and no more runs than went
// in.
inline void runs_that_lie(const setops_table& kernels) {
  auto rng = generator(16);
  for (std::size_t round = 0; round < cases(100); ++round) {
    values_t a(static_cast<std::size_t>(2 * below(rng, 100))),
        b(static_cast<std::size_t>(2 * below(rng, 100)));
    for (auto* v : {&a, &b}) {
      for (auto& x : *v)
        x = static_cast<std::uint16_t>(rng());
    }
    const array_bytes x(a), y(b);
    for (const auto run : {kernels.run_and, kernels.run_or, kernels.run_andnot}) {
      const guard_buffer out(2 * (a.size() + b.size() + setops_slack));
      ASSERT_LE(run(x.buffer.data(), static_cast<std::uint32_t>(a.size() / 2), y.buffer.data(),
                    static_cast<std::uint32_t>(b.size() / 2), out.data()),
                (a.size() + b.size()) / 2);
    }
    const guard_buffer words(8192);
    kernels.runs_to_bitset(x.buffer.data(), static_cast<std::uint32_t>(a.size() / 2), words.data());
  }
}

// Unsorted and repeated values: any answer, but no access past the buffers and no more values than
// both inputs hold.
inline void arrays_that_lie(const setops_table& kernels) {
  auto rng = generator(12);
  for (std::size_t round = 0; round < cases(100); ++round) {
    values_t a(static_cast<std::size_t>(below(rng, 300))),
        b(static_cast<std::size_t>(below(rng, 300)));
    for (auto* v : {&a, &b}) {
      for (auto& x : *v)
        x = static_cast<std::uint16_t>(below(rng, below(rng, 2) == 0 ? 5 : 65536));
    }
    const array_bytes x(a), y(b);
    for (const auto run :
         {kernels.array_and, kernels.array_or, kernels.array_andnot, kernels.array_xor}) {
      const guard_buffer out(2 * (a.size() + b.size() + setops_slack));
      ASSERT_LE(run(x.buffer.data(), static_cast<std::uint32_t>(a.size()), y.buffer.data(),
                    static_cast<std::uint32_t>(b.size()), out.data()),
                a.size() + b.size());
    }
  }
}

inline void facts_and_conversions(const setops_table& kernels) {
  auto rng = generator(13);
  auto lists = samples(rng);
  values_t full(65536), even, long_runs;
  for (std::size_t i = 0; i < full.size(); ++i)
    full[i] = static_cast<std::uint16_t>(i);
  for (const auto v : full) {
    if (v % 2 == 0) even.push_back(v);
    if (v % 997 > 300) long_runs.push_back(v);
  }
  lists.insert(lists.end(), {full, even, long_runs});
  for (const values_t& v : lists) {
    SCOPED_TRACE(v.size());
    const auto n = static_cast<std::uint32_t>(v.size());
    const values_t runs = runs_of(v);
    const auto words = bitset_of(v);
    const guard_buffer bits{std::span<const std::uint8_t>(words)};
    const array_bytes values(v);
    EXPECT_EQ(kernels.array_runs(values.buffer.data(), n), runs.size() / 2);
    const auto facts = kernels.bitset_count(bits.data());
    EXPECT_EQ(facts.cardinality, n);
    EXPECT_EQ(facts.runs, runs.size() / 2);

    const guard_buffer list(2 * (v.size() + setops_slack)),
        run_list(2 * (runs.size() + setops_slack)), run_list_2(2 * runs.size());
    ASSERT_EQ(kernels.bitset_to_array(bits.data(), list.data()), n);
    EXPECT_EQ(read_values(list.data(), n), v);
    ASSERT_EQ(kernels.bitset_to_runs(bits.data(), run_list.data()), runs.size() / 2);
    EXPECT_EQ(read_values(run_list.data(), runs.size()), runs);
    ASSERT_EQ(kernels.array_to_runs(values.buffer.data(), n, run_list_2.data()), runs.size() / 2);
    EXPECT_EQ(read_values(run_list_2.data(), runs.size()), runs);

    const guard_buffer by_values(8192), by_runs(8192);
    kernels.set_values(by_values.data(), values.buffer.data(), n);
    EXPECT_EQ(0, std::memcmp(by_values.data(), words.data(), 8192));
    kernels.runs_to_bitset(run_list.data(), static_cast<std::uint32_t>(runs.size() / 2),
                           by_runs.data());
    EXPECT_EQ(0, std::memcmp(by_runs.data(), words.data(), 8192));
  }
}

inline void a_run_past_the_end_is_cut(const setops_table& kernels) {
  const guard_buffer words(8192);
  const array_bytes runs({65000, 65535, 3, 0});
  kernels.runs_to_bitset(runs.buffer.data(), 2, words.data());
  EXPECT_EQ(kernels.bitset_count(words.data()).cardinality, 536u + 1);
}

inline void bitsets(const setops_table& kernels) {
  auto rng = generator(14);
  for (std::size_t round = 0; round < cases(10); ++round) {
    const auto shift = static_cast<std::size_t>(below(rng, 64));
    const guard_buffer a(8192), out(8192), padded(8192 + 64);
    std::uint8_t* b = padded.data() + shift;
    const std::uint64_t density = below(rng, 4);
    for (std::size_t i = 0; i < 8192; ++i) {
      const auto byte = [&] {
        return static_cast<std::uint8_t>(density == 0 ? -(below(rng, 10) == 0)
                                                      : static_cast<int>(rng() & rng()));
      };
      a.data()[i] = byte();
      b[i] = byte();
    }
    using kernel = decltype(setops_table::bitset_and);
    const std::pair<kernel, int> operations[] = {{kernels.bitset_and, 0},
                                                 {kernels.bitset_or, 1},
                                                 {kernels.bitset_andnot, 2},
                                                 {kernels.bitset_xor, 3}};
    for (const auto& [run, which] : operations) {
      std::vector<std::uint8_t> expected(8192);
      for (std::size_t i = 0; i < 8192; ++i) {
        const int x = a.data()[i], y = b[i];
        expected[i] = static_cast<std::uint8_t>(which == 0   ? x & y
                                                : which == 1 ? x | y
                                                : which == 2 ? x & ~y
                                                             : x ^ y);
      }
      values_t rows;
      for (std::uint32_t r = 0; r < 65536; ++r) {
        if ((expected[r / 8] >> r % 8 & 1) != 0) rows.push_back(static_cast<std::uint16_t>(r));
      }
      const auto facts = run(a.data(), b, out.data());
      ASSERT_EQ(0, std::memcmp(out.data(), expected.data(), 8192)) << which;
      ASSERT_EQ(facts.cardinality, rows.size()) << which;
      ASSERT_EQ(facts.runs, runs_of(rows).size() / 2) << which;
      const guard_buffer in_place(std::span<const std::uint8_t>(a.data(), 8192));
      run(in_place.data(), b, in_place.data());
      ASSERT_EQ(0, std::memcmp(in_place.data(), expected.data(), 8192)) << which;
    }
  }
}

}  // namespace dvk_test::setops_comparisons
