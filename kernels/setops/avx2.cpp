// AVX2: blocks of 16 values (avx2_blocks.hpp), bitsets by 32 bytes with a nibble look-up for
// popcounts.
#include <immintrin.h>

#include "setops/array_blocks.hpp"
#include "setops/avx2_blocks.hpp"
#include "setops/bitset_decode.hpp"
#include "setops/run_blocks.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

// Of the four lanes.
DVK_INLINE std::uint32_t sum(__m256i v) {
  return static_cast<std::uint32_t>(_mm256_extract_epi64(v, 0) + _mm256_extract_epi64(v, 1) +
                                    _mm256_extract_epi64(v, 2) + _mm256_extract_epi64(v, 3));
}

std::uint32_t array_runs(const std::uint8_t* values, std::uint32_t n) noexcept {
  if (n == 0) return 0;
  const __m256i one = _mm256_set1_epi16(1);
  __m256i lanes = _mm256_setzero_si256();  // joins seen in each, 4,095 at most
  std::uint32_t i = 1;
  for (; i + 16 <= n; i += 16) {
    const __m256i x = load32(values + 2 * i), before = load32(values + 2 * i - 2);
    // Saturated, so that 0 does not follow 65535.
    lanes = _mm256_sub_epi16(lanes, _mm256_cmpeq_epi16(_mm256_subs_epu16(x, before), one));
  }
  const __m256i pairs = _mm256_madd_epi16(lanes, one);
  std::uint32_t joins = sum(_mm256_add_epi64(
      _mm256_srli_epi64(pairs, 32),
      _mm256_and_si256(
          pairs, _mm256_set1_epi64x(0xffffffff))));  // values that are their predecessor plus one
  for (; i < n; ++i)
    joins += value(values, i) == value(values, i - 1) + 1;
  return n - joins;
}

// Set bits of each 64-bit lane.
DVK_INLINE __m256i popcounts(__m256i w) {
  const __m256i nibbles = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(15);
  const __m256i counts =
      _mm256_add_epi8(_mm256_shuffle_epi8(nibbles, _mm256_and_si256(w, low)),
                      _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16(w, 4), low)));
  return _mm256_sad_epu8(counts, _mm256_setzero_si256());
}

template <bool store, class Op>
DVK_INLINE bitset_facts combine(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                                Op op) {
  __m256i rows = _mm256_setzero_si256(), runs = rows, before = rows;
  for (std::uint32_t i = 0; i < 8 * words_of_bitset; i += 32) {
    const __m256i w = op(load32(a + i), load32(b + i));
    if constexpr (store) store32(out + i, w);
    // The word before each word, for its top bit: the last of the vector before, then three of
    // this.
    const __m256i words_before =
        _mm256_alignr_epi8(w, _mm256_permute2x128_si256(before, w, 0x21), 8);
    const __m256i moved =
        _mm256_or_si256(_mm256_slli_epi64(w, 1), _mm256_srli_epi64(words_before, 63));
    rows = _mm256_add_epi64(rows, popcounts(w));
    runs = _mm256_add_epi64(runs, popcounts(_mm256_andnot_si256(moved, w)));
    before = w;
  }
  return {sum(rows), sum(runs)};
}

bitset_facts bitset_count(const std::uint8_t* words) noexcept {
  return combine<false>(words, words, nullptr, [](__m256i x, __m256i) { return x; });
}
bitset_facts bitset_and(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m256i x, __m256i y) { return _mm256_and_si256(x, y); });
}
bitset_facts bitset_or(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m256i x, __m256i y) { return _mm256_or_si256(x, y); });
}
bitset_facts bitset_andnot(const std::uint8_t* a, const std::uint8_t* b,
                           std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m256i x, __m256i y) { return _mm256_andnot_si256(y, x); });
}
bitset_facts bitset_xor(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m256i x, __m256i y) { return _mm256_xor_si256(x, y); });
}

struct words4 {
  static constexpr std::uint32_t group = 4, block = 16;

  static bool all_are(const std::uint8_t* p, std::uint64_t value) {
    const __m256i others =
        _mm256_xor_si256(load32(p), _mm256_set1_epi64x(static_cast<long long>(value)));
    return _mm256_testz_si256(others, others) != 0;
  }
  // Four at a time: whether there is one more is not predictable.
  static std::uint32_t decode(std::uint64_t w, std::uint32_t base, std::uint8_t* out) {
    const auto n = static_cast<std::uint32_t>(_mm_popcnt_u64(w));
    const auto put_four = [&](std::uint32_t at) {
      for (std::uint32_t k = at; k < at + 4; ++k) {
        put(out, k, base + static_cast<std::uint32_t>(_tzcnt_u64(w)));
        w = _blsr_u64(w);
      }
    };
    put_four(0);
    for (std::uint32_t at = 4; at < n; at += 4)
      put_four(at);
    return n;
  }
  static void store_lengths(std::uint8_t* p) {
    const __m256i x = load32(p);
    const __m256i start = _mm256_add_epi16(_mm256_slli_epi32(x, 16), _mm256_set1_epi16(1));
    store32(p, _mm256_blend_epi16(x, _mm256_sub_epi16(x, start), 0xaa));
  }
};

}  // namespace

namespace setops {
constinit const setops_table avx2{
    .array_runs = array_runs,
    .bitset_count = bitset_count,
    .bitset_and = bitset_and,
    .bitset_or = bitset_or,
    .bitset_andnot = bitset_andnot,
    .bitset_xor = bitset_xor,
    .array_and = merge_arrays<vector16, keep::doubles>,
    .array_or = merge_arrays<vector16, keep::once>,
    .array_andnot = subtract_arrays<vector16>,
    .array_xor = merge_arrays<vector16, keep::singles>,
    .run_and = intersect_blocks<runs8>,
    .run_or = unite_blocks<runs8>,
    .run_andnot = subtract_blocks<runs8>,
    .bitset_to_array = decode_bitset<words4>,
    .bitset_to_runs = decode_runs<words4>,
    .array_to_runs = nullptr,
    .set_values = set_values,
    .runs_to_bitset = runs_to_bitset,
};
}  // namespace setops

}  // namespace dvk::inline v0::detail
