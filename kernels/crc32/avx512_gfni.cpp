// Long messages by bit matrices instead of carry-less products; short ones and the rest as in
// avx512.cpp. AMD's cores run two GF2P8AFFINEQB a cycle and one VPCLMULQDQ in two; Intel's run one
// of each.
#include "crc32/generic.hpp"
#include "crc32/lanes_x86.hpp"

namespace dvk::inline v0::detail::crc {
namespace {

DVK_INLINE __m512i by(__m512i v, __m512i matrix) {
  return _mm512_gf2p8affine_epi64_epi8(v, matrix, 0);
}
DVK_INLINE __m512i sum(__m512i a, __m512i b, __m512i c) {
  return lanes_64::exclusive_or(a, b, c);
}

// A window of eight planes slides over the message, four a step: each of its first four planes is
// replaced by what its bytes amount to 4, 5, 7 and 8 planes further on, and leaves. Four matrices
// serve every plane and every byte.
struct matrices {
  __m512i to4, to5, to7, to8;
};
DVK_INLINE __m512i repeated(std::uint64_t matrix) {
  return _mm512_set1_epi64(static_cast<long long>(matrix));
}

// s: planes 0 to 3, replaced by planes 8 to 11, which are at p; t: planes 4 to 7.
template <bool copying>
DVK_INLINE void step(const matrices& m, __m512i (&s)[4], __m512i (&t)[4], const std::uint8_t* p,
                     std::uint8_t* out) {
  const __m512i v0 = s[0], v1 = s[1], v2 = s[2], v3 = s[3];
  t[0] = lanes_64::exclusive_or(t[0], by(v0, m.to4));
  t[1] = sum(t[1], by(v1, m.to4), by(v0, m.to5));
  t[2] = sum(t[2], by(v2, m.to4), by(v1, m.to5));
  t[3] = sum(lanes_64::exclusive_or(t[3], by(v0, m.to7)), by(v3, m.to4), by(v2, m.to5));
  s[0] = sum(lanes_64::exclusive_or(take<lanes_64, copying>(p, out), by(v0, m.to8)), by(v3, m.to5),
             by(v1, m.to7));
  s[1] = sum(take<lanes_64, copying>(p + 64, out + 64), by(v2, m.to7), by(v1, m.to8));
  s[2] = sum(take<lanes_64, copying>(p + 128, out + 128), by(v3, m.to7), by(v2, m.to8));
  s[3] = lanes_64::exclusive_or(take<lanes_64, copying>(p + 192, out + 192), by(v3, m.to8));
}

struct fold_by_matrices {
  static constexpr std::size_t shortest = 13;
  static constexpr std::size_t prefetch_from = std::size_t{512} << 10;  // on Zen 5

  template <class Lanes, bool copying>
  DVK_INLINE __m512i run(__m512i z0, __m512i z1, const std::uint8_t* p, std::uint8_t* out,
                         std::size_t m) {
    __m512i s[4] = {z0, z1, take<Lanes, copying>(p, out), take<Lanes, copying>(p + 64, out + 64)};
    __m512i t[4];
    p += 128, out += 128;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i)
      t[i] = take<Lanes, copying>(p + 64 * i, out + 64 * i);
    p += 256, out += 256, m -= 6;

    // The planes that do not fill a step, up to three, are the last of the message.
    const std::size_t left = m % 4;
    weighted_sum<Lanes> rest;
    add_tail<Lanes, copying>(rest, p + 64 * (m - left), out + 64 * (m - left), left);

    const matrices to{repeated(constants.eliminate[0]), repeated(constants.eliminate[1]),
                      repeated(constants.eliminate[2]), repeated(constants.eliminate[3])};
    const bool far = 64 * m >= prefetch_from;
    for (m /= 4; m >= 2; m -= 2) {
      if (far) [[unlikely]]
        prefetch(p, 512);
      step<copying>(to, s, t, p, out);
      step<copying>(to, t, s, p + 256, out + 256);
      p += 512, out += 512;
    }
    if (m != 0) {
      step<copying>(to, s, t, p, out);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < 4; ++i) {
        const __m512i first = t[i];
        t[i] = s[i];
        s[i] = first;
      }
    }
    const std::uint64_t* w = weights<Lanes>(left + 8);
    add(rest, s[0], s[1], w);
    add(rest, s[2], s[3], w + 16);
    add(rest, t[0], t[1], w + 32);
    add(rest, t[2], t[3], w + 48);
    return total(rest);
  }
};

}  // namespace

constinit const crc32_table avx512_gfni{
    .extend = extend<lanes_64, fold_by_matrices>,
    .copy = copy<lanes_64, fold_by_matrices>,
    .shift = nullptr,
};

}  // namespace dvk::inline v0::detail::crc
