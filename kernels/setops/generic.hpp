// What several tiers share: byte-wise marking of bitsets, and the merge of two arrays on vectors of
// any width.
#pragma once

#include "bytes/load.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

using bytes::load_le16;
using bytes::load_le64;
using bytes::store_le;

constexpr std::uint32_t words_of_bitset = 1024;
constexpr std::uint32_t slots = 65536;

DVK_INLINE std::uint32_t value(const std::uint8_t* values, std::uint32_t i) {
  return load_le16(values + 2 * std::size_t{i});
}
DVK_INLINE void put(std::uint8_t* values, std::uint32_t i, std::uint32_t v) {
  store_le(values + 2 * std::size_t{i}, static_cast<std::uint16_t>(v));
}
// x if `which`, else y: by mask, where compilers make a branch of the conditional operator.
template <class T>
DVK_INLINE T pick(bool which, T x, T y) {
  return y ^ ((x ^ y) & (T{0} - static_cast<T>(which)));
}
DVK_INLINE std::uintptr_t address(const std::uint8_t* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}
DVK_INLINE void flip(std::uint8_t* words, std::uint32_t slot, std::uint32_t bit = 1) {
  words[slot >> 3] = static_cast<std::uint8_t>(words[slot >> 3] ^ bit << (slot & 7));
}

// Neighbours in the list mostly fall into the same or the next byte, and a read-modify-write of a
// byte waits for the one before. Four streams from four quarters of the list keep apart.
[[maybe_unused]] void set_values(std::uint8_t* words, const std::uint8_t* values,
                                 std::uint32_t n) noexcept {
  const auto set = [words](std::uint32_t v) {
    words[v >> 3] = static_cast<std::uint8_t>(words[v >> 3] | 1u << (v & 7));
  };
  const std::uint32_t quarter = n / 4;
  for (std::uint32_t i = 0; i < quarter; ++i) {
    const std::uint32_t a = value(values, i), b = value(values, i + quarter),
                        c = value(values, i + 2 * quarter), d = value(values, i + 3 * quarter);
    set(a);
    set(b);
    set(c);
    set(d);
  }
  for (std::uint32_t i = 4 * quarter; i < n; ++i)
    set(value(values, i));
}

// Few runs are filled word by word. Many are short, and how many words each spans is not
// predictable: then only their borders are flipped, and a prefix xor over all bits fills in
// between. Touching runs flip their common border twice, which is right.
constexpr std::uint32_t many_runs = 96;

[[maybe_unused]] void runs_to_bitset(const std::uint8_t* runs, std::uint32_t n,
                                     std::uint8_t* words) noexcept {
  __builtin_memset(words, 0, 8 * words_of_bitset);
  const auto or_word = [words](std::uint32_t word, std::uint64_t mask) {
    store_le(words + 8 * word, load_le64(words + 8 * word) | mask);
  };
  for (std::uint32_t i = 0; n < many_runs && i < n; ++i) {
    const std::uint32_t first = value(runs, 2 * i);
    const std::uint32_t sum = first + value(runs, 2 * i + 1);
    const std::uint32_t last = sum < slots ? sum : slots - 1;
    const std::uint64_t head = ~std::uint64_t{0} << (first & 63);
    const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (last & 63));
    if (first / 64 == last / 64) {
      or_word(first / 64, head & tail);
      continue;
    }
    or_word(first / 64, head);
    for (std::uint32_t w = first / 64 + 1; w < last / 64; ++w)
      store_le(words + 8 * w, ~std::uint64_t{0});
    or_word(last / 64, tail);
  }
  if (n < many_runs) return;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t first = value(runs, 2 * i);
    const std::uint32_t after = first + value(runs, 2 * i + 1) + 1;
    flip(words, first);
    // A border at or past the end is none: nothing is flipped, at an address that exists.
    flip(words, after < slots ? after : 0, after < slots);
  }
  std::uint64_t inside = 0;  // all ones between a start and an end
  for (std::uint32_t w = 0; w < words_of_bitset; ++w) {
    std::uint64_t x = load_le64(words + 8 * w);
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    x ^= x << 32;
    x ^= inside;
    store_le(words + 8 * w, x);
    inside = 0 - (x >> 63);
  }
}

// Two ascending lists, merged: emit(block) is called with the blocks of the merged stream, from
// the first to the last that holds an element. An element starts with the u16 it is ordered by.
//
// A step looks at two blocks of each list. The smaller halves of both together are the next two
// blocks of the stream, and how many of them came from either list tells where that list goes on.
// So a step waits for the one before it only through a compare and a count, not through the
// network that sorts.
//
// `vector` gives: lanes; load(p, n) of n elements, padded with the largest value to a whole block;
// merge(x, x_next, y, y_next, low, high), which leaves the smaller half of two ascending pairs of
// blocks in low and high, sorted, and returns how many of it came from the first pair.
template <class vector, class Emit>
DVK_INLINE void each_merged_block(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                                  std::uint32_t nb, Emit emit) {
  constexpr std::uint32_t lanes = vector::lanes, step = 2 * lanes;
  constexpr std::size_t bytes = sizeof(vector::load(a, 0)) / lanes;
  std::uint32_t i = 0, j = 0;
  auto low = vector::load(a, 0), high = low;
  while (i + step <= na && j + step <= nb) {
    const std::uint8_t *const p = a + bytes * i, *const q = b + bytes * j;
    const std::uint32_t from_a =
        vector::merge(vector::load(p, lanes), vector::load(p + bytes * lanes, lanes),
                      vector::load(q, lanes), vector::load(q + bytes * lanes, lanes), low, high);
    i += from_a;
    j += step - from_a;
    emit(low);
    emit(high);
  }
  // Near the end of a list its padding stands in. It may be taken before an element that equals it,
  // which is then left over: the stream ends after na + nb places.
  const std::uint32_t total = na + nb;
  const auto padded = [](const std::uint8_t* list, std::uint32_t n, std::uint32_t at) {
    const std::uint32_t left = at < n ? n - at : 0;
    return vector::load(list + (left != 0 ? bytes * at : 0), left < lanes ? left : lanes);
  };
  while (i < na && j < nb && i + j < total) {
    const std::uint32_t from_a =
        vector::merge(padded(a, na, i), padded(a, na, i + lanes), padded(b, nb, j),
                      padded(b, nb, j + lanes), low, high);
    i += from_a;
    j += step - from_a;
    emit(low);
    emit(high);
  }
  // What one list has left.
  const bool rest_of_a = i < na;
  for (std::uint32_t place = i + j; place < total; place += lanes) {
    emit(rest_of_a ? padded(a, na, i) : padded(b, nb, j));
    i += rest_of_a ? lanes : 0;
    j += rest_of_a ? 0 : lanes;
  }
}

enum class keep : std::uint8_t { once, doubles, singles };

// From the merged stream of two ascending arrays the values wanted: each value once (union), those
// that stand twice (intersection), or those that stand alone (symmetric difference). No value
// stands more than twice.
//
// Padding is 65535 and sorts last, so the first na + nb places of the stream are the real values;
// places after them count for nothing. `vector` also gives: after_one(x, before) and
// after_two(x, before), the stream moved on by one or two places; equal(x, y) as a bit mask;
// store_kept(out, x, mask), which may write a whole block.
template <class vector, keep what>
[[maybe_unused]] std::uint32_t merge_blocks(const std::uint8_t* a, std::uint32_t na,
                                            const std::uint8_t* b, std::uint32_t nb,
                                            std::uint8_t* out) noexcept {
  constexpr std::uint32_t lanes = vector::lanes;
  constexpr std::uint64_t all = (std::uint64_t{1} << lanes) - 1;
  const std::uint32_t total = na + nb;
  if (total == 0) return 0;
  const auto first = [](std::uint32_t places) {  // a mask of the first `places` lanes
    return places >= lanes ? all : (std::uint64_t{1} << places) - 1;
  };
  std::uint32_t n = 0;
  auto before = vector::load(out, 0);  // the block of the stream before the one at hand
  std::uint32_t place = 0;             // of the block at hand in the stream
  const auto emit = [&](auto x) {
    const auto shifted = vector::after_one(x, before);
    const std::uint64_t real = first(total > place ? total - place : 0);
    // In the first block the first lane has nothing before it.
    const std::uint64_t twin = vector::equal(x, shifted) & (place == 0 ? all - 1 : all);
    if constexpr (what == keep::once) {
      n += vector::store_kept(out + 2 * n, x, real & ~twin);
    } else if constexpr (what == keep::doubles) {
      n += vector::store_kept(out + 2 * n, x, real & twin);
    } else {
      // Looks at the value one place back, which now has both neighbours. Its successor counts if
      // it is real, its predecessor from the stream's second place on.
      const std::uint64_t candidate =
          first(total + 1 > place ? total + 1 - place : 0) & (place == 0 ? all - 1 : all);
      const std::uint64_t older =
          vector::equal(shifted, vector::after_two(x, before)) & (place == 0 ? all - 3 : all);
      n += vector::store_kept(out + 2 * n, shifted, candidate & ~(twin & real) & ~older);
    }
    before = x;
    place += lanes;
  };

  each_merged_block<vector>(a, na, b, nb, emit);
  if constexpr (what == keep::singles) {
    if (place <= total) emit(vector::load(out, 0));  // the last place has no successor yet
  }
  return n;
}

// a - b as (a xor (a and b)): the stream does not tell which list a value came from.
template <class vector>
[[maybe_unused]] std::uint32_t subtract_blocks(const std::uint8_t* a, std::uint32_t na,
                                               const std::uint8_t* b, std::uint32_t nb,
                                               std::uint8_t* out) noexcept {
  std::uint8_t common[2 * (2 * 4096 + setops_slack)];
  const std::uint32_t n = merge_blocks<vector, keep::doubles>(a, na, b, nb, common);
  return merge_blocks<vector, keep::singles>(a, na, common, n, out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
