// The probe kernels, written once over what a tier brings along:
//
//   struct ops {
//     // How many array values and how many runs one vector compare covers.
//     static constexpr std::uint32_t window_values, window_runs;
//     // Whether `slot` is in the container, given the window that its search was narrowed down to.
//     static bool array_holds(const std::uint8_t* values, std::uint32_t n, bytes::key_window
//     window,
//                             std::uint32_t slot);
//     static bool run_holds(const std::uint8_t* runs, std::uint32_t n, bytes::key_window window,
//                           std::uint32_t slot);
//     // Set bits of the first `n` 64-bit words; sum of length - 1 of the first `n` runs.
//     static std::uint32_t count_words(const std::uint8_t* words, std::uint32_t n);
//     static std::uint32_t count_bits(std::uint64_t word);
//     static std::uint32_t sum_lengths(const std::uint8_t* runs, std::uint32_t n);
//     // Bits of `n` <= 64 rows of one container from its 8,192-byte bitset.
//     static std::uint64_t test_bits(const std::uint8_t* bitset, const std::uint64_t* rows,
//                                    std::uint32_t n);
//     static bool ascending(const std::uint64_t* rows, std::size_t n);
//   };
//
// The algorithms are explained in scalar.cpp. Everything has internal linkage.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "bytes/load.hpp"
#include "bytes/search.hpp"
#include "probe/probe.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

DVK_INLINE std::uint32_t units(const container& c) {
  return static_cast<std::uint32_t>(c.units_minus_one) + 1;
}
DVK_INLINE std::uint32_t slot_of(std::uint64_t row) {
  return static_cast<std::uint32_t>(row & 0xffff);
}

// The container of `row`, or null. Precondition: d.count >= 1.
DVK_INLINE const container* find(directory d, std::uint64_t row) {
  const std::size_t i = locate(d, row >> 16);
  return i < d.count && d.containers[i].key == row >> 16 ? d.containers + i : nullptr;
}

DVK_INLINE bool test_bit(const std::uint8_t* bitset, std::uint32_t slot) {
  return ((bitset[slot / 8] >> (slot % 8)) & 1) != 0;
}

// Bits of n <= 64 rows of the container whose bitset this is.
DVK_INLINE std::uint64_t test_rows(const std::uint8_t* bitset, const std::uint64_t* rows,
                                   std::uint32_t n) {
  std::uint64_t bits = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    bits |= std::uint64_t{test_bit(bitset, slot_of(rows[k]))} << k;
  }
  return bits;
}

template <class ops>
DVK_INLINE std::uint32_t count_words_singly(const std::uint8_t* words, std::uint32_t n) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    sum += ops::count_bits(bytes::load_native<std::uint64_t>(words + 8 * i));
  }
  return sum;
}

DVK_INLINE bool run_covers(const std::uint8_t* runs, std::uint32_t i, std::uint32_t slot) {
  // As an unsigned number slot - start is small only if slot >= start.
  return slot - bytes::load_le16(runs + 4 * i) <= bytes::load_le16(runs + 4 * i + 2);
}

// The rest of a search without vectors: for arrays from the start, for runs from a window of one.
DVK_INLINE bool array_holds_singly(const std::uint8_t* values, std::uint32_t n,
                                   std::uint32_t slot) {
  const bytes::key_window last = bytes::narrow<2>(values, n, slot, 1);
  return bytes::load_le16(values + 2 * last.first) == slot;
}
DVK_INLINE bool run_holds_at(const std::uint8_t* runs, bytes::key_window window,
                             std::uint32_t slot) {
  // The run left is the last that starts at or before the slot, or the first that starts later.
  const std::uint32_t before = window.first - static_cast<std::uint32_t>(window.first != 0);
  const bool here = run_covers(runs, window.first, slot);
  const bool earlier = run_covers(runs, before, slot);
  return here || earlier;
}

// Whether rows[from - 1, n) never descend; from >= 1.
DVK_INLINE bool ascends_from(const std::uint64_t* rows, std::size_t from, std::size_t n) {
  for (std::size_t i = from; i < n; ++i) {
    if (rows[i] < rows[i - 1]) return false;
  }
  return true;
}

// Appends bits to an array of words.
struct bit_writer {
  std::uint64_t* words;
  std::uint64_t word = 0;
  std::uint32_t filled = 0;

  // 1 <= n <= 64; bits from n on are 0.
  DVK_INLINE_MEMBER void put(std::uint64_t bits, std::uint32_t n) {
    word |= bits << filled;
    if (filled + n < 64) {
      filled += n;
      return;
    }
    *words++ = word;
    word = filled == 0 ? 0 : bits >> (64 - filled);
    filled = filled + n - 64;
  }
  DVK_INLINE_MEMBER void finish() {
    if (filled != 0) *words = word;
  }
};

template <class ops>
struct kernels {
  // Searches differ by stride: 2 for array values, 4 for run starts. The run that covers a slot is
  // the last one that starts before slot + 1; hence the `+ 1` where runs are searched.
  template <std::uint32_t stride>
  static constexpr std::uint32_t window = stride == 2 ? ops::window_values : ops::window_runs;
  template <std::uint32_t stride>
  static constexpr std::uint32_t past = stride == 2 ? 0 : 1;

  template <std::uint32_t stride>
  DVK_INLINE_MEMBER static bool holds(const std::uint8_t* keys, std::uint32_t n,
                                      bytes::key_window w, std::uint32_t slot) {
    if constexpr (stride == 2) return ops::array_holds(keys, n, w, slot);
    return ops::run_holds(keys, n, w, slot);
  }
  template <std::uint32_t stride>
  DVK_INLINE_MEMBER static bool search(const container& c, std::uint32_t slot) {
    const std::uint32_t n = units(c);
    const auto w = bytes::narrow<stride>(c.payload, n, slot + past<stride>, window<stride>);
    return holds<stride>(c.payload, n, w, slot);
  }

  static bool contains(const container& c, std::uint32_t slot) noexcept {
    if (c.type == array_container) return search<2>(c, slot);
    if (c.type == bitset_container) return test_bit(c.payload, slot);
    return search<4>(c, slot);
  }

  static std::uint32_t rank(const container& c, std::uint32_t slot) noexcept {
    if (slot == 0) return 0;
    const std::uint32_t n = units(c);
    if (c.type == array_container) return bytes::lower_bound<2>(c.payload, n, slot);
    if (c.type == bitset_container) {
      const std::uint32_t whole = slot / 64;
      std::uint32_t count = ops::count_words(c.payload, whole);
      if (slot % 64 != 0) {
        count += ops::count_bits(bytes::load_le64(c.payload + 8 * whole) << (64 - slot % 64));
      }
      return count;
    }
    const std::uint32_t i = bytes::last_run_from(c.payload, n, slot - 1);
    const std::uint32_t start = bytes::load_le16(c.payload + 4 * i);
    if (slot <= start) return 0;
    const std::uint32_t length = bytes::load_le16(c.payload + 4 * i + 2) + 1u;
    const std::uint32_t inside = slot - start < length ? slot - start : length;
    return ops::sum_lengths(c.payload, i) + i + inside;
  }

  static std::uint32_t select(const container& c, std::uint32_t index) noexcept {
    const std::uint32_t n = units(c);
    std::uint32_t slot = container_rows - 1;  // what lying payloads end at
    if (c.type == array_container) {
      slot = bytes::load_le16(c.payload + 2 * (index < n ? index : n - 1));
    } else if (c.type == bitset_container) {
      constexpr std::uint32_t stride = 16;
      std::uint32_t i = 0;
      for (; i < bitset_bytes / 8; i += stride) {
        const std::uint32_t here = ops::count_words(c.payload + 8 * i, stride);
        if (index < here) break;
        index -= here;
      }
      for (; i < bitset_bytes / 8; ++i) {
        std::uint64_t word = bytes::load_le64(c.payload + 8 * i);
        const std::uint32_t here = ops::count_bits(word);
        if (index < here) {
          for (; index != 0; --index)
            word &= word - 1;
          slot = 64 * i + static_cast<std::uint32_t>(__builtin_ctzll(word));
          break;
        }
        index -= here;
      }
    } else {
      constexpr std::uint32_t stride = 32;
      std::uint32_t i = 0;
      for (; i + stride <= n; i += stride) {
        const std::uint32_t here = ops::sum_lengths(c.payload + 4 * i, stride) + stride;
        if (index < here) break;
        index -= here;
      }
      for (; i < n; ++i) {
        const std::uint32_t length = bytes::load_le16(c.payload + 4 * i + 2) + 1u;
        if (index < length) {
          slot = bytes::load_le16(c.payload + 4 * i) + index;
          break;
        }
        index -= length;
      }
    }
    return slot < container_rows ? slot : container_rows - 1;
  }

  static constexpr std::uint32_t lanes = 8;

  // Bits of eight rows whose containers are all arrays (stride 2) or all runs (stride 4): the
  // searches advance together, so eight loads are in flight where one search after the other would
  // wait for each.
  template <std::uint32_t stride>
  DVK_INLINE_MEMBER static std::uint64_t search_together(const container* const* found,
                                                         const std::uint64_t* rows) {
    const std::uint8_t* keys[lanes];
    std::uint64_t first[lanes];  // in bytes
    std::uint32_t count[lanes];
    std::uint32_t widest = 0;
    for (std::uint32_t k = 0; k < lanes; ++k) {
      keys[k] = found[k]->payload;
      first[k] = 0;
      count[k] = units(*found[k]);
      widest = widest < count[k] ? count[k] : widest;
    }
    for (; widest > window<stride>; widest -= widest / 2) {
      for (std::uint32_t k = 0; k < lanes; ++k) {
        // A search that is narrow enough already looks at its first key and moves by nothing.
        const std::uint32_t half = count[k] > window<stride> ? count[k] / 2 : 0;
        const std::uint64_t step = std::uint64_t{stride} * half;
        const std::uint64_t at = first[k] + (half == 0 ? 0 : step - stride);
        const bool small = bytes::load_le16(keys[k] + at) < slot_of(rows[k]) + past<stride>;
        first[k] = bytes::advance_if(small, first[k], step);
        count[k] -= half;
      }
    }
    std::uint64_t bits = 0;
    for (std::uint32_t k = 0; k < lanes; ++k) {
      const bytes::key_window w{static_cast<std::uint32_t>(first[k] / stride), count[k]};
      bits |= std::uint64_t{holds<stride>(keys[k], units(*found[k]), w, slot_of(rows[k]))} << k;
    }
    return bits;
  }

  static void unsorted(directory d, const std::uint64_t* rows, std::size_t n,
                       std::uint64_t* words) noexcept {
    bit_writer out{words};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const container* found[lanes];
      unsigned kinds = 0;  // bit t: some container has type t; bit 3: some row has none
      for (std::uint32_t k = 0; k < lanes; ++k) {
        found[k] = find(d, rows[i + k]);
        kinds |= 1u << (found[k] == nullptr ? 3u : static_cast<unsigned>(found[k]->type));
      }
      std::uint64_t bits = 0;
      if (kinds == 1u << array_container) {
        bits = search_together<2>(found, rows + i);
      } else if (kinds == 1u << run_container) {
        bits = search_together<4>(found, rows + i);
      } else {
        for (std::uint32_t k = 0; k < lanes; ++k) {
          const bool hit = found[k] != nullptr && contains(*found[k], slot_of(rows[i + k]));
          bits |= std::uint64_t{hit} << k;
        }
      }
      out.put(bits, lanes);
    }
    for (; i < n; ++i) {
      const container* c = find(d, rows[i]);
      out.put(c != nullptr && contains(*c, slot_of(rows[i])), 1);
    }
    out.finish();
  }

  // Writes the bitset of an array or run container, in the byte order of payloads. Slots of lying
  // runs that lie past the container are left out.
  DVK_INLINE_MEMBER static void expand(const container& c, std::uint64_t* bitset) {
    for (std::uint32_t i = 0; i < container_rows / 64; ++i)
      bitset[i] = 0;
    const std::uint32_t n = units(c);
    for (std::uint32_t i = 0; i < n && c.type == array_container; ++i) {
      const std::uint32_t slot = bytes::load_le16(c.payload + 2 * i);
      bitset[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    for (std::uint32_t i = 0; i < n && c.type == run_container; ++i) {
      const std::uint32_t first = bytes::load_le16(c.payload + 4 * i);
      const std::uint32_t end = first + bytes::load_le16(c.payload + 4 * i + 2);
      const std::uint32_t last = end < container_rows ? end : container_rows - 1;
      const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
      const std::uint64_t to = ~std::uint64_t{0} >> (63 - last % 64);
      if (first / 64 == last / 64) {
        bitset[first / 64] |= from & to;
        continue;
      }
      bitset[first / 64] |= from;
      for (std::uint32_t w = first / 64 + 1; w < last / 64; ++w)
        bitset[w] = ~std::uint64_t{0};
      bitset[last / 64] |= to;
    }
    if constexpr (std::endian::native == std::endian::big) {
      for (std::uint32_t i = 0; i < container_rows / 64; ++i) {
        bitset[i] = bytes::swap_bytes(bitset[i]);
      }
    }
  }

  // End of the rows of one container: the first index in (i, n] whose row lies in another one.
  // Doubling steps, then halving.
  DVK_INLINE_MEMBER static std::size_t segment_end(const std::uint64_t* rows, std::size_t i,
                                                   std::size_t n) {
    const std::uint64_t key = rows[i] >> 16;
    std::size_t step = 1;
    while (step < n - i && rows[i + step] >> 16 == key)
      step *= 2;
    std::size_t first = i + step / 2 + 1;
    std::size_t end = step < n - i ? i + step : n;
    while (first < end) {
      const std::size_t middle = first + (end - first) / 2;
      const bool inside = rows[middle] >> 16 == key;
      first = inside ? middle + 1 : first;
      end = inside ? end : middle;
    }
    return first;
  }

  // Bits of `n` <= 64 rows of one container that is no bitset.
  template <std::uint32_t stride>
  DVK_INLINE_MEMBER static std::uint64_t search_block(const container& c, const std::uint64_t* rows,
                                                      std::uint32_t n) {
    const container* found[lanes];
    for (const container*& f : found)
      f = &c;
    std::uint64_t bits = 0;
    std::uint32_t k = 0;
    for (; k + lanes <= n; k += lanes)
      bits |= search_together<stride>(found, rows + k) << k;
    for (; k < n; ++k)
      bits |= std::uint64_t{search<stride>(c, slot_of(rows[k]))} << k;
    return bits;
  }

  // Whether `n` rows of one container are better answered from its expansion: a search costs about
  // as much as expanding `search_cost` values or runs, a cleared bitset as much as `clear_cost`.
  DVK_INLINE_MEMBER static bool worth_expanding(const container& c, std::size_t n) {
    constexpr std::size_t search_cost = 12;
    constexpr std::size_t clear_cost = 256;
    return c.type != bitset_container && n * search_cost > units(c) + clear_cost;
  }

  static void sorted(directory d, const std::uint64_t* rows, std::size_t n,
                     std::uint64_t* words) noexcept {
    std::uint64_t expansion[container_rows / 64];
    bit_writer out{words};
    for (std::size_t i = 0; i < n;) {
      const std::size_t end = segment_end(rows, i, n);
      const container* c = find(d, rows[i]);
      const std::uint8_t* bitset = nullptr;
      if (c != nullptr && worth_expanding(*c, end - i)) {
        expand(*c, expansion);
        bitset = reinterpret_cast<const std::uint8_t*>(expansion);
      } else if (c != nullptr && c->type == bitset_container) {
        bitset = c->payload;
      }
      while (i < end) {
        const auto block = static_cast<std::uint32_t>(end - i < 64 ? end - i : 64);
        std::uint64_t hits = 0;
        if (bitset != nullptr) {
          hits = ops::test_bits(bitset, rows + i, block);
        } else if (c != nullptr) {
          hits = c->type == array_container ? search_block<2>(*c, rows + i, block)
                                            : search_block<4>(*c, rows + i, block);
        }
        out.put(hits, block);
        i += block;
      }
    }
    out.finish();
  }

  static bool ascending(const std::uint64_t* rows, std::size_t n) noexcept {
    return ops::ascending(rows, n);
  }

  static constexpr probe_table table{contains, rank, select, ascending, unsorted, sorted};
};

}  // namespace
}  // namespace dvk::inline v0::detail::probe
