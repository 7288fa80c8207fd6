// Set operations on containers: the reference.
//
// Two vectors are combined container by container, and a result container goes straight into the
// output in the smallest of three forms. To choose the form one needs two numbers, rows and maximal
// runs, and both are cheap to have on the side. In a bitset a run starts at every set bit whose
// lower neighbour is clear, so runs = popcount(w & ~(w << 1 | c)), where c is the top bit of the
// word before. In an ascending array a run starts at every value that is not its predecessor plus
// one.
//
// - Two bitsets: one pass of word operations, with both counts taken from the words while they are
// in registers.
// - Two arrays: a merge. The steps are branch-free (compares become index increments), for values
// of real files
//   interleave at random and a mispredicted branch costs as much as ten steps.
// - Two short lists of runs: likewise (run_merge.hpp).
// - All other pairs go through bitsets; that choice is the caller's (builder/).
//
// Bits are addressed by byte: byte row / 8, bit row % 8 is right on any byte order, since bitsets
// are little-endian.
#include "setops/array_merge.hpp"
#include "setops/generic.hpp"
#include "setops/run_merge.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

std::uint32_t popcount(std::uint64_t w) {
  return static_cast<std::uint32_t>(__builtin_popcountll(w));
}
std::uint32_t array_runs(const std::uint8_t* values, std::uint32_t n) noexcept {
  std::uint32_t runs = n != 0;
  for (std::uint32_t i = 1; i < n; ++i)
    runs += value(values, i) != value(values, i - 1) + 1;
  return runs;
}

template <class Op>
bitset_facts combine(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out, Op op) {
  bitset_facts facts{0, 0};
  std::uint64_t carry = 0;
  for (std::uint32_t i = 0; i < words_of_bitset; ++i) {
    const std::uint64_t w = op(load_le64(a + 8 * i), load_le64(b + 8 * i));
    if (out != nullptr) store_le(out + 8 * i, w);
    facts.cardinality += popcount(w);
    facts.runs += popcount(w & ~(w << 1 | carry));
    carry = w >> 63;
  }
  return facts;
}

bitset_facts bitset_count(const std::uint8_t* words) noexcept {
  return combine(words, words, nullptr, [](std::uint64_t w, std::uint64_t) { return w; });
}
bitset_facts bitset_and(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine(a, b, out, [](std::uint64_t x, std::uint64_t y) { return x & y; });
}
bitset_facts bitset_or(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine(a, b, out, [](std::uint64_t x, std::uint64_t y) { return x | y; });
}
bitset_facts bitset_andnot(const std::uint8_t* a, const std::uint8_t* b,
                           std::uint8_t* out) noexcept {
  return combine(a, b, out, [](std::uint64_t x, std::uint64_t y) { return x & ~y; });
}
bitset_facts bitset_xor(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine(a, b, out, [](std::uint64_t x, std::uint64_t y) { return x ^ y; });
}

std::uint32_t bitset_to_array(const std::uint8_t* words, std::uint8_t* values) noexcept {
  std::uint32_t n = 0;
  for (std::uint32_t i = 0; i < words_of_bitset; ++i) {
    for (std::uint64_t w = load_le64(words + 8 * i); w != 0; w &= w - 1) {
      put(values, n++, 64 * i + static_cast<std::uint32_t>(__builtin_ctzll(w)));
    }
  }
  return n;
}

std::uint32_t bitset_to_runs(const std::uint8_t* words, std::uint8_t* runs) noexcept {
  // Bit k of w ^ (w << 1 | carry) is set where a run starts or where one ended just before k: edges
  // alternate. `runs` gets the start at the first edge of a pair and the length at the second, so
  // nothing is written past the last run.
  std::uint32_t n = 0, start = 0;
  bool open = false;
  std::uint64_t carry = 0;
  for (std::uint32_t i = 0; i < words_of_bitset; ++i) {
    const std::uint64_t w = load_le64(words + 8 * i);
    for (std::uint64_t edges = w ^ (w << 1 | carry); edges != 0; edges &= edges - 1) {
      const std::uint32_t at = 64 * i + static_cast<std::uint32_t>(__builtin_ctzll(edges));
      if (open) {
        put(runs, 2 * n, start);
        put(runs, 2 * n++ + 1, at - 1 - start);
      }
      start = at;
      open = !open;
    }
    carry = w >> 63;
  }
  if (open) {
    put(runs, 2 * n, start);
    put(runs, 2 * n++ + 1, 65535 - start);
  }
  return n;
}

std::uint32_t array_to_runs(const std::uint8_t* values, std::uint32_t n,
                            std::uint8_t* runs) noexcept {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < n;) {
    const std::uint32_t first = i++;
    while (i < n && value(values, i) == value(values, i - 1) + 1)
      ++i;
    put(runs, 2 * count, value(values, first));
    put(runs, 2 * count++ + 1, i - first - 1);
  }
  return count;
}

}  // namespace

namespace setops {
constinit const setops_table scalar{
    .array_runs = array_runs,
    .bitset_count = bitset_count,
    .bitset_and = bitset_and,
    .bitset_or = bitset_or,
    .bitset_andnot = bitset_andnot,
    .bitset_xor = bitset_xor,
    .array_and = merge_by_one<false, false, true>,
    .array_or = merge_by_one<true, true, true>,
    .array_andnot = merge_by_one<true, false, false>,
    .array_xor = merge_by_one<true, true, false>,
    .run_and = intersect_runs,
    .run_or = unite_runs,
    .run_andnot = subtract_runs,
    .bitset_to_array = bitset_to_array,
    .bitset_to_runs = bitset_to_runs,
    .array_to_runs = array_to_runs,
    .set_values = set_values,
    .runs_to_bitset = runs_to_bitset,
};
}  // namespace setops

}  // namespace dvk::inline v0::detail
