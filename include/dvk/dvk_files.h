// The second half of the C interface: Puffin files, and making vectors. Include dvk.h, which says
// what holds for all calls.
#ifndef DVK_FILES_H
#define DVK_FILES_H

// NOLINTBEGIN(modernize-*): this is C.
#include "dvk/dvk.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Reading Puffin files

// An opened file, its footer checked. Const calls may run in several threads at once.
typedef struct dvk_puffin_reader dvk_puffin_reader;

typedef struct dvk_puffin_options {
  size_t size;
  uint64_t footer_size;       // of the whole footer, if it is known: one read instead of two
  uint64_t tail_bytes;        // what to read first; default 16 KiB
  uint64_t max_footer_bytes;  // default 16 MiB
  uint64_t max_blob_bytes;    // default 2^31 - 1
  uint32_t skip_head;         // not 0: do not read the magic at the start
  uint32_t reserved;          // 0
  uint64_t tolerate;          // of DVK_QUIRK_BIT: faults of the footer to put up with
} dvk_puffin_options;

// Fills `size` bytes at `out` with those from `offset` on. 0, or a value of errno. May be called
// from several threads at once if the reader is shared. A C++ exception out of it ends the process.
typedef int (*dvk_read_function)(void* context, uint64_t offset, void* out, size_t size);

// `path` ends with a zero. Memory is borrowed; so are `read` and `context`.
DVK_EXPORT uint32_t dvk_puffin_open_file(const char* path, const dvk_puffin_options* options,
                                         dvk_puffin_reader** out, dvk_error* error);
DVK_EXPORT uint32_t dvk_puffin_open_memory(const void* bytes, size_t size,
                                           const dvk_puffin_options* options,
                                           dvk_puffin_reader** out, dvk_error* error);
DVK_EXPORT uint32_t dvk_puffin_open_source(uint64_t file_size, dvk_read_function read,
                                           void* context, const dvk_puffin_options* options,
                                           dvk_puffin_reader** out, dvk_error* error);
DVK_EXPORT void dvk_puffin_free(dvk_puffin_reader* reader);

enum dvk_codec { dvk_codec_none, dvk_codec_lz4, dvk_codec_zstd, dvk_codec_unknown };

// One entry of the footer. Set `struct_size`; the library fills what fits into it. Pointers are
// valid as long as the reader.
typedef struct dvk_blob {
  size_t struct_size;
  dvk_text type;
  const int32_t* fields;
  size_t field_count;
  int64_t snapshot_id;
  int64_t sequence_number;
  int64_t offset;               // in the file
  int64_t length;               // as stored
  dvk_text codec_name;          // as written, empty where absent
  uint32_t codec;               // dvk_codec
  uint32_t is_deletion_vector;  // 1 or 0
  size_t property_count;
  dvk_text referenced_data_file;  // of a deletion vector without fault
  uint64_t cardinality;
  dvk_error fault;  // what is wrong with this entry alone; reading it returns this
} dvk_blob;

DVK_EXPORT size_t dvk_puffin_blob_count(const dvk_puffin_reader* reader);
DVK_EXPORT uint64_t dvk_puffin_footer_size(const dvk_puffin_reader* reader);
DVK_EXPORT uint64_t dvk_puffin_tolerated(const dvk_puffin_reader* reader);  // of DVK_QUIRK_BIT
// False, changing nothing, if there is no such blob or property, or `struct_size` is too small to
// be one.
DVK_EXPORT bool dvk_puffin_blob(const dvk_puffin_reader* reader, size_t blob, dvk_blob* out);
DVK_EXPORT bool dvk_puffin_blob_property(const dvk_puffin_reader* reader, size_t blob, size_t i,
                                         dvk_text* name, dvk_text* value);
DVK_EXPORT bool dvk_puffin_property(const dvk_puffin_reader* reader, size_t i, dvk_text* name,
                                    dvk_text* value);  // of the file

// Index of the deletion vector of a data file: dvk_error_not_found,
// dvk_error_dv_duplicate_reference.
DVK_EXPORT uint32_t dvk_puffin_find(const dvk_puffin_reader* reader, const char* data_file,
                                    size_t data_file_size, size_t* blob, dvk_error* error);
// Reads and opens a deletion vector. It owns its bytes: the reader may go first.
DVK_EXPORT uint32_t dvk_puffin_read_vector(const dvk_puffin_reader* reader, size_t blob,
                                           const dvk_open_options* options, dvk_vector** out,
                                           dvk_error* error);
// Reads the content of any blob, decompressed.
DVK_EXPORT uint32_t dvk_puffin_read_blob(const dvk_puffin_reader* reader, size_t blob,
                                         dvk_buffer** out, dvk_error* error);

// ---- Writing Puffin files of deletion vectors

typedef struct dvk_puffin_writer dvk_puffin_writer;

typedef struct dvk_puffin_writer_options {
  size_t size;
  dvk_text created_by;  // file property; default "dvk " and the version
} dvk_puffin_writer_options;

// To a file, which appears under `path` when finish succeeds, whole or not at all; or to memory.
DVK_EXPORT uint32_t dvk_puffin_writer_create_file(const char* path,
                                                  const dvk_puffin_writer_options* options,
                                                  dvk_puffin_writer** out, dvk_error* error);
DVK_EXPORT uint32_t dvk_puffin_writer_create_memory(const dvk_puffin_writer_options* options,
                                                    dvk_puffin_writer** out, dvk_error* error);
// Appends a framed deletion-vector-v1 blob that deletes `cardinality` rows; it is validated first.
// Answers a manifest's content_offset and content_size_in_bytes.
DVK_EXPORT uint32_t dvk_puffin_write_vector(dvk_puffin_writer* writer, const void* blob,
                                            size_t blob_size, const char* data_file,
                                            size_t data_file_size, uint64_t cardinality,
                                            uint64_t* content_offset,
                                            uint64_t* content_size_in_bytes, dvk_error* error);
// Writes the footer; once. Answers file_size_in_bytes; `file` gets the bytes of a writer to memory
// and null otherwise, and may be null if the caller does not want them.
DVK_EXPORT uint32_t dvk_puffin_writer_finish(dvk_puffin_writer* writer,
                                             uint64_t* file_size_in_bytes, dvk_buffer** file,
                                             dvk_error* error);
// Without finish nothing is left of a file.
DVK_EXPORT void dvk_puffin_writer_free(dvk_puffin_writer* writer);

// ---- Making vectors

// A mutable deletion vector.
typedef struct dvk_builder dvk_builder;

enum dvk_key_mode {
  dvk_keys_present,      // 32-bit bitmaps that hold rows
  dvk_keys_iceberg_java  // those of all keys up to the largest, as Iceberg Java writes them
};
enum dvk_output_form { dvk_form_blob, dvk_form_bitmap };
typedef struct dvk_serialize_options {
  size_t size;
  uint32_t form;           // dvk_output_form
  uint32_t keys;           // dvk_key_mode
  uint64_t max_bytes;      // a longer result is refused; default 2^31 - 1
  uint64_t max_gap_bytes;  // the most that empty bitmaps may take; default 16 MiB
} dvk_serialize_options;

DVK_EXPORT uint32_t dvk_builder_create(dvk_builder** out, dvk_error* error);
DVK_EXPORT void dvk_builder_free(dvk_builder* builder);
// Rows above 0x7FFFFFFE80000000 are refused with dvk_error_invalid_argument; the vector is then
// unchanged.
DVK_EXPORT uint32_t dvk_builder_add(dvk_builder* builder, uint64_t row, dvk_error* error);
DVK_EXPORT uint32_t dvk_builder_add_range(dvk_builder* builder, uint64_t begin, uint64_t end,
                                          dvk_error* error);  // rows [begin, end)
DVK_EXPORT uint32_t dvk_builder_add_many(dvk_builder* builder, const uint64_t* rows, size_t n,
                                         dvk_error* error);  // in any order
DVK_EXPORT uint32_t dvk_builder_merge(dvk_builder* builder, const dvk_vector* vector,
                                      dvk_error* error);
DVK_EXPORT uint32_t dvk_builder_remove(dvk_builder* builder, uint64_t row, dvk_error* error);
DVK_EXPORT uint32_t dvk_builder_remove_range(dvk_builder* builder, uint64_t begin, uint64_t end,
                                             dvk_error* error);
DVK_EXPORT void dvk_builder_clear(dvk_builder* builder);
DVK_EXPORT bool dvk_builder_contains(const dvk_builder* builder, uint64_t row);
DVK_EXPORT uint64_t dvk_builder_cardinality(const dvk_builder* builder);
DVK_EXPORT uint32_t dvk_builder_serialize(const dvk_builder* builder,
                                          const dvk_serialize_options* options, dvk_buffer** out,
                                          dvk_error* error);

// Two vectors into a third, straight from serialised to serialised form.
enum dvk_set_operation {
  dvk_union,
  dvk_intersection,
  dvk_difference,  // rows of a that are not in b
  dvk_symmetric_difference
};
DVK_EXPORT uint32_t dvk_combine_vectors(uint32_t operation, const dvk_vector* a,
                                        const dvk_vector* b, const dvk_serialize_options* options,
                                        dvk_buffer** out, dvk_error* error);

#ifdef __cplusplus
}
#endif

#endif
// NOLINTEND(modernize-*)
