// AVX-512: lists filtered by a mask.
//
// An element's bit is looked up in registers, since a gather costs more: the mask's next bits are
// loaded from the bit of the element at hand on, so that an element's distance to that one is its
// place in the register.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "selection/avx512_decode.hpp"

namespace dvk::inline v0::detail {
namespace {

template <class T>
DVK_INLINE __m512i load_first(const T* in, unsigned n) {
  if constexpr (sizeof(T) == 2) return _mm512_maskz_loadu_epi16(_bzhi_u32(~0u, n), in);
  if constexpr (sizeof(T) == 4)
    return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(_bzhi_u32(0xffff, n)), in);
}
template <class T>
DVK_INLINE __m512i sub(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return _mm512_sub_epi16(a, b);
  if constexpr (sizeof(T) == 4) return _mm512_sub_epi32(a, b);
}
template <class T>
DVK_INLINE __m512i larger(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return _mm512_max_epu16(a, b);
  if constexpr (sizeof(T) == 4) return _mm512_max_epu32(a, b);
}
template <class T>
DVK_INLINE std::uint32_t less(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return _mm512_cmplt_epu16_mask(a, b);
  if constexpr (sizeof(T) == 4) return _mm512_cmplt_epu32_mask(a, b);
}
template <class T>
DVK_INLINE __m512i compress(__m512i v, std::uint32_t keep) {
  if constexpr (sizeof(T) == 2) return _mm512_mask_compress_epi16(v, keep, v);
  if constexpr (sizeof(T) == 4)
    return _mm512_mask_compress_epi32(v, static_cast<__mmask16>(keep), v);
}

// Bits [at, at + 512) of a mask: two loads eight bytes apart hold all of them.
DVK_INLINE __m512i bits_from(const std::uint8_t* mask, std::size_t at) {
  return _mm512_shrdv_epi64(_mm512_loadu_si512(mask + at / 8),
                            _mm512_loadu_si512(mask + at / 8 + 8),
                            _mm512_set1_epi64(static_cast<long long>(at % 8)));
}
// Bits [at, at + 256), twice. The count of the shift comes from memory, since a broadcast from
// there takes no step of the busiest port.
DVK_INLINE __m512i half_bits_from(const std::uint8_t* mask, std::size_t at) {
  static constexpr long long counts[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto twice = [&](std::size_t byte) {
    return _mm512_broadcast_i64x4(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask + byte)));
  };
  return _mm512_shrdv_epi64(twice(at / 8), twice(at / 8 + 8), _mm512_set1_epi64(counts[at % 8]));
}

// Which elements' bits are set: bit `place` of `bits`, for places below 512.
template <class T>
DVK_INLINE std::uint32_t test_places(__m512i bits, __m512i place) {
  if constexpr (sizeof(T) == 2) {
    const __m512i word = _mm512_permutexvar_epi16(_mm512_srli_epi16(place, 4), bits);
    return _mm512_test_epi16_mask(_mm512_shrdv_epi16(word, word, place), _mm512_set1_epi16(1));
  } else {
    const __m512i word = _mm512_permutexvar_epi32(_mm512_srli_epi32(place, 5), bits);
    return _mm512_test_epi32_mask(_mm512_rorv_epi32(word, place), _mm512_set1_epi32(1));
  }
}

// The low bytes of 64 elements, in order.
template <class T>
DVK_INLINE __m512i pack_bytes(const __m512i* v) {
  if constexpr (sizeof(T) == 2) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                    _mm512_packus_epi16(v[0], v[1]));
  } else {
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
        _mm512_packus_epi16(_mm512_packus_epi32(v[0], v[1]), _mm512_packus_epi32(v[2], v[3])));
  }
}

// Filters 64 elements of which none lies before the first or 256 and more behind it: their places
// are bytes, and all are looked up, tested and packed as such.
template <class T>
class block_filter {
 public:
  explicit DVK_INLINE_MEMBER block_filter(std::uint64_t flip) : flips_(splat<std::uint64_t>(flip)) {
    for (unsigned k = 0; k < sizeof(T); ++k)
      source_[k] = part_numbers<T>(k);
    // The compiler would make this constant anew for each block, in a step on the busiest port.
    __asm__("" : "+k"(lowest_));
  }
  // `at`: the place in the mask of in[0]'s bit, from which on `left` bits are the window's. Returns
  // false, having written nothing, if they are no such 64. May clobber out[0, 64), which has been
  // read by then.
  DVK_INLINE_MEMBER bool operator()(const std::uint8_t* mask, std::size_t at, std::uint32_t left,
                                    const T* in, T*& out) const {
    const __m512i base = splat<T>(in[0]);
    __m512i place[sizeof(T)];
    for (unsigned k = 0; k < sizeof(T); ++k)
      place[k] = sub<T>(_mm512_loadu_si512(in + k * per_vector<T>), base);
    __m512i most = larger<T>(place[0], place[1]);
    if constexpr (sizeof(T) == 4) most = larger<T>(most, larger<T>(place[2], place[3]));
    constexpr std::uint32_t all = sizeof(T) == 2 ? ~0u : 0xffffu;
    if (less<T>(most, limit_) != all) return false;
    if (left < 256 && less<T>(most, splat<T>(left)) != all) return false;
    const __m512i places = pack_bytes<T>(place);
    // VPERMB looks at the low six bits of a byte: bit 5 is a neighbour's, hence the mask twice.
    const __m512i byte = _mm512_xor_si512(
        _mm512_permutexvar_epi8(_mm512_srli_epi16(places, 3), half_bits_from(mask, at)), flips_);
    const __m512i powers = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
    const std::uint64_t keep = _mm512_test_epi8_mask(byte, _mm512_permutexvar_epi8(places, powers));
    const __m512i kept = _mm512_mask_compress_epi8(places, keep, places);
    for (unsigned k = 0; k < sizeof(T); ++k)
      _mm512_storeu_si512(out + k * per_vector<T>,
                          add<T>(base, _mm512_maskz_permutexvar_epi8(lowest_, source_[k], kept)));
    out += __builtin_popcountll(keep);
    return true;
  }

 private:
  __m512i flips_;
  __m512i source_[sizeof(T)];
  __m512i limit_ = splat<T>(256);
  __mmask64 lowest_ = lowest_bytes<T>;
};

template <class T>
DVK_INLINE std::size_t filter_512(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                                  std::uint32_t window, T first, const T* in, std::size_t n, T* out,
                                  std::size_t* taken) {
  constexpr unsigned lanes = per_vector<T>;
  const block_filter<T> filter_block(flip);
  T* o = out;
  std::size_t i = 0;
  while (i < n) {
    const std::uint32_t distance = static_cast<T>(in[i] - first);
    if (distance >= window) break;
    const std::size_t at = std::size_t{bit} + distance;
    const std::uint32_t left = window - distance;
    if (n - i >= 64 && static_cast<T>(in[i + 63] - in[i]) < 256 &&
        filter_block(mask, at, left, in + i, o)) {
      i += 64;
      continue;
    }
    // One vector, up to the first element outside: the one at hand is inside.
    const unsigned count = n - i < lanes ? static_cast<unsigned>(n - i) : lanes;
    const __m512i v = load_first(in + i, count), place = sub<T>(v, splat<T>(in[i]));
    const std::uint32_t near = less<T>(place, splat<T>(left < 512 ? left : 512));
    const auto inside = static_cast<unsigned>(_tzcnt_u64(~std::uint64_t{near}));
    const unsigned take = inside < count ? inside : count;
    const std::uint32_t keep = _bzhi_u32(
        test_places<T>(bits_from(mask, at), place) ^ static_cast<std::uint32_t>(flip), take);
    // A whole vector may be stored if all its lanes were taken: it reaches no further than the
    // elements just read.
    if (take == lanes) {
      _mm512_storeu_si512(o, compress<T>(v, keep));
    } else {
      store_first(o, compress<T>(v, keep), static_cast<unsigned>(_mm_popcnt_u32(keep)));
    }
    o += _mm_popcnt_u32(keep);
    i += take;
  }
  *taken = i;
  return static_cast<std::size_t>(o - out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
