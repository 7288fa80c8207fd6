// Reading Puffin files.
#include "dvk/puffin.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "c/handles.hpp"

struct dvk_puffin_reader {
  dvk::puffin::reader reader;
};

namespace {

using dvk::c::answer;
using dvk::puffin::codec;

static_assert(dvk_codec_none == static_cast<int>(codec::none) &&
              dvk_codec_lz4 == static_cast<int>(codec::lz4) &&
              dvk_codec_zstd == static_cast<int>(codec::zstd) &&
              dvk_codec_unknown == static_cast<int>(codec::unknown));

// A source that is a C function.
class function_source final : public dvk::random_access_source {
 public:
  function_source(std::uint64_t size, dvk_read_function read, void* context) noexcept
      : size_(size), read_(read), context_(context) {}
  std::uint64_t size() const noexcept override { return size_; }
  dvk::error read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept override {
    const int failure = read_(context_, offset, out.data(), out.size());
    if (failure == 0) return {};
    return {.code = dvk::error_code::io_error,
            .offset = offset,
            .found = static_cast<std::uint64_t>(failure)};
  }

 private:
  std::uint64_t size_;
  dvk_read_function read_;
  void* context_;
};

bool to_cpp(const dvk_puffin_options* given, dvk::puffin::reader_options& out) noexcept {
  dvk_puffin_options o;
  if (!dvk::c::read_options(given, o) || o.reserved != 0) return false;
  if (o.footer_size != 0) out.footer_size = o.footer_size;
  out.tail_bytes = dvk::c::or_default(o.tail_bytes, out.tail_bytes);
  out.max_footer_bytes = dvk::c::or_default(o.max_footer_bytes, out.max_footer_bytes);
  out.max_blob_bytes = dvk::c::or_default(o.max_blob_bytes, out.max_blob_bytes);
  out.check_head = o.skip_head == 0;
  return dvk::c::to_cpp(o.tolerate, out.tolerate);
}

// Opens what `open` answers for the options.
template <class Open>
std::uint32_t open_reader(const dvk_puffin_options* given, dvk_puffin_reader** out,
                          dvk_error* error, Open open) noexcept {
  dvk::puffin::reader_options options;
  if (!to_cpp(given, options)) return answer(dvk::error_code::invalid_argument, error);
  dvk::result<dvk::puffin::reader> opened = open(options);
  if (!opened) return answer(opened.error(), error);
  return dvk::c::hand_over(out, error, std::move(*opened));
}

template <class Source, class... Arguments>
dvk::result<dvk::puffin::reader> open_source(const dvk::puffin::reader_options& options,
                                             Arguments... arguments) noexcept {
  std::unique_ptr<const dvk::random_access_source> source(new (std::nothrow) Source(arguments...));
  if (source == nullptr) return dvk::error{.code = dvk::error_code::out_of_memory};
  return dvk::puffin::reader::open(std::move(source), options);
}

dvk_text to_c(std::string_view text) noexcept {
  return {.data = text.data(), .size = text.size()};
}

bool property_at(std::span<const dvk::puffin::property> list, std::size_t i, dvk_text* name,
                 dvk_text* value) noexcept {
  if (i >= list.size()) return false;
  *name = to_c(list[i].name);
  *value = to_c(list[i].value);
  return true;
}

dvk_blob to_c(const dvk::puffin::blob_metadata& blob) noexcept {
  dvk_blob out{.struct_size = sizeof(dvk_blob),
               .type = to_c(blob.type),
               .fields = blob.fields.data(),
               .field_count = blob.fields.size(),
               .snapshot_id = blob.snapshot_id,
               .sequence_number = blob.sequence_number,
               .offset = blob.offset,
               .length = blob.length,
               .codec_name = to_c(blob.codec_name),
               .codec = static_cast<std::uint32_t>(blob.compression),
               .is_deletion_vector = blob.is_deletion_vector() ? 1u : 0u,
               .property_count = blob.properties.size(),
               .referenced_data_file = to_c(blob.referenced_data_file),
               .cardinality = blob.cardinality,
               .fault = {}};
  answer(blob.fault, &out.fault);
  return out;
}

}  // namespace

std::uint32_t dvk_puffin_open_file(const char* path, const dvk_puffin_options* options,
                                   dvk_puffin_reader** out, dvk_error* error) {
  return open_reader(options, out, error,
                     [&](const auto& o) { return dvk::puffin::reader::open_file(path, o); });
}
std::uint32_t dvk_puffin_open_memory(const void* bytes, std::size_t size,
                                     const dvk_puffin_options* options, dvk_puffin_reader** out,
                                     dvk_error* error) {
  return open_reader(options, out, error, [&](const auto& o) {
    return open_source<dvk::memory_source>(o, dvk::c::bytes_of(bytes, size));
  });
}
std::uint32_t dvk_puffin_open_source(std::uint64_t file_size, dvk_read_function read, void* context,
                                     const dvk_puffin_options* options, dvk_puffin_reader** out,
                                     dvk_error* error) {
  return open_reader(options, out, error, [&](const auto& o) {
    return open_source<function_source>(o, file_size, read, context);
  });
}
void dvk_puffin_free(dvk_puffin_reader* reader) {
  delete reader;
}

std::size_t dvk_puffin_blob_count(const dvk_puffin_reader* reader) {
  return reader->reader.blobs().size();
}
std::uint64_t dvk_puffin_footer_size(const dvk_puffin_reader* reader) {
  return reader->reader.footer_size();
}
std::uint64_t dvk_puffin_tolerated(const dvk_puffin_reader* reader) {
  return dvk::c::to_bits(reader->reader.tolerated());
}
bool dvk_puffin_blob(const dvk_puffin_reader* reader, std::size_t blob, dvk_blob* out) {
  const auto blobs = reader->reader.blobs();
  const std::size_t size = out->struct_size;
  if (blob >= blobs.size() || size < sizeof size) return false;
  dvk_blob all = to_c(blobs[blob]);
  all.struct_size = size;
  std::memcpy(out, &all, std::min(size, sizeof all));
  return true;
}
bool dvk_puffin_blob_property(const dvk_puffin_reader* reader, std::size_t blob, std::size_t i,
                              dvk_text* name, dvk_text* value) {
  const auto blobs = reader->reader.blobs();
  return blob < blobs.size() && property_at(blobs[blob].properties, i, name, value);
}
bool dvk_puffin_property(const dvk_puffin_reader* reader, std::size_t i, dvk_text* name,
                         dvk_text* value) {
  return property_at(reader->reader.properties(), i, name, value);
}

std::uint32_t dvk_puffin_find(const dvk_puffin_reader* reader, const char* data_file,
                              std::size_t data_file_size, std::size_t* blob, dvk_error* error) {
  const auto index = reader->reader.find({data_file, data_file_size});
  if (index) *blob = *index;
  return answer(index.error(), error);
}
std::uint32_t dvk_puffin_read_vector(const dvk_puffin_reader* reader, std::size_t blob,
                                     const dvk_open_options* options, dvk_vector** out,
                                     dvk_error* error) {
  dvk::open_options o;
  if (!dvk::c::to_cpp(options, o) || blob >= reader->reader.blobs().size()) {
    return answer(dvk::error_code::invalid_argument, error);
  }
  auto owned = reader->reader.read_vector(blob, o);
  if (!owned) return answer(owned.error(), error);
  return dvk::c::hand_over(out, error, std::move(owned->buffer), std::move(owned->vector));
}
std::uint32_t dvk_puffin_read_blob(const dvk_puffin_reader* reader, std::size_t blob,
                                   dvk_buffer** out, dvk_error* error) {
  if (blob >= reader->reader.blobs().size()) {
    return answer(dvk::error_code::invalid_argument, error);
  }
  auto content = reader->reader.read_blob(blob);
  if (!content) return answer(content.error(), error);
  return dvk::c::hand_over(out, error, std::move(*content));
}
