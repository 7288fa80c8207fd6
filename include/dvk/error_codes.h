// The codes of errors, for C++ (result.hpp) and C (dvk.h) alike.
#ifndef DVK_ERROR_CODES_H
#define DVK_ERROR_CODES_H

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

#endif
