// Selection for vectors of 16 and 32 bytes: AVX2, SSE4.2 and NEON in one text, over xsimd batches.
//
// A tier brings `Isa`:
//   arch                  the xsimd architecture, and list_arch<T>, that of index lists of T: the
//                         widest whose vector eight elements fill
//   widen<T>(row, part)   elements [part * lanes, ...) of eight bytes, as T
//   counts(word)          what count(counts, b) gets the number of set bits of a word's byte from
//                         that starts at bit b
//   popcount(words, n)    as in selection.hpp, of words at any alignment
//   spread(bits)          a vector whose byte i is not 0 if bit i is set
//
// Decoding goes by bytes of the mask. A table of 256 rows holds, for each byte, the numbers of its
// set bits; eight of them are widened to elements, the number of the byte's first row is added, and
// all eight are stored. The next byte's stores begin where the list ends, over the garbage behind
// it. This is safe wherever eight rows are left in the room, so only the last seven rows or fewer
// need care: byte b of the mask (counted from `head`) has at most 8 b indices before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "bytes/attributes.hpp"
#include "selection/generic_forms.hpp"
#include "selection/paths.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

struct bit_numbers {
  std::uint8_t row[256][8];
};
constexpr bit_numbers number_bits() {
  bit_numbers t{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned n = 0;
    for (std::uint8_t bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) t.row[byte][n++] = bit;
    }
  }
  return t;
}
alignas(64) constexpr bit_numbers set_bits = number_bits();

template <class T>
struct ascending {
  alignas(64) T number[64 / sizeof(T)];
};
template <class T>
constexpr ascending<T> count_up() {
  ascending<T> a{};
  for (unsigned i = 0; i < 64 / sizeof(T); ++i)
    a.number[i] = static_cast<T>(i);
  return a;
}
template <class T>
constexpr ascending<T> lane_numbers = count_up<T>();

// Appends the indices of mask bytes, a byte at a time.
template <class Isa, class T>
class decoder {
  using batch = xsimd::batch<T, typename Isa::template list_arch<T>>;

 public:
  explicit DVK_INLINE_MEMBER decoder(std::uint64_t first) : first_(static_cast<T>(first)) {}
  // Both may clobber eight elements from a byte's place on.
  DVK_INLINE_MEMBER void byte(std::uint64_t bits, T*& out) { put(bits, Isa::counts(bits), 0, out); }
  DVK_INLINE_MEMBER void word(std::uint64_t bits, T*& out) {
    const std::uint64_t counts = Isa::counts(bits);
#pragma GCC unroll 8
    for (unsigned b = 0; b < 64; b += 8)
      put(bits, counts, b, out);
  }

 private:
  DVK_INLINE_MEMBER void put(std::uint64_t bits, std::uint64_t counts, unsigned b, T*& out) {
    const std::uint8_t* row = set_bits.row[bits >> b & 0xff];
    for (unsigned p = 0; p < 8 / batch::size; ++p) {
      (first_ + Isa::template widen<T>(row, p)).store_unaligned(out + p * batch::size);
    }
    out += Isa::count(counts, b);
    first_ += batch(T{8});
  }

  batch first_;  // index of the byte's bit 0, in all lanes
};

template <class Isa>
struct generic_ops : Isa {
  template <class T>
  using batch = xsimd::batch<T, typename Isa::arch>;
  using words_batch = batch<std::uint64_t>;
  static constexpr std::uint32_t few_live = container_rows;  // a byte's vectors are few anyway
  static constexpr std::uint32_t crowded_rows = 0, crowded_share = 1;  // no gain: see README.md
  static constexpr std::uint32_t sparse_array_share = 256, dense_run_share = 64;
  static constexpr std::uint32_t sparse_runs(std::uint32_t rows, bool deleted) {
    return rows / (deleted ? 128 : 256);
  }

  static DVK_INLINE_MEMBER std::uint32_t first_value(const container& c, std::uint32_t lo,
                                                     std::uint32_t hint) {
    return detail::first_value(c, lo, hint);
  }
  static DVK_INLINE_MEMBER std::uint32_t first_run(const container& c, std::uint32_t lo,
                                                   std::uint32_t hint) {
    return detail::first_run(c, lo, hint);
  }

  // Payloads have any alignment: they are loaded as bytes.
  template <class T>
  static DVK_INLINE_MEMBER batch<T> load(const std::uint8_t* p) {
    return xsimd::bitwise_cast<T>(batch<std::uint8_t>::load_unaligned(p));
  }

  static DVK_INLINE_MEMBER bool words_equal(const std::uint8_t* from, std::uint32_t count,
                                            std::uint64_t value) {
    const words_batch expected(value);
    std::uint32_t k = 0;
    for (; k + words_batch::size <= count; k += words_batch::size) {
      if (xsimd::any(load<std::uint64_t>(from + 8 * std::size_t{k}) != expected)) return false;
    }
    for (; k < count; ++k) {
      if (load_le64(from + 8 * std::size_t{k}) != value) return false;
    }
    return true;
  }
  static DVK_INLINE_MEMBER void flip_words(const std::uint8_t* from, std::uint32_t count,
                                           std::uint64_t flip, std::uint64_t* words) {
    std::uint32_t k = 0;
    for (; k + words_batch::size <= count; k += words_batch::size)
      (load<std::uint64_t>(from + 8 * std::size_t{k}) ^ words_batch(flip))
          .store_unaligned(words + k);
    for (; k < count; ++k)
      words[k] = load_le64(from + 8 * std::size_t{k}) ^ flip;
  }
  static DVK_INLINE_MEMBER void set_words(std::uint64_t* words, std::uint32_t count,
                                          std::uint64_t value) {
    std::uint32_t k = 0;
    for (; k + words_batch::size <= count; k += words_batch::size)
      words_batch(value).store_unaligned(words + k);
    for (; k < count; ++k)
      words[k] = value;
  }

  // A vector of values is compared with the bounds at once, which is the one check that unsorted
  // payloads need, and spares the loop a branch a value.
  template <class Put>
  static DVK_INLINE_MEMBER void each_value(const container& c, std::uint32_t lo, std::uint32_t hi,
                                           std::uint32_t* unit, Put put) {
    using values = batch<std::uint16_t>;
    const values low(static_cast<std::uint16_t>(lo)), most(static_cast<std::uint16_t>(hi - lo - 1));
    const std::uint32_t n = units(c);
    std::uint32_t i = *unit;
    for (; i + values::size <= n; i += values::size) {
      const std::uint8_t* p = c.payload + 2 * std::size_t{i};
      if (!xsimd::all(xsimd::max(load<std::uint16_t>(p) - low, most) == most)) break;
      for (std::uint32_t k = 0; k < values::size; k += 4) {
        const std::uint64_t four = load_le64(p + 2 * k);
        put(static_cast<std::uint32_t>(four & 0xffff));
        put(static_cast<std::uint32_t>(four >> 16 & 0xffff));
        put(static_cast<std::uint32_t>(four >> 32 & 0xffff));
        put(static_cast<std::uint32_t>(four >> 48));
      }
    }
    for (; i < n; ++i) {
      const std::uint32_t slot = load_le16(c.payload + 2 * std::size_t{i});
      if (slot - lo >= hi - lo) break;  // unsigned: stops below lo as well
      put(slot);
    }
    *unit = i;
  }

  static DVK_INLINE_MEMBER void array_edges(const container& c, std::uint32_t, std::uint32_t hi,
                                            edge_writer& w, std::uint32_t*, std::uint32_t* unit) {
    detail::array_edges(c, hi, w, unit);
  }

  // Within each word by doubling; the parity of the words before enters as a complement.
  static DVK_INLINE_MEMBER void spread_borders(std::uint64_t* words, std::uint32_t count,
                                               std::uint64_t ground) {
    const auto prefix = [](auto w) {
      w = w ^ (w << 1);
      w = w ^ (w << 2);
      w = w ^ (w << 4);
      w = w ^ (w << 8);
      w = w ^ (w << 16);
      return w ^ (w << 32);
    };
    std::uint32_t k = 0;
    for (; k + words_batch::size <= count; k += words_batch::size)
      prefix(words_batch::load_unaligned(words + k)).store_unaligned(words + k);
    for (; k < count; ++k)
      words[k] = prefix(words[k]);
    for (k = 0; k < count; ++k) {
      words[k] ^= ground;
      ground = std::uint64_t{0} - (words[k] >> 63);
    }
  }

  template <bool few, class T, class Word>
  static DVK_INLINE_MEMBER std::size_t decode(const frame& f, std::size_t head, std::size_t bits,
                                              std::uint64_t first, T* out, Word word) {
    decoder<Isa, T> d(first);
    T* o = out;
    std::uint32_t k = 0;
    std::uint64_t mask = f.head;
    const bool room = bits - head >= 8;
    if (room) {
      for (const auto whole = static_cast<std::uint32_t>(bits / 64); k < whole; ++k) {
        d.word(word(k) & mask, o);
        mask = ~std::uint64_t{0};
      }
    }
    for (; k < f.words; ++k) {
      std::uint64_t w = word(k) & mask & (k + 1 == f.words ? f.tail : ~std::uint64_t{0});
      mask = ~std::uint64_t{0};
      std::size_t at = 64 * std::size_t{k};
      if (room) {
        for (; at + 8 <= bits; at += 8, w >>= 8)
          d.byte(w & 0xff, o);
      }
      for (; w != 0; w &= w - 1)
        *o++ = static_cast<T>(first + at + static_cast<unsigned>(__builtin_ctzll(w)));
    }
    return static_cast<std::size_t>(o - out);
  }

  // Stores that cross a cache line cost two, so all but the first and the last are aligned; those
  // overlap their neighbours.
  template <class T>
  static DVK_INLINE_MEMBER void iota(T* out, std::size_t n, std::uint64_t first) {
    constexpr std::size_t lanes = batch<T>::size;
    if (n < lanes) {
      for (std::size_t i = 0; i < n; ++i)
        out[i] = static_cast<T>(first + i);
      return;
    }
    const auto numbers = batch<T>::load_aligned(lane_numbers<T>.number);
    const auto from = [&](std::size_t i) { return numbers + batch<T>(static_cast<T>(first + i)); };
    const auto step = [](std::size_t vectors) { return batch<T>(static_cast<T>(vectors * lanes)); };
    from(0).store_unaligned(out);
    std::size_t i = (-reinterpret_cast<std::uintptr_t>(out) & (lanes * sizeof(T) - 1)) / sizeof(T);
    auto v = from(i);
    for (; i + 4 * lanes <= n; i += 4 * lanes, v += step(4)) {
      v.store_unaligned(out + i);
      (v + step(1)).store_unaligned(out + i + lanes);
      (v + step(2)).store_unaligned(out + i + 2 * lanes);
      (v + step(3)).store_unaligned(out + i + 3 * lanes);
    }
    for (; i + lanes <= n; i += lanes, v += step(1))
      v.store_unaligned(out + i);
    from(n - lanes).store_unaligned(out + n - lanes);
  }
};

template <class Ops>
constexpr selection_table table_of() {
  selection_table t{};
  t.indices_u16 = indices<Ops, std::uint16_t>;
  t.indices_u32 = indices<Ops, std::uint32_t>;
  t.indices_u64 = indices<Ops, std::uint64_t>;
  t.fill = fill<Ops>;
  t.iota_u16 = iota<Ops, std::uint16_t>;
  t.iota_u32 = iota<Ops, std::uint32_t>;
  t.iota_u64 = iota<Ops, std::uint64_t>;
  t.decode_u16 = decode<Ops, std::uint16_t>;
  t.decode_u32 = decode<Ops, std::uint32_t>;
  t.decode_u64 = decode<Ops, std::uint64_t>;
  t.edges = edges<Ops>;
  t.popcount = [](const std::uint64_t* words, std::size_t count) noexcept {
    return Ops::popcount(reinterpret_cast<const std::uint8_t*>(words), count);
  };
  t.bytes_replace = spread<Ops, merge_kind::replace>;
  t.bytes_and = spread<Ops, merge_kind::both>;
  t.bytes_or = spread<Ops, merge_kind::either>;
  t.bits_replace = move<Ops, merge_kind::replace>;
  t.bits_and = move<Ops, merge_kind::both>;
  t.bits_or = move<Ops, merge_kind::either>;
  return t;
}

}  // namespace
}  // namespace dvk::inline v0::detail
