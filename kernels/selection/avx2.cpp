// AVX2 tier: what generic.hpp needs of it.
#include <immintrin.h>

#include <type_traits>

#include "selection/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

struct isa {
  using arch = xsimd::avx2;
  template <class T>
  using list_arch = std::conditional_t<sizeof(T) == 2, xsimd::sse4_2, xsimd::avx2>;

  template <class T>
  static DVK_INLINE_MEMBER auto widen(const std::uint8_t* row, unsigned part) {
    using batch = xsimd::batch<T, list_arch<T>>;
    if constexpr (sizeof(T) == 2) {
      return batch(_mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row))));
    } else if constexpr (sizeof(T) == 4) {
      return batch(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row))));
    } else {
      return batch(_mm256_cvtepu8_epi64(_mm_loadu_si32(row + 4 * part)));
    }
  }

  static DVK_INLINE_MEMBER std::uint64_t counts(std::uint64_t word) { return word; }
  static DVK_INLINE_MEMBER std::size_t count(std::uint64_t counts, unsigned b) {
    return static_cast<std::size_t>(_mm_popcnt_u64(counts >> b & 0xff));
  }

  // The counts of 16 nibble values come from a shuffle; VPSADBW adds the bytes of each word up.
  static DVK_INLINE_MEMBER std::size_t popcount(const std::uint8_t* words, std::size_t count) {
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                            2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    __m256i sum = _mm256_setzero_si256();
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
      const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + 8 * k));
      const __m256i bytes = _mm256_add_epi8(
          _mm256_shuffle_epi8(counts, _mm256_and_si256(v, low)),
          _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
      sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    auto total = static_cast<std::size_t>(_mm_extract_epi64(half, 0) + _mm_extract_epi64(half, 1));
    for (; k < count; ++k)
      total += static_cast<std::size_t>(
          _mm_popcnt_u64(bytes::load_native<std::uint64_t>(words + 8 * k)));
    return total;
  }

  // Byte i of the vector gets byte i / 8 of the bits, and of that only bit i % 8.
  static DVK_INLINE_MEMBER auto spread(std::uint64_t bits) {
    const __m256i source =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i v = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), source);
    return xsimd::batch<std::uint8_t, arch>(
        _mm256_and_si256(v, _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201))));
  }
};

// Eight elements at a time: their words are gathered, each lane's bit is shifted to the sign, and
// the signs choose a row of the decoder's table, by which the kept elements are moved to the front.
template <class T>
std::size_t filter(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                   std::uint32_t window, T first, const T* in, std::size_t n, T* out,
                   std::size_t* taken) noexcept {
  const __m256i shift = _mm256_set1_epi32(static_cast<int>(bit)), low = _mm256_set1_epi32(31);
  const auto flips = static_cast<unsigned>(flip & 0xff);
  const auto kept_of = [&](__m256i distance) {
    const __m256i at = _mm256_add_epi32(distance, shift);
    const __m256i word =
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(mask), _mm256_srli_epi32(at, 5), 4);
    const __m256i tested = _mm256_sllv_epi32(word, _mm256_andnot_si256(at, low));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(tested))) ^ flips;
  };
  std::size_t i = 0, kept = 0;
  for (; i + 8 <= n; i += 8) {
    unsigned keep = 0;
    // All eight are inside, or the rest goes element by element. Eight may be stored where eight
    // were taken: they reach no further than the elements just read.
    if constexpr (sizeof(T) == 4) {
      const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
      const __m256i distance = _mm256_sub_epi32(v, _mm256_set1_epi32(static_cast<int>(first)));
      const __m256i most = _mm256_set1_epi32(static_cast<int>(window - 1));
      const __m256i inside = _mm256_cmpeq_epi32(_mm256_max_epu32(distance, most), most);
      if (_mm256_movemask_epi8(inside) != -1) break;
      keep = kept_of(distance);
      const __m256i order = isa::widen<std::uint32_t>(set_bits.row[keep], 0);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + kept),
                          _mm256_permutevar8x32_epi32(v, order));
    } else {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i));
      const __m128i distance = _mm_sub_epi16(v, _mm_set1_epi16(static_cast<short>(first)));
      const __m128i most = _mm_set1_epi16(static_cast<short>(window - 1));
      const __m128i inside = _mm_cmpeq_epi16(_mm_max_epu16(distance, most), most);
      if (_mm_movemask_epi8(inside) != 0xffff) break;
      keep = kept_of(_mm256_cvtepu16_epi32(distance));
      // Element e is bytes 2 e and 2 e + 1.
      const __m128i order = isa::widen<std::uint16_t>(set_bits.row[keep], 0);
      const __m128i pairs =
          _mm_add_epi16(_mm_mullo_epi16(order, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + kept), _mm_shuffle_epi8(v, pairs));
    }
    kept += static_cast<std::size_t>(_mm_popcnt_u32(keep));
  }
  return filter_each(mask, bit, flip, window, first, in, n, out, taken, i, kept);
}

constexpr selection_table with_filters(selection_table t) {
  t.filter_u16 = filter<std::uint16_t>;
  t.filter_u32 = filter<std::uint32_t>;
  return t;
}

}  // namespace

namespace selection {
constinit const selection_table avx2 = with_filters(table_of<generic_ops<isa>>());
}  // namespace selection

}  // namespace dvk::inline v0::detail
