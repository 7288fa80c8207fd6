// Making vectors.
#include "dvk/builder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "c/handles.hpp"

struct dvk_builder {
  dvk::deletion_vector_builder builder;
};

namespace {

using dvk::c::answer;

static_assert(dvk_keys_present == static_cast<int>(dvk::key_mode::present_keys) &&
              dvk_keys_iceberg_java == static_cast<int>(dvk::key_mode::iceberg_java));

struct serialize_request {
  dvk::output_form form = dvk::output_form::blob;
  dvk::serialize_options options;
};

bool to_cpp(const dvk_serialize_options* given, serialize_request& out) noexcept {
  dvk_serialize_options o;
  if (!dvk::c::read_options(given, o)) return false;
  if (o.form > dvk_form_bitmap || o.keys > dvk_keys_iceberg_java) return false;
  out.form = o.form == dvk_form_blob ? dvk::output_form::blob : dvk::output_form::bitmap;
  out.options.keys = static_cast<dvk::key_mode>(o.keys);
  out.options.max_bytes = dvk::c::or_default(o.max_bytes, out.options.max_bytes);
  out.options.max_gap_bytes = dvk::c::or_default(o.max_gap_bytes, out.options.max_gap_bytes);
  return true;
}

// Gives the bytes that `make` answers for the options to the caller.
template <class Make>
std::uint32_t make_buffer(const dvk_serialize_options* given, dvk_buffer** out, dvk_error* error,
                          Make make) noexcept {
  serialize_request request;
  if (!to_cpp(given, request)) return answer(dvk::error_code::invalid_argument, error);
  auto bytes = make(request);
  if (!bytes) return answer(bytes.error(), error);
  return dvk::c::hand_over(out, error, std::move(*bytes));
}

}  // namespace

std::uint32_t dvk_builder_create(dvk_builder** out, dvk_error* error) {
  return dvk::c::hand_over(out, error);
}
void dvk_builder_free(dvk_builder* builder) {
  delete builder;
}

std::uint32_t dvk_builder_add(dvk_builder* builder, std::uint64_t row, dvk_error* error) {
  return answer(builder->builder.add(row), error);
}
std::uint32_t dvk_builder_add_range(dvk_builder* builder, std::uint64_t begin, std::uint64_t end,
                                    dvk_error* error) {
  return answer(builder->builder.add_range(begin, end), error);
}
std::uint32_t dvk_builder_add_many(dvk_builder* builder, const std::uint64_t* rows, std::size_t n,
                                   dvk_error* error) {
  return answer(builder->builder.add_many(std::span(rows, n)), error);
}
std::uint32_t dvk_builder_merge(dvk_builder* builder, const dvk_vector* vector, dvk_error* error) {
  return answer(builder->builder.merge(vector->vector), error);
}
std::uint32_t dvk_builder_remove(dvk_builder* builder, std::uint64_t row, dvk_error* error) {
  return answer(builder->builder.remove(row), error);
}
std::uint32_t dvk_builder_remove_range(dvk_builder* builder, std::uint64_t begin, std::uint64_t end,
                                       dvk_error* error) {
  return answer(builder->builder.remove_range(begin, end), error);
}
void dvk_builder_clear(dvk_builder* builder) {
  builder->builder.clear();
}
bool dvk_builder_contains(const dvk_builder* builder, std::uint64_t row) {
  return builder->builder.contains(row);
}
std::uint64_t dvk_builder_cardinality(const dvk_builder* builder) {
  return builder->builder.cardinality();
}

std::uint32_t dvk_builder_serialize(const dvk_builder* builder,
                                    const dvk_serialize_options* options, dvk_buffer** out,
                                    dvk_error* error) {
  return make_buffer(options, out, error, [&](const serialize_request& request) {
    return request.form == dvk::output_form::blob
               ? builder->builder.serialize_blob(request.options)
               : builder->builder.serialize_bitmap(request.options);
  });
}

std::uint32_t dvk_combine_vectors(std::uint32_t operation, const dvk_vector* a, const dvk_vector* b,
                                  const dvk_serialize_options* options, dvk_buffer** out,
                                  dvk_error* error) {
  auto* function = &dvk::set_union;
  switch (operation) {
    case dvk_union:
      break;
    case dvk_intersection:
      function = &dvk::set_intersection;
      break;
    case dvk_difference:
      function = &dvk::set_difference;
      break;
    case dvk_symmetric_difference:
      function = &dvk::set_symmetric_difference;
      break;
    default:
      return answer(dvk::error_code::invalid_argument, error);
  }
  return make_buffer(options, out, error, [&](const serialize_request& request) {
    return function(a->vector, b->vector, request.form, request.options);
  });
}
