// AVX-512: edges, the rows at which deleted and live change places.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "selection/avx512_decode.hpp"
#include "selection/avx512_fill.hpp"
#include "selection/edges.hpp"

namespace dvk::inline v0::detail {
namespace {

// Of each value v of an array two candidates, v and v + 1, in that order; v is an edge unless the
// value before is v - 1, and v + 1 unless the value after is v + 1. Eight values give 16
// candidates, of which VPCOMPRESSD keeps the edges. First and last values go the plain way: their
// neighbours lie outside the segment.
DVK_INLINE void array_edges_512(const container& c, std::uint32_t lo, std::uint32_t hi,
                                edge_writer& w, std::uint32_t* room_end, std::uint32_t* unit) {
  const std::uint32_t n = units(c);
  std::uint32_t i = *unit;
  const auto slot_at = [&](std::uint32_t k) { return load_le16(c.payload + 2 * std::size_t{k}); };
  if (!plain_array_edges(c, hi, w, i + 1 < n ? i + 1 : n, unit)) return;
  i = *unit;
  const __m512i shift = _mm512_set1_epi32(static_cast<int>(w.shift_)), one = _mm512_set1_epi64(1);
  const __m512i limit = _mm512_set1_epi64(static_cast<long long>(hi - 1)),
                floor = _mm512_set1_epi64(static_cast<long long>(lo));
  while (i + 9 <= n && w.out_ + 17 <= room_end) {
    const auto load = [&](std::uint32_t k) {
      return _mm512_cvtepu16_epi64(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(c.payload + 2 * std::size_t{k})));
    };
    const __m512i before = load(i - 1), v = load(i), after = load(i + 1);
    const __m512i next = _mm512_add_epi64(v, one);
    // All eight inside, ascending, and their successors too: anything else (the segment's end, a
    // lying payload) goes the plain way.
    const __mmask8 good = _mm512_mask_cmplt_epu64_mask(
        _mm512_mask_cmplt_epu64_mask(_mm512_cmpge_epu64_mask(before, floor), before, v), v, after);
    if (_mm512_mask_cmple_epu64_mask(good, after, limit) != 0xff) break;
    const std::uint32_t begins = _mm512_cmpneq_epu64_mask(_mm512_add_epi64(before, one), v);
    const std::uint32_t ends = _mm512_cmpneq_epu64_mask(next, after);
    const std::uint32_t keep = _pdep_u32(begins, 0x5555) | _pdep_u32(ends, 0xaaaa);
    const __m512i candidates =
        _mm512_add_epi32(_mm512_or_si512(v, _mm512_slli_epi64(next, 32)), shift);
    // The first value's begin is no edge if the state is still deleted up to it; the value before
    // it was written the same way.
    const std::uint32_t first_open = w.deleted_ && slot_at(i) != w.done_ ? 1 : 0;
    if (first_open != 0) w.put(w.done_, false);
    _mm512_storeu_si512(
        w.out_, _mm512_mask_compress_epi32(candidates, static_cast<__mmask16>(keep), candidates));
    w.out_ += _mm_popcnt_u32(keep);
    i += 8;
    w.done_ = static_cast<std::uint32_t>(slot_at(i - 1)) + 1;
    w.deleted_ = (ends & 0x80) == 0;
  }
  *unit = i;
  plain_array_edges(c, hi, w, n, unit);
}

}  // namespace
}  // namespace dvk::inline v0::detail
