// Errors and results: what a call on untrusted bytes answers.
//
// Nothing in dvk throws, prints or aborts on bad input. A call that can fail returns result<T>: a
// value or an error that says which rule was broken, at which byte, and what stood there instead.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "dvk/export.hpp"

namespace dvk::inline v0 {

// The one list of error codes: name, and what it means. Codes are stable and only ever appended.
#define DVK_ERROR_CODES(X)                                                                     \
  X(ok, "no error")                                                                            \
  X(truncated, "a field or payload extends past the end of the bytes")                         \
  X(trailing_bytes, "bytes are left over after the last field")                                \
  X(bad_cookie, "a 32-bit bitmap starts with neither cookie 12346 nor 12347")                  \
  X(too_many_containers, "a 32-bit bitmap claims more than 65536 containers")                  \
  X(bitmap_count_too_large, "the count of 32-bit bitmaps cannot fit in the bytes present")     \
  X(key_out_of_range, "the key of a 32-bit bitmap would make positions negative")              \
  X(key_order, "keys of 32-bit bitmaps are not strictly ascending")                            \
  X(container_key_order, "container keys are not strictly ascending")                          \
  X(offset_mismatch, "a stored container offset differs from the packed layout")               \
  X(array_order, "array container values are not strictly ascending")                          \
  X(bitset_cardinality, "a bitset container's bits differ from its declared cardinality")      \
  X(run_empty, "a run container holds no run")                                                 \
  X(run_order, "runs are unsorted or overlap")                                                 \
  X(run_overflow, "a run extends past the end of its container")                               \
  X(run_cardinality, "a run container's rows differ from its declared cardinality")            \
  X(not_canonical, "readable, but not in canonical form (strict level)")                       \
  X(blob_too_small, "a deletion-vector blob is shorter than its 20-byte frame")                \
  X(blob_length, "the blob's length field differs from the blob's size")                       \
  X(blob_magic, "the blob does not carry the deletion-vector magic D1 D3 39 64")               \
  X(bad_crc, "the CRC-32 stored in the blob differs from the computed one")                    \
  X(cardinality_mismatch, "the number of deleted rows differs from the metadata")              \
  X(position_out_of_range, "a deleted position lies past the last row of the data file")       \
  X(limit_exceeded, "a size or count exceeds the limit given in the options")                  \
  X(out_of_memory, "an allocation failed")                                                     \
  X(io_error, "the operating system refused a read or write (found = errno)")                  \
  X(short_read, "the source returned fewer bytes than the file's size promises")               \
  X(not_found, "no blob matches the request")                                                  \
  X(invalid_argument, "an argument lies outside the documented range")                         \
  X(file_too_small, "the file is shorter than the smallest Puffin file")                       \
  X(head_magic, "the file does not start with the Puffin magic")                               \
  X(footer_magic, "the footer does not start with the Puffin magic")                           \
  X(tail_magic, "the file does not end with the Puffin magic")                                 \
  X(footer_size, "the footer payload size does not fit in the file")                           \
  X(footer_flags, "the footer has unknown flag bits set")                                      \
  X(footer_too_large, "the footer exceeds the size limit")                                     \
  X(footer_lz4, "the compressed footer is not exactly one valid LZ4 frame")                    \
  X(content_size, "a compressed frame's content size is missing or false")                     \
  X(footer_utf8, "the footer is not valid UTF-8")                                              \
  X(footer_json, "the footer is not exactly one JSON value without duplicate members")         \
  X(footer_shape, "a footer member is missing or has the wrong type")                          \
  X(blob_range, "a blob's byte range lies outside the blob area")                              \
  X(blob_overlap, "two blobs overlap")                                                         \
  X(dv_codec, "a deletion-vector blob names a compression codec")                              \
  X(dv_properties, "a deletion-vector blob lacks a valid referenced-data-file or cardinality") \
  X(dv_duplicate_reference, "two deletion vectors refer to the same data file")                \
  X(unknown_codec, "the blob's compression codec is unknown")                                  \
  X(blob_lz4, "a blob is not exactly one valid LZ4 frame")                                     \
  X(blob_zstd, "a blob is not exactly one valid Zstandard frame")                              \
  X(manifest_mismatch, "the manifest entry differs from the footer entry it points at")        \
  X(delta_version, "a Delta deletion-vector file does not start with version 1")               \
  X(delta_size, "a Delta vector's size differs from its descriptor")                           \
  X(delta_offset, "a Delta vector's offset lies outside its file")                             \
  X(delta_native_magic, "the vector uses Delta's native magic, which no current writer emits") \
  X(z85, "the text is not valid Z85")                                                          \
  X(scope_conflict, "more than one deletion vector applies to a data file")                    \
  X(delta_descriptor, "a Delta descriptor's storage type, path or numbers are not valid")

enum class error_code : std::uint8_t {
#define DVK_X(name, text) name,
  DVK_ERROR_CODES(DVK_X)
#undef DVK_X
};

// A known fault of a known writer that the bytes look like; named in messages to save a search.
#define DVK_QUIRKS(X)                                                                             \
  X(none, "")                                                                                     \
  X(undersized_bitset, "RoaringBitmap before 2024-04 could write bitsets of 4096 rows or fewer")  \
  X(missing_offset_header, "Velox before 2026-05-13 left out the offset header of small bitmaps") \
  X(crc_not_inverted, "Velox of 2026-07-14 to 2026-07-27 stored the CRC without inversion")       \
  X(bare_bitmap, "Velox of 2026-04 to 2026-07 wrote the bitmap without its blob frame")           \
  X(keys_in_hash_order, "DuckDB can write bitmap keys in hash order")                             \
  X(bare_blob, "DuckDB 1.5 wrote deletion-vector blobs without a Puffin container")               \
  X(delta_native, "Delta's native bitmap format")                                                 \
  X(delta_file, "a Delta deletion-vector file, which starts with a version byte")                 \
  X(roaring32, "a 32-bit Roaring bitmap where a 64-bit one belongs")                              \
  X(z85_hash_tail, "the Rust z85 crate writes a short tail as a group that starts with '#'")      \
  X(velox_footer, "Velox of 2026-04 to 2026-08 wrote footers with codec \"none\"")

enum class quirk : std::uint8_t {
#define DVK_X(name, text) name,
  DVK_QUIRKS(DVK_X)
#undef DVK_X
};

// The code's name as written above, for machines (`verify --json`); never null.
[[nodiscard]] DVK_EXPORT std::string_view error_name(error_code code) noexcept;
// The code's one-line meaning, for people.
[[nodiscard]] DVK_EXPORT std::string_view error_text(error_code code) noexcept;
[[nodiscard]] DVK_EXPORT std::string_view quirk_name(quirk which) noexcept;
[[nodiscard]] DVK_EXPORT std::string_view quirk_text(quirk which) noexcept;

// What is wrong. `offset` is the byte offset of the first byte of the faulty field, counted from
// the start of the bytes that were handed in. `expected` and `found` are the two values that
// differ; both are 0 where the code needs none (a truncation, say). I/O errors carry errno in
// `found`.
struct error {
  error_code code = error_code::ok;
  dvk::quirk quirk = dvk::quirk::none;
  std::uint64_t offset = 0;
  std::uint64_t expected = 0;
  std::uint64_t found = 0;

  // One line for people: meaning, offset, the two values, and the quirk if one is known. Holds no
  // byte of the input except as a number.
  [[nodiscard]] DVK_EXPORT std::string message() const;

  friend bool operator==(const error&, const error&) = default;
};

// A value or an error. Like std::expected (C++23) in the few members that dvk's callers need; works
// under -fno-exceptions, where reading the wrong side is the caller's bug: check with `if (r)`
// first.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) noexcept : ok_(true) { std::construct_at(&value_, std::move(value)); }
  result(dvk::error failure) noexcept : error_(failure), ok_(false) {}
  result(result&& other) noexcept : ok_(other.ok_) {
    if (ok_) {
      std::construct_at(&value_, std::move(other.value_));
    } else {
      std::construct_at(&error_, other.error_);
    }
  }
  result& operator=(result&& other) noexcept {
    if (this != &other) {
      std::destroy_at(this);
      std::construct_at(this, std::move(other));
    }
    return *this;
  }
  result(const result&) = delete;
  result& operator=(const result&) = delete;
  ~result() {
    if (ok_) std::destroy_at(&value_);
  }

  [[nodiscard]] bool has_value() const noexcept { return ok_; }
  explicit operator bool() const noexcept { return ok_; }
  [[nodiscard]] T& value() & noexcept { return value_; }
  [[nodiscard]] const T& value() const& noexcept { return value_; }
  [[nodiscard]] T&& value() && noexcept { return std::move(value_); }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }
  T& operator*() & noexcept { return value_; }
  const T& operator*() const& noexcept { return value_; }
  T&& operator*() && noexcept { return std::move(value_); }
  // The error; the default error (code ok) when there is a value.
  [[nodiscard]] dvk::error error() const noexcept { return ok_ ? dvk::error{} : error_; }

 private:
  union {
    T value_;
    dvk::error error_;
  };
  bool ok_;
};

}  // namespace dvk::inline v0
