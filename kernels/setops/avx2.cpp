// AVX2: blocks of 16 values, bitsets by 32 bytes with a nibble look-up for popcounts.
#include <immintrin.h>

#include "setops/generic.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

// For each mask of eight lanes, the byte shuffle that packs the lanes wanted to the front.
struct pack_table {
  alignas(16) std::uint8_t shuffle[256][16];
};
constexpr pack_table make_pack() {
  pack_table t{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      t.shuffle[mask][2 * n] = static_cast<std::uint8_t>(2 * lane);
      t.shuffle[mask][2 * n++ + 1] = static_cast<std::uint8_t>(2 * lane + 1);
    }
  }
  return t;
}
constexpr pack_table pack = make_pack();

DVK_INLINE __m256i load32(const std::uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
DVK_INLINE void store32(std::uint8_t* p, __m256i v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
}

// One bit for each u16 lane of a compare's result.
DVK_INLINE std::uint32_t lane_mask(__m256i m) {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(
      _mm_packs_epi16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1))));
}

struct vector16 {
  static constexpr std::uint32_t lanes = 16;

  static __m256i load(const std::uint8_t* p, std::uint32_t n) {
    if (n == lanes) return load32(p);
    alignas(32) std::uint8_t padded[32];
    store32(padded, _mm256_set1_epi8(-1));
    for (std::uint32_t i = 0; i < n; ++i)
      put(padded, i, value(p, i));
    return load32(padded);
  }

  template <int upper>
  static __m256i stage(__m256i x, __m256i partner) {
    return _mm256_blend_epi32(_mm256_min_epu16(x, partner), _mm256_max_epu16(x, partner), upper);
  }
  static __m256i sort_bitonic(__m256i x) {
    x = stage<0xf0>(x, _mm256_permute2x128_si256(x, x, 1));
    x = stage<0xcc>(x, _mm256_shuffle_epi32(x, 0x4e));
    x = stage<0xaa>(x, _mm256_shuffle_epi32(x, 0xb1));
    const __m256i partner = _mm256_or_si256(_mm256_slli_epi32(x, 16), _mm256_srli_epi32(x, 16));
    return _mm256_blend_epi16(_mm256_min_epu16(x, partner), _mm256_max_epu16(x, partner), 0xaa);
  }
  static void merge(__m256i& low, __m256i& high) {
    const __m256i backwards =
        _mm256_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10,
                         11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
    const __m256i halves = _mm256_shuffle_epi8(low, backwards);
    const __m256i reversed = _mm256_permute2x128_si256(halves, halves, 1);
    low = sort_bitonic(_mm256_min_epu16(high, reversed));
    high = sort_bitonic(_mm256_max_epu16(high, reversed));
  }

  static __m256i after_one(__m256i x, __m256i before) {
    return _mm256_alignr_epi8(x, _mm256_permute2x128_si256(before, x, 0x21), 14);
  }
  static __m256i after_two(__m256i x, __m256i before) {
    return _mm256_alignr_epi8(x, _mm256_permute2x128_si256(before, x, 0x21), 12);
  }
  static std::uint64_t equal(__m256i x, __m256i y) { return lane_mask(_mm256_cmpeq_epi16(x, y)); }

  static std::uint32_t store_half(std::uint8_t* out, __m128i x, std::uint32_t mask) {
    const __m128i shuffle = _mm_load_si128(reinterpret_cast<const __m128i*>(pack.shuffle[mask]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(x, shuffle));
    return static_cast<std::uint32_t>(_mm_popcnt_u32(mask));
  }
  static std::uint32_t store_kept(std::uint8_t* out, __m256i x, std::uint64_t mask) {
    const auto kept = static_cast<std::uint32_t>(mask);
    const std::uint32_t n = store_half(out, _mm256_castsi256_si128(x), kept & 0xff);
    return n + store_half(out + 2 * n, _mm256_extracti128_si256(x, 1), kept >> 8);
  }
};

std::uint32_t array_runs(const std::uint8_t* values, std::uint32_t n) noexcept {
  if (n == 0) return 0;
  const __m256i one = _mm256_set1_epi16(1);
  std::uint32_t joins = 0;  // values that are their predecessor plus one
  std::uint32_t i = 1;
  for (; i + 16 <= n; i += 16) {
    const __m256i x = load32(values + 2 * i), before = load32(values + 2 * i - 2);
    const __m256i joined = _mm256_cmpeq_epi16(x, _mm256_add_epi16(before, one));
    // 0 does not follow 65535.
    const __m256i zero = _mm256_cmpeq_epi16(x, _mm256_setzero_si256());
    joins +=
        static_cast<std::uint32_t>(_mm_popcnt_u32(lane_mask(_mm256_andnot_si256(zero, joined))));
  }
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
DVK_INLINE std::uint32_t sum(__m256i v) {
  return static_cast<std::uint32_t>(_mm256_extract_epi64(v, 0) + _mm256_extract_epi64(v, 1) +
                                    _mm256_extract_epi64(v, 2) + _mm256_extract_epi64(v, 3));
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

}  // namespace

namespace setops {
constinit const setops_table avx2{
    .array_runs = array_runs,
    .bitset_count = bitset_count,
    .bitset_and = bitset_and,
    .bitset_or = bitset_or,
    .bitset_andnot = bitset_andnot,
    .bitset_xor = bitset_xor,
    .array_and = merge_blocks<vector16, keep::doubles>,
    .array_or = merge_blocks<vector16, keep::once>,
    .array_andnot = subtract_blocks<vector16>,
    .array_xor = merge_blocks<vector16, keep::singles>,
    .run_and = nullptr,
    .run_or = nullptr,
    .run_andnot = nullptr,
    .bitset_to_array = nullptr,
    .bitset_to_runs = nullptr,
    .array_to_runs = nullptr,
    .set_values = set_values,
    .runs_to_bitset = runs_to_bitset,
};
}  // namespace setops

}  // namespace dvk::inline v0::detail
