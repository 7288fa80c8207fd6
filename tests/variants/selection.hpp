// Every tier's selection kernels against the plain truth, at lengths around vector boundaries, at
// every alignment, with guard pages on both sides of inputs and outputs.
#pragma once

#include "selection/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "dispatch/tables.hpp"
#include "tests/support/containers.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/random.hpp"
#include "tests/variants/selection_masks.hpp"

namespace dvk_test::selection_comparisons {

using dvk::detail::container;
using dvk::detail::segment_kind;
using dvk::detail::segment_result;
using dvk::detail::selection_table;

struct segment {
  std::uint32_t lo, hi;
};

inline segment random_segment(std::mt19937_64& rng) {
  constexpr std::array<std::uint32_t, 16> lengths = {1,  2,   15,  16,  17,   31,   63,   64,
                                                     65, 127, 128, 129, 1024, 2048, 8192, 65536};
  std::uint32_t n = lengths[static_cast<std::size_t>(below(rng, lengths.size()))];
  switch (below(rng, 4)) {
    case 0:
      n = 1 + static_cast<std::uint32_t>(below(rng, 300));
      break;
    case 1:
      n = std::max(1u, std::min(65536u, n + static_cast<std::uint32_t>(below(rng, 5)) - 2));
      break;
    default:
      break;
  }
  std::uint32_t lo = static_cast<std::uint32_t>(below(rng, 65536 - n + 1));
  if (below(rng, 3) == 0) lo &= ~63u;
  return {lo, lo + n};
}

inline std::uint32_t random_hint(std::mt19937_64& rng) {
  return below(rng, 2) == 0 ? 0 : static_cast<std::uint32_t>(below(rng, 5000));
}

inline segment_kind truth_kind(const dvk_test::test_container& t, segment s) {
  std::uint32_t deleted = 0;
  for (std::uint32_t i = s.lo; i < s.hi; ++i)
    deleted += t.deleted[i];
  return deleted == 0             ? segment_kind::all_live
         : deleted == s.hi - s.lo ? segment_kind::none_live
                                  : segment_kind::mixed;
}

// Runs check(container entry, truth, segment) over random containers: payload against a guard page
// at its end, at its start, and inside ordinary memory at every alignment.
template <class Check>
void over_containers(std::uint64_t stream, std::size_t containers, std::size_t segments,
                     Check check) {
  auto rng = generator(stream);
  for (std::size_t k = 0; k < containers; ++k) {
    const auto truth = dvk_test::random_container(rng);
    const guard_buffer end(truth.payload, guard_buffer::side::end),
        start(truth.payload, guard_buffer::side::start);
    std::vector<std::uint8_t> loose(truth.payload.size() + 64);
    for (std::size_t s = 0; s < segments && !::testing::Test::HasFailure(); ++s) {
      const std::uint8_t* where = s % 3 == 0 ? end.data() : start.data();
      if (s % 3 == 2) {
        std::uint8_t* shifted = loose.data() + below(rng, 64);
        std::memcpy(shifted, truth.payload.data(), truth.payload.size());
        where = shifted;
      }
      check(truth.at(where), truth, random_segment(rng), rng);
    }
  }
}

template <class T, class Kernel>
void check_indices(Kernel kernel, const container& c, const dvk_test::test_container& t, segment s,
                   std::mt19937_64& rng) {
  const std::uint32_t n = s.hi - s.lo;
  const bool deleted = below(rng, 2) != 0;
  const std::uint64_t first = rng();
  const guard_buffer out(n * sizeof(T),
                         below(rng, 2) != 0 ? guard_buffer::side::end : guard_buffer::side::start);
  std::memset(out.data(), 0xee, out.size());
  std::uint32_t hint = random_hint(rng);
  const segment_result r = kernel(c, s.lo, s.hi, deleted, first, out.as<T>().data(), &hint);
  ASSERT_EQ(r.kind, truth_kind(t, s));
  if (r.kind != segment_kind::mixed) {
    ASSERT_TRUE(std::all_of(out.data(), out.data() + out.size(), [](auto b) { return b == 0xee; }))
        << "uniform, but written";
    return;
  }
  std::vector<T> expected;
  for (std::uint32_t i = s.lo; i < s.hi; ++i) {
    if ((t.deleted[i] != 0) == deleted) expected.push_back(static_cast<T>(first + (i - s.lo)));
  }
  ASSERT_EQ(r.written, expected.size())
      << "type " << int(t.type) << " [" << s.lo << ", " << s.hi << ")";
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.as<T>().data()))
      << "type " << int(t.type) << " [" << s.lo << ", " << s.hi << ") deleted " << deleted;
}

inline void indices(const selection_table& kernels) {
  over_containers(1, cases(300), 120, [&](const container& c, const auto& t, segment s, auto& rng) {
    check_indices<std::uint16_t>(kernels.indices_u16, c, t, s, rng);
    check_indices<std::uint32_t>(kernels.indices_u32, c, t, s, rng);
    check_indices<std::uint64_t>(kernels.indices_u64, c, t, s, rng);
  });
}

inline void fill_and_hints(const selection_table& kernels) {
  over_containers(2, cases(300), 120, [&](const container& c, const auto& t, segment s, auto& rng) {
    const bool deleted = below(rng, 2) != 0;
    const std::size_t words = (s.hi - (s.lo & ~63u) + 63) / 64;
    const guard_buffer out(words * 8);
    std::uint32_t hint = random_hint(rng);
    const segment_kind kind =
        kernels.fill(c, s.lo, s.hi, deleted, out.as<std::uint64_t>().data(), &hint);
    ASSERT_EQ(kind, truth_kind(t, s));
    if (kind == segment_kind::mixed) {
      for (std::size_t bit = 0; bit < words * 64; ++bit) {
        const std::uint32_t slot = (s.lo & ~63u) + static_cast<std::uint32_t>(bit);
        const bool wanted = slot >= s.lo && slot < s.hi && (t.deleted[slot] != 0) == deleted;
        ASSERT_EQ((out.as<std::uint64_t>()[bit / 64] >> (bit % 64)) & 1, wanted ? 1u : 0u)
            << "slot " << slot;
      }
    }
    // The hint left behind is where a segment that starts at hi begins.
    if (s.hi < 65536 && t.type != dvk::detail::bitset_container) {
      std::uint32_t fresh = 0;
      bool state = true, state_fresh = true;
      std::uint32_t a[1], b[1];
      const std::uint32_t hint_kept = hint;
      ASSERT_EQ(kernels.edges(c, s.hi, s.hi + 1, 0, &state, a, &hint),
                kernels.edges(c, s.hi, s.hi + 1, 0, &state_fresh, b, &fresh));
      ASSERT_EQ(state, state_fresh);
      ASSERT_LE(hint_kept, t.units);
    }
  });
}

inline void edges(const selection_table& kernels) {
  over_containers(3, cases(300), 120, [&](const container& c, const auto& t, segment s, auto& rng) {
    const guard_buffer out((s.hi - s.lo) * 4);
    const auto first = static_cast<std::uint32_t>(rng());
    bool state = below(rng, 2) != 0;
    bool previous = state;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = s.lo; i < s.hi; ++i) {
      const bool now = t.deleted[i] != 0;
      if (now != previous) expected.push_back(first + (i - s.lo));
      previous = now;
    }
    std::uint32_t hint = random_hint(rng);
    const std::uint32_t n =
        kernels.edges(c, s.lo, s.hi, first, &state, out.as<std::uint32_t>().data(), &hint);
    ASSERT_EQ(n, expected.size());
    ASSERT_EQ(state, previous);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.as<std::uint32_t>().data()));
  });
}

// Payloads that lie (trusted level): any answer will do, any access outside the buffers will not.
inline void lying_payloads_stay_in_bounds(const selection_table& kernels) {
  auto rng = generator(8);
  for (std::size_t k = 0; k < cases(3000); ++k) {
    dvk_test::test_container t;
    t.type = static_cast<dvk::detail::container_type>(below(rng, 3));
    t.units = t.type == dvk::detail::array_container
                  ? 1 + static_cast<std::uint32_t>(below(rng, 4096))
                  : 1 + static_cast<std::uint32_t>(below(rng, 6000));
    t.payload.resize(t.type == dvk::detail::array_container ? 2 * t.units
                     : t.type == dvk::detail::run_container ? 4 * t.units
                                                            : 8192);
    for (auto& b : t.payload)
      b = static_cast<std::uint8_t>(rng() >> 32);
    const guard_buffer payload(t.payload);
    const container c = t.at(payload.data());
    const segment s = random_segment(rng);
    const std::size_t n = s.hi - s.lo;
    const guard_buffer out(n * 8, k % 2 == 0 ? guard_buffer::side::end : guard_buffer::side::start);
    const guard_buffer words(((s.hi - (s.lo & ~63u) + 63) / 64) * 8,
                             k % 2 == 0 ? guard_buffer::side::end : guard_buffer::side::start);
    std::uint32_t hint = static_cast<std::uint32_t>(rng());
    ASSERT_LE(
        kernels
            .indices_u16(c, s.lo, s.hi, false, 0,
                         reinterpret_cast<std::uint16_t*>(out.data() + out.size() - 2 * n), &hint)
            .written,
        n);
    ASSERT_LE(
        kernels
            .indices_u32(c, s.lo, s.hi, true, 0,
                         reinterpret_cast<std::uint32_t*>(out.data() + out.size() - 4 * n), &hint)
            .written,
        n);
    ASSERT_LE(
        kernels.indices_u64(c, s.lo, s.hi, false, 0, out.as<std::uint64_t>().data(), &hint).written,
        n);
    kernels.fill(c, s.lo, s.hi, false, words.as<std::uint64_t>().data(), &hint);
    bool state = false;
    ASSERT_LE(
        kernels.edges(c, s.lo, s.hi, 0, &state,
                      reinterpret_cast<std::uint32_t*>(out.data() + out.size() - 4 * n), &hint),
        n);
  }
}

}  // namespace dvk_test::selection_comparisons
