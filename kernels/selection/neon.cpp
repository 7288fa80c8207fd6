// NEON tier: what generic.hpp needs of it.
#include <arm_neon.h>

#include "selection/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

struct isa {
  using arch = xsimd::neon64;
  template <class T>
  using list_arch = arch;

  template <class T>
  static DVK_INLINE_MEMBER auto widen(const std::uint8_t* row, unsigned part) {
    const uint16x8_t eight = vmovl_u8(vld1_u8(row));
    if constexpr (sizeof(T) == 2) {
      return xsimd::batch<T, arch>(eight);
    } else if constexpr (sizeof(T) == 4) {
      return xsimd::batch<T, arch>(four(eight, part));
    } else {
      const uint32x4_t v = four(eight, part / 2);
      return xsimd::batch<T, arch>(part % 2 == 0 ? vmovl_u32(vget_low_u32(v)) : vmovl_high_u32(v));
    }
  }

  // CNT counts by bytes, so one trip through a vector register serves all eight.
  static DVK_INLINE_MEMBER std::uint64_t counts(std::uint64_t word) {
    return vget_lane_u64(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(word))), 0);
  }
  static DVK_INLINE_MEMBER std::size_t count(std::uint64_t counts, unsigned b) {
    return counts >> b & 0xff;
  }

  // CNT counts bytes; widening pairwise sums add them up.
  static DVK_INLINE_MEMBER std::size_t popcount(const std::uint8_t* words, std::size_t count) {
    uint64x2_t sum = vdupq_n_u64(0);
    std::size_t k = 0;
    for (; k + 2 <= count; k += 2) {
      const uint8x16_t v = vcntq_u8(vld1q_u8(words + 8 * k));
      sum = vpadalq_u32(sum, vpaddlq_u16(vpaddlq_u8(v)));
    }
    auto total = static_cast<std::size_t>(vaddvq_u64(sum));
    if (k < count)
      total += static_cast<std::size_t>(
          __builtin_popcountll(bytes::load_native<std::uint64_t>(words + 8 * k)));
    return total;
  }

  // Byte i of the vector gets byte i / 8 of the bits, and of that only bit i % 8.
  static DVK_INLINE_MEMBER auto spread(std::uint64_t bits) {
    const uint8x16_t v = vcombine_u8(vdup_n_u8(static_cast<std::uint8_t>(bits)),
                                     vdup_n_u8(static_cast<std::uint8_t>(bits >> 8)));
    return xsimd::batch<std::uint8_t, arch>(vandq_u8(v, places()));
  }

 private:
  static DVK_INLINE_MEMBER uint32x4_t four(uint16x8_t eight, unsigned part) {
    return part == 0 ? vmovl_u16(vget_low_u16(eight)) : vmovl_high_u16(eight);
  }
  static DVK_INLINE_MEMBER uint8x16_t places() {
    return vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  }
};

}  // namespace

namespace selection {
constinit const selection_table neon = table_of<generic_ops<isa>>();
}  // namespace selection

}  // namespace dvk::inline v0::detail
