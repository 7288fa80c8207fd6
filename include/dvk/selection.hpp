// From a batch of rows to the form an executor wants: index lists, bitmaps, byte masks, runs.
//
// Every call answers {live, kind}. For the two uniform kinds, all_live and none_live, the buffer is
// left untouched unless `always_write` is set, so that a scan can pass a clean batch on without
// reading it. Rows past the last deleted one are live. No call allocates, throws, or writes outside
// what its contract names.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dvk/deletion_vector.hpp"
#include "dvk/export.hpp"

namespace dvk::inline v0 {

enum class batch_kind : std::uint8_t {
  mixed,      // the buffer holds the answer
  all_live,   // no row of the batch is deleted
  none_live,  // every row of the batch is deleted (also the empty batch)
  refused,  // arguments outside the contract (buffer too small, index type too narrow): nothing was
            // written
};

struct batch_result {
  std::uint64_t live = 0;  // live rows in the batch, whatever the polarity asked for
  batch_kind kind = batch_kind::refused;

  friend bool operator==(const batch_result&, const batch_result&) = default;
};

// Which rows the output speaks of: a list names them, a bit or byte of 1 marks them.
enum class polarity : std::uint8_t { live, deleted };

// How bits or bytes meet what the buffer holds already.
enum class combine : std::uint8_t { replace, and_with, or_with };

// How rows of a list of ranges are numbered.
enum class numbering : std::uint8_t {
  relative,  // row number minus the first range's start
  packed,    // the n-th row of the list has number n
};

struct index_options {
  polarity rows = polarity::live;
  // Added to every index: rows.start turns batch-relative indices into row numbers.
  std::uint64_t base = 0;
  bool always_write = false;
};

struct mask_options {
  polarity rows = polarity::live;
  combine how = combine::replace;
  // With `replace`, writes the buffer for uniform batches too. With and_with and or_with uniform
  // batches are always applied: the buffer then holds other filters' answers.
  bool always_write = false;
};

// A half-open run of rows [begin, end), batch-relative plus the base asked for.
struct row_run {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const row_run&, const row_run&) = default;
};

struct run_result {
  std::size_t written = 0;  // runs (or lengths) written
  std::uint64_t rows_done =
      0;  // rows of the batch answered; less than asked for when the buffer was full
  std::uint64_t live = 0;  // live rows among rows_done
  batch_kind kind = batch_kind::refused;

  friend bool operator==(const run_result&, const run_result&) = default;
};

// Types an index list can have. i32 serves engines whose row sets are signed.
template <class T>
concept index_type = std::same_as<T, std::uint16_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint64_t>;

// A cursor over one deletion vector: what a scan keeps per thread. Trivially copyable. Batches may
// come in any order; a batch that starts where the last one ended is found in O(1), any other by
// binary search. A scanner made for one call is the stateless form. It keeps the tier that was
// active when it was made, and borrows the vector's directory: it must not outlive the vector
// (moving the vector is fine).
class scanner {
 public:
  DVK_EXPORT explicit scanner(const deletion_vector& dv) noexcept;

  // Index list of the batch: indices ascending, numbered from 0 at rows.start, plus options.base.
  // Precondition, else `refused`: out.size() >= rows.count, base + rows.count - 1 fits T,
  // rows.start + rows.count
  // <= 2^63. Elements [0, live) (or [0, count - live) for polarity::deleted) hold the list;
  // elements up to rows.count may be clobbered, none after. Cost: store bandwidth.
  template <index_type T>
  DVK_EXPORT batch_result indices(row_range rows, std::span<T> out,
                                  const index_options& options = {}) noexcept;

  // Same over a list of disjoint ascending ranges. Precondition: out.size() >= the sum of counts.
  template <index_type T>
  DVK_EXPORT batch_result indices(std::span<const row_range> ranges, numbering number,
                                  std::span<T> out, const index_options& options = {}) noexcept;

  // Bitmap of the batch, LSB first: row rows.start + i is bit (first_bit + i) % 64 of word
  // (first_bit + i) / 64. Bits before first_bit keep their value, and so do bits between the ranges
  // of a list; when the buffer is written with `replace`, the bits after the last row's in its word
  // become 0. Precondition: words.size() * 64 >= first_bit + rows.count.
  DVK_EXPORT batch_result bits(row_range rows, std::span<std::uint64_t> words,
                               std::size_t first_bit = 0,
                               const mask_options& options = {}) noexcept;
  DVK_EXPORT batch_result bits(std::span<const row_range> ranges, numbering number,
                               std::span<std::uint64_t> words, std::size_t first_bit = 0,
                               const mask_options& options = {}) noexcept;

  // Byte mask of the batch: out[i] is 1 or 0 for row rows.start + i. With and_with and or_with any
  // non-zero byte counts as 1 and the result is 1 or 0. Precondition: out.size() >= rows.count;
  // writes exactly rows.count bytes.
  DVK_EXPORT batch_result bytes(row_range rows, std::span<std::uint8_t> out,
                                const mask_options& options = {}) noexcept;
  DVK_EXPORT batch_result bytes(std::span<const row_range> ranges, numbering number,
                                std::span<std::uint8_t> out,
                                const mask_options& options = {}) noexcept;

  // Maximal runs of live (or deleted) rows. Stops when `out` is full: call again with the rows from
  // rows.start + rows_done on (and base + rows_done) to go on; a run is never split. out.size() >=
  // 1 unless the batch is empty. `kind` speaks of the rows_done rows. Elements [written,
  // out.size()) may be clobbered. Precondition: base + rows.count <= 2^32 - 1.
  DVK_EXPORT run_result runs(row_range rows, std::span<row_run> out,
                             const index_options& options = {}) noexcept;

  // Alternating lengths: out[0] live rows (0 if the batch starts deleted), out[1] deleted rows,
  // out[2] live rows, ...; they sum to rows_done. With polarity::deleted the first length is of
  // deleted rows. Resumable like runs; an even number of lengths is written when the buffer was
  // full, so that the next call starts with the same kind. out.size() >= 2. Precondition:
  // rows.count <= 2^32 - 1.
  DVK_EXPORT run_result alternating(row_range rows, std::span<std::uint32_t> out,
                                    const index_options& options = {}) noexcept;

  // Live rows of the batch; no buffer.
  DVK_EXPORT batch_result count(row_range rows) noexcept;

  // Keeps, in place and in order, those of `selected` whose row base + selected[i] is live (or
  // deleted); returns how many. Any order, repeats allowed; ascending lists are faster. Elements
  // after the kept ones may be clobbered. A negative i32 is read as its unsigned value.
  template <index_type T>
  DVK_EXPORT std::size_t refine(std::uint64_t base, std::span<T> selected,
                                polarity rows = polarity::live) noexcept;

  // Masks and lists over a column of row numbers in any order (negative i64: no such row, live).
  // Precondition: out holds positions.size() bits, bytes or indices; indices number the column,
  // plus options.base.
  DVK_EXPORT batch_result gather_bits(std::span<const std::uint64_t> positions,
                                      std::span<std::uint64_t> words, std::size_t first_bit = 0,
                                      const mask_options& options = {}) noexcept;
  DVK_EXPORT batch_result gather_bits(std::span<const std::int64_t> positions,
                                      std::span<std::uint64_t> words, std::size_t first_bit = 0,
                                      const mask_options& options = {}) noexcept;
  DVK_EXPORT batch_result gather_bytes(std::span<const std::uint64_t> positions,
                                       std::span<std::uint8_t> out,
                                       const mask_options& options = {}) noexcept;
  DVK_EXPORT batch_result gather_bytes(std::span<const std::int64_t> positions,
                                       std::span<std::uint8_t> out,
                                       const mask_options& options = {}) noexcept;
  template <index_type T>
  DVK_EXPORT batch_result gather_indices(std::span<const std::uint64_t> positions, std::span<T> out,
                                         const index_options& options = {}) noexcept;
  template <index_type T>
  DVK_EXPORT batch_result gather_indices(std::span<const std::int64_t> positions, std::span<T> out,
                                         const index_options& options = {}) noexcept;

 private:
  friend struct scanner_access;

  const detail::container* containers_;
  const void* kernels_;  // the selection family's table of the bound tier
  const void* probes_;   // the probe family's
  std::size_t container_count_;
  std::size_t container_hint_ = 0;  // container of the last batch's end
  std::uint32_t unit_hint_ = 0;     // first array value or run at or after the last batch's end
};

}  // namespace dvk::inline v0
