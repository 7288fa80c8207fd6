// AVX-512: blocks of 32 values, bitsets by 64 bytes.
#include <immintrin.h>

#include "setops/array_blocks.hpp"
#include "setops/bitset_decode.hpp"
#include "setops/run_blocks.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {
namespace {

template <int which>
DVK_INLINE __m512i quarters(__m512i x, __m512i y) {
  return _mm512_shuffle_i64x2(x, y, which);
}
template <int which>
DVK_INLINE __m512i dwords(__m512i x, __m512i y) {
  return _mm512_castps_si512(
      _mm512_shuffle_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), which));
}

// A bitonic network on two blocks at once: from stage to stage the lanes that meet are brought to
// the same place of two vectors, so that one minimum and one maximum serve all pairs. The places
// get out of order on the way. These are the stages down to pairs of dwords; `meet` leaves the
// smaller of each pair in x, the larger in y.
template <class vector>
DVK_INLINE void meet_down_to_dwords(__m512i& x, __m512i& y) {
  vector::meet(x, y, quarters<0x44>(x, y), quarters<0xee>(x, y));
  vector::meet(x, y, quarters<0x88>(x, y), quarters<0xdd>(x, y));
  vector::meet(x, y, _mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
  vector::meet(x, y, dwords<0x88>(x, y), dwords<0xdd>(x, y));
}
// Once neighbours stand together: quarters 0 and 2 of `front` hold halves of the lower block's
// quarters in turn, `back` those after them; 1 and 3 likewise of the upper block.
DVK_INLINE void store_in_order(__m512i front, __m512i back, std::uint8_t* out) {
  const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 4, 12, 5, 13);
  const __m512i high = _mm512_setr_epi64(2, 10, 3, 11, 6, 14, 7, 15);
  _mm512_storeu_si512(out, _mm512_permutex2var_epi64(front, low, back));
  _mm512_storeu_si512(out + 64, _mm512_permutex2var_epi64(front, high, back));
}

struct vector32 {
  static constexpr std::uint32_t bytes = 64, lanes = 32, element_bytes = 2;

  static __m512i load(const std::uint8_t* p) { return _mm512_loadu_si512(p); }
  static __m512i load_reversed(const std::uint8_t* p) {
    alignas(64) static constexpr std::uint16_t backwards[32] = {
        31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
        15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
    return _mm512_permutexvar_epi16(_mm512_load_si512(backwards), load(p));
  }
  static void copy_part(std::uint8_t* to, const std::uint8_t* p, std::uint32_t n) {
    _mm512_storeu_si512(to, _mm512_mask_loadu_epi16(_mm512_set1_epi8(-1), _bzhi_u32(~0u, n), p));
  }
  static __m512i min(__m512i x, __m512i y) { return _mm512_min_epu16(x, y); }
  static __m512i max(__m512i x, __m512i y) { return _mm512_max_epu16(x, y); }
  static std::uint32_t count_equal(__m512i x, __m512i y, __m512i x_next, __m512i y_next) {
    return static_cast<std::uint32_t>(_mm_popcnt_u32(_mm512_cmpeq_epi16_mask(x, y)) +
                                      _mm_popcnt_u32(_mm512_cmpeq_epi16_mask(x_next, y_next)));
  }
  static void meet(__m512i& x, __m512i& y, __m512i a, __m512i b) {
    x = min(a, b);
    y = max(a, b);
  }
  static void sort(__m512i x, __m512i y, std::uint8_t* out) {
    meet_down_to_dwords<vector32>(x, y);
    // In each dword: x's first and y's second, against x's second and y's first.
    meet(x, y, _mm512_mask_blend_epi16(0xaaaaaaaa, x, y), _mm512_shldi_epi32(y, x, 16));
    store_in_order(_mm512_unpacklo_epi16(x, y), _mm512_unpackhi_epi16(x, y), out);
  }

  static std::uint32_t equal(const std::uint8_t* p, const std::uint8_t* q) {
    return _mm512_cmpeq_epi16_mask(load(p), load(q));
  }
  static std::uint32_t store_kept(std::uint8_t* out, const std::uint8_t* p, std::uint32_t mask) {
    const __m512i x = load(p);
    _mm512_storeu_si512(out, _mm512_mask_compress_epi16(x, mask, x));
    return static_cast<std::uint32_t>(_mm_popcnt_u32(mask));
  }
};

// Serialised runs. While they are merged the halves of each dword change places: the order of
// dwords is then that of the starts.
struct runs16 {
  static constexpr std::uint32_t bytes = 64, lanes = 16, element_bytes = 4;

  static __m512i load(const std::uint8_t* p) { return _mm512_rol_epi32(_mm512_loadu_si512(p), 16); }
  static __m512i load_reversed(const std::uint8_t* p) {
    const __m512i backwards =
        _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi32(backwards, load(p));
  }
  static void copy_part(std::uint8_t* to, const std::uint8_t* p, std::uint32_t n) {
    _mm512_storeu_si512(to, _mm512_mask_loadu_epi32(_mm512_set1_epi8(-1), lanes_below(n), p));
  }
  static __m512i min(__m512i x, __m512i y) { return _mm512_min_epu32(x, y); }
  static __m512i max(__m512i x, __m512i y) { return _mm512_max_epu32(x, y); }
  static std::uint32_t count_equal(__m512i x, __m512i y, __m512i x_next, __m512i y_next) {
    return static_cast<std::uint32_t>(_mm_popcnt_u32(_mm512_cmpeq_epi32_mask(x, y)) +
                                      _mm_popcnt_u32(_mm512_cmpeq_epi32_mask(x_next, y_next)));
  }
  static void meet(__m512i& x, __m512i& y, __m512i a, __m512i b) {
    x = min(a, b);
    y = max(a, b);
  }
  static void sort(__m512i x, __m512i y, std::uint8_t* out) {
    meet_down_to_dwords<runs16>(x, y);
    x = _mm512_rol_epi32(x, 16);
    y = _mm512_rol_epi32(y, 16);
    store_in_order(_mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y), out);
  }

  static __mmask16 lanes_below(std::uint32_t n) {
    return static_cast<__mmask16>(_bzhi_u32(0xffff, n));
  }
  static __m512i all(int v) { return _mm512_set1_epi32(v); }
  static __m512i block(const std::uint8_t* p) { return _mm512_loadu_si512(p); }
  static __m512i starts(__m512i x) { return _mm512_and_si512(x, all(65535)); }
  static __m512i ends(__m512i x, std::uint32_t n) {
    const __m512i last_slot = all(65535);
    const __m512i sum = _mm512_add_epi32(starts(x), _mm512_srli_epi32(x, 16));
    return _mm512_mask_min_epi32(all(-2), lanes_below(n), sum, last_slot);
  }
  static __m512i later(__m512i x, __m512i y) { return _mm512_max_epi32(x, y); }
  static __m512i prefix_max(__m512i x, __m512i least) {
    x = _mm512_max_epi32(x, _mm512_alignr_epi32(x, least, 15));
    x = _mm512_max_epi32(x, _mm512_alignr_epi32(x, least, 14));
    x = _mm512_max_epi32(x, _mm512_alignr_epi32(x, least, 12));
    return _mm512_max_epi32(x, _mm512_alignr_epi32(x, least, 8));
  }
  static __m512i after_one(__m512i x, __m512i before) { return _mm512_alignr_epi32(x, before, 15); }
  static __m512i top(__m512i x) { return _mm512_permutexvar_epi32(all(15), x); }
  static std::uint32_t first(__m512i x) {
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(x)));
  }
  static std::uint32_t store_separate(std::uint8_t* out, __m512i start, __m512i before,
                                      std::uint32_t n) {
    const __mmask16 separate =
        _mm512_mask_cmpgt_epi32_mask(lanes_below(n), start, _mm512_add_epi32(before, all(1)));
    const __m512i both = _mm512_or_si512(start, _mm512_slli_epi32(before, 16));
    _mm512_storeu_si512(out, _mm512_mask_compress_epi32(both, separate, both));
    return static_cast<std::uint32_t>(_mm_popcnt_u32(separate));
  }
  // Ends stand in the upper halves of the successors; the lower half of the difference is put back.
  static __m512i lengths(__m512i runs, __m512i next) {
    const __m512i length = _mm512_sub_epi32(next, _mm512_slli_epi32(runs, 16));
    return _mm512_mask_blend_epi16(0xaaaaaaaa, runs, length);
  }
  static __m512i gaps(__m512i x) {
    const __m512i swapped = _mm512_rol_epi32(x, 16);
    return _mm512_add_epi16(_mm512_sub_epi16(swapped, _mm512_slli_epi32(swapped, 16)),
                            all(-0x1ffff));  // end + 1 | start - end - 2 << 16
  }
  static void store(std::uint8_t* p, __m512i x) { _mm512_storeu_si512(p, x); }
};

std::uint32_t array_runs(const std::uint8_t* values, std::uint32_t n) noexcept {
  if (n == 0) return 0;
  const __m512i one = _mm512_set1_epi16(1);
  __m512i lanes =
      _mm512_setzero_si512();  // values seen in each that are their predecessor plus one
  const auto look = [&](__m512i x, __m512i before) {
    // Saturated, so that 0 does not follow 65535.
    const __mmask32 joined = _mm512_cmpeq_epi16_mask(_mm512_subs_epu16(x, before), one);
    lanes = _mm512_mask_add_epi16(lanes, joined, lanes, one);
  };
  std::uint32_t i = 1;
  for (; i + 32 <= n; i += 32)
    look(_mm512_loadu_si512(values + 2 * i), _mm512_loadu_si512(values + 2 * i - 2));
  if (i < n) {
    const __mmask32 rest = _bzhi_u32(~0u, n - i);
    look(_mm512_maskz_loadu_epi16(rest, values + 2 * i),
         _mm512_maskz_loadu_epi16(rest, values + 2 * i - 2));
  }
  return n - static_cast<std::uint32_t>(_mm512_reduce_add_epi32(_mm512_madd_epi16(lanes, one)));
}

// Whole bitsets by 64 bytes. The double shift brings the top bit of the word before into each
// word, so that start bits of runs are seen across words and vectors. The words are asked for
// early: this is faster than what the processor fetches from the second level of cache on its own.
template <bool store, class Op>
DVK_INLINE bitset_facts combine(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                                Op op) {
  __m512i rows = _mm512_setzero_si512(), runs = rows, before = rows;
  for (std::uint32_t i = 0; i < 8 * words_of_bitset; i += 64) {
    bytes::fetch_ahead(a + i, 2048);
    bytes::fetch_ahead(b + i, 2048);
    const __m512i w = op(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i));
    if constexpr (store) _mm512_storeu_si512(out + i, w);
    const __m512i moved = _mm512_shldi_epi64(w, _mm512_alignr_epi64(w, before, 7), 1);
    rows = _mm512_add_epi64(rows, _mm512_popcnt_epi64(w));
    runs = _mm512_add_epi64(runs, _mm512_popcnt_epi64(_mm512_andnot_si512(moved, w)));
    before = w;
  }
  return {static_cast<std::uint32_t>(_mm512_reduce_add_epi64(rows)),
          static_cast<std::uint32_t>(_mm512_reduce_add_epi64(runs))};
}

bitset_facts bitset_count(const std::uint8_t* words) noexcept {
  return combine<false>(words, words, nullptr, [](__m512i x, __m512i) { return x; });
}
bitset_facts bitset_and(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m512i x, __m512i y) { return _mm512_and_si512(x, y); });
}
bitset_facts bitset_or(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m512i x, __m512i y) { return _mm512_or_si512(x, y); });
}
bitset_facts bitset_andnot(const std::uint8_t* a, const std::uint8_t* b,
                           std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m512i x, __m512i y) { return _mm512_andnot_si512(y, x); });
}
bitset_facts bitset_xor(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
  return combine<true>(a, b, out, [](__m512i x, __m512i y) { return _mm512_xor_si512(x, y); });
}

alignas(64) constexpr std::uint8_t iota[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

struct words8 {
  static constexpr std::uint32_t group = 8, block = 32;

  static bool all_are(const std::uint8_t* p, std::uint64_t value) {
    return _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(p),
                                    _mm512_set1_epi64(static_cast<long long>(value))) == 0;
  }
  static std::uint32_t decode(std::uint64_t w, std::uint32_t base, std::uint8_t* out) {
    const __m512i lanes = _mm512_load_si512(iota);
    const __m512i first = _mm512_set1_epi16(static_cast<short>(base));
    const __m512i places = _mm512_mask_compress_epi8(lanes, w, lanes);
    const auto n = static_cast<std::uint32_t>(_mm_popcnt_u64(w));
    const auto store = [&](std::uint8_t* to, __m256i bytes) {
      _mm512_storeu_si512(to, _mm512_add_epi16(first, _mm512_cvtepu8_epi16(bytes)));
    };
    store(out, _mm512_castsi512_si256(places));
    if (n > 32) store(out + 64, _mm512_extracti64x4_epi64(places, 1));
    return n;
  }
  static void store_lengths(std::uint8_t* p) {
    const __m512i x = _mm512_loadu_si512(p);
    const __m512i start = _mm512_add_epi16(_mm512_slli_epi32(x, 16), _mm512_set1_epi16(1));
    _mm512_storeu_si512(p, _mm512_mask_sub_epi16(x, 0xaaaaaaaa, x, start));
  }
};

}  // namespace

namespace setops {
constinit const setops_table avx512{
    .array_runs = array_runs,
    .bitset_count = bitset_count,
    .bitset_and = bitset_and,
    .bitset_or = bitset_or,
    .bitset_andnot = bitset_andnot,
    .bitset_xor = bitset_xor,
    .array_and = merge_arrays<vector32, keep::doubles>,
    .array_or = merge_arrays<vector32, keep::once>,
    .array_andnot = subtract_arrays<vector32>,
    .array_xor = merge_arrays<vector32, keep::singles>,
    .run_and = intersect_blocks<runs16>,
    .run_or = unite_blocks<runs16>,
    .run_andnot = subtract_blocks<runs16>,
    .bitset_to_array = decode_bitset<words8>,
    .bitset_to_runs = decode_runs<words8>,
    .array_to_runs = nullptr,
    .set_values = set_values,
    .runs_to_bitset = runs_to_bitset,
};
}  // namespace setops

}  // namespace dvk::inline v0::detail
