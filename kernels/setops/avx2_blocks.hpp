// AVX2's blocks of 16 values and of 8 runs, as block_merge.hpp and those above it ask for them.
#pragma once

#include <immintrin.h>

#include "setops/generic.hpp"

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

DVK_INLINE __m128i load16(const std::uint8_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
DVK_INLINE void store16(std::uint8_t* p, __m128i v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v);
}
DVK_INLINE __m256i load32(const std::uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
DVK_INLINE void store32(std::uint8_t* p, __m256i v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
}

// For each mask of eight dword lanes, the indices of the lanes wanted.
struct dword_table {
  alignas(8) std::uint8_t lanes[256][8];
};
constexpr dword_table make_dwords() {
  dword_table t{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) t.lanes[mask][n++] = static_cast<std::uint8_t>(lane);
    }
  }
  return t;
}
constexpr dword_table dwords_packed = make_dwords();

template <int which>
DVK_INLINE __m256i dwords(__m256i x, __m256i y) {
  return _mm256_castps_si256(
      _mm256_shuffle_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), which));
}

// A bitonic network on both halves at once, the lower in x, the upper in y: from stage to stage the
// lanes that meet are brought to the same place of two vectors, so that one minimum and one maximum
// serve all pairs. The places get out of order on the way, in both halves alike. These are the
// stages down to pairs of dwords; `meet` leaves the smaller of each pair in x, the larger in y.
template <class vector>
DVK_INLINE void meet_down_to_dwords(__m256i& x, __m256i& y) {
  vector::meet(x, y, _mm256_permute2x128_si256(x, y, 0x20), _mm256_permute2x128_si256(x, y, 0x31));
  vector::meet(x, y, _mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
  vector::meet(x, y, dwords<0x88>(x, y), dwords<0xdd>(x, y));
}
// Once neighbours stand together, `front` and `back` hold quarter and quarter of each half in turn.
DVK_INLINE void store_in_order(__m256i front, __m256i back, std::uint8_t* out) {
  const __m256i even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
  store16(out, _mm256_castsi256_si128(even));
  store16(out + 16, _mm256_castsi256_si128(odd));
  store16(out + 32, _mm256_extracti128_si256(even, 1));
  store16(out + 48, _mm256_extracti128_si256(odd, 1));
}
// n whole dwords, and zeros.
DVK_INLINE __m256i load_dwords(const std::uint8_t* p, std::uint32_t n) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_maskload_epi32(reinterpret_cast<const int*>(p),
                               _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), lane));
}
// 32 bytes from p, the halves exchanged: two loads are cheaper than a permutation.
DVK_INLINE __m256i load_crossed(const std::uint8_t* p) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(p + 16)), load16(p), 1);
}
DVK_INLINE std::uint32_t count_bytes(__m256i x, __m256i y) {
  return static_cast<std::uint32_t>(
      _mm_popcnt_u32(static_cast<unsigned>(_mm256_movemask_epi8(_mm256_packs_epi16(x, y)))));
}

struct vector16 {
  static constexpr std::uint32_t bytes = 32, lanes = 16, element_bytes = 2;

  static __m256i load(const std::uint8_t* p) { return load32(p); }
  static __m256i load_reversed(const std::uint8_t* p) {
    return _mm256_shuffle_epi8(
        load_crossed(p), _mm256_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1, 14,
                                          15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
  }
  // A masked load reads dwords; the last value comes on its own.
  static void copy_part(std::uint8_t* to, const std::uint8_t* p, std::uint32_t n) {
    const __m256i lane = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i at = _mm256_set1_epi16(static_cast<short>(n - 1));
    const __m256i last = _mm256_set1_epi16(static_cast<short>(value(p, n - 1)));
    const __m256i x = _mm256_blendv_epi8(load_dwords(p, n / 2), last, _mm256_cmpeq_epi16(lane, at));
    store32(to, _mm256_or_si256(x, _mm256_cmpgt_epi16(lane, at)));
  }
  static __m256i min(__m256i x, __m256i y) { return _mm256_min_epu16(x, y); }
  static __m256i max(__m256i x, __m256i y) { return _mm256_max_epu16(x, y); }
  static std::uint32_t count_equal(__m256i x, __m256i y, __m256i x_next, __m256i y_next) {
    return count_bytes(_mm256_cmpeq_epi16(x, y), _mm256_cmpeq_epi16(x_next, y_next));
  }
  static void meet(__m256i& x, __m256i& y, __m256i a, __m256i b) {
    x = min(a, b);
    y = max(a, b);
  }
  static void sort(__m256i x, __m256i y, std::uint8_t* out) {
    meet_down_to_dwords<vector16>(x, y);
    // In each dword: x's first and y's second, against x's second and y's first.
    const __m256i swap = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                          3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    meet(x, y, _mm256_blend_epi16(x, y, 0xaa),
         _mm256_shuffle_epi8(_mm256_blend_epi16(y, x, 0xaa), swap));
    // Places of a half: x has 0 2 8 10 4 6 12 14, y those after them.
    store_in_order(_mm256_unpacklo_epi16(x, y), _mm256_unpackhi_epi16(x, y), out);
  }

  static std::uint32_t equal(const std::uint8_t* p, const std::uint8_t* q) {
    const __m256i bytes_of_halves =
        _mm256_packs_epi16(_mm256_cmpeq_epi16(load32(p), load32(q)),
                           _mm256_cmpeq_epi16(load32(p + 32), load32(q + 32)));
    return static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes_of_halves, 0xd8)));
  }
  static std::uint32_t store_kept(std::uint8_t* out, const std::uint8_t* p, std::uint64_t mask) {
    const auto store_eight = [&](std::uint32_t i) {
      const std::uint64_t kept = mask >> 8 * i & 0xff;
      const __m128i shuffle = _mm_load_si128(reinterpret_cast<const __m128i*>(pack.shuffle[kept]));
      store16(out, _mm_shuffle_epi8(load16(p + 16 * i), shuffle));
      out += 2 * static_cast<std::uint64_t>(_mm_popcnt_u64(kept));
    };
    store_eight(0);
    store_eight(1);
    store_eight(2);
    store_eight(3);
    return static_cast<std::uint32_t>(_mm_popcnt_u64(mask));
  }
};

// Serialised runs. While they are merged the halves of each dword change places: the order of
// dwords is then that of the starts.
struct runs8 {
  static constexpr std::uint32_t bytes = 32, lanes = 8, element_bytes = 4;

  static __m256i swapped(__m256i x) {
    return _mm256_shuffle_epi8(
        x, _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7,
                            4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
  }
  static __m256i load(const std::uint8_t* p) { return swapped(load32(p)); }
  static __m256i load_reversed(const std::uint8_t* p) {
    return _mm256_shuffle_epi8(
        load_crossed(p), _mm256_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1, 14,
                                          15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
  }
  static void copy_part(std::uint8_t* to, const std::uint8_t* p, std::uint32_t n) {
    store32(to, _mm256_or_si256(load_dwords(p, n), _mm256_xor_si256(below(n), all(-1))));
  }
  static __m256i min(__m256i x, __m256i y) { return _mm256_min_epu32(x, y); }
  static __m256i max(__m256i x, __m256i y) { return _mm256_max_epu32(x, y); }
  static std::uint32_t count_equal(__m256i x, __m256i y, __m256i x_next, __m256i y_next) {
    return count_bytes(_mm256_cmpeq_epi32(x, y), _mm256_cmpeq_epi32(x_next, y_next)) / 2;
  }
  static void meet(__m256i& x, __m256i& y, __m256i a, __m256i b) {
    x = min(a, b);
    y = max(a, b);
  }
  static void sort(__m256i x, __m256i y, std::uint8_t* out) {
    meet_down_to_dwords<runs8>(x, y);
    // Places of a half: x has 0 4 2 6, y 1 5 3 7.
    x = swapped(x);
    y = swapped(y);
    store_in_order(_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y), out);
  }

  static __m256i below(std::uint32_t n) {
    return _mm256_cmpgt_epi32(all(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static __m256i all(int v) { return _mm256_set1_epi32(v); }
  static __m256i block(const std::uint8_t* p) { return load32(p); }
  static __m256i starts(__m256i x) { return _mm256_and_si256(x, all(65535)); }
  static __m256i ends(__m256i x, std::uint32_t n) {
    const __m256i last_slot = all(65535);
    const __m256i sum = _mm256_add_epi32(starts(x), _mm256_srli_epi32(x, 16));
    return _mm256_blendv_epi8(all(-2), _mm256_min_epi32(sum, last_slot), below(n));
  }
  static __m256i later(__m256i x, __m256i y) { return _mm256_max_epi32(x, y); }
  // Within halves first; then the lower half's largest meets the upper half.
  static __m256i prefix_max(__m256i x, __m256i least) {
    x = _mm256_max_epi32(x, _mm256_alignr_epi8(x, least, 12));
    x = _mm256_max_epi32(x, _mm256_alignr_epi8(x, least, 8));
    const __m256i tops = _mm256_shuffle_epi32(x, 0xff);
    return _mm256_max_epi32(x, _mm256_permute2x128_si256(tops, least, 0x02));
  }
  static __m256i after_one(__m256i x, __m256i before) {
    return _mm256_alignr_epi8(x, _mm256_permute2x128_si256(before, x, 0x21), 12);
  }
  static __m256i top(__m256i x) { return _mm256_permutevar8x32_epi32(x, all(7)); }
  static std::uint32_t first(__m256i x) {
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(x)));
  }
  static std::uint32_t store_separate(std::uint8_t* out, __m256i start, __m256i before,
                                      std::uint32_t n) {
    const __m256i above = _mm256_cmpgt_epi32(start, _mm256_add_epi32(before, all(1)));
    const auto separate =
        _bzhi_u32(static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(above))), n);
    const __m256i both = _mm256_or_si256(start, _mm256_slli_epi32(before, 16));
    const auto* const lanes_wanted =
        reinterpret_cast<const __m128i*>(dwords_packed.lanes[separate]);
    store32(out,
            _mm256_permutevar8x32_epi32(both, _mm256_cvtepu8_epi32(_mm_loadl_epi64(lanes_wanted))));
    return static_cast<std::uint32_t>(_mm_popcnt_u32(separate));
  }
  // Ends stand in the upper halves of the successors; the lower half of the difference is put back.
  static __m256i lengths(__m256i runs, __m256i next) {
    const __m256i length = _mm256_sub_epi32(next, _mm256_slli_epi32(runs, 16));
    return _mm256_blend_epi16(runs, length, 0xaa);
  }
  static __m256i gaps(__m256i x) {
    x = swapped(x);
    return _mm256_add_epi16(_mm256_sub_epi16(x, _mm256_slli_epi32(x, 16)),
                            all(-0x1ffff));  // end + 1 | start - end - 2 << 16
  }
  static void store(std::uint8_t* p, __m256i x) { store32(p, x); }
};

}  // namespace
}  // namespace dvk::inline v0::detail
