// Writing Puffin files of deletion vectors.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "c/handles.hpp"
#include "dvk/io.hpp"
#include "dvk/puffin.hpp"

struct dvk_puffin_writer {
  // In the order of their making: the writer borrows the sink.
  std::optional<dvk::file_sink> file;
  dvk::memory_sink memory;  // if there is no file
  std::optional<dvk::puffin::writer> writer;
};

namespace {

using dvk::c::answer;

// `handle` with its file, if any, made ready for blobs.
std::uint32_t start(std::unique_ptr<dvk_puffin_writer> handle,
                    const dvk::puffin::writer_options& options, dvk_puffin_writer** out,
                    dvk_error* error) noexcept {
  dvk::sink& sink = handle->file ? static_cast<dvk::sink&>(*handle->file) : handle->memory;
  handle->writer.emplace(sink, options);
  *out = handle.release();
  return answer(dvk::error_code::ok, error);
}

bool to_cpp(const dvk_puffin_writer_options* given, dvk::puffin::writer_options& out) noexcept {
  dvk_puffin_writer_options o;
  if (!dvk::c::read_options(given, o)) return false;
  if (o.created_by.data != nullptr) out.created_by = {o.created_by.data, o.created_by.size};
  return true;
}

}  // namespace

std::uint32_t dvk_puffin_writer_create_file(const char* path,
                                            const dvk_puffin_writer_options* options,
                                            dvk_puffin_writer** out, dvk_error* error) {
  dvk::puffin::writer_options o;
  if (!to_cpp(options, o)) return answer(dvk::error_code::invalid_argument, error);
  std::unique_ptr<dvk_puffin_writer> handle(new (std::nothrow) dvk_puffin_writer);
  if (handle == nullptr) return answer(dvk::error_code::out_of_memory, error);
  auto file = dvk::file_sink::create(path);
  if (!file) return answer(file.error(), error);
  handle->file.emplace(std::move(*file));
  return start(std::move(handle), o, out, error);
}
std::uint32_t dvk_puffin_writer_create_memory(const dvk_puffin_writer_options* options,
                                              dvk_puffin_writer** out, dvk_error* error) {
  dvk::puffin::writer_options o;
  if (!to_cpp(options, o)) return answer(dvk::error_code::invalid_argument, error);
  std::unique_ptr<dvk_puffin_writer> handle(new (std::nothrow) dvk_puffin_writer);
  if (handle == nullptr) return answer(dvk::error_code::out_of_memory, error);
  return start(std::move(handle), o, out, error);
}

std::uint32_t dvk_puffin_write_vector(dvk_puffin_writer* writer, const void* blob,
                                      std::size_t blob_size, const char* data_file,
                                      std::size_t data_file_size, std::uint64_t cardinality,
                                      std::uint64_t* content_offset,
                                      std::uint64_t* content_size_in_bytes, dvk_error* error) {
  const auto written = writer->writer->write_vector(dvk::c::bytes_of(blob, blob_size),
                                                    {data_file, data_file_size}, cardinality);
  if (written) {
    *content_offset = written->offset;
    *content_size_in_bytes = written->length;
  }
  return answer(written.error(), error);
}

std::uint32_t dvk_puffin_writer_finish(dvk_puffin_writer* writer, std::uint64_t* file_size_in_bytes,
                                       dvk_buffer** file, dvk_error* error) {
  const auto written = writer->writer->finish();
  if (!written) return answer(written.error(), error);
  if (file != nullptr) {
    *file = nullptr;
    if (!writer->file) {
      const auto bytes = writer->memory.bytes();
      auto copy = dvk::byte_buffer::allocate(bytes.size());
      if (!copy) return answer(copy.error(), error);
      std::ranges::copy(bytes, copy->data());
      const std::uint32_t failure = dvk::c::hand_over(file, error, std::move(*copy));
      if (failure != dvk_error_ok) return failure;
    }
  }
  *file_size_in_bytes = written->file_size;
  return answer(dvk::error_code::ok, error);
}
void dvk_puffin_writer_free(dvk_puffin_writer* writer) {
  delete writer;
}
