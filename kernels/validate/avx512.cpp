// AVX-512: batches of 64 bytes, masks for short payloads and tails.
#include <immintrin.h>

#include "validate/validate.hpp"
#include "validate/vector.hpp"

namespace dvk::inline v0::detail::validate {
namespace {

// As array_order_vector, but each vector of values is loaded once. The values one place earlier
// come from it and the vector before: alignr moves up by two values, and shldi takes the upper half
// of each pair from that and the lower half from the vector itself.
std::uint32_t array_order(const std::uint8_t* values, std::uint32_t n) noexcept {
  if (n <= 32) {
    const __mmask32 pairs = _bzhi_u32(~0u, n - 1);
    const __m512i before = _mm512_maskz_loadu_epi16(pairs, values);
    const __m512i value = _mm512_maskz_loadu_epi16(pairs, values + 2);
    const std::uint32_t faults = _mm512_mask_cmple_epu16_mask(pairs, value, before);
    return faults == 0 ? n : static_cast<std::uint32_t>(__builtin_ctz(faults)) + 1;
  }
  const auto load = [&](std::uint32_t i) { return _mm512_loadu_si512(values + 2 * i); };
  // The first and the last 32 pairs; the rest is whole vectors.
  __m512i least = _mm512_min_epu16(_mm512_subs_epu16(load(1), load(0)),
                                   _mm512_subs_epu16(load(n - 32), load(n - 33)));
  __m512i last = load(0);
  for (std::uint32_t i = 32; i + 32 <= n; i += 32) {
    const __m512i value = load(i);
    const __m512i before = _mm512_shldi_epi32(value, _mm512_alignr_epi32(value, last, 15), 16);
    least = _mm512_min_epu16(least, _mm512_subs_epu16(value, before));
    last = value;
  }
  if (_mm512_testn_epi16_mask(least, least) == 0) return n;
  return first_disorder(values, 1, n);
}

std::uint32_t bitset_count(const std::uint8_t* words) noexcept {
  __m512i sums[4] = {};
  for (std::uint32_t i = 0; i < bitset_bytes; i += 256) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      // Faster than what the processor fetches from the second level of cache on its own.
      bytes::fetch_ahead(words + i + 64 * k, 2048);
      sums[k] =
          _mm512_add_epi64(sums[k], _mm512_popcnt_epi64(_mm512_loadu_si512(words + i + 64 * k)));
    }
  }
  const __m512i sum =
      _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3]));
  return static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sum));
}

// As run_order_vector, with a masked last block instead of a plain loop: run containers of up to
// 16 runs are the common ones.
run_check run_order(const std::uint8_t* runs, std::uint32_t n) noexcept {
  if (n <= 2) return check_runs(runs, 0, n, {});  // the reductions would cost more
  const __m512i low = _mm512_set1_epi32(0xffff);
  __m512i least = _mm512_set1_epi32(container_rows);
  __m512i lengths = _mm512_setzero_si512();
  const auto add = [&](std::uint32_t i, __mmask16 lanes) {
    const __m512i run = _mm512_maskz_loadu_epi32(lanes, runs + 4 * i);
    const __m512i before = _mm512_maskz_loadu_epi32(lanes, runs + 4 * i - 4);
    const __m512i last =
        _mm512_add_epi32(_mm512_and_si512(before, low), _mm512_srli_epi32(before, 16));
    const __m512i distance = _mm512_sub_epi32(_mm512_and_si512(run, low), last);
    least = _mm512_mask_min_epi32(least, lanes, least, distance);
    lengths = _mm512_add_epi32(lengths, _mm512_srli_epi32(run, 16));
  };
  std::uint32_t i = 1;
  for (; i + 16 <= n; i += 16)
    add(i, 0xffff);
  if (i < n) add(i, static_cast<__mmask16>(_bzhi_u32(0xffff, n - i)));
  const std::int32_t smallest = _mm512_reduce_min_epi32(least);
  if (smallest <= 0 || last_slot(runs, n - 1) >= container_rows) return check_runs(runs, 0, n, {});
  const auto sum = static_cast<std::uint32_t>(_mm512_reduce_add_epi32(lengths));
  return {n, sum + bytes::load_le16(runs + 2) + n, false, smallest == 1};
}

}  // namespace

constinit const validate_table avx512{array_order, bitset_count, run_order};

}  // namespace dvk::inline v0::detail::validate
