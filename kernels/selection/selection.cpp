// Scanner: binding, index lists and counts. Checks are made per batch, never per row; the work is
// done by the bound tier's kernels.
#include "selection/selection.hpp"

#include <limits>

#include "dispatch/tables.hpp"
#include "selection/access.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

const dispatch::merged_tables<selection_table>& merged() noexcept {
  static const dispatch::merged_tables<selection_table> tables{
#define DVK_TABLE(name) {tier::name, &selection::name},
#include "selection_tiers.def"
#undef DVK_TABLE
  };
  return tables;
}

}  // namespace

const selection_table& selection_tables(std::size_t i) noexcept {
  return merged().at(i);
}

namespace {

// Whether indices base, ..., base + count - 1 fit T.
template <class T>
bool fits(std::uint64_t base, std::uint64_t count) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  return count == 0 || (base <= largest && count - 1 <= largest - base);
}

// An index list over ranges. Rows that are all wanted are not written until a row that is not turns
// up: a uniform batch is answered without touching the buffer, and the prefix of any other is
// filled in when its end is known.
template <class T>
class index_writer {
 public:
  index_writer(const bound& tools, std::span<const row_range> ranges, numbering number,
               std::uint64_t base, bool deleted, T* out)
      : tools_(tools),
        ranges_(ranges),
        number_(number),
        base_(base),
        deleted_(deleted),
        out_(out) {}

  // Number of wanted rows; the list is written unless every row is wanted.
  std::uint64_t run(cursor& at) {
    std::uint64_t packed = 0;
    for (range_ = 0; range_ < ranges_.size(); ++range_) {
      const row_range rows = ranges_[range_];
      first_ = base_ + (number_ == numbering::packed ? packed : rows.start - ranges_[0].start);
      packed += rows.count;
      if (rows.count == 0) continue;
      for_each_segment(
          tools_.where, rows, at,
          [&](std::uint64_t row, std::uint64_t n) { uniform(row - rows.start, n, !deleted_); },
          [&](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t row,
              std::uint32_t* hint) {
            const std::uint64_t first = first_ + (row - rows.start);
            const segment_result r =
                indices_of<T>(tools_.kernels)(c, lo, hi, deleted_, first, out_ + written_, hint);
            if (r.kind == segment_kind::mixed) {
              settle(row - rows.start);
              written_ += r.written;
            } else {
              uniform(row - rows.start, hi - lo, (r.kind == segment_kind::none_live) == deleted_);
            }
          });
    }
    return written_;
  }

  // Writes what was put off: the whole list of a batch whose rows are all wanted.
  void write_all() {
    range_ = ranges_.size();
    settle(0);
  }

 private:
  // Rows [done, done + n) of the current range are all wanted, or none is.
  void uniform(std::uint64_t done, std::uint64_t n, bool wanted) {
    if (!wanted) {
      settle(done);
    } else {
      if (settled_) {
        iota_of<T>(tools_.kernels)(out_ + written_, static_cast<std::size_t>(n), first_ + done);
      }
      written_ += n;
    }
  }

  // Everything so far was wanted and is now written: the ranges before the current one, and its
  // first `done` rows.
  void settle(std::uint64_t done) {
    if (settled_) return;
    settled_ = true;
    T* o = out_;
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i <= range_ && i < ranges_.size(); ++i) {
      const std::uint64_t n = i < range_ ? ranges_[i].count : done;
      const std::uint64_t number =
          number_ == numbering::packed ? packed : ranges_[i].start - ranges_[0].start;
      iota_of<T>(tools_.kernels)(o, static_cast<std::size_t>(n), base_ + number);
      o += n;
      packed += n;
    }
  }

  const bound& tools_;
  std::span<const row_range> ranges_;
  numbering number_;
  std::uint64_t base_;
  bool deleted_;
  T* out_;
  std::size_t range_ = 0;
  std::uint64_t first_ = 0;  // index of the current range's first row
  std::uint64_t written_ = 0;
  bool settled_ = false;
};

}  // namespace
}  // namespace detail

scanner::scanner(const deletion_vector& dv) noexcept
    : containers_(dv.containers_),
      kernels_(&detail::merged().active()),
      probes_(&detail::active_probes()),
      container_count_(dv.container_count_) {}

template <index_type T>
batch_result scanner::indices(std::span<const row_range> ranges, numbering number, std::span<T> out,
                              const index_options& options) noexcept {
  std::uint64_t rows = 0;
  if (!detail::valid(ranges, &rows) || rows > out.size()) return {};
  const std::uint64_t numbers = detail::numbers_of(ranges, number, rows);
  if (!detail::fits<T>(options.base, numbers)) return {};
  const auto tools = scanner_access::tools(*this);
  auto at = scanner_access::cursor(*this);
  const bool deleted = options.rows == polarity::deleted;
  detail::index_writer<detail::kernel_type_t<T>> writer(
      tools, ranges, number, options.base, deleted,
      reinterpret_cast<detail::kernel_type_t<T>*>(out.data()));
  const std::uint64_t wanted = writer.run(at);
  if (wanted == rows && options.always_write) writer.write_all();
  scanner_access::keep(*this, at);
  const std::uint64_t live = deleted ? rows - wanted : wanted;
  return {live, detail::kind_of(live, rows)};
}

namespace detail {
namespace {

// The list of a batch whose rows are all wanted.
template <class T>
void write_all(const scanner& s, std::uint64_t count, T* out, std::uint64_t base) {
  iota_of<T>(scanner_access::tools(s).kernels)(out, static_cast<std::size_t>(count), base);
}

// A batch in container c, where the cursor stands.
template <class T>
DVK_INLINE batch_result indices_in(scanner& s, const container& c, row_range rows, T* out,
                                   const index_options& options) {
  const auto lo = static_cast<std::uint32_t>(rows.start & 0xffff);
  const std::uint32_t hi = lo + static_cast<std::uint32_t>(rows.count);
  const bool deleted = options.rows == polarity::deleted;
  std::uint32_t* const unit = scanner_access::unit(s);
  segment_result r{0, segment_kind::none_live};
  if (!in_one_run(c, lo, hi, unit)) {
    r = indices_of<T>(scanner_access::tools(s).kernels)(c, lo, hi, deleted, options.base, out,
                                                        unit);
  }
  scanner_access::leave(s, hi);
  if (r.kind == segment_kind::mixed)
    return {deleted ? rows.count - r.written : r.written, batch_kind::mixed};
  const bool live = r.kind == segment_kind::all_live;
  if (options.always_write && live != deleted) write_all(s, rows.count, out, options.base);
  return live ? batch_result{rows.count, batch_kind::all_live}
              : batch_result{0, batch_kind::none_live};
}

// Any other batch. Out of line, so that the usual ones save no registers for it.
template <class T>
[[gnu::noinline]] batch_result indices_elsewhere(scanner& s, row_range rows, std::span<T> out,
                                                 const index_options& options) {
  using kernel_type = kernel_type_t<T>;
  auto* const list = reinterpret_cast<kernel_type*>(out.data());
  if (!valid(rows)) return {};
  if (rows.count == 0) return {0, batch_kind::none_live};
  const scanner_access::place found = scanner_access::seek(s, rows);
  if (found.where != nullptr) return indices_in(s, *found.where, rows, list, options);
  if (!found.gap)
    return s.indices(std::span<const row_range>(&rows, 1), numbering::relative, out, options);
  if (options.always_write && options.rows == polarity::live)
    write_all(s, rows.count, list, options.base);
  return {rows.count, batch_kind::all_live};
}

}  // namespace
}  // namespace detail

template <index_type T>
batch_result scanner::indices(row_range rows, std::span<T> out,
                              const index_options& options) noexcept {
  if (rows.count > out.size() || !detail::fits<T>(options.base, rows.count)) return {};
  const detail::container* const c = scanner_access::here(*this, rows);
  if (c == nullptr) {
    if (!options.always_write && rows.count != 0 && detail::valid(rows) &&
        scanner_access::is_behind(*this, rows))
      return {rows.count, batch_kind::all_live};
    return detail::indices_elsewhere(*this, rows, out, options);
  }
  return detail::indices_in(*this, *c, rows,
                            reinterpret_cast<detail::kernel_type_t<T>*>(out.data()), options);
}

batch_result scanner::count(row_range rows) noexcept {
  if (!detail::valid(rows)) return {};
  const auto tools = scanner_access::tools(*this);
  const std::uint64_t live =
      rows.count - (detail::rank(tools.probes, tools.where, rows.start + rows.count) -
                    detail::rank(tools.probes, tools.where, rows.start));
  return {live, detail::kind_of(live, rows.count)};
}

#define DVK_INSTANTIATE(T)                                                             \
  template DVK_EXPORT batch_result scanner::indices<T>(row_range, std::span<T>,        \
                                                       const index_options&) noexcept; \
  template DVK_EXPORT batch_result scanner::indices<T>(                                \
      std::span<const row_range>, numbering, std::span<T>, const index_options&) noexcept;
DVK_INSTANTIATE(std::uint16_t)
DVK_INSTANTIATE(std::uint32_t)
DVK_INSTANTIATE(std::int32_t)
DVK_INSTANTIATE(std::uint64_t)
#undef DVK_INSTANTIATE

}  // namespace dvk::inline v0
