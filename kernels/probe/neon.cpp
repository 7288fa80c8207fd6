// NEON: the last 16 values of a search in two compares.
#include <arm_neon.h>

#include "probe/probe.hpp"
#include "probe/vector.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

struct ops {
  static constexpr std::uint32_t window_values = 16;
  static constexpr std::uint32_t window_runs = 1;

  DVK_INLINE_MEMBER static bool array_holds(const std::uint8_t* values, std::uint32_t n,
                                            bytes::key_window window, std::uint32_t slot) {
    return array_holds_in_block<xsimd::neon64, window_values>(values, n, window, slot);
  }
  DVK_INLINE_MEMBER static bool run_holds(const std::uint8_t* runs, std::uint32_t,
                                          bytes::key_window window, std::uint32_t slot) {
    return run_holds_at(runs, window, slot);
  }
  DVK_INLINE_MEMBER static bool ascending(const std::uint64_t* rows, std::size_t n) {
    return ascending_vector<xsimd::neon64>(rows, n);
  }
  DVK_INLINE_MEMBER static std::uint32_t count_bits(std::uint64_t word) {
    return vaddv_u8(vcnt_u8(vcreate_u8(word)));
  }
  DVK_INLINE_MEMBER static std::uint32_t count_words(const std::uint8_t* words, std::uint32_t n) {
    std::uint32_t sum = 0;
    std::uint32_t i = 0;
    for (; i + 2 <= n; i += 2)
      sum += vaddvq_u8(vcntq_u8(vld1q_u8(words + 8 * i)));
    return i < n ? sum + count_bits(bytes::load_le64(words + 8 * i)) : sum;
  }
  DVK_INLINE_MEMBER static std::uint32_t sum_lengths(const std::uint8_t* runs, std::uint32_t n) {
    return sum_lengths_vector<xsimd::neon64>(runs, n);
  }
  DVK_INLINE_MEMBER static std::uint64_t test_bits(const std::uint8_t* bitset,
                                                   const std::uint64_t* rows, std::uint32_t n) {
    return test_rows(bitset, rows, n);
  }
};

}  // namespace

constinit const probe_table neon = kernels<ops>::table;

}  // namespace dvk::inline v0::detail::probe
