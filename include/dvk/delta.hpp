// Delta Lake deletion vectors: `.bin` files, log descriptors, inline text.
//
// In a Delta file the bytes [offset, offset + sizeInBytes + 8) are byte for byte an Iceberg
// deletion-vector-v1 blob, so vectors open as such. Layout: Delta protocol, "Deletion Vector
// Format"; the native magic that no current writer emits is refused as delta_native_magic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "dvk/export.hpp"
#include "dvk/result.hpp"

namespace dvk::inline v0::delta {

// The struct of a log's `add` and `remove` actions, under the names of its fields.
struct descriptor {
  std::string storage_type;  // u: file named by a UUID; p: absolute path; i: inline
  std::string
      path_or_inline_dv;  // u: optional prefix, then 20 characters Z85; i: Z85 of magic and bitmap
  std::optional<std::int64_t>
      offset;                      // in the file; absent means 1, the first vector; never with i
  std::int64_t size_in_bytes = 0;  // of magic and bitmap, without length and CRC
  std::int64_t cardinality = 0;

  friend bool operator==(const descriptor&, const descriptor&) = default;
};

// Where a vector stands in a file.
struct vector_place {
  std::uint64_t offset = 0;  // of its length field: a descriptor's offset, Iceberg's content_offset
  std::uint64_t size_in_bytes = 0;  // as in a descriptor

  // Iceberg's content_size_in_bytes: length and CRC included.
  [[nodiscard]] std::uint64_t blob_bytes() const noexcept { return size_in_bytes + 8; }
  friend bool operator==(const vector_place&, const vector_place&) = default;
};

// A descriptor is sound by itself: type, path, numbers. Faults are delta_descriptor at 0, or z85 at
// a character of the path; inline text is not decoded.
[[nodiscard]] DVK_EXPORT error check(const descriptor& d) noexcept;

// The vector of a `u` or `p` descriptor in the bytes of its whole file: version byte, offset, size,
// then what open_blob checks, the descriptor's cardinality included. The vector borrows `file`.
// Error offsets count from the start of the file.
[[nodiscard]] DVK_EXPORT result<deletion_vector> open_in_file(
    std::span<const std::byte> file, const descriptor& d,
    const open_options& options = {}) noexcept;

// The vector of a record that was fetched alone, [offset, offset + size_in_bytes + 8) of a file:
// one ranged read. Error offsets count from the start of the record.
[[nodiscard]] DVK_EXPORT result<deletion_vector> open_record(
    std::span<const std::byte> record, const open_options& options = {}) noexcept;

// All vectors of a file, in order. Checks the version and that the records fill the file
// (delta_size, truncated), not what is in them. Memory: 16 bytes a vector.
[[nodiscard]] DVK_EXPORT result<std::vector<vector_place>> list_vectors(
    std::span<const std::byte> file) noexcept;

struct inline_options {
  // Accept a last group that starts with '#', which the Rust z85 crate writes for a short tail.
  // Plain Z85 never has one: its value exceeds 2^32 - 1. Other readers take such text for other
  // rows.
  bool accept_hash_tail = false;
  // Refuse padding that is not zero (not_canonical).
  bool canonical_padding = false;
};

// The bytes of an inline vector: magic and bitmap, size_in_bytes long. Keep them as long as the
// vector that open_inline makes.
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> decode_inline(
    const descriptor& d, const inline_options& options = {}) noexcept;
// Opens them. There is no CRC: expected_cardinality (the descriptor's) is the only check of
// content. Error offsets count from the magic.
[[nodiscard]] DVK_EXPORT result<deletion_vector> open_inline(
    std::span<const std::byte> bytes, const open_options& options = {}) noexcept;
// The descriptor of a serialised 64-bit bitmap that deletes `cardinality` rows.
[[nodiscard]] DVK_EXPORT result<descriptor> make_inline(std::span<const std::byte> bitmap,
                                                        std::uint64_t cardinality) noexcept;

// A file of deletion-vector-v1 blobs, one after the other behind a version byte. Fails on a blob
// that is none, before anything is allocated: what open_blob says; limit_exceeded for an offset
// above 2^31 - 1.
struct written_file {
  std::vector<std::byte> bytes;
  std::vector<vector_place> vectors;  // in the order given
};
[[nodiscard]] DVK_EXPORT result<written_file> write_file(
    std::span<const std::span<const std::byte>> blobs) noexcept;

using uuid = std::array<std::uint8_t, 16>;

// The file name of a `u` descriptor, relative to the table: [prefix/]deletion_vector_<uuid>.bin.
// Refuses a prefix that could lead out of the table (delta_descriptor).
[[nodiscard]] DVK_EXPORT result<std::string> relative_path(const descriptor& d) noexcept;
// The file of a `u` or `p` descriptor. `table_root` without a slash at its end. A `p` path is the
// log's own and taken as it is, unless `inside_table` asks that it lies below the root, without any
// "..".
[[nodiscard]] DVK_EXPORT result<std::string> resolve_path(const descriptor& d,
                                                          std::string_view table_root,
                                                          bool inside_table = false) noexcept;
// A `u` descriptor's path_or_inline_dv.
[[nodiscard]] DVK_EXPORT result<std::string> encode_path(const uuid& id,
                                                         std::string_view prefix = {}) noexcept;

// Z85 (ZeroMQ RFC 32). Decoding takes exactly ceil(size / 4) * 5 characters and yields `size`
// bytes, leaving out the padding; a fault is `z85` at its character (0 for a wrong length, the
// group's first for a value above 2^32 - 1). Encoding pads with zeros.
[[nodiscard]] DVK_EXPORT result<std::vector<std::byte>> z85_decode(
    std::string_view text, std::size_t size, const inline_options& options = {}) noexcept;
[[nodiscard]] DVK_EXPORT result<std::string> z85_encode(std::span<const std::byte> bytes) noexcept;

// What an Iceberg manifest says of a vector in a Delta file, under the names of its fields.
struct iceberg_entry {
  std::string file_path;
  std::int64_t content_offset = 0;
  std::int64_t content_size_in_bytes = 0;
  std::int64_t record_count = 0;

  friend bool operator==(const iceberg_entry&, const iceberg_entry&) = default;
};
// Inline vectors have no Iceberg form without being written to a file: delta_descriptor.
[[nodiscard]] DVK_EXPORT result<iceberg_entry> to_iceberg(const descriptor& d,
                                                          std::string_view table_root) noexcept;
// A `p` descriptor. delta_descriptor for an entry whose numbers are none of Delta's (offset and
// size are 32-bit there).
[[nodiscard]] DVK_EXPORT result<descriptor> from_iceberg(const iceberg_entry& entry) noexcept;

}  // namespace dvk::inline v0::delta
