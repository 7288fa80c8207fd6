// AVX2: batches of 32 bytes.
#include <immintrin.h>

#include "validate/validate.hpp"
#include "validate/vector.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

std::uint32_t array_order(const std::uint8_t* values, std::uint32_t n) noexcept {
  return array_order_vector<xsimd::avx2>(values, n);
}

// Full adder on bits: three inputs of one weight become a sum of that weight and a carry of twice
// it.
DVK_INLINE __m256i add_bits(__m256i& sum, __m256i a, __m256i b) {
  const __m256i partial = _mm256_xor_si256(sum, a);
  const __m256i carry = _mm256_or_si256(_mm256_and_si256(sum, a), _mm256_and_si256(partial, b));
  sum = _mm256_xor_si256(partial, b);
  return carry;
}

// Set bits of each byte, by a table look-up of its halves, summed per 64-bit lane.
DVK_INLINE __m256i count_lanes(__m256i x) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(15);
  const __m256i halves =
      _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
                      _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
  return _mm256_sad_epu8(halves, _mm256_setzero_si256());
}

// Carry-save addition (Harley and Seal): eight vectors go through seven full adders, and only the
// carries of weight eight are counted; the rest waits in three accumulators for the end.
std::uint32_t bitset_count(const std::uint8_t* words) noexcept {
  __m256i ones = _mm256_setzero_si256(), twos = ones, fours = ones, eights = ones;
  for (std::uint32_t i = 0; i < bitset_bytes; i += 256) {
    const auto load = [&](std::uint32_t k) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i + 32 * k));
    };
    const __m256i twos_a = add_bits(ones, load(0), load(1));
    const __m256i twos_b = add_bits(ones, load(2), load(3));
    const __m256i twos_c = add_bits(ones, load(4), load(5));
    const __m256i twos_d = add_bits(ones, load(6), load(7));
    const __m256i fours_a = add_bits(twos, twos_a, twos_b);
    const __m256i fours_b = add_bits(twos, twos_c, twos_d);
    eights = _mm256_add_epi64(eights, count_lanes(add_bits(fours, fours_a, fours_b)));
  }
  __m256i sum = _mm256_slli_epi64(eights, 3);
  sum = _mm256_add_epi64(sum, _mm256_slli_epi64(count_lanes(fours), 2));
  sum = _mm256_add_epi64(sum, _mm256_slli_epi64(count_lanes(twos), 1));
  sum = _mm256_add_epi64(sum, count_lanes(ones));
  const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1));
}

run_check run_order(const std::uint8_t* runs, std::uint32_t n) noexcept {
  return run_order_vector<xsimd::avx2>(runs, n);
}

}  // namespace

constinit const validate_table avx2{array_order, bitset_count, run_order};

}  // namespace dvk::inline v0::detail::validate
