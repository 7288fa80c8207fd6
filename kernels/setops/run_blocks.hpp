// Set operations on two lists of runs, on vectors of any width.
#pragma once

#include "setops/block_merge.hpp"
#include "setops/run_merge.hpp"

namespace dvk::inline v0::detail {
namespace {

// So many runs are taken one by one before a single step of blocks is done.
constexpr std::uint32_t few_runs = 16;

// Of runs in the order of their starts, those that start past everything before them, that is, past
// the largest end so far plus one. Each such start is stored together with that end, a dword of
// start | end before << 16; what lies between is a gap, and the successor's end is where the run
// that starts here ends. `reach` is the end so far. `out` may be `runs`. Returns their number.
//
// `vector` is one of merge_lists, of serialised runs. It also gives: all(v), v in every lane;
// block(p), runs as they are stored; starts(x); ends(x, n), the last slots of the first n runs
// (65,535 at most) and -2, below any, in the other lanes; prefix_max(ends, least), the largest of
// each lane and the lanes below it, where no lane of `least` is above any; later(x, y), the larger
// by lane; after_one(x, before), the lanes moved on by one place; top(x), the last lane in every
// lane; first(x), the first; store_separate(out, starts, before, n), which packs start | before <<
// 16 of those among the first n lanes where start is above before + 1, writes a whole block and
// returns their number; lengths(x, next) and gaps(x), which turn such dwords (and their successors)
// into the runs that start there and the gaps before; and store(p, x).
template <class vector, class Reach>
DVK_INLINE std::uint32_t separate(const std::uint8_t* runs, std::uint32_t total, Reach& reach,
                                  std::uint8_t* out) {
  constexpr std::uint32_t lanes = vector::lanes;
  const auto none = vector::all(-2);
  std::uint32_t n = 0;
  const auto take = [&](auto x, std::uint32_t real) {
    // A block waits for the one before it through two maxima only.
    const auto within = vector::prefix_max(vector::ends(x, real), none);
    const auto ends = vector::later(within, reach);
    n += vector::store_separate(out + 4 * std::size_t{n}, vector::starts(x),
                                vector::after_one(ends, reach), real);
    reach = vector::later(vector::top(within), reach);
  };
  std::uint32_t place = 0;
  for (; place + lanes <= total; place += lanes)
    take(vector::block(runs + 4 * std::size_t{place}), lanes);
  if (place < total) {
    std::uint8_t rest[vector::bytes];
    vector::copy_part(rest, runs + 4 * std::size_t{place}, total - place);
    take(vector::block(rest), total - place);
  }
  return n;
}

template <class vector>
[[maybe_unused]] std::uint32_t unite_blocks(const std::uint8_t* a, std::uint32_t na,
                                            const std::uint8_t* b, std::uint32_t nb,
                                            std::uint8_t* out) noexcept {
  const std::uint32_t total = na + nb;
  if (total <= few_runs) return unite_runs(a, na, b, nb, out);
  merge_lists<vector>(a, na, b, nb, out);
  auto reach = vector::all(-2);  // no row touches it
  const std::uint32_t n = separate<vector>(out, total, reach, out);
  store_le(out + 4 * std::size_t{n}, vector::first(reach) << 16);
  // Whole blocks: past the n runs lies the slack. A block is read with its successors before it is
  // written.
  for (std::uint32_t i = 0; i < n; i += vector::lanes) {
    std::uint8_t* const at = out + 4 * std::size_t{i};
    vector::store(at, vector::lengths(vector::block(at), vector::block(at + 4)));
  }
  return n;
}

// What lies between the runs, and before and after them: at most one gap more than runs.
template <class vector>
DVK_INLINE std::uint32_t gaps_of(const std::uint8_t* runs, std::uint32_t size, std::uint8_t* out) {
  auto reach = vector::all(-1);  // a run that starts at 0 has no gap before it
  std::uint32_t n = separate<vector>(runs, size, reach, out);
  if (const std::uint32_t last = vector::first(reach); last != slots - 1) {
    store_le(out + 4 * std::size_t{n++}, last << 16);  // up to slot 65,536, which is 0
  }
  for (std::uint32_t i = 0; i < n; i += vector::lanes) {
    std::uint8_t* const at = out + 4 * std::size_t{i};
    vector::store(at, vector::gaps(vector::block(at)));
  }
  return n;
}

// The room for as many gaps.
constexpr std::size_t bytes_of_gaps = 4 * (most_runs_met + 1) + 2 * std::size_t{setops_slack};

// What is in both is what is in neither's gaps.
template <class vector>
[[maybe_unused]] std::uint32_t intersect_blocks(const std::uint8_t* a, std::uint32_t na,
                                                const std::uint8_t* b, std::uint32_t nb,
                                                std::uint8_t* out) noexcept {
  if (na + nb <= few_runs) return intersect_runs(a, na, b, nb, out);
  std::uint8_t not_a[bytes_of_gaps], not_b[bytes_of_gaps];
  const std::uint32_t p = gaps_of<vector>(a, na, not_a), q = gaps_of<vector>(b, nb, not_b);
  return gaps_of<vector>(out, unite_blocks<vector>(not_a, p, not_b, q, out), out);
}

// What is in a alone is what is neither in a's gaps nor in b.
template <class vector>
[[maybe_unused]] std::uint32_t subtract_blocks(const std::uint8_t* a, std::uint32_t na,
                                               const std::uint8_t* b, std::uint32_t nb,
                                               std::uint8_t* out) noexcept {
  if (na + nb <= few_runs) return subtract_runs(a, na, b, nb, out);
  std::uint8_t not_a[bytes_of_gaps];
  const std::uint32_t p = gaps_of<vector>(a, na, not_a);
  return gaps_of<vector>(out, unite_blocks<vector>(not_a, p, b, nb, out), out);
}

}  // namespace
}  // namespace dvk::inline v0::detail
