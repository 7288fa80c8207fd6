// Where a mask goes, bits at any start or bytes, and how a segment's gets there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "selection/kernels.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {

// Whether combining with a mask whose bits all have this value leaves a bit as it is; otherwise all
// become the value.
constexpr bool changes_nothing(combine how, bool value) {
  return how != combine::replace && value == (how == combine::and_with);
}

// mask() puts n bits of the source, each xor-ed with `flip`, and returns how many are then set;
// uniform() puts n times the same value.
struct bit_target {
  std::uint64_t* words;
  std::size_t first_bit;
  combine how;
  decltype(selection_table::bits_replace) put;

  std::size_t mask(const std::uint8_t* source, std::size_t from, std::uint64_t flip, std::size_t n,
                   std::uint64_t at) const {
    const auto bit = static_cast<std::size_t>(first_bit + at);
    return put(source, from, flip, n, words + bit / 64, bit % 64);
  }
  void uniform(bool value, std::size_t n, std::uint64_t at) const {
    if (n == 0 || changes_nothing(how, value)) return;
    const auto first = static_cast<std::size_t>(first_bit + at), last = first + n - 1;
    const std::uint64_t fill = value ? ~std::uint64_t{0} : 0;
    std::uint64_t keep = ~(~std::uint64_t{0} << (first % 64));  // bits before the first
    if (first / 64 != last / 64) {
      words[first / 64] = (words[first / 64] & keep) | (fill & ~keep);
      std::fill(words + first / 64 + 1, words + last / 64, fill);
      keep = 0;
    }
    keep |= ~(~std::uint64_t{0} >> (63 - last % 64));  // bits after the last
    words[last / 64] = (words[last / 64] & keep) | (fill & ~keep);
  }
  // The words that a segment's frame may be written to as it is, or null: frame and target share
  // their word borders, and bits after the last row's may be cleared.
  std::uint64_t* frame(std::uint32_t lo, std::uint32_t hi, std::uint64_t at, bool last) const {
    const auto bit = static_cast<std::size_t>(first_bit + at);
    return how == combine::replace && (lo | bit) % 64 == 0 && (hi % 64 == 0 || last)
               ? words + bit / 64
               : nullptr;
  }
};
struct byte_target {
  std::uint8_t* out;
  combine how;
  decltype(selection_table::bytes_replace) put;

  std::size_t mask(const std::uint8_t* source, std::size_t from, std::uint64_t flip, std::size_t n,
                   std::uint64_t at) const {
    return put(source, from, flip, n, out + at);
  }
  void uniform(bool value, std::size_t n, std::uint64_t at) const {
    if (!changes_nothing(how, value)) {
      if (n != 0) std::memset(out + at, value ? 1 : 0, n);
      return;
    }
    // Bytes other than 0 become 1.
    constexpr std::uint8_t zeros[256] = {};
    for (std::size_t done = 0, take = 0; done < n; done += take) {
      take = std::min(n - done, 8 * sizeof zeros);
      mask(zeros, 0, value ? ~std::uint64_t{0} : 0, take, at + done);
    }
  }
  static std::uint64_t* frame(std::uint32_t, std::uint32_t, std::uint64_t, bool) { return nullptr; }
};

// What became of a segment: its live rows, if its mask was put; else which kind of rows it is.
struct put_result {
  std::uint64_t live;
  segment_kind kind;
};

template <class Target>
struct mask_segments {
  const selection_table& kernels;
  Target target;
  bool deleted;

  // Puts the mask of slots [lo, hi), the first of which has number `at`, unless it finds the
  // segment uniform, for which it looks with `lazy` for certain. `last`: no row comes after.
  put_result put(const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t at,
                 bool last, bool lazy, std::uint32_t* hint) const {
    if (is_own_mask(c) && (!lazy || shows_both(c, lo, hi))) {
      return was_put(lo, hi,
                     target.mask(c.payload + lo / 64 * 8, lo % 64, deleted ? 0 : ~std::uint64_t{0},
                                 hi - lo, at));
    }
    if (std::uint64_t* const frame = target.frame(lo, hi, at, last))
      return put_frame(c, lo, hi, frame, hint);
    // A copy, so that nobody else needs to have this in memory.
    return mask_segments(*this).put_scratch(c, lo, hi, at, hint);
  }

 private:
  // A bitset goes to the target from where it lies.
  static bool is_own_mask(const container& c) {
    return c.type == bitset_container && std::endian::native == std::endian::little;
  }
  // Whether the segment is mixed for certain: its first rows tell, nearly always.
  static bool shows_both(const container& c, std::uint32_t lo, std::uint32_t hi) {
    if (hi - lo < 64) return false;
    const std::uint64_t rows = load_le64(c.payload + lo / 8) >> (lo % 8);
    return rows != 0 && rows != ~std::uint64_t{0} >> (lo % 8);
  }

  put_result was_put(std::uint32_t lo, std::uint32_t hi, std::size_t set) const {
    return {deleted ? hi - lo - set : set, segment_kind::mixed};
  }

  put_result put_frame(const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t* words,
                       std::uint32_t* hint) const {
    const segment_kind kind = kernels.fill(c, lo, hi, deleted, words, hint);
    if (kind != segment_kind::mixed) return {0, kind};
    return was_put(lo, hi, kernels.popcount(words, (hi - (lo & ~63u) + 63) / 64));
  }
  // Out of line: the others have no use for its stack.
  [[gnu::noinline]] put_result put_scratch(const container& c, std::uint32_t lo, std::uint32_t hi,
                                           std::uint64_t at, std::uint32_t* hint) const {
    std::uint64_t words[max_frame_words];
    const segment_kind kind = kernels.fill(c, lo, hi, deleted, words, hint);
    if (kind != segment_kind::mixed) return {0, kind};
    return was_put(
        lo, hi, target.mask(reinterpret_cast<const std::uint8_t*>(words), lo % 64, 0, hi - lo, at));
  }
};

}  // namespace dvk::inline v0::detail
