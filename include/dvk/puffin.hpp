// Puffin files: the container that Iceberg keeps deletion vectors (and sketches) in.
//
// Layout: Iceberg Puffin spec. A file is the magic "PFA1", blobs back to back, and a footer: magic,
// JSON payload, its size, flags, magic. The reader treats every byte as untrusted; its memory is
// bounded by the limits below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "dvk/export.hpp"
#include "dvk/io.hpp"
#include "dvk/result.hpp"
#include "dvk/version.hpp"

namespace dvk::inline v0::puffin {

inline constexpr std::string_view deletion_vector_type = "deletion-vector-v1";
inline constexpr std::string_view theta_sketch_type = "apache-datasketches-theta-v1";
// Field id of the row-position metadata column: what Iceberg writes as the only field of a deletion
// vector.
inline constexpr std::int32_t row_position_field = 2147483645;

enum class codec : std::uint8_t { none, lz4, zstd, unknown };

struct property {
  std::string_view name;
  std::string_view value;

  friend bool operator==(const property&, const property&) = default;
};

// One entry of the footer. Views into the reader, valid as long as it lives (moving the reader is
// fine).
struct blob_metadata {
  std::string_view type = {};
  std::span<const std::int32_t> fields = {};
  std::int64_t snapshot_id = -1;
  std::int64_t sequence_number = -1;
  std::int64_t offset = 0;  // in the file
  std::int64_t length = 0;  // as stored
  codec compression = codec::none;
  std::string_view codec_name;    // as written, empty where absent
  bool has_codec_member = false;  // true also for a codec of null, which means none
  std::span<const property> properties = {};

  // For a deletion vector without fault: its two required properties.
  std::string_view referenced_data_file;
  std::uint64_t cardinality = 0;

  // What is wrong with this entry alone, code ok if nothing: range, overlap, or a rule of deletion
  // vectors. Reading this blob returns it; other blobs stay readable. An unknown codec is no fault
  // until the blob is read.
  error fault;

  [[nodiscard]] bool is_deletion_vector() const noexcept { return type == deletion_vector_type; }
  // Value of the property `name`, if there is one.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept {
    for (const property& p : properties) {
      if (p.name == name) return p.value;
    }
    return std::nullopt;
  }
};

struct reader_options {
  // Size of the whole footer (payload + 16 bytes), if it is known: then it is read in one piece.
  std::optional<std::uint64_t> footer_size = std::nullopt;
  // Bytes at the end of the file to read first, in the hope that the footer lies in them. 12 is the
  // least.
  std::uint64_t tail_bytes = 16 * 1024;
  // Check the magic at the start of the file: one more read of 4 bytes, unless the tail reaches it
  // already.
  bool check_head = true;
  std::uint64_t max_footer_bytes = 16 * 1024 * 1024;  // of the JSON, compressed and not
  std::uint64_t max_blob_bytes = 0x7fffffff;          // of one blob, compressed and not
  // Known faults to put up with. Of use here: velox_footer, which reads fields that are objects by
  // their source-field-id, supplies such a blob's missing ids (-1), and takes a deletion vector's
  // codec "none" for no codec. Faults inside vectors: open_options::tolerate of the call that
  // reads.
  quirk_set tolerate = {};
};

// What a manifest says about a deletion vector, under the names of its fields.
struct manifest_entry {
  std::int64_t content_offset = 0;
  std::int64_t content_size_in_bytes = 0;
  std::int64_t record_count = 0;
  std::string_view referenced_data_file = {};
};

// A deletion vector and the bytes it looks at. Several vectors of one coalesced read share their
// buffer.
struct owned_deletion_vector {
  std::shared_ptr<const byte_buffer> buffer;
  deletion_vector vector;
};

// One ranged read, and the blobs (by index, ascending offset) that lie in it.
struct read_range {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::vector<std::size_t> blobs;
};

struct plan_options {
  std::uint64_t max_gap = 64 * 1024;  // bytes of no use worth reading to save a request
  std::uint64_t max_bytes =
      16 * 1024 * 1024;  // no range grows past this, unless one blob alone does
};

// An opened file: its footer, checked. Immutable, so any number of threads may read blobs at once
// (the source permitting). Errors give offsets in the file; faults of the footer's content stand at
// its payload's first byte.
class reader {
 public:
  // Reads and checks the footer. Faults of the container, of the JSON and of its shape fail the
  // open; those of single blobs are kept in blob_metadata::fault. Memory
  // while opening: at most about 20 times the JSON's size. The first form borrows `source`, the
  // second owns it.
  [[nodiscard]] DVK_EXPORT static result<reader> open(const random_access_source& source,
                                                      const reader_options& options = {}) noexcept;
  [[nodiscard]] DVK_EXPORT static result<reader> open(
      std::unique_ptr<const random_access_source> source,
      const reader_options& options = {}) noexcept;
  [[nodiscard]] DVK_EXPORT static result<reader> open_file(
      const char* path, const reader_options& options = {}) noexcept;

  DVK_EXPORT reader(reader&& other) noexcept;
  DVK_EXPORT reader& operator=(reader&& other) noexcept;
  DVK_EXPORT ~reader();

  // In footer order. Types that dvk does not know are listed like all others.
  [[nodiscard]] DVK_EXPORT std::span<const blob_metadata> blobs() const noexcept;
  [[nodiscard]] DVK_EXPORT std::span<const property> properties() const noexcept;  // of the file
  [[nodiscard]] DVK_EXPORT std::uint64_t file_size() const noexcept;
  [[nodiscard]] DVK_EXPORT std::uint64_t footer_size() const noexcept;  // payload + 16 bytes
  [[nodiscard]] DVK_EXPORT bool footer_compressed() const noexcept;
  // The faults, of those that reader_options::tolerate names, that the footer has.
  [[nodiscard]] DVK_EXPORT quirk_set tolerated() const noexcept;

  // The first fault of any blob; code ok if there is none. Reads no blob.
  [[nodiscard]] DVK_EXPORT error check() const noexcept;

  // Index of the deletion vector of a data file; the path is compared byte for byte. not_found if
  // the footer has none; the entry's fault if it has one; dv_duplicate_reference if there are
  // several. O(log blobs), O(blobs) for paths that are not found.
  [[nodiscard]] DVK_EXPORT result<std::size_t> find(
      std::string_view referenced_data_file) const noexcept;

  // Index of the deletion vector that a manifest entry points at. manifest_mismatch, with the
  // footer's value as `expected` and the manifest's as `found`, if offset, size or count differ
  // (compared in this order); with equal values if the blob at that offset refers to another file.
  // not_found if nothing in the footer resembles it.
  [[nodiscard]] DVK_EXPORT result<std::size_t> bind(const manifest_entry& entry) const noexcept;

  // A blob's content, decompressed, by one ranged read. The declared content size is checked
  // against the limit before anything is allocated, and against the frame's true size.
  // Precondition: i < blobs().size().
  [[nodiscard]] DVK_EXPORT result<byte_buffer> read_blob(std::size_t i) const noexcept;

  // A deletion vector, opened: invalid_argument if the blob is of another type. The cardinality
  // property is always enforced; options.expected_cardinality is checked against it.
  [[nodiscard]] DVK_EXPORT result<owned_deletion_vector> read_vector(
      std::size_t i, const open_options& options = {}) const noexcept;

  // Few reads that cover the given blobs: neighbours closer than max_gap are read together.
  // Repeated indices are planned once. Returns the fault of the first blob that has one,
  // invalid_argument for an index out of range.
  [[nodiscard]] DVK_EXPORT result<std::vector<read_range>> plan(
      std::span<const std::size_t> blobs, const plan_options& options = {}) const noexcept;
  // Does one read of a plan.
  [[nodiscard]] DVK_EXPORT result<byte_buffer> read(const read_range& range) const noexcept;
  // read_blob and read_vector on stored bytes that the caller has: precondition, stored.size() ==
  // length of blob i. The vector borrows them.
  [[nodiscard]] DVK_EXPORT result<byte_buffer> decode_blob(
      std::size_t i, std::span<const std::byte> stored) const noexcept;
  [[nodiscard]] DVK_EXPORT result<deletion_vector> decode_vector(
      std::size_t i, std::span<const std::byte> stored,
      const open_options& options = {}) const noexcept;

  // All of the given deletion vectors by a plan: one result for each index, in the order given, so
  // that a bad blob does not hide the others.
  [[nodiscard]] DVK_EXPORT result<std::vector<result<owned_deletion_vector>>> read_vectors(
      std::span<const std::size_t> blobs, const open_options& options = {},
      const plan_options& coalescing = {}) const noexcept;

 private:
  struct state;
  explicit reader(std::unique_ptr<state> opened) noexcept;
  std::unique_ptr<state> state_;
};

// The frame of a deletion-vector-v1 blob: length, magic, bitmap, CRC-32. Its inverse is
// deletion_vector::open_blob.
[[nodiscard]] constexpr std::uint64_t frame_size(std::uint64_t bitmap_bytes) noexcept {
  return bitmap_bytes + 12;
}
// Frames a serialised 64-bit bitmap into `out`, which does not overlap it. Writes
// frame_size(bitmap.size()) bytes, reading the bitmap once. limit_exceeded if the blob would be
// longer than 2^31 - 1 bytes, invalid_argument if `out` is shorter than the blob or the bitmap
// shorter than its 8-byte count.
[[nodiscard]] DVK_EXPORT error frame(std::span<const std::byte> bitmap,
                                     std::span<std::byte> out) noexcept;

// What the caller of a writer says about a blob; the rest follows from writing it.
struct blob_description {
  std::string_view type = {};
  std::span<const std::int32_t> fields = {};
  std::int64_t snapshot_id = -1;
  std::int64_t sequence_number = -1;
  codec compression = codec::none;
  std::span<const property> properties = {};
};

struct writer_options {
  // Value of the file property created-by, which comes first; empty leaves it out.
  std::string_view created_by = "dvk " DVK_VERSION_STRING;
  std::span<const property> properties = {};  // of the file, in this order
  bool compress_footer = false;               // legal, but Iceberg Java cannot read it
};

// For a manifest: content_offset and content_size_in_bytes.
struct written_blob {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};
struct written_file {
  std::uint64_t footer_size = 0;
  std::uint64_t file_size = 0;  // file_size_in_bytes of a manifest
};

// Writes a file blob by blob; the footer's text is held in memory, and up to 64 KiB of small blobs,
// so that an error of the sink may come with a later call than the one that it concerns. With the
// same blobs and properties the bytes equal those of Iceberg Java (compressed blobs aside: those
// depend on the encoder). A blob that is refused leaves no trace, and the writer goes on; after an
// error of the sink, of its options or of memory every further call returns that. Not for use by
// several threads at once.
class writer {
 public:
  // Borrows `out`, and nothing of `options` after the call.
  DVK_EXPORT explicit writer(sink& out, const writer_options& options = {}) noexcept;
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  DVK_EXPORT ~writer();

  // Appends a blob of any type but a deletion vector. invalid_argument if a string is not UTF-8 or
  // the codec unknown.
  [[nodiscard]] DVK_EXPORT result<written_blob> write_blob(
      const blob_description& description, std::span<const std::byte> content) noexcept;

  // Appends a deletion vector: a framed blob, or a bare serialised bitmap that is framed here. The
  // bytes are validated first (what deletion_vector::open_blob says at level standard), and must
  // hold `cardinality` rows. dv_duplicate_reference for a data file that has a vector in this file
  // already.
  [[nodiscard]] DVK_EXPORT result<written_blob> write_vector(std::span<const std::byte> blob,
                                                             std::string_view referenced_data_file,
                                                             std::uint64_t cardinality) noexcept;
  [[nodiscard]] DVK_EXPORT result<written_blob> write_bitmap(std::span<const std::byte> bitmap,
                                                             std::string_view referenced_data_file,
                                                             std::uint64_t cardinality) noexcept;

  // Writes the footer and commits the sink. Once; without it the sink is never committed.
  [[nodiscard]] DVK_EXPORT result<written_file> finish() noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;  // null if even that could not be allocated
};

}  // namespace dvk::inline v0::puffin
