// Probes, the reference.
//
// One row. The directory gives the container (mostly without a search: keys are consecutive in most
// files). In a bitset the answer is one bit. In a sorted array or among run starts it is a binary
// search, and the cost of a binary search on random rows is not its loads but its branches: each
// goes either way with equal odds, and a wrong guess costs 15 to 20 cycles. So the step is
// arithmetic: a conditional move, always the same number of steps for one
// container. Vector tiers stop halving when what is left fits one register and compare all of it at
// once: five dependent loads less.
//
// Rows in any order. Eight searches advance in lockstep, one step of each in turn. They do not
// depend on one another, so their cache misses overlap; the longest of the eight sets the number of
// steps.
//
// Ascending rows. They come in segments, one a container, whose end is found by doubling steps. If
// a segment asks often enough, its container is turned into a bitset on the stack (8 KiB, in L1)
// and each row tests one bit; else each row searches. Merging the two sorted sequences instead
// would branch on data once a row.
//
// Answers of an untouched (trusted level) lying payload are wrong, but every index is below the
// number of units, and every slot below 65,536, by construction.
#include "bytes/load.hpp"
#include "probe/generic.hpp"
#include "probe/probe.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

struct ops {
  static constexpr std::uint32_t window_values = 1;
  static constexpr std::uint32_t window_runs = 1;

  DVK_INLINE_MEMBER static bool array_holds(const std::uint8_t* values, std::uint32_t,
                                            bytes::key_window window, std::uint32_t slot) {
    return bytes::load_le16(values + 2 * window.first) == slot;
  }
  DVK_INLINE_MEMBER static bool run_holds(const std::uint8_t* runs, std::uint32_t,
                                          bytes::key_window window, std::uint32_t slot) {
    return run_holds_at(runs, window, slot);
  }
  DVK_INLINE_MEMBER static bool ascending(const std::uint64_t* rows, std::size_t n) {
    return ascends_from(rows, 1, n);
  }
  DVK_INLINE_MEMBER static std::uint32_t count_bits(std::uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<std::uint32_t>((x * 0x0101010101010101u) >> 56);
  }
  DVK_INLINE_MEMBER static std::uint32_t count_words(const std::uint8_t* words, std::uint32_t n) {
    return count_words_singly<ops>(words, n);
  }
  DVK_INLINE_MEMBER static std::uint32_t sum_lengths(const std::uint8_t* runs, std::uint32_t n) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      sum += bytes::load_le16(runs + 4 * i + 2);
    return sum;
  }
  DVK_INLINE_MEMBER static std::uint64_t test_bits(const std::uint8_t* bitset,
                                                   const std::uint64_t* rows, std::uint32_t n) {
    return test_rows(bitset, rows, n);
  }
};

}  // namespace

constinit const probe_table scalar = kernels<ops>::table;

}  // namespace dvk::inline v0::detail::probe
