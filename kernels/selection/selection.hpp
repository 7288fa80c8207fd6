// Selection kernels: from one container's payload to a selection form. Contracts; the algorithm is
// explained in scalar.cpp.
//
// A kernel works on one segment: slots [lo, hi) of one container, 0 <= lo < hi <= 65,536. Batches
// are cut into segments, and the pieces put together, by selection.cpp; rows without a container
// never reach a kernel.
//
// Payloads have any alignment and nothing outside them is read. Containers are valid, or at least
// in bounds (trusted level): then the answer may be wrong, but no access is, and no kernel writes
// past what its contract names.
//
// The frame: masks are u64 words whose bit 0 of word 0 stands for slot lo & ~63, so that a bitset's
// words need no shift and container borders fall on word borders. Bits outside [lo, hi) are 0. A
// segment's frame has (hi - (lo & ~63) + 63) / 64 words.
//
// `hint` is where the segment's first array value or run may be (first value >= lo, first run that
// ends after lo); any number is allowed. On return it is the place for a segment that starts at
// `hi`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "roaring/container.hpp"

namespace dvk::inline v0::detail {

enum class segment_kind : std::uint8_t { mixed, all_live, none_live };

struct segment_result {
  std::uint32_t written;  // elements written if mixed, else 0
  segment_kind kind;
};

inline constexpr std::size_t max_frame_words = container_rows / 64;
inline constexpr std::size_t filter_slack = 9;

struct selection_table {
  // Index list of the live (or deleted) slots of the segment: `first + (slot - lo)` for each,
  // modulo the type's range. If the kind is mixed: out[0, written) holds the list, out[written, hi
  // - lo) may be clobbered. Else nothing is written.
  segment_result (*indices_u16)(const container& c, std::uint32_t lo, std::uint32_t hi,
                                bool deleted, std::uint64_t first, std::uint16_t* out,
                                std::uint32_t* hint) noexcept;
  segment_result (*indices_u32)(const container& c, std::uint32_t lo, std::uint32_t hi,
                                bool deleted, std::uint64_t first, std::uint32_t* out,
                                std::uint32_t* hint) noexcept;
  segment_result (*indices_u64)(const container& c, std::uint32_t lo, std::uint32_t hi,
                                bool deleted, std::uint64_t first, std::uint64_t* out,
                                std::uint32_t* hint) noexcept;

  // Mask of the live (or deleted) slots, to the frame's words and no others. If the kind is not
  // mixed, nothing is written.
  segment_kind (*fill)(const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                       std::uint64_t* words, std::uint32_t* hint) noexcept;

  // Edges: slots of [lo, hi) whose state (deleted or live) differs from the slot before, as `first
  // + (slot - lo)`; the slot before lo has state *deleted. On return *deleted is the state of slot
  // hi - 1. Writes at most hi - lo edges, never more; returns their number.
  std::uint32_t (*edges)(const container& c, std::uint32_t lo, std::uint32_t hi,
                         std::uint32_t first, bool* deleted, std::uint32_t* out,
                         std::uint32_t* hint) noexcept;

  // first, first + 1, ... to out[0, n).
  void (*iota_u16)(std::uint16_t* out, std::size_t n, std::uint64_t first) noexcept;
  void (*iota_u32)(std::uint32_t* out, std::size_t n, std::uint64_t first) noexcept;
  void (*iota_u64)(std::uint64_t* out, std::size_t n, std::uint64_t first) noexcept;

  // Index list of the set bits of mask bits [head, bits): `first + bit` for each. 0 <= head < 64,
  // head < bits; bits below head are 0, and so are those from `bits` on in the last word. out has
  // room for bits - head elements: elements after the list may be clobbered, none past the room.
  // Returns the length.
  std::size_t (*decode_u16)(const std::uint64_t* words, std::size_t head, std::size_t bits,
                            std::uint64_t first, std::uint16_t* out) noexcept;
  std::size_t (*decode_u32)(const std::uint64_t* words, std::size_t head, std::size_t bits,
                            std::uint64_t first, std::uint32_t* out) noexcept;
  std::size_t (*decode_u64)(const std::uint64_t* words, std::size_t head, std::size_t bits,
                            std::uint64_t first, std::uint64_t* out) noexcept;

  // Set bits among the first `words` words.
  std::size_t (*popcount)(const std::uint64_t* words, std::size_t count) noexcept;

  // Masks go on to the caller's buffer from a source of words in the machine's byte order, at any
  // alignment, so that a bitset's payload can be one; each bit is xor-ed with `flip` (0 or all
  // ones) first. The result is how many of the n bits are then set, whatever they are combined
  // with. n > 0.

  // Byte mask from bits [bit, bit + n), bit < 64: out[i] = 1 or 0 (replace), out[i] && bit
  // (and_with), out[i] || bit (or_with). Writes exactly n bytes; reads no word past the one that
  // holds bit + n - 1.
  std::size_t (*bytes_replace)(const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                               std::size_t n, std::uint8_t* out) noexcept;
  std::size_t (*bytes_and)(const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                           std::size_t n, std::uint8_t* out) noexcept;
  std::size_t (*bytes_or)(const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                          std::size_t n, std::uint8_t* out) noexcept;

  // Moves bits [from, from + n) of the source to bits [to, to + n) of `target`, leaving all other
  // bits of target as they are. 0 <= to, from < 64. Reads no word of source past bit from + n -
  // 1's, writes no word of target past to + n - 1's.
  std::size_t (*bits_replace)(const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                              std::size_t n, std::uint64_t* target, std::size_t to) noexcept;
  std::size_t (*bits_and)(const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                          std::size_t n, std::uint64_t* target, std::size_t to) noexcept;
  std::size_t (*bits_or)(const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                         std::size_t n, std::uint64_t* target, std::size_t to) noexcept;

  // Filters a list by a window of a mask, words in the machine's byte order at any alignment: takes
  // elements of in[0, n) from the first on while in[i] - first < window (unsigned, in the element's
  // type), and appends those whose bit, xor-ed with `flip` (0 or all ones), is set to out: bit `bit
  // + in[i] - first`. 0 <= bit < 64; first + window - 1 fits the type; filter_slack words behind
  // the one of the window's last bit may be read. Returns the number kept, and in *taken the number
  // taken. out may be `in` or lie before it: an element is written only after it was read;
  // out[kept, taken) may be clobbered.
  std::size_t (*filter_u16)(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                            std::uint32_t window, std::uint16_t first, const std::uint16_t* in,
                            std::size_t n, std::uint16_t* out, std::size_t* taken) noexcept;
  std::size_t (*filter_u32)(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                            std::uint32_t window, std::uint32_t first, const std::uint32_t* in,
                            std::size_t n, std::uint32_t* out, std::size_t* taken) noexcept;
};

namespace selection {
#define DVK_TIER(name, needs) extern const selection_table name;
#include "dispatch/tiers.def"
#undef DVK_TIER
}  // namespace selection

const selection_table& selection_tables(std::size_t i) noexcept;

}  // namespace dvk::inline v0::detail
