// Building deletion vectors: a mutable one, and set operations on serialised ones.
//
// Everything is written in canonical form, by the rule of Iceberg's own writer: each 65,536-row
// chunk as the smallest of array, bitset and run container, save that in a builder a chunk of added
// ranges or merged runs stays one as long as its runs take at most 2 bytes more than the array and
// no more than the bitset. All calls are noexcept: what can go wrong is answered as an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "dvk/export.hpp"
#include "dvk/result.hpp"

namespace dvk::inline v0 {

namespace detail {
struct builder_state;
}

// The largest position that Iceberg's reference implementation can delete.
inline constexpr std::uint64_t max_position = 0x7FFF'FFFE'8000'0000;

// Which 32-bit bitmaps are written.
enum class key_mode : std::uint8_t {
  present_keys,  // those that hold rows
  iceberg_java,  // every key from 0 to the largest, empty ones as 12 bytes: what Iceberg Java
                 // writes
};

struct serialize_options {
  key_mode keys = key_mode::present_keys;
  // A longer result is refused with limit_exceeded. Iceberg's own limit for a whole blob.
  std::uint64_t max_bytes = 0x7fffffff;
  // The most that empty bitmaps of iceberg_java may take: one row at the largest position would
  // otherwise cost 24 GiB.
  std::uint64_t max_gap_bytes = std::uint64_t{16} << 20;
};

// One row of a position delete file.
struct position_delete {
  std::string_view file_path;
  std::uint64_t position = 0;
};

// A mutable deletion vector. Not thread safe; movable. Memory: about the serialised size, and for a
// call that adds many unsorted positions 2 bytes a position on top.
//
// Where an allocation fails, the answer is out_of_memory and the vector unchanged, with one
// exception: CRoaring, which holds the containers, does not check all of its own. If malloc refuses
// it a few bytes in add, add_range, remove_range, or in add_many and merge to rows that are there
// already, rows may be lost or the process may crash. Who must survive that keeps serialised
// vectors and uses serialize_positions, set_union and set_difference: no CRoaring there.
//
// Calls that take positions refuse one above max_position with invalid_argument: `expected` is
// max_position, `found` the position, `offset` the byte offset of the element in the span handed
// in. The vector is then unchanged.
class deletion_vector_builder {
 public:
  DVK_EXPORT deletion_vector_builder() noexcept;
  DVK_EXPORT deletion_vector_builder(deletion_vector_builder&& other) noexcept;
  DVK_EXPORT deletion_vector_builder& operator=(deletion_vector_builder&& other) noexcept;
  DVK_EXPORT ~deletion_vector_builder();

  // Deletes one row. Fastest when rows come in ascending order, or close to each other.
  [[nodiscard]] DVK_EXPORT dvk::error add(std::uint64_t position) noexcept;
  // Deletes rows [begin, end); nothing if begin >= end. Takes time and memory by chunk (65,536
  // rows), not by row.
  [[nodiscard]] DVK_EXPORT dvk::error add_range(std::uint64_t begin, std::uint64_t end) noexcept;
  // Deletes many rows, in any order, repeats allowed. Ascending input is detected and takes the
  // fastest way. A negative i64 is refused like a position that is too large.
  [[nodiscard]] DVK_EXPORT dvk::error add_many(std::span<const std::uint64_t> positions) noexcept;
  [[nodiscard]] DVK_EXPORT dvk::error add_many(std::span<const std::int64_t> positions) noexcept;
  // Deletes those of `rows` that name `file_path`, compared as plain strings. Rows of other files
  // are skipped unread.
  [[nodiscard]] DVK_EXPORT dvk::error add_rows(std::string_view file_path,
                                               std::span<const position_delete> rows) noexcept;
  // Deletes all rows that `other` deletes. Costs about as much as copying it.
  [[nodiscard]] DVK_EXPORT dvk::error merge(const deletion_vector& other) noexcept;

  // Makes rows live again; rows that are not deleted are left alone.
  [[nodiscard]] DVK_EXPORT dvk::error remove(std::uint64_t position) noexcept;
  [[nodiscard]] DVK_EXPORT dvk::error remove_range(std::uint64_t begin, std::uint64_t end) noexcept;
  DVK_EXPORT void clear() noexcept;

  [[nodiscard]] DVK_EXPORT bool contains(std::uint64_t position) const noexcept;
  // Number of deleted rows. O(containers).
  [[nodiscard]] DVK_EXPORT std::uint64_t cardinality() const noexcept;
  [[nodiscard]] DVK_EXPORT bool empty() const noexcept;

  // The portable 64-bit Roaring bitmap, and the framed deletion-vector-v1 blob around it (length,
  // magic, CRC-32). The vector itself is not changed, so that serialising twice gives equal bytes.
  // Errors: limit_exceeded, out_of_memory. With iceberg_java the bytes equal Iceberg Java's for
  // positions that were added one by one.
  [[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> serialize_bitmap(
      const serialize_options& options = {}) const noexcept;
  [[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> serialize_blob(
      const serialize_options& options = {}) const noexcept;

 private:
  detail::builder_state* state_ = nullptr;  // made by the first call that adds
};

// What a call that writes a vector in one go produces.
enum class output_form : std::uint8_t {
  bitmap,  // bare portable 64-bit Roaring bitmap
  blob,    // framed deletion-vector-v1 blob
};

// The vector that deletes `positions` (any order, repeats allowed), without a builder in between:
// the fastest way from a list of rows to bytes. Errors as for add_many and serialize_blob.
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> serialize_positions(
    std::span<const std::uint64_t> positions, output_form form = output_form::blob,
    const serialize_options& options = {}) noexcept;

// Set operations on two opened vectors, straight from serialised to serialised form, container by
// container. Linear in the bytes of both. Nothing is allocated but the result, which is reserved
// once, and at most 24 bytes a container. The reserve is what the result takes at most by the
// lengths of both sides' containers; what of it is not needed is never touched. Thread safe.
// Errors: limit_exceeded, out_of_memory. Vectors opened as `trusted` whose payloads lie give wrong
// rows, never bad accesses. Rows above max_position, which other writers' vectors may hold and
// strict validation refuses, are kept like all others.
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> set_union(
    const deletion_vector& a, const deletion_vector& b, output_form form = output_form::bitmap,
    const serialize_options& options = {}) noexcept;
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> set_intersection(
    const deletion_vector& a, const deletion_vector& b, output_form form = output_form::bitmap,
    const serialize_options& options = {}) noexcept;
// Rows of `a` that are not in `b`. difference(new, old) is what a commit deleted.
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> set_difference(
    const deletion_vector& a, const deletion_vector& b, output_form form = output_form::bitmap,
    const serialize_options& options = {}) noexcept;
// Rows in exactly one of the two.
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> set_symmetric_difference(
    const deletion_vector& a, const deletion_vector& b, output_form form = output_form::bitmap,
    const serialize_options& options = {}) noexcept;

// Questions about two vectors, answered without allocating. Linear in the bytes of both, thread
// safe. Whether every row of `a` is in `b`.
[[nodiscard]] DVK_EXPORT bool is_subset(const deletion_vector& a,
                                        const deletion_vector& b) noexcept;
// Whether both delete the same rows, however they are stored.
[[nodiscard]] DVK_EXPORT bool equals(const deletion_vector& a, const deletion_vector& b) noexcept;
// Number of rows that `after` deletes and `before` does not.
[[nodiscard]] DVK_EXPORT std::uint64_t rows_newly_deleted(const deletion_vector& before,
                                                          const deletion_vector& after) noexcept;

}  // namespace dvk::inline v0
