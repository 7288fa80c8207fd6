// The union of two lists of runs on vectors of any width.
#pragma once

#include "setops/block_merge.hpp"
#include "setops/run_merge.hpp"

namespace dvk::inline v0::detail {
namespace {

// So many runs are joined one by one before a single step of blocks is done.
constexpr std::uint32_t few_runs = 16;

// The lists are merged by start, into `out`. A run of the merged list starts a run of the result if
// it starts past everything before it, that is, past the largest end so far plus one. Each such
// start is stored together with that end, which is where the result's run before it ends; a last
// pass brings both halves of a run together.
//
// `vector` is one of merge_lists, of serialised runs. It also gives: all(v), v in every lane;
// block(p), runs as they are stored; starts(x); ends(x, n), the last slots of the first n runs
// (65,535 at most) and -2, which no row touches, in the other lanes; prefix_max(ends, least), the
// largest of each lane and the lanes below it, where no lane of `least` is above any; later(x, y),
// the larger by lane; after_one(x, before), the lanes moved on by one place; top(x), the last lane
// in every lane; store_separate(out, starts, before, n), which packs start | before << 16 of those
// among the first n lanes where start is above before + 1, writes a whole block and returns their
// number; lengths(runs, next), which takes such dwords and their successors and gives serialised
// runs; and store(p, x).
template <class vector>
[[maybe_unused]] std::uint32_t unite_blocks(const std::uint8_t* a, std::uint32_t na,
                                            const std::uint8_t* b, std::uint32_t nb,
                                            std::uint8_t* out) noexcept {
  constexpr std::uint32_t lanes = vector::lanes;
  const std::uint32_t total = na + nb;
  if (total <= few_runs) return unite_runs(a, na, b, nb, out);
  merge_lists<vector>(a, na, b, nb, out);
  std::uint32_t n = 0;
  const auto none = vector::all(-2);
  auto reach = none;  // the largest end so far
  for (std::uint32_t place = 0; place < total; place += lanes) {
    const std::uint32_t real = total - place < lanes ? total - place : lanes;
    const auto x = vector::block(out + 4 * std::size_t{place});
    // A block waits for the one before it through two maxima only.
    const auto within = vector::prefix_max(vector::ends(x, real), none);
    const auto ends = vector::later(within, reach);
    n += vector::store_separate(out + 4 * std::size_t{n}, vector::starts(x),
                                vector::after_one(ends, reach), real);
    reach = vector::later(vector::top(within), reach);
  }
  store_le(out + 4 * n, vector::first(reach) << 16);
  // Whole blocks: past the n runs lies the slack. A block is read with its successors before it is
  // written.
  for (std::uint32_t i = 0; i < n; i += lanes) {
    std::uint8_t* const at = out + 4 * i;
    vector::store(at, vector::lengths(vector::block(at), vector::block(at + 4)));
  }
  return n;
}

}  // namespace
}  // namespace dvk::inline v0::detail
