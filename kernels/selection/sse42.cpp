// SSE4.2 tier: what generic.hpp needs of it.
#include <nmmintrin.h>

#include "selection/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

struct isa {
  using arch = xsimd::sse4_2;
  template <class T>
  using list_arch = arch;

  template <class T>
  static DVK_INLINE_MEMBER auto widen(const std::uint8_t* row, unsigned part) {
    using batch = xsimd::batch<T, arch>;
    if constexpr (sizeof(T) == 2) {
      return batch(_mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row))));
    } else if constexpr (sizeof(T) == 4) {
      return batch(_mm_cvtepu8_epi32(_mm_loadu_si32(row + 4 * part)));
    } else {
      return batch(_mm_cvtepu8_epi64(_mm_loadu_si16(row + 2 * part)));
    }
  }

  static DVK_INLINE_MEMBER std::uint64_t counts(std::uint64_t word) { return word; }
  static DVK_INLINE_MEMBER std::size_t count(std::uint64_t counts, unsigned b) {
    return static_cast<std::size_t>(_mm_popcnt_u64(counts >> b & 0xff));
  }

  static DVK_INLINE_MEMBER std::size_t popcount(const std::uint8_t* words, std::size_t count) {
    std::size_t total = 0;
    for (std::size_t k = 0; k < count; ++k)
      total += static_cast<std::size_t>(
          _mm_popcnt_u64(bytes::load_native<std::uint64_t>(words + 8 * k)));
    return total;
  }

  // Byte i of the vector gets byte i / 8 of the bits, and of that only bit i % 8.
  static DVK_INLINE_MEMBER auto spread(std::uint64_t bits) {
    const __m128i source = _mm_set_epi64x(0x0101010101010101, 0);
    const __m128i v = _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(bits)), source);
    return xsimd::batch<std::uint8_t, arch>(
        _mm_and_si128(v, _mm_set1_epi64x(static_cast<long long>(0x8040201008040201))));
  }
};

}  // namespace

namespace selection {
constinit const selection_table sse42 = table_of<generic_ops<isa>>();
}  // namespace selection

}  // namespace dvk::inline v0::detail
