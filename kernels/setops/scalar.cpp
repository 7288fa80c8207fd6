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
// - All other pairs go through a bitset or through a sweep over runs; that choice is the caller's
// (builder/).
//
// Bits are addressed by byte: byte row / 8, bit row % 8 is right on any byte order, since bitsets
// are little-endian.
#include "bytes/load.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

using bytes::load_le16;
using bytes::load_le64;
using bytes::store_le;

constexpr std::uint32_t words_of_bitset = 1024;

std::uint32_t popcount(std::uint64_t w) {
  return static_cast<std::uint32_t>(__builtin_popcountll(w));
}
std::uint32_t value(const std::uint8_t* values, std::uint32_t i) {
  return load_le16(values + 2 * std::size_t{i});
}
void put(std::uint8_t* values, std::uint32_t i, std::uint32_t v) {
  store_le(values + 2 * std::size_t{i}, static_cast<std::uint16_t>(v));
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

// The merge behind all four array operations: which of "only in a", "only in b", "in both" are kept
// is known at compile time. Every step stores a candidate and moves the output on only if it is
// kept.
template <bool only_a, bool only_b, bool both>
std::uint32_t merge(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                    std::uint32_t nb, std::uint8_t* out) noexcept {
  std::uint32_t i = 0, j = 0, n = 0;
  while (i < na && j < nb) {
    const std::uint32_t x = value(a, i), y = value(b, j);
    put(out, n, x <= y ? x : y);
    n += (only_a && x < y) | (only_b && y < x) | (both && x == y);
    i += x <= y;
    j += y <= x;
  }
  for (; only_a && i < na; ++i)
    put(out, n++, value(a, i));
  for (; only_b && j < nb; ++j)
    put(out, n++, value(b, j));
  return n;
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

void set_values(std::uint8_t* words, const std::uint8_t* values, std::uint32_t n) noexcept {
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t v = value(values, i);
    words[v >> 3] = static_cast<std::uint8_t>(words[v >> 3] | 1u << (v & 7));
  }
}

void set_runs(std::uint8_t* words, const std::uint8_t* runs, std::uint32_t n) noexcept {
  const auto set_bits = [words](std::uint32_t word, std::uint64_t mask) {
    store_le(words + 8 * word, load_le64(words + 8 * word) | mask);
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t first = value(runs, 2 * i);
    const std::uint32_t sum = first + value(runs, 2 * i + 1);
    const std::uint32_t last = sum < 65535 ? sum : 65535;
    const std::uint64_t head = ~std::uint64_t{0} << (first & 63),
                        tail = ~std::uint64_t{0} >> (63 - (last & 63));
    if (first / 64 == last / 64) {
      set_bits(first / 64, head & tail);
      continue;
    }
    set_bits(first / 64, head);
    for (std::uint32_t w = first / 64 + 1; w < last / 64; ++w)
      store_le(words + 8 * w, ~std::uint64_t{0});
    set_bits(last / 64, tail);
  }
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
    .array_and = merge<false, false, true>,
    .array_or = merge<true, true, true>,
    .array_andnot = merge<true, false, false>,
    .array_xor = merge<true, true, false>,
    .bitset_to_array = bitset_to_array,
    .bitset_to_runs = bitset_to_runs,
    .array_to_runs = array_to_runs,
    .set_values = set_values,
    .set_runs = set_runs,
};
}  // namespace setops

}  // namespace dvk::inline v0::detail
