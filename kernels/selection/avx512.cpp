// AVX-512 tier (Ice Lake set: VBMI2, VPOPCNTDQ, VPCLMULQDQ): what paths.hpp needs of it, and the
// forms it has kernels of its own for.
#include "selection/avx512_blocks.hpp"
#include "selection/avx512_decode.hpp"
#include "selection/avx512_edges.hpp"
#include "selection/avx512_fill.hpp"
#include "selection/avx512_filter.hpp"
#include "selection/avx512_forms.hpp"
#include "selection/paths.hpp"

namespace dvk::inline v0::detail {
namespace {

struct ops : fill_512 {
  static constexpr std::uint32_t sparse_array_share = 512;
  static constexpr std::uint32_t crowded_share = 48, crowded_rows = 16384;
  static constexpr std::uint32_t dense_run_share = 64;
  static constexpr std::uint32_t sparse_runs(std::uint32_t rows, bool deleted) {
    return rows / (deleted ? 64 : rows > 8192 ? 256 : 512);
  }
  static constexpr std::uint32_t few_live = 28000;

  template <bool few, class T, class Word>
  static DVK_INLINE_MEMBER std::size_t decode(const frame& f, std::size_t head, std::size_t bits,
                                              std::uint64_t first, T* out, Word word) {
    // Where most vectors of a word are left out, or are many, aligned stores pay for packing.
    if constexpr (sizeof(T) == 8 || (few && sizeof(T) == 4)) {
      if (f.words >= 8) return decode_strips(f, head, bits, first, out, word);
    }
    return decode_frame<few>(f, head, bits, first, out, word);
  }
  template <class T>
  static DVK_INLINE_MEMBER void iota(T* out, std::size_t n, std::uint64_t first) {
    iota_exact(out, n, first);
  }
  static DVK_INLINE_MEMBER void array_edges(const container& c, std::uint32_t lo, std::uint32_t hi,
                                            edge_writer& w, std::uint32_t* end,
                                            std::uint32_t* unit) {
    array_edges_512(c, lo, hi, w, end, unit);
  }
};

std::size_t popcount(const std::uint64_t* words, std::size_t count) noexcept {
  return popcount_512(words, count);
}

template <merge_kind kind>
std::size_t spread(const std::uint8_t* source, std::size_t bit, std::uint64_t flip, std::size_t n,
                   std::uint8_t* out) noexcept {
  return spread_bits<kind>(source, bit, flip, n, out);
}
template <merge_kind kind>
std::size_t move(const std::uint8_t* source, std::size_t from, std::uint64_t flip, std::size_t n,
                 std::uint64_t* target, std::size_t to) noexcept {
  return move_bits_512<kind>(source, from, flip, n, target, to);
}
template <class T>
std::size_t filter(const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                   std::uint32_t window, T first, const T* in, std::size_t n, T* out,
                   std::size_t* taken) noexcept {
  return filter_512(mask, bit, flip, window, first, in, n, out, taken);
}

}  // namespace

namespace selection {
constinit const selection_table avx512{
    .indices_u16 = indices<ops, std::uint16_t>,
    .indices_u32 = indices<ops, std::uint32_t>,
    .indices_u64 = indices<ops, std::uint64_t>,
    .fill = fill<ops>,
    .edges = edges<ops>,
    .iota_u16 = iota<ops, std::uint16_t>,
    .iota_u32 = iota<ops, std::uint32_t>,
    .iota_u64 = iota<ops, std::uint64_t>,
    .decode_u16 = decode<ops, std::uint16_t>,
    .decode_u32 = decode<ops, std::uint32_t>,
    .decode_u64 = decode<ops, std::uint64_t>,
    .popcount = popcount,
    .bytes_replace = spread<merge_kind::replace>,
    .bytes_and = spread<merge_kind::both>,
    .bytes_or = spread<merge_kind::either>,
    .bits_replace = move<merge_kind::replace>,
    .bits_and = move<merge_kind::both>,
    .bits_or = move<merge_kind::either>,
    .filter_u16 = filter<std::uint16_t>,
    .filter_u32 = filter<std::uint32_t>,
};
}  // namespace selection

}  // namespace dvk::inline v0::detail
