// What a scanner promises: every form of a batch says the same as the vector's ranges.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dvk/selection.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/view_checks.hpp"

namespace dvk_fuzz {

inline constexpr std::uint8_t stale = 0xa5;  // what buffers hold before a call

// The oracle of one batch: a byte of 1 for each deleted row.
class batch_oracle {
 public:
  batch_oracle(std::span<const dvk::row_range> ranges, dvk::row_range rows)
      : rows_(rows), deleted_(static_cast<std::size_t>(rows.count)) {
    auto r = std::partition_point(ranges.begin(), ranges.end(),
                                  [&](const auto& x) { return end_of(x) <= rows.start; });
    for (; r != ranges.end() && r->start < end_of(rows); ++r) {
      const std::uint64_t begin = std::max(r->start, rows.start) - rows.start;
      const std::uint64_t end = std::min(end_of(*r), end_of(rows)) - rows.start;
      std::fill(deleted_.begin() + static_cast<std::ptrdiff_t>(begin),
                deleted_.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{1});
    }
    live_ = rows.count - static_cast<std::uint64_t>(
                             std::count(deleted_.begin(), deleted_.end(), std::uint8_t{1}));
  }

  [[nodiscard]] dvk::row_range rows() const { return rows_; }
  [[nodiscard]] std::size_t size() const { return deleted_.size(); }
  [[nodiscard]] bool marked(std::size_t i, dvk::polarity p) const {
    return (deleted_[i] != 0) == (p == dvk::polarity::deleted);
  }
  // The answer for rows [begin, end) of the batch.
  [[nodiscard]] dvk::batch_result part(std::size_t begin, std::size_t end) const {
    std::uint64_t live = 0;
    for (std::size_t i = begin; i < end; ++i)
      live += deleted_[i] == 0;
    return {live, live == 0             ? dvk::batch_kind::none_live
                  : live == end - begin ? dvk::batch_kind::all_live
                                        : dvk::batch_kind::mixed};
  }
  [[nodiscard]] dvk::batch_result whole() const {
    return {live_, live_ == 0        ? dvk::batch_kind::none_live
                   : live_ == size() ? dvk::batch_kind::all_live
                                     : dvk::batch_kind::mixed};
  }

 private:
  dvk::row_range rows_;
  std::vector<std::uint8_t> deleted_;
  std::uint64_t live_ = 0;
};

template <class T>
void check_indices(dvk::scanner& scan, const batch_oracle& batch, dvk::polarity p,
                   std::uint64_t base) {
  std::vector<T> out(batch.size(), static_cast<T>(stale));
  const auto answer = scan.indices<T>(batch.rows(), out, {p, base, true});
  PROMISE(answer == batch.whole());
  std::size_t n = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.marked(i, p)) PROMISE(out[n++] == static_cast<T>(base + i));
  }
  // The same list again, from all rows of the batch.
  for (std::size_t i = 0; i < batch.size(); ++i)
    out[i] = static_cast<T>(i);
  PROMISE(scan.refine<T>(batch.rows().start, out, p) == n);
  n = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.marked(i, p)) PROMISE(out[n++] == static_cast<T>(i));
  }
}

inline bool combined(dvk::combine how, bool old, bool mark) {
  return how == dvk::combine::replace    ? mark
         : how == dvk::combine::and_with ? old && mark
                                         : old || mark;
}

inline void check_masks(dvk::scanner& scan, const batch_oracle& batch, dvk::polarity p,
                        dvk::combine how, std::size_t first_bit) {
  std::vector<std::uint8_t> bytes(batch.size());
  std::vector<std::uint64_t> words((first_bit + batch.size() + 63) / 64, 0xa5a5a5a5a5a5a5a5u);
  for (std::size_t i = 0; i < batch.size(); ++i)
    bytes[i] = i % 3 == 0 ? 0 : stale;
  const std::vector<std::uint8_t> old_bytes = bytes;
  const std::vector<std::uint64_t> old_words = words;
  PROMISE(scan.bytes(batch.rows(), bytes, {p, how, true}) == batch.whole());
  PROMISE(scan.bits(batch.rows(), words, first_bit, {p, how, true}) == batch.whole());
  const auto bit = [](const std::vector<std::uint64_t>& w, std::size_t i) {
    return (w[i / 64] >> (i % 64) & 1) != 0;
  };
  for (std::size_t i = 0; i < first_bit; ++i)
    PROMISE(bit(words, i) == bit(old_words, i));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const bool mark = batch.marked(i, p);
    PROMISE(bytes[i] == (combined(how, old_bytes[i] != 0, mark) ? 1 : 0));
    PROMISE(bit(words, first_bit + i) == combined(how, bit(old_words, first_bit + i), mark));
  }
}

// Runs and alternating lengths, through a buffer of `room` elements.
inline void check_runs(dvk::scanner& scan, const batch_oracle& batch, dvk::polarity p,
                       std::size_t room) {
  const dvk::row_range rows = batch.rows();
  std::vector<dvk::row_run> runs(room);
  std::size_t next = 0;  // the first row that no run has spoken of
  for (std::size_t done = 0; done < batch.size();) {
    const auto answer = scan.runs({rows.start + done, rows.count - done}, runs, {p, done, true});
    PROMISE(answer.written <= room && answer.rows_done != 0);
    PROMISE(answer.rows_done <= batch.size() - done);
    const auto end = static_cast<std::size_t>(done + answer.rows_done);
    PROMISE(dvk::batch_result{answer.live, answer.kind} == batch.part(done, end));
    for (std::size_t i = 0; i < answer.written; ++i) {
      const dvk::row_run r = runs[i];
      PROMISE(r.begin < r.end && r.begin >= next && r.end <= end);
      PROMISE(r.begin == 0 || i == 0 || r.begin > runs[i - 1].end);
      for (; next < r.begin; ++next)
        PROMISE(!batch.marked(next, p));
      for (; next < r.end; ++next)
        PROMISE(batch.marked(next, p));
      PROMISE(next == batch.size() || !batch.marked(next, p));
    }
    for (; next < end; ++next)
      PROMISE(!batch.marked(next, p));
    done = end;
  }
  std::vector<std::uint32_t> lengths(std::max<std::size_t>(room, 2));
  for (std::size_t done = 0; done < batch.size();) {
    const auto answer =
        scan.alternating({rows.start + done, rows.count - done}, lengths, {p, 0, true});
    PROMISE(answer.written <= lengths.size() && answer.rows_done != 0);
    PROMISE(answer.rows_done <= batch.size() - done);
    PROMISE(dvk::batch_result{answer.live, answer.kind} ==
            batch.part(done, static_cast<std::size_t>(done + answer.rows_done)));
    std::size_t at = done;
    for (std::size_t i = 0; i < answer.written; ++i) {
      PROMISE(i == 0 || lengths[i] != 0);
      PROMISE(lengths[i] <= batch.size() - at);
      for (std::uint32_t k = 0; k < lengths[i]; ++k, ++at)
        PROMISE(batch.marked(at, p) == (i % 2 == 0));
    }
    done += static_cast<std::size_t>(answer.rows_done);
    PROMISE(at == done && (done == batch.size() || answer.written % 2 == 0));
  }
}

// The batch's rows as a column of row numbers, out of order and with repeats.
template <class Row>
void check_gather(dvk::scanner& scan, const batch_oracle& batch, dvk::polarity p, bool ascending) {
  std::vector<Row> rows;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    places.push_back(ascending ? i : i * 37 % batch.size());
    rows.push_back(static_cast<Row>(batch.rows().start + places[i]));
  }
  std::vector<std::uint8_t> bytes(rows.size(), stale);
  std::vector<std::uint64_t> words(rows.size() / 64 + 1, 0);
  std::vector<std::uint32_t> list(rows.size());
  const std::span<const Row> column(rows);
  const auto answer = scan.gather_bytes(column, bytes, {p, dvk::combine::replace, true});
  PROMISE(scan.gather_bits(column, words, 0, {p, dvk::combine::replace, true}) == answer);
  PROMISE(scan.gather_indices<std::uint32_t>(column, list, {p, 0, true}) == answer);
  std::size_t n = 0;
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool mark = batch.marked(places[i], p);
    live += batch.marked(places[i], dvk::polarity::live);
    PROMISE(bytes[i] == (mark ? 1 : 0) && (words[i / 64] >> (i % 64) & 1) == (mark ? 1u : 0u));
    if (mark) PROMISE(list[n++] == i);
  }
  PROMISE(answer.live == live && answer.kind != dvk::batch_kind::refused);
}

// All forms of one batch. `choice` varies what there is no room to try in full.
inline void check_batch(dvk::scanner& scan, std::span<const dvk::row_range> ranges,
                        dvk::row_range rows, std::uint64_t choice) {
  const batch_oracle batch(ranges, rows);
  const auto p = (choice & 1) != 0 ? dvk::polarity::deleted : dvk::polarity::live;
  PROMISE(scan.count(rows) == batch.whole());
  switch (choice >> 1 & 3) {
    case 0:
      check_indices<std::uint16_t>(scan, batch, p, choice >> 8 & 0x7f);
      break;
    case 1:
      check_indices<std::uint32_t>(scan, batch, p, choice >> 8 & 0xffff);
      break;
    case 2:
      check_indices<std::int32_t>(scan, batch, p, choice >> 8 & 0xffff);
      break;
    default:
      check_indices<std::uint64_t>(scan, batch, p, rows.start);
  }
  check_masks(scan, batch, p, static_cast<dvk::combine>((choice >> 3 & 3) % 3), choice >> 16 & 63);
  check_runs(scan, batch, p, 1 + (choice >> 24 & 31));
  if ((choice >> 5 & 1) != 0) {
    check_gather<std::uint64_t>(scan, batch, p, (choice >> 6 & 1) != 0);
  } else {
    check_gather<std::int64_t>(scan, batch, p, (choice >> 6 & 1) != 0);
  }
}

// Batches that a scan of these ranges could meet: at the start, around the borders of some ranges,
// past the last one. Mostly small: a fuzzer's time is better spent on another vector.
inline std::vector<dvk::row_range> batches_of(std::span<const dvk::row_range> ranges,
                                              std::uint64_t choice, std::size_t most = 3) {
  std::vector<dvk::row_range> out{{0, 1 + choice % 200}};
  for (const std::size_t i : sample(ranges.size(), most)) {
    choice = choice * 0x9e3779b97f4a7c15u + 1;
    const std::uint64_t edge = (choice >> 40 & 1) != 0 ? ranges[i].start : end_of(ranges[i]);
    const std::uint64_t start = edge - std::min(edge, choice >> 32 & 0xff);
    const std::uint64_t size =
        (choice >> 41 & 15) == 0 ? 4096 + (choice >> 48 & 63) : 1 + (choice >> 48 & 0x1ff);
    out.push_back({start, std::min(size, rows_end - start)});
    if (end_of(out.back()) < rows_end) out.push_back({end_of(out.back()), 40});
  }
  std::erase_if(out, [](const dvk::row_range& r) {
    return r.start >= rows_end || r.count > rows_end - r.start;
  });
  return out;
}

inline void check_batches(const dvk::deletion_vector& dv, std::span<const dvk::row_range> ranges,
                          std::uint64_t choice) {
  dvk::scanner scan(dv);
  for (const dvk::row_range& rows : batches_of(ranges, choice)) {
    choice = choice * 0x9e3779b97f4a7c15u + 1;
    check_batch(scan, ranges, rows, choice >> 20);
  }
}

// For a vector that was opened as trusted although its payloads lie: rows may be wrong, accesses
// not.
inline void visit(const dvk::deletion_vector& dv) {
  dvk::scanner scan(dv);
  std::vector<std::uint32_t> list(3000);
  std::vector<std::uint64_t> words(48);
  std::vector<dvk::row_run> runs(7);
  for (const std::size_t i : sample(dv.container_count(), 8)) {
    const std::uint64_t first = dv.container(i).first_row;
    for (const std::uint64_t start : {first, first + 4000, first + 65536 - 3000}) {
      const dvk::row_range rows{start, std::min<std::uint64_t>(3000, rows_end - start)};
      PROMISE(scan.indices<std::uint32_t>(rows, list).kind != dvk::batch_kind::refused);
      PROMISE(scan.bits(rows, words).kind != dvk::batch_kind::refused);
      PROMISE(scan.runs(rows, runs).kind != dvk::batch_kind::refused);
      PROMISE(scan.refine<std::uint32_t>(start, list) <= list.size());
      (void)dv.contains(start);
      (void)dv.rank(start);
      (void)dv.next_live(start);
      (void)dv.next_range(start);
    }
    (void)dv.select(dv.container(i).rank);
  }
}

}  // namespace dvk_fuzz
