// Scanner: bitmaps and byte masks, replaced or combined.
#include "selection/access.hpp"
#include "selection/mask_target.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

// Masks of all ranges; returns the number of live rows. With `lazy`, nothing is written while all
// rows so far are of one kind; what was put off is written when the other kind turns up.
template <class Target>
class mask_writer {
 public:
  mask_writer(directory where, std::span<const row_range> ranges, numbering number, bool lazy,
              const mask_segments<Target>& segments)
      : where_(where), ranges_(ranges), number_(number), lazy_(lazy), segments_(segments) {}

  std::uint64_t run(cursor& at) {
    std::uint64_t packed = 0;
    for (range_ = 0; range_ < ranges_.size(); ++range_) {
      const row_range rows = ranges_[range_];
      const std::uint64_t number =
          number_ == numbering::packed ? packed : rows.start - ranges_[0].start;
      packed += rows.count;
      if (rows.count == 0) continue;
      for_each_segment(
          where_, rows, at,
          [&](std::uint64_t row, std::uint64_t n) { uniform(row - rows.start, n, number, true); },
          [&](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t row,
              std::uint32_t* hint) {
            const std::uint64_t done = row - rows.start;
            const put_result r =
                segments_.put(c, lo, hi, number + done, ranges_.size() == 1, lazy_, hint);
            if (r.kind == segment_kind::mixed) {
              settle(done);
              live_ += r.live;
            } else {
              uniform(done, hi - lo, number, r.kind == segment_kind::all_live);
            }
          });
    }
    return live_;
  }

 private:
  void uniform(std::uint64_t done, std::uint64_t n, std::uint64_t number, bool live) {
    if (lazy_ && rows_ != 0 && live != uniform_live_) settle(done);
    uniform_live_ = live;
    rows_ += n;
    if (live) live_ += n;
    if (!lazy_) put_uniform(live, n, number + done);
  }

  void put_uniform(bool live, std::uint64_t n, std::uint64_t number) {
    segments_.target.uniform(live != segments_.deleted, static_cast<std::size_t>(n), number);
  }

  // Writes the rows put off: the ranges before the current one and its first `done` rows.
  void settle(std::uint64_t done) {
    if (!lazy_) return;
    lazy_ = false;
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i <= range_; ++i) {
      const std::uint64_t n = i < range_ ? ranges_[i].count : done;
      const std::uint64_t number =
          number_ == numbering::packed ? packed : ranges_[i].start - ranges_[0].start;
      put_uniform(uniform_live_, n, number);
      packed += ranges_[i].count;
    }
  }

  directory where_;
  std::span<const row_range> ranges_;
  numbering number_;
  bool lazy_;
  bool uniform_live_ = true;
  mask_segments<Target> segments_;
  std::size_t range_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t live_ = 0;
};

constexpr bool is_lazy(const mask_options& options) {
  return options.how == combine::replace && !options.always_write;
}

template <class Target>
batch_result write_masks(scanner& s, std::span<const row_range> ranges, numbering number,
                         std::uint64_t rows, const mask_options& options, Target target) {
  const bound tools = scanner_access::tools(s);
  auto at = scanner_access::cursor(s);
  mask_writer<Target> writer(tools.where, ranges, number, is_lazy(options),
                             {tools.kernels, target, options.rows == polarity::deleted});
  const std::uint64_t live = writer.run(at);
  scanner_access::keep(s, at);
  return {live, kind_of(live, rows)};
}

// The usual batch of a scan: one container, no list of segments.
template <class Target>
batch_result write_mask(scanner& s, row_range rows, const mask_options& options, Target target) {
  const container* c = scanner_access::here(s, rows);
  if (c == nullptr && rows.count != 0) c = scanner_access::seek(s, rows).where;
  if (c == nullptr)
    return write_masks(s, std::span<const row_range>(&rows, 1), numbering::relative, rows.count,
                       options, target);
  const auto lo = static_cast<std::uint32_t>(rows.start & 0xffff);
  const std::uint32_t n = static_cast<std::uint32_t>(rows.count), hi = lo + n;
  const bool deleted = options.rows == polarity::deleted, lazy = is_lazy(options);
  const mask_segments<Target> segments{scanner_access::tools(s).kernels, target, deleted};
  const put_result r = segments.put(*c, lo, hi, 0, true, lazy, scanner_access::unit(s));
  scanner_access::leave(s, hi);
  if (r.kind == segment_kind::mixed) return {r.live, kind_of(r.live, n)};
  const bool all_live = r.kind == segment_kind::all_live;
  if (!lazy) target.uniform(all_live != deleted, n, 0);
  return all_live ? batch_result{n, batch_kind::all_live} : batch_result{0, batch_kind::none_live};
}

// Whether `bits` bits from first_bit on fit the words.
bool fits(std::span<const std::uint64_t> words, std::size_t first_bit, std::uint64_t bits) {
  const std::uint64_t room = words.size() > SIZE_MAX / 64 ? SIZE_MAX : words.size() * 64;
  return first_bit <= room && bits <= room - first_bit;
}

// Clears the bits after the last row's, if the words were replaced.
batch_result cleared_after(batch_result result, std::span<std::uint64_t> words, std::uint64_t end,
                           const mask_options& options) {
  if (end % 64 != 0 && options.how == combine::replace &&
      (options.always_write || result.kind == batch_kind::mixed)) {
    words[static_cast<std::size_t>(end / 64)] &= ~(~std::uint64_t{0} << (end % 64));
  }
  return result;
}

bit_target target_of(const bound& tools, std::span<std::uint64_t> words, std::size_t first_bit,
                     combine how) {
  return {words.data(), first_bit, how, bits_of(tools.kernels, how)};
}
byte_target target_of(const bound& tools, std::span<std::uint8_t> out, combine how) {
  return {out.data(), how, bytes_of(tools.kernels, how)};
}

}  // namespace
}  // namespace detail

batch_result scanner::bits(std::span<const row_range> ranges, numbering number,
                           std::span<std::uint64_t> words, std::size_t first_bit,
                           const mask_options& options) noexcept {
  std::uint64_t rows = 0;
  if (!detail::valid(ranges, &rows)) return {};
  const std::uint64_t span = detail::numbers_of(ranges, number, rows);
  if (!detail::fits(words, first_bit, span)) return {};
  const auto target =
      detail::target_of(scanner_access::tools(*this), words, first_bit, options.how);
  return detail::cleared_after(detail::write_masks(*this, ranges, number, rows, options, target),
                               words, first_bit + span, options);
}

batch_result scanner::bits(row_range rows, std::span<std::uint64_t> words, std::size_t first_bit,
                           const mask_options& options) noexcept {
  if (!detail::valid(rows) || !detail::fits(words, first_bit, rows.count)) return {};
  const auto target =
      detail::target_of(scanner_access::tools(*this), words, first_bit, options.how);
  return detail::cleared_after(detail::write_mask(*this, rows, options, target), words,
                               first_bit + rows.count, options);
}

batch_result scanner::bytes(std::span<const row_range> ranges, numbering number,
                            std::span<std::uint8_t> out, const mask_options& options) noexcept {
  std::uint64_t rows = 0;
  if (!detail::valid(ranges, &rows) || detail::numbers_of(ranges, number, rows) > out.size())
    return {};
  const auto target = detail::target_of(scanner_access::tools(*this), out, options.how);
  return detail::write_masks(*this, ranges, number, rows, options, target);
}

batch_result scanner::bytes(row_range rows, std::span<std::uint8_t> out,
                            const mask_options& options) noexcept {
  if (!detail::valid(rows) || rows.count > out.size()) return {};
  return detail::write_mask(*this, rows, options,
                            detail::target_of(scanner_access::tools(*this), out, options.how));
}

}  // namespace dvk::inline v0
