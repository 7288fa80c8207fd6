// AVX2 tier: what generic.hpp needs of it.
#include <immintrin.h>

#include "selection/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

struct isa {
  using arch = xsimd::avx2;
  template <class T>
  using list_arch = std::conditional_t<sizeof(T) == 2, xsimd::sse4_2, xsimd::avx2>;

  static constexpr std::uint32_t sparse_array_share = 256, sparse_run_share = 512;
  static constexpr std::uint32_t crowded_share = 48, crowded_rows = 16384;
  static constexpr std::uint32_t dense_run_share = 64;

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

  static DVK_INLINE_MEMBER std::uint64_t zeros(const std::uint8_t* bytes) {
    const auto mask = [](const std::uint8_t* p) {
      const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
      return static_cast<std::uint32_t>(
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())));
    };
    return mask(bytes) | std::uint64_t{mask(bytes + 32)} << 32;
  }
};

}  // namespace

namespace selection {
constinit const selection_table avx2 = table_of<generic_ops<isa>>();
}  // namespace selection

}  // namespace dvk::inline v0::detail
