// Scanner: refining a list that other filters made, and answering for a column of row numbers.
#include <algorithm>
#include <bit>
#include <limits>

#include "selection/access.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

// Rows of a mask window, at most. A list that jumps about may use no more than a few of them.
constexpr std::uint64_t window_rows = 4032;
// A list of fewer elements a row than this is probed element by element, cheaper than making a
// mask.
constexpr std::size_t dense_elements = 31;
constexpr std::uint64_t dense_rows = 64 * dense_elements;
// Elements probed at a time.
constexpr std::size_t probe_block = 256;

template <class T>
auto filter_of(const selection_table& k) {
  if constexpr (sizeof(T) == 2) {
    return k.filter_u16;
  } else {
    return k.filter_u32;
  }
}

// A window of a mask: bit 0 of it is bit `bit` (0 to 63) of the bytes, each xor-ed with `flip`.
struct mask_window {
  const std::uint8_t* bytes;
  std::uint32_t bit;
  std::uint64_t flip;
};
using window_words = std::uint64_t[window_rows / 64 + 2 + filter_slack];

// The words of a bitset that holds the rows and the slack behind them, as they lie; else null.
const std::uint8_t* own_words(const bound& tools, cursor& at, row_range rows) {
  if constexpr (std::endian::native == std::endian::big) return nullptr;
  const std::size_t i = find_near(tools.where, rows.start >> 16, at.container);
  const container* const c = tools.where.containers + i;
  if (i == tools.where.count || c->type != bitset_container || !is_inside(*c, rows)) return nullptr;
  const std::uint64_t lo = rows.start & 0xffff;
  if ((lo + rows.count + 63) / 64 + filter_slack > bitset_bytes / 8) return nullptr;
  at = {i, 0};
  return c->payload + lo / 64 * 8;
}

// Mask of rows [row, row + n), n <= window_rows; `words` is room for it.
mask_window window_mask(const bound& tools, cursor& at, std::uint64_t row, std::uint64_t n,
                        bool deleted, window_words& words) {
  const auto shift = static_cast<std::uint32_t>(row % 64);
  if (const std::uint8_t* own = own_words(tools, at, {row, n}))
    return {own, shift, deleted ? 0 : ~std::uint64_t{0}};
  for_each_segment(
      tools.where, {row, n}, at,
      [&](std::uint64_t from, std::uint64_t count) {
        const std::uint64_t begin = from - row + shift, end = begin + count;
        for (std::uint64_t k = begin / 64; k <= (end - 1) / 64; ++k)
          words[k] = deleted ? 0 : ~std::uint64_t{0};
      },
      [&](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t from,
          std::uint32_t* hint) {
        // A container border is a multiple of 64 rows, so the frame's words are the window's.
        std::uint64_t* frame = words + (from - row + shift) / 64;
        const segment_kind kind = tools.kernels.fill(c, lo, hi, deleted, frame, hint);
        if (kind == segment_kind::mixed) return;
        const std::uint64_t all =
            (kind == segment_kind::none_live) == deleted ? ~std::uint64_t{0} : 0;
        for (std::size_t k = 0; k < (hi - (lo & ~63u) + 63) / 64; ++k)
          frame[k] = all;
      });
  std::fill_n(words + (shift + n + 63) / 64, filter_slack, std::uint64_t{0});
  return {reinterpret_cast<const std::uint8_t*>(words), shift, 0};
}

// Rows from the list's first on for which a mask is worth making, or 0.
template <class T>
std::uint64_t window_of(std::span<const T> list) {
  const T first = list[0];
  if (list.size() <= dense_elements || static_cast<T>(list[dense_elements] - first) >= dense_rows)
    return 0;
  // Up to the word of the last element, if the list ascends; no further than the type's numbers go.
  const std::uint64_t most = std::numeric_limits<T>::max() - std::uint64_t{first} + 1;
  const std::uint64_t rows =
      list.back() > first ? (std::uint64_t{list.back()} - first + 64) / 64 * 64 : most;
  return std::min({rows, most, window_rows});
}

template <class T>
std::size_t refine_list(const bound& tools, cursor& at, std::uint64_t base, std::span<T> list,
                        bool deleted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size();) {
    const std::uint64_t row = base + list[i];
    if constexpr (sizeof(T) < 8) {
      const std::uint64_t window = window_of(std::span<const T>(list.subspan(i)));
      if (window != 0 && valid(row_range{row, window})) {
        window_words words;
        const mask_window mask = window_mask(tools, at, row, window, deleted, words);
        std::size_t taken = 0;
        kept += filter_of<T>(tools.kernels)(
            mask.bytes, mask.bit, mask.flip, static_cast<std::uint32_t>(window), list[i],
            list.data() + i, list.size() - i, list.data() + kept, &taken);
        i += taken;
        continue;
      }
    }
    std::uint64_t rows[probe_block], member[probe_block / 64];
    const std::size_t n = list.size() - i < probe_block ? list.size() - i : probe_block;
    for (std::size_t k = 0; k < n; ++k)
      rows[k] = base + list[i + k];
    member_bits(tools.probes, tools.where, rows, n, member);
    for (std::size_t k = 0; k < n; ++k) {
      list[kept] = list[i + k];
      kept += (((member[k / 64] >> (k % 64)) & 1) != 0) == deleted ? 1 : 0;
    }
    i += n;
  }
  return kept;
}

// Calls put(mask of wanted positions, number, first) for each block of the column; returns the
// number of live positions.
template <class Put>
std::uint64_t gather(const bound& tools, const std::uint64_t* rows, std::size_t n, bool deleted,
                     Put put) {
  constexpr std::size_t block = 1024;
  std::uint64_t live = 0;
  for (std::size_t done = 0; done < n; done += block) {
    const std::size_t take = n - done < block ? n - done : block;
    std::uint64_t words[block / 64];
    member_bits(tools.probes, tools.where, rows + done, take, words);
    const std::size_t used = (take + 63) / 64;
    live += take - tools.kernels.popcount(words, used);
    if (!deleted) {
      for (std::size_t k = 0; k < used; ++k)
        words[k] = ~words[k];
      if (take % 64 != 0) words[used - 1] &= ~(~std::uint64_t{0} << (take % 64));
    }
    put(words, take, done);
  }
  return live;
}

// Negative i64 row numbers become numbers past 2^63, which no vector deletes.
std::span<const std::uint64_t> as_rows(std::span<const std::int64_t> positions) {
  return {reinterpret_cast<const std::uint64_t*>(positions.data()), positions.size()};
}

}  // namespace
}  // namespace detail

template <index_type T>
std::size_t scanner::refine(std::uint64_t base, std::span<T> selected, polarity rows) noexcept {
  using kernel_type = detail::kernel_type_t<T>;
  const auto tools = scanner_access::tools(*this);
  auto at = scanner_access::cursor(*this);
  const std::size_t kept = detail::refine_list(
      tools, at, base, std::span(reinterpret_cast<kernel_type*>(selected.data()), selected.size()),
      rows == polarity::deleted);
  scanner_access::keep(*this, at);
  return kept;
}

batch_result scanner::gather_bits(std::span<const std::uint64_t> positions,
                                  std::span<std::uint64_t> words, std::size_t first_bit,
                                  const mask_options& options) noexcept {
  const std::size_t n = positions.size();
  const std::uint64_t room = words.size() > SIZE_MAX / 64 ? SIZE_MAX : words.size() * 64;
  if (first_bit > room || n > room - first_bit) return {};
  const auto tools = scanner_access::tools(*this);
  const auto put = detail::bits_of(tools.kernels, options.how);
  const std::uint64_t live =
      detail::gather(tools, positions.data(), n, options.rows == polarity::deleted,
                     [&](const std::uint64_t* mask, std::size_t count, std::size_t done) {
                       const std::size_t bit = first_bit + done;
                       put(reinterpret_cast<const std::uint8_t*>(mask), 0, 0, count,
                           words.data() + bit / 64, bit % 64);
                     });
  if (const std::size_t end = first_bit + n;
      options.how == combine::replace && n != 0 && end % 64 != 0) {
    words[end / 64] &= ~(~std::uint64_t{0} << (end % 64));
  }
  return {live, detail::kind_of(live, n)};
}

batch_result scanner::gather_bytes(std::span<const std::uint64_t> positions,
                                   std::span<std::uint8_t> out,
                                   const mask_options& options) noexcept {
  const std::size_t n = positions.size();
  if (n > out.size()) return {};
  const auto tools = scanner_access::tools(*this);
  const auto put = detail::bytes_of(tools.kernels, options.how);
  const std::uint64_t live = detail::gather(
      tools, positions.data(), n, options.rows == polarity::deleted,
      [&](const std::uint64_t* mask, std::size_t count, std::size_t done) {
        put(reinterpret_cast<const std::uint8_t*>(mask), 0, 0, count, out.data() + done);
      });
  return {live, detail::kind_of(live, n)};
}

template <index_type T>
batch_result scanner::gather_indices(std::span<const std::uint64_t> positions, std::span<T> out,
                                     const index_options& options) noexcept {
  using kernel_type = detail::kernel_type_t<T>;
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const std::size_t n = positions.size();
  if (n > out.size() || (n != 0 && (options.base > largest || n - 1 > largest - options.base)))
    return {};
  const auto tools = scanner_access::tools(*this);
  auto* o = reinterpret_cast<kernel_type*>(out.data());
  const std::uint64_t live = detail::gather(
      tools, positions.data(), n, options.rows == polarity::deleted,
      [&](const std::uint64_t* mask, std::size_t count, std::size_t done) {
        o += detail::decode_of<kernel_type>(tools.kernels)(mask, 0, count, options.base + done, o);
      });
  return {live, detail::kind_of(live, n)};
}

batch_result scanner::gather_bits(std::span<const std::int64_t> positions,
                                  std::span<std::uint64_t> words, std::size_t first_bit,
                                  const mask_options& options) noexcept {
  return gather_bits(detail::as_rows(positions), words, first_bit, options);
}
batch_result scanner::gather_bytes(std::span<const std::int64_t> positions,
                                   std::span<std::uint8_t> out,
                                   const mask_options& options) noexcept {
  return gather_bytes(detail::as_rows(positions), out, options);
}
template <index_type T>
batch_result scanner::gather_indices(std::span<const std::int64_t> positions, std::span<T> out,
                                     const index_options& options) noexcept {
  return gather_indices(detail::as_rows(positions), out, options);
}

#define DVK_INSTANTIATE(T)                                                          \
  template DVK_EXPORT std::size_t scanner::refine<T>(std::uint64_t, std::span<T>,   \
                                                     polarity) noexcept;            \
  template DVK_EXPORT batch_result scanner::gather_indices<T>(                      \
      std::span<const std::uint64_t>, std::span<T>, const index_options&) noexcept; \
  template DVK_EXPORT batch_result scanner::gather_indices<T>(                      \
      std::span<const std::int64_t>, std::span<T>, const index_options&) noexcept;
DVK_INSTANTIATE(std::uint16_t)
DVK_INSTANTIATE(std::uint32_t)
DVK_INSTANTIATE(std::int32_t)
DVK_INSTANTIATE(std::uint64_t)
#undef DVK_INSTANTIATE

}  // namespace dvk::inline v0
