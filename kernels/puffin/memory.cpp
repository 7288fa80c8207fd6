// Sources and sinks in memory.
#include <cstring>
#include <limits>
#include <new>

#include "dvk/io.hpp"
#include "puffin/guarded.hpp"

namespace dvk::inline v0 {

result<byte_buffer> byte_buffer::allocate(std::uint64_t size) noexcept {
  byte_buffer out;
  if (size == 0) return out;
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
    return error{.code = error_code::out_of_memory};
  }
  out.data_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(size)]);
  if (out.data_ == nullptr) return error{.code = error_code::out_of_memory};
  out.size_ = static_cast<std::size_t>(size);
  return out;
}

error memory_source::read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept {
  const std::uint64_t there = offset <= bytes_.size() ? bytes_.size() - offset : 0;
  if (out.size() > there) {
    return {
        .code = error_code::short_read, .offset = offset, .expected = out.size(), .found = there};
  }
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return {};
}

error callback_source::read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept {
  return read_(context_, offset, out);
}

error memory_sink::write(std::span<const std::byte> bytes) noexcept {
  return detail::guarded([&] {
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return error{};
  });
}

}  // namespace dvk::inline v0
