// Opening vectors, and questions about single rows.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "c/handles.hpp"

namespace dvk::inline v0::c {

bool to_cpp(const dvk_open_options* given, open_options& out) noexcept {
  dvk_open_options o;
  if (!read_options(given, o)) return false;
  switch (o.level) {
    case dvk_validation_standard:
      out.level = validation::standard;
      break;
    case dvk_validation_strict:
      out.level = validation::strict;
      break;
    case dvk_validation_trusted:
      out.level = validation::trusted;
      break;
    default:
      return false;
  }
  if ((o.flags & ~std::uint32_t{dvk_check_cardinality | dvk_check_row_count}) != 0) return false;
  if ((o.flags & dvk_check_cardinality) != 0) out.expected_cardinality = o.expected_cardinality;
  if ((o.flags & dvk_check_row_count) != 0) out.row_count = o.row_count;
  out.max_bytes = or_default(o.max_bytes, out.max_bytes);
  return to_cpp(o.tolerate, out.tolerate);
}

namespace {

template <auto open>
std::uint32_t open_vector(const void* bytes, std::size_t size, const dvk_open_options* options,
                          dvk_vector** out, dvk_error* failure) noexcept {
  open_options o;
  if (!to_cpp(options, o)) return answer(error_code::invalid_argument, failure);
  auto opened = open(bytes_of(bytes, size), o);
  if (!opened) return answer(opened.error(), failure);
  return hand_over(out, failure, nullptr, std::move(*opened));
}

template <class T>
bool found(const std::optional<T>& row, T* out) noexcept {
  if (row) *out = *row;
  return row.has_value();
}

}  // namespace
}  // namespace dvk::inline v0::c

using dvk::c::found;

std::uint32_t dvk_vector_open_blob(const void* bytes, std::size_t size,
                                   const dvk_open_options* options, dvk_vector** out,
                                   dvk_error* error) {
  return dvk::c::open_vector<dvk::deletion_vector::open_blob>(bytes, size, options, out, error);
}
std::uint32_t dvk_vector_open_bitmap(const void* bytes, std::size_t size,
                                     const dvk_open_options* options, dvk_vector** out,
                                     dvk_error* error) {
  return dvk::c::open_vector<dvk::deletion_vector::open_bitmap>(bytes, size, options, out, error);
}
void dvk_vector_free(dvk_vector* vector) {
  delete vector;
}

std::uint64_t dvk_vector_tolerated(const dvk_vector* vector) {
  return dvk::c::to_bits(vector->vector.tolerated());
}
std::uint64_t dvk_vector_cardinality(const dvk_vector* vector) {
  return vector->vector.cardinality();
}
bool dvk_vector_contains(const dvk_vector* vector, std::uint64_t row) {
  return vector->vector.contains(row);
}
void dvk_vector_contains_many(const dvk_vector* vector, const std::uint64_t* rows, std::size_t n,
                              std::uint8_t* out) {
  vector->vector.contains_many({rows, n}, {out, n});
}
std::uint64_t dvk_vector_count(const dvk_vector* vector, std::uint64_t start, std::uint64_t count) {
  return vector->vector.count({start, count});
}
std::uint64_t dvk_vector_rank(const dvk_vector* vector, std::uint64_t row) {
  return vector->vector.rank(row);
}
bool dvk_vector_select(const dvk_vector* vector, std::uint64_t index, std::uint64_t* row) {
  return found(vector->vector.select(index), row);
}
bool dvk_vector_select_live(const dvk_vector* vector, std::uint64_t index, std::uint64_t* row) {
  return found(vector->vector.select_live(index), row);
}
bool dvk_vector_next_deleted(const dvk_vector* vector, std::uint64_t from, std::uint64_t* row) {
  return found(vector->vector.next_deleted(from), row);
}
bool dvk_vector_next_live(const dvk_vector* vector, std::uint64_t from, std::uint64_t* row) {
  return found(vector->vector.next_live(from), row);
}
bool dvk_vector_min(const dvk_vector* vector, std::uint64_t* row) {
  return found(vector->vector.min(), row);
}
bool dvk_vector_max(const dvk_vector* vector, std::uint64_t* row) {
  return found(vector->vector.max(), row);
}
bool dvk_vector_next_range(const dvk_vector* vector, std::uint64_t from, dvk_range* range) {
  const auto next = vector->vector.next_range(from);
  if (next) *range = {.start = next->start, .count = next->count};
  return next.has_value();
}
std::size_t dvk_vector_memory_bytes(const dvk_vector* vector) {
  return vector->vector.memory_bytes();
}
