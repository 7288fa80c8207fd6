// The C interface to dvk: deletion vectors of Apache Iceberg v3, from C99 and from whatever speaks
// C.
//
// Calls that can fail return an error code, 0 (dvk_error_ok) for success, and write all they know
// into
// `*error` unless it is null; outputs are then left alone. Nothing throws, prints or aborts.
//
// Handles (dvk_vector *, ...) belong to the caller, who frees each with its own function; null is
// allowed there, and nowhere else unless said. What a handle borrows must outlive it, unchanged.
// Texts are UTF-8 with a length, not terminated by a zero. Objects that are const in a call may be
// shared between threads; others are for one thread at a time.
//
// Option structs begin with their own size, so that they can grow: set it by DVK_OPTIONS, zero the
// rest, and every other field of 0 means its default. A null pointer to options means all defaults.
// A size that this library does not know, with a field set beyond what it knows, is
// dvk_error_invalid_argument.
//
// The C++ headers say more of what each call computes and costs: deletion_vector.hpp,
// selection.hpp, puffin.hpp, builder.hpp, crc32.hpp, dispatch.hpp. A library built without a layer
// (DVK_BUILD_PUFFIN or DVK_BUILD_BUILDER off) lacks its functions.
#ifndef DVK_H
#define DVK_H

// NOLINTBEGIN(modernize-*): this is C.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dvk/error_codes.h"
#include "dvk/export.hpp"
#include "dvk/version.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Library

// Changes when a function or struct below changes its meaning or layout; what is added leaves it.
#define DVK_ABI_VERSION 1u
// The library's own: compare it with DVK_ABI_VERSION after loading.
DVK_EXPORT uint32_t dvk_abi_version(void);
// Such as "0.1.0". Static storage.
DVK_EXPORT const char* dvk_version(void);

// Instruction-set tiers. The kernels use the best that the CPU has, capped by the environment's
// DVK_MAX_ISA and by dvk_set_max_isa, which returns false, changing nothing, if `tier` cannot run
// here.
enum dvk_tier { dvk_tier_scalar, dvk_tier_sse42, dvk_tier_avx2, dvk_tier_avx512, dvk_tier_neon };
DVK_EXPORT uint32_t dvk_active_tier(void);
DVK_EXPORT uint32_t dvk_best_tier(void);
DVK_EXPORT const char* dvk_tier_name(uint32_t tier);
DVK_EXPORT bool dvk_set_max_isa(uint32_t tier);
DVK_EXPORT void dvk_reset_max_isa(void);

// CRC-32 as in zlib. extend: of A||bytes, given crc of A. combine: of A||B, given both and the
// length of B.
DVK_EXPORT uint32_t dvk_crc32(const void* bytes, size_t size);
DVK_EXPORT uint32_t dvk_crc32_extend(uint32_t crc, const void* bytes, size_t size);
DVK_EXPORT uint32_t dvk_crc32_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b);

// ---- Errors

#define DVK_X(name, text) dvk_error_##name,
enum dvk_error_code { DVK_ERROR_CODES(DVK_X) };
#undef DVK_X
#define DVK_X(name, text) dvk_quirk_##name,
enum dvk_quirk { DVK_QUIRKS(DVK_X) };
#undef DVK_X

// A member of a set of quirks, such as those to tolerate. Which are of use, and what they change,
// is said in deletion_vector.hpp and puffin.hpp; others change nothing. dvk_quirk_none is no member
// of any set.
#define DVK_QUIRK_BIT(quirk) (UINT64_C(1) << (quirk))

// `offset`: of the first byte of the faulty field, from the start of the bytes handed in.
// `expected` and `found`: the two values that differ, or 0. `quirk`: a known fault of a known
// writer that the bytes look like.
typedef struct dvk_error {
  uint32_t code;
  uint32_t quirk;
  uint64_t offset;
  uint64_t expected;
  uint64_t found;
} dvk_error;

// The code's name, such as "bad_crc"; "unknown" for a number that is none. Static storage.
DVK_EXPORT const char* dvk_error_name(uint32_t code);
DVK_EXPORT const char* dvk_quirk_name(uint32_t quirk);
// One line for people. Writes at most `capacity` bytes, the last a zero, and returns the length
// that the whole text has without it. `out` may be null if `capacity` is 0.
DVK_EXPORT size_t dvk_error_message(const dvk_error* error, char* out, size_t capacity);

// ---- Values that several calls share

// dvk_index_options options = DVK_OPTIONS(dvk_index_options);
#ifdef __cplusplus
extern "C++" {
template <class Options>
inline Options dvk_options() {
  Options options = {};
  options.size = sizeof(Options);
  return options;
}
}
#define DVK_OPTIONS(type) dvk_options<type>()
#else
#define DVK_OPTIONS(type) \
  { .size = sizeof(type) }
#endif

typedef struct dvk_text {  // borrowed
  const char* data;
  size_t size;
} dvk_text;

typedef struct dvk_range {  // `count` rows from row `start` on
  uint64_t start;
  uint64_t count;
} dvk_range;

// Bytes that the library made.
typedef struct dvk_buffer dvk_buffer;
DVK_EXPORT const void* dvk_buffer_data(const dvk_buffer* buffer);  // valid until it is freed
DVK_EXPORT size_t dvk_buffer_size(const dvk_buffer* buffer);
DVK_EXPORT void dvk_buffer_free(dvk_buffer* buffer);

// ---- Deletion vectors

// An immutable view of serialised bytes.
typedef struct dvk_vector dvk_vector;

enum dvk_validation { dvk_validation_standard, dvk_validation_strict, dvk_validation_trusted };
enum dvk_open_flags { dvk_check_cardinality = 1, dvk_check_row_count = 2 };
typedef struct dvk_open_options {
  size_t size;
  uint32_t level;                 // dvk_validation
  uint32_t flags;                 // which of the next two are given
  uint64_t expected_cardinality;  // the manifest's record_count
  uint64_t row_count;             // rows of the data file
  uint64_t max_bytes;             // longer input is refused; default 2^31 - 1
  uint64_t tolerate;              // of DVK_QUIRK_BIT: writers' faults to put up with
} dvk_open_options;

// A framed deletion-vector-v1 blob, or a bare portable 64-bit Roaring bitmap. The vector borrows
// `bytes`.
DVK_EXPORT uint32_t dvk_vector_open_blob(const void* bytes, size_t size,
                                         const dvk_open_options* options, dvk_vector** out,
                                         dvk_error* error);
DVK_EXPORT uint32_t dvk_vector_open_bitmap(const void* bytes, size_t size,
                                           const dvk_open_options* options, dvk_vector** out,
                                           dvk_error* error);
DVK_EXPORT void dvk_vector_free(dvk_vector* vector);

DVK_EXPORT uint64_t dvk_vector_tolerated(const dvk_vector* vector);    // of DVK_QUIRK_BIT
DVK_EXPORT uint64_t dvk_vector_cardinality(const dvk_vector* vector);  // deleted rows
DVK_EXPORT bool dvk_vector_contains(const dvk_vector* vector, uint64_t row);
// out[i] = 1 if rows[i] is deleted, else 0; any order.
DVK_EXPORT void dvk_vector_contains_many(const dvk_vector* vector, const uint64_t* rows, size_t n,
                                         uint8_t* out);
DVK_EXPORT uint64_t dvk_vector_count(const dvk_vector* vector, uint64_t start, uint64_t count);
DVK_EXPORT uint64_t dvk_vector_rank(const dvk_vector* vector, uint64_t row);  // deleted rows below
// These answer false, and leave `*row` alone, if there is no such row. select: the deleted (or
// live) row with `index` such rows below it. next: the first one at or after `from`.
DVK_EXPORT bool dvk_vector_select(const dvk_vector* vector, uint64_t index, uint64_t* row);
DVK_EXPORT bool dvk_vector_select_live(const dvk_vector* vector, uint64_t index, uint64_t* row);
DVK_EXPORT bool dvk_vector_next_deleted(const dvk_vector* vector, uint64_t from, uint64_t* row);
DVK_EXPORT bool dvk_vector_next_live(const dvk_vector* vector, uint64_t from, uint64_t* row);
DVK_EXPORT bool dvk_vector_min(const dvk_vector* vector, uint64_t* row);
DVK_EXPORT bool dvk_vector_max(const dvk_vector* vector, uint64_t* row);
// The first maximal range of deleted rows that ends after `from`, clipped to it.
DVK_EXPORT bool dvk_vector_next_range(const dvk_vector* vector, uint64_t from, dvk_range* range);
DVK_EXPORT size_t dvk_vector_memory_bytes(const dvk_vector* vector);  // of its directory

// ---- Selection: from a batch of rows to the form an executor wants

// A cursor over one vector, kept by value, one for each thread; copying it copies the cursor.
// Borrows the vector. Batches may come in any order; forward is fastest.
typedef struct dvk_scanner {
  uint64_t opaque[8];
} dvk_scanner;
DVK_EXPORT void dvk_scanner_init(dvk_scanner* scanner, const dvk_vector* vector);

enum dvk_batch_kind {
  dvk_mixed,      // the buffer holds the answer
  dvk_all_live,   // no row of the batch is deleted; the buffer may be untouched
  dvk_none_live,  // every row is deleted; the buffer may be untouched
  dvk_refused     // arguments outside the contract, nothing was written
};
typedef struct dvk_batch_result {
  uint64_t live;  // live rows of the batch, whichever were asked for
  uint32_t kind;
} dvk_batch_result;
typedef struct dvk_run_result {
  size_t written;      // runs, or lengths
  uint64_t rows_done;  // less than asked for when the buffer was full: go on from there
  uint64_t live;       // live rows among them
  uint32_t kind;
} dvk_run_result;
typedef struct dvk_run {  // rows [begin, end)
  uint32_t begin;
  uint32_t end;
} dvk_run;

enum dvk_polarity { dvk_live, dvk_deleted };
enum dvk_combine { dvk_replace, dvk_and_with, dvk_or_with };
enum dvk_numbering {
  dvk_relative,  // row number less the first range's start
  dvk_packed     // the n-th row of the list has number n
};
typedef struct dvk_index_options {
  size_t size;
  uint32_t rows;          // dvk_polarity
  uint32_t always_write;  // not 0: fill the buffer for uniform batches too
  uint64_t base;          // added to every index
} dvk_index_options;
typedef struct dvk_mask_options {
  size_t size;
  uint32_t rows;          // dvk_polarity
  uint32_t how;           // dvk_combine
  uint32_t always_write;  // as above, for dvk_replace
  uint32_t reserved;      // 0
} dvk_mask_options;

// Index list of `count` rows from `start` on, numbered from 0. `capacity`, in elements, must be at
// least `count`; elements after the list's and up to `count` may be clobbered.
DVK_EXPORT dvk_batch_result dvk_scan_indices_u16(dvk_scanner* scanner, uint64_t start,
                                                 uint64_t count, uint16_t* out, size_t capacity,
                                                 const dvk_index_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_indices_u32(dvk_scanner* scanner, uint64_t start,
                                                 uint64_t count, uint32_t* out, size_t capacity,
                                                 const dvk_index_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_indices_i32(dvk_scanner* scanner, uint64_t start,
                                                 uint64_t count, int32_t* out, size_t capacity,
                                                 const dvk_index_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_indices_u64(dvk_scanner* scanner, uint64_t start,
                                                 uint64_t count, uint64_t* out, size_t capacity,
                                                 const dvk_index_options* options);
// Bitmap, least significant bit first: row start + i is bit first_bit + i. Byte mask: byte i.
DVK_EXPORT dvk_batch_result dvk_scan_bits(dvk_scanner* scanner, uint64_t start, uint64_t count,
                                          uint64_t* words, size_t capacity, size_t first_bit,
                                          const dvk_mask_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_bytes(dvk_scanner* scanner, uint64_t start, uint64_t count,
                                           uint8_t* out, size_t capacity,
                                           const dvk_mask_options* options);
// Runs of live (or deleted) rows; and lengths by turns, of live rows first (or of deleted ones).
DVK_EXPORT dvk_run_result dvk_scan_runs(dvk_scanner* scanner, uint64_t start, uint64_t count,
                                        dvk_run* out, size_t capacity,
                                        const dvk_index_options* options);
DVK_EXPORT dvk_run_result dvk_scan_alternating(dvk_scanner* scanner, uint64_t start, uint64_t count,
                                               uint32_t* out, size_t capacity,
                                               const dvk_index_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_count(dvk_scanner* scanner, uint64_t start, uint64_t count);

// The same for a list of disjoint ascending ranges.
DVK_EXPORT dvk_batch_result dvk_scan_ranges_indices_u32(dvk_scanner* scanner,
                                                        const dvk_range* ranges, size_t n,
                                                        uint32_t numbering, uint32_t* out,
                                                        size_t capacity,
                                                        const dvk_index_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_ranges_bits(dvk_scanner* scanner, const dvk_range* ranges,
                                                 size_t n, uint32_t numbering, uint64_t* words,
                                                 size_t capacity, size_t first_bit,
                                                 const dvk_mask_options* options);
DVK_EXPORT dvk_batch_result dvk_scan_ranges_bytes(dvk_scanner* scanner, const dvk_range* ranges,
                                                  size_t n, uint32_t numbering, uint8_t* out,
                                                  size_t capacity, const dvk_mask_options* options);

// Keeps, in place and in order, those of `selected` whose row base + selected[i] is live (or
// deleted: `rows` is a dvk_polarity); returns how many. Elements after them may be clobbered.
DVK_EXPORT size_t dvk_refine_u16(dvk_scanner* scanner, uint64_t base, uint16_t* selected, size_t n,
                                 uint32_t rows);
DVK_EXPORT size_t dvk_refine_u32(dvk_scanner* scanner, uint64_t base, uint32_t* selected, size_t n,
                                 uint32_t rows);
DVK_EXPORT size_t dvk_refine_i32(dvk_scanner* scanner, uint64_t base, int32_t* selected, size_t n,
                                 uint32_t rows);
DVK_EXPORT size_t dvk_refine_u64(dvk_scanner* scanner, uint64_t base, uint64_t* selected, size_t n,
                                 uint32_t rows);

// The same for a column of n row numbers in any order; a negative one cast to uint64_t is no row,
// live.
DVK_EXPORT dvk_batch_result dvk_gather_indices_u32(dvk_scanner* scanner, const uint64_t* positions,
                                                   size_t n, uint32_t* out, size_t capacity,
                                                   const dvk_index_options* options);
DVK_EXPORT dvk_batch_result dvk_gather_bits(dvk_scanner* scanner, const uint64_t* positions,
                                            size_t n, uint64_t* words, size_t capacity,
                                            size_t first_bit, const dvk_mask_options* options);
DVK_EXPORT dvk_batch_result dvk_gather_bytes(dvk_scanner* scanner, const uint64_t* positions,
                                             size_t n, uint8_t* out, size_t capacity,
                                             const dvk_mask_options* options);

#ifdef __cplusplus
}
#endif

#include "dvk/dvk_files.h"

#endif
// NOLINTEND(modernize-*)
