// AVX-512: the last 32 keys of a search in one masked compare; population counts and run lengths by
// vectors.
#include <immintrin.h>

#include "probe/generic.hpp"
#include "probe/probe.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

struct ops {
  static constexpr std::uint32_t window_keys = 32;

  DVK_INLINE_MEMBER static bool holds(const std::uint8_t* values, std::uint32_t,
                                      bytes::key_window window, std::uint32_t slot) {
    // Lanes from the window's end on are neither loaded nor compared.
    const __mmask32 lanes = _bzhi_u32(~0u, window.count);
    const __m512i keys = _mm512_maskz_loadu_epi16(lanes, values + 2 * window.first);
    const __m512i wanted = _mm512_set1_epi16(static_cast<short>(slot));
    return _mm512_mask_cmpeq_epi16_mask(lanes, keys, wanted) != 0;
  }
  DVK_INLINE_MEMBER static std::uint32_t count_bits(std::uint64_t word) {
    return static_cast<std::uint32_t>(_mm_popcnt_u64(word));
  }
  DVK_INLINE_MEMBER static std::uint32_t count_words(const std::uint8_t* words, std::uint32_t n) {
    __m512i sum = _mm512_setzero_si512();
    std::uint32_t i = 0;
    for (; i + 8 <= n; i += 8) {
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_loadu_si512(words + 8 * i)));
    }
    const __mmask8 tail = static_cast<__mmask8>(_bzhi_u32(0xff, n - i));
    const __m512i rest = _mm512_maskz_loadu_epi64(tail, words + 8 * i);
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(rest));
    return static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sum));
  }
  DVK_INLINE_MEMBER static std::uint32_t sum_lengths(const std::uint8_t* runs, std::uint32_t n) {
    __m512i sum = _mm512_setzero_si512();
    std::uint32_t i = 0;
    for (; i + 16 <= n; i += 16) {
      sum = _mm512_add_epi32(sum, _mm512_srli_epi32(_mm512_loadu_si512(runs + 4 * i), 16));
    }
    const __mmask16 tail = static_cast<__mmask16>(_bzhi_u32(0xffff, n - i));
    const __m512i rest = _mm512_maskz_loadu_epi32(tail, runs + 4 * i);
    sum = _mm512_add_epi32(sum, _mm512_srli_epi32(rest, 16));
    return static_cast<std::uint32_t>(_mm512_reduce_add_epi32(sum));
  }
  DVK_INLINE_MEMBER static std::uint64_t test_bits(const std::uint8_t* bitset,
                                                   const std::uint64_t* rows, std::uint32_t n) {
    return test_rows(bitset, rows, n);
  }
};

}  // namespace

constinit const probe_table avx512 = kernels<ops>::table;

}  // namespace dvk::inline v0::detail::probe
