// Bytes that the library made.
#include "c/handles.hpp"

const void* dvk_buffer_data(const dvk_buffer* buffer) {
  return buffer->bytes.data();
}
std::size_t dvk_buffer_size(const dvk_buffer* buffer) {
  return buffer->bytes.size();
}
void dvk_buffer_free(dvk_buffer* buffer) {
  delete buffer;
}
