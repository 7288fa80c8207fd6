// Scanner: bitmaps and byte masks, replaced or combined.
#include <array>

#include "selection/access.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

constexpr std::uint64_t uniform_words[33] =
    {};  // zeros to move or spread; ones are their complement below
constexpr std::size_t uniform_bits = 64 * 32;

constexpr auto ones = [] {
  std::array<std::uint64_t, 33> words{};
  for (auto& w : words)
    w = ~std::uint64_t{0};
  return words;
}();

// Where a mask goes: bits at any start, or bytes.
struct bit_target {
  std::uint64_t* words;
  std::size_t first_bit;
  bool in_place;  // replacing, and bits after the last row's may be cleared
  decltype(selection_table::bits_replace) put;

  void mask(const std::uint64_t* source, std::size_t from, std::size_t n, std::uint64_t at) const {
    const auto bit = static_cast<std::size_t>(first_bit + at);
    put(source, from, n, words + bit / 64, bit % 64);
  }
  // The words that a segment's frame may be written to as it is, or null: frame and target share
  // their word borders.
  std::uint64_t* frame(std::uint32_t lo, std::uint32_t hi, std::uint64_t at, bool last) const {
    const auto bit = static_cast<std::size_t>(first_bit + at);
    return in_place && (lo | bit) % 64 == 0 && (hi % 64 == 0 || last) ? words + bit / 64 : nullptr;
  }
};
struct byte_target {
  std::uint8_t* out;
  decltype(selection_table::bytes_replace) put;

  void mask(const std::uint64_t* source, std::size_t from, std::size_t n, std::uint64_t at) const {
    put(source, from, n, out + at);
  }
  static std::uint64_t* frame(std::uint32_t, std::uint32_t, std::uint64_t, bool) { return nullptr; }
};

// Puts the same value for n rows.
template <class Target>
void put_uniform(const Target& target, bool value, std::uint64_t n, std::uint64_t at) {
  const std::uint64_t* words = value ? ones.data() : uniform_words;
  for (std::uint64_t done = 0; done < n;) {
    const auto take = static_cast<std::size_t>(n - done < uniform_bits ? n - done : uniform_bits);
    target.mask(words, 0, take, at + done);
    done += take;
  }
}

// Masks of all ranges; returns the number of live rows. With `lazy`, nothing is written while all
// rows so far are of one kind; what was put off is written when the other kind turns up.
template <class Target>
class mask_writer {
 public:
  mask_writer(const bound& tools, std::span<const row_range> ranges, numbering number, bool deleted,
              bool lazy, Target target)
      : tools_(tools),
        ranges_(ranges),
        number_(number),
        deleted_(deleted),
        lazy_(lazy),
        target_(target) {}

  std::uint64_t run(cursor& at) {
    std::uint64_t packed = 0;
    for (range_ = 0; range_ < ranges_.size(); ++range_) {
      const row_range rows = ranges_[range_];
      const std::uint64_t number =
          number_ == numbering::packed ? packed : rows.start - ranges_[0].start;
      packed += rows.count;
      if (rows.count == 0) continue;
      for_each_segment(
          tools_.where, rows, at,
          [&](std::uint64_t row, std::uint64_t n) { uniform(row - rows.start, n, number, true); },
          [&](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t row,
              std::uint32_t* hint) {
            std::uint64_t scratch[max_frame_words];
            const std::uint64_t done = row - rows.start;
            std::uint64_t* direct = target_.frame(lo, hi, number + done, ranges_.size() == 1);
            std::uint64_t* words = direct != nullptr ? direct : scratch;
            const segment_kind kind = tools_.kernels.fill(c, lo, hi, deleted_, words, hint);
            if (kind != segment_kind::mixed) {
              uniform(done, hi - lo, number, kind == segment_kind::all_live);
              return;
            }
            settle(done);
            const std::size_t set = tools_.kernels.popcount(words, (hi - (lo & ~63u) + 63) / 64);
            live_ += deleted_ ? hi - lo - set : set;
            if (direct == nullptr) target_.mask(words, lo & 63, hi - lo, number + done);
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
    if (!lazy_) put_uniform(target_, live != deleted_, n, number + done);
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
      put_uniform(target_, uniform_live_ != deleted_, n, number);
      packed += ranges_[i].count;
    }
  }

  const bound& tools_;
  std::span<const row_range> ranges_;
  numbering number_;
  bool deleted_;
  bool lazy_;
  bool uniform_live_ = true;
  Target target_;
  std::size_t range_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t live_ = 0;
};

template <class Target>
batch_result write_masks(scanner& s, std::span<const row_range> ranges, numbering number,
                         std::uint64_t rows, const mask_options& options, Target target) {
  const bound tools = scanner_access::tools(s);
  auto at = scanner_access::cursor(s);
  const bool lazy = options.how == combine::replace && !options.always_write;
  mask_writer<Target> writer(tools, ranges, number, options.rows == polarity::deleted, lazy,
                             target);
  const std::uint64_t live = writer.run(at);
  scanner_access::keep(s, at);
  return {live, kind_of(live, rows)};
}

}  // namespace
}  // namespace detail

batch_result scanner::bits(std::span<const row_range> ranges, numbering number,
                           std::span<std::uint64_t> words, std::size_t first_bit,
                           const mask_options& options) noexcept {
  std::uint64_t rows = 0;
  if (!detail::valid(ranges, &rows)) return {};
  const std::uint64_t room = words.size() > SIZE_MAX / 64 ? SIZE_MAX : words.size() * 64;
  const std::uint64_t span = detail::numbers_of(ranges, number, rows);
  if (first_bit > room || span > room - first_bit) return {};
  const auto tools = scanner_access::tools(*this);
  const batch_result result = detail::write_masks(
      *this, ranges, number, rows, options,
      detail::bit_target{words.data(), first_bit, options.how == combine::replace,
                         detail::bits_of(tools.kernels, options.how)});
  const bool written = options.always_write || result.kind == batch_kind::mixed;
  if (const auto end = static_cast<std::size_t>(first_bit + span);
      options.how == combine::replace && written && end % 64 != 0) {
    words[end / 64] &= ~(~std::uint64_t{0} << (end % 64));
  }
  return result;
}

batch_result scanner::bits(row_range rows, std::span<std::uint64_t> words, std::size_t first_bit,
                           const mask_options& options) noexcept {
  // The usual batch of a scan, one container and words that coincide with the target's: the mask is
  // written where it belongs.
  const auto tools = scanner_access::tools(*this);
  const std::uint64_t first = first_bit / 64, count = (rows.count + 63) / 64;
  const detail::container* const c = scanner_access::here(*this, rows);
  if (options.how == combine::replace && (first_bit | rows.start) % 64 == 0 && c != nullptr &&
      first <= words.size() && count <= words.size() - first) {
    const bool deleted = options.rows == polarity::deleted;
    const auto lo = static_cast<std::uint32_t>(rows.start & 0xffff);
    const std::uint32_t hi = lo + static_cast<std::uint32_t>(rows.count);
    const auto kind = tools.kernels.fill(*c, lo, hi, deleted, words.data() + first, &unit_hint_);
    if (kind == detail::segment_kind::mixed || !options.always_write) {
      scanner_access::leave(*this, hi);
      if (kind == detail::segment_kind::all_live) return {rows.count, batch_kind::all_live};
      if (kind == detail::segment_kind::none_live) return {0, batch_kind::none_live};
      const std::size_t set =
          tools.kernels.popcount(words.data() + first, static_cast<std::size_t>(count));
      return {deleted ? rows.count - set : set, batch_kind::mixed};
    }
  }
  return bits(std::span<const row_range>(&rows, 1), numbering::relative, words, first_bit, options);
}

batch_result scanner::bytes(std::span<const row_range> ranges, numbering number,
                            std::span<std::uint8_t> out, const mask_options& options) noexcept {
  std::uint64_t rows = 0;
  if (!detail::valid(ranges, &rows) || detail::numbers_of(ranges, number, rows) > out.size())
    return {};
  const auto tools = scanner_access::tools(*this);
  return detail::write_masks(
      *this, ranges, number, rows, options,
      detail::byte_target{out.data(), detail::bytes_of(tools.kernels, options.how)});
}

batch_result scanner::bytes(row_range rows, std::span<std::uint8_t> out,
                            const mask_options& options) noexcept {
  return bytes(std::span<const row_range>(&rows, 1), numbering::relative, out, options);
}

}  // namespace dvk::inline v0
