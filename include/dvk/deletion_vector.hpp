// An immutable view over a serialised deletion vector: opened once, then probed in place.
//
// The view borrows the bytes: they must stay alive and unchanged for as long as the view, or a
// scanner made from it, is used. A view may be shared between threads without a lock. Bytes may
// have any alignment.
//
// Layout of the bytes: Iceberg Puffin spec, blob type deletion-vector-v1; RoaringFormatSpec,
// portable 32- and 64-bit formats. A position is a row number of the referenced data file, counted
// from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dvk/export.hpp"
#include "dvk/result.hpp"

namespace dvk::inline v0 {

namespace detail {
struct container;
class checksum_ahead;
}  // namespace detail

// `count` rows, starting at row `start`.
struct row_range {
  std::uint64_t start = 0;
  std::uint64_t count = 0;

  friend bool operator==(const row_range&, const row_range&) = default;
};

// How much of the bytes is checked while opening. At every level, for any bytes at any alignment:
// no undefined behaviour, linear time, memory bounded by container_overhead(bytes), and the same
// verdict on every tier.
enum class validation : std::uint8_t {
  strict,    // canonical form only: what Iceberg's own writer can emit
  standard,  // everything a reader's correctness depends on; accepts what real writers emit
  trusted,   // headers and bounds only, for bytes checked before: lying payloads give wrong rows,
             // never bad accesses
};

// Where the container directory lives. Both functions null: the C library's heap.
// `allocate` may return null (the open then fails with out_of_memory); alignment is at most 16
// bytes.
struct memory_hooks {
  void* (*allocate)(void* context, std::size_t bytes) noexcept = nullptr;
  void (*release)(void* context, void* block, std::size_t bytes) noexcept = nullptr;
  void* context = nullptr;
};

struct open_options {
  validation level = validation::standard;
  // Number of deleted rows that the manifest or blob properties promise (record_count).
  std::optional<std::uint64_t> expected_cardinality = std::nullopt;
  // Rows of the data file: a deleted position at or past it is refused.
  std::optional<std::uint64_t> row_count = std::nullopt;
  // Larger inputs are refused before anything is read; Iceberg's own limit is 2^31 - 1 bytes.
  std::uint64_t max_bytes = 0x7fffffff;
  // Known faults of known writers to put up with. Bytes that are sound are read as ever; those that
  // are refused with a quirk in this set are read once more as their writer meant them, and refused
  // if that does not fit them either. All else is checked as `level` says. Of use here:
  // crc_not_inverted, bare_bitmap (there is no CRC then), missing_offset_header, keys_in_hash_order
  // (costs a sort of the containers) and undersized_bitset (unless it ends a bitmap that another
  // follows, or has no offset header: then its size is unknown). The others change nothing.
  quirk_set tolerate = {};
  memory_hooks memory = {};
};

// The kinds of container a 65,536-row chunk can be stored in.
enum class container_kind : std::uint8_t { array, bitset, run };

// One container, for statistics and debugging tools.
struct container_info {
  std::uint64_t first_row;    // row number of the container's first slot: a multiple of 65,536
  std::uint64_t rank;         // deleted rows in all containers before it
  std::uint32_t cardinality;  // deleted rows in it, 1 to 65,536
  std::uint32_t runs;         // number of runs if it is a run container, else 0
  std::uint64_t offset;       // byte offset of the payload in the opened bytes
  std::uint32_t bytes;        // size of the payload, the run count included
  container_kind kind;
};

class deletion_vector {
 public:
  // Opens a framed `deletion-vector-v1` blob: the bytes that a manifest's content_offset and
  // content_size_in_bytes delimit. Length, magic and CRC-32 are checked at every level but
  // `trusted`, which leaves out the CRC. One pass (two over the headers if there are several 32-bit
  // bitmaps), one allocation of 24 bytes for each container and 24 more.
  [[nodiscard]] DVK_EXPORT static result<deletion_vector> open_blob(
      std::span<const std::byte> blob, const open_options& options = {}) noexcept;

  // Opens a bare portable 64-bit Roaring bitmap, without frame and so without CRC (Delta's inline
  // vectors, old writers). Never guesses: a framed blob is refused here and a bare bitmap above.
  [[nodiscard]] DVK_EXPORT static result<deletion_vector> open_bitmap(
      std::span<const std::byte> bitmap, const open_options& options = {}) noexcept;

  // A vector that deletes nothing.
  deletion_vector() noexcept = default;
  DVK_EXPORT deletion_vector(deletion_vector&& other) noexcept;
  DVK_EXPORT deletion_vector& operator=(deletion_vector&& other) noexcept;
  DVK_EXPORT ~deletion_vector();

  // Number of deleted rows.
  [[nodiscard]] std::uint64_t cardinality() const noexcept { return cardinality_; }
  [[nodiscard]] bool empty() const noexcept { return cardinality_ == 0; }

  // Whether `row` is deleted. O(log containers) + O(log container cardinality).
  [[nodiscard]] DVK_EXPORT bool contains(std::uint64_t row) const noexcept;

  // For each of `rows` (any order, repeats allowed): out[i] = 1 if rows[i] is deleted, else 0.
  // Ascending rows are detected and take a faster way. Precondition: out.size() >= rows.size(); the
  // two do not overlap.
  DVK_EXPORT void contains_many(std::span<const std::uint64_t> rows,
                                std::span<std::uint8_t> out) const noexcept;

  // Deleted rows in [rows.start, rows.start + rows.count). Costs O(log containers) and, like rank
  // and select, at most one pass over one container's payload: its runs, or 8 KiB if it is a
  // bitset.
  [[nodiscard]] DVK_EXPORT std::uint64_t count(row_range rows) const noexcept;
  // Deleted rows below `row`.
  [[nodiscard]] DVK_EXPORT std::uint64_t rank(std::uint64_t row) const noexcept;
  // Live rows below `row`.
  [[nodiscard]] std::uint64_t live_rank(std::uint64_t row) const noexcept {
    return row - rank(row);
  }

  // The deleted row with `index` deleted rows below it; nothing if index >= cardinality().
  [[nodiscard]] DVK_EXPORT std::optional<std::uint64_t> select(std::uint64_t index) const noexcept;
  // The live row with `index` live rows below it; nothing if it would lie at or past 2^63.
  [[nodiscard]] DVK_EXPORT std::optional<std::uint64_t> select_live(
      std::uint64_t index) const noexcept;

  // The first deleted / live row at or after `row`.
  [[nodiscard]] DVK_EXPORT std::optional<std::uint64_t> next_deleted(
      std::uint64_t row) const noexcept;
  [[nodiscard]] DVK_EXPORT std::optional<std::uint64_t> next_live(std::uint64_t row) const noexcept;

  // Smallest and largest deleted row; nothing for the empty vector.
  [[nodiscard]] DVK_EXPORT std::optional<std::uint64_t> min() const noexcept;
  [[nodiscard]] DVK_EXPORT std::optional<std::uint64_t> max() const noexcept;

  // The first maximal range of deleted rows that ends after `row` (its start is clipped to `row`).
  // Ranges that touch across containers are joined. Walks: for (auto r = dv.next_range(0); r; r =
  // dv.next_range(r->start + r->count)).
  [[nodiscard]] DVK_EXPORT std::optional<row_range> next_range(std::uint64_t row) const noexcept;

  // Number of containers, and the facts of the i-th. Precondition: i < container_count().
  [[nodiscard]] std::size_t container_count() const noexcept { return container_count_; }
  [[nodiscard]] DVK_EXPORT container_info container(std::size_t i) const noexcept;

  // Number of 32-bit bitmaps in the bytes, empty gap bitmaps included.
  [[nodiscard]] std::uint64_t bitmap_count() const noexcept { return bitmap_count_; }
  // The opened bytes, frame included.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  // The faults, of those that open_options::tolerate names, that these bytes have.
  [[nodiscard]] quirk_set tolerated() const noexcept { return tolerated_; }
  // Bytes allocated for the container directory.
  [[nodiscard]] DVK_EXPORT std::size_t memory_bytes() const noexcept;
  // The most that opening `bytes` bytes can allocate, whatever they hold: 24 bytes for every
  // container of the smallest size (6 bytes), and as much for the directory's end, which the
  // vector's own 8-byte header pays for.
  [[nodiscard]] static constexpr std::uint64_t container_overhead(std::uint64_t bytes) noexcept {
    return bytes * 4;
  }

 private:
  friend class scanner;
  friend struct deletion_vector_access;
  static result<deletion_vector> read_blob(std::span<const std::byte> blob,
                                           const open_options& options, quirk_set reading) noexcept;
  static result<deletion_vector> read(std::span<const std::byte> all, std::size_t bitmap_offset,
                                      std::size_t bitmap_size, const open_options& options,
                                      quirk_set reading, detail::checksum_ahead* checksum) noexcept;
  void reset() noexcept;

  const detail::container* containers_ =
      nullptr;  // ascending keys, and one past the end as a sentinel
  std::size_t container_count_ = 0;
  std::uint64_t cardinality_ = 0;
  std::uint64_t bitmap_count_ = 0;
  std::span<const std::byte> bytes_ = {};
  quirk_set tolerated_ = {};
  memory_hooks memory_ = {};
};

}  // namespace dvk::inline v0
