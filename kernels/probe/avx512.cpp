// AVX-512: the last 32 keys of a search in one masked compare; population counts and run lengths by
// vectors.
#include <immintrin.h>

#include "probe/probe.hpp"
#include "probe/vector.hpp"

namespace dvk::inline v0::detail::probe {
namespace {

DVK_INLINE __m512i even_words() {
  return _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

struct ops {
  static constexpr std::uint32_t window_values = 32;
  static constexpr std::uint32_t window_runs = 15;

  DVK_INLINE_MEMBER static bool array_holds(const std::uint8_t* values, std::uint32_t,
                                            bytes::key_window window, std::uint32_t slot) {
    // Lanes from the window's end on are neither loaded nor compared.
    const __mmask32 lanes = _bzhi_u32(~0u, window.count);
    const __m512i keys = _mm512_maskz_loadu_epi16(lanes, values + 2 * window.first);
    const __m512i wanted = _mm512_set1_epi16(static_cast<short>(slot));
    return _mm512_mask_cmpeq_epi16_mask(lanes, keys, wanted) != 0;
  }
  DVK_INLINE_MEMBER static bool run_holds(const std::uint8_t* runs, std::uint32_t n,
                                          bytes::key_window window, std::uint32_t slot) {
    // The run that covers the slot is in the window or right before it.
    const std::uint32_t first = window.first - static_cast<std::uint32_t>(window.first != 0);
    const __mmask16 lanes =
        static_cast<__mmask16>(_bzhi_u32(0xffff, n - first < 16 ? n - first : 16));
    const __m512i run = _mm512_maskz_loadu_epi32(lanes, runs + 4 * first);
    const __m512i start = _mm512_and_si512(run, _mm512_set1_epi32(0xffff));
    // As an unsigned number slot - start is small only if slot >= start.
    const __m512i distance = _mm512_sub_epi32(_mm512_set1_epi32(static_cast<int>(slot)), start);
    return _mm512_mask_cmple_epu32_mask(lanes, distance, _mm512_srli_epi32(run, 16)) != 0;
  }
  DVK_INLINE_MEMBER static bool ascending(const std::uint64_t* rows, std::size_t n) {
    return ascending_vector<xsimd::avx512bw>(rows, n);
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
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < n; i += 16) {
      // The low halves of 16 rows; lanes from n on read word 0 and are cut off at the end.
      const __mmask16 lanes = static_cast<__mmask16>(_bzhi_u32(0xffff, n - i));
      const __m512i low = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(lanes), rows + i);
      const __m512i high =
          _mm512_maskz_loadu_epi64(static_cast<__mmask8>(lanes >> 8), rows + i + 8);
      const __m512i slots = _mm512_and_si512(_mm512_permutex2var_epi32(low, even_words(), high),
                                             _mm512_set1_epi32(0xffff));
      const __m512i words = _mm512_i32gather_epi32(_mm512_srli_epi32(slots, 5), bitset, 4);
      // A rotation takes its count modulo 32 and so brings bit slot % 32 to the bottom.
      const __mmask16 hits =
          _mm512_mask_test_epi32_mask(lanes, _mm512_rorv_epi32(words, slots), _mm512_set1_epi32(1));
      bits |= std::uint64_t{hits} << i;
    }
    return bits;
  }
};

}  // namespace

constinit const probe_table avx512 = kernels<ops>::table;

}  // namespace dvk::inline v0::detail::probe
