// The container around the footer.
//
//   "PFA1" blobs... | "PFA1" payload payload_size:u32 flags:u32 "PFA1"
//                     `---------------- footer ------------------´
//
// It is found from the end. Checks run from the end too (tail magic, flags, size, footer magic,
// head magic), so that a file that is something else altogether is told so.
#include "puffin/container.hpp"

#include <algorithm>
#include <cstring>

#include "bytes/load.hpp"
#include "puffin/codec.hpp"
#include "puffin/footer.hpp"
#include "puffin/guarded.hpp"
#include "roaring/format.hpp"

namespace dvk::inline v0::puffin {
namespace {

constexpr std::uint32_t magic = 0x31414650;  // "PFA1", little-endian
constexpr std::uint64_t magic_size = 4;
constexpr std::uint64_t trailer_size = 12;  // payload size, flags, magic
constexpr std::uint64_t smallest_file = 2 * magic_size + trailer_size;
constexpr std::uint32_t compressed_flag = 1;
constexpr std::uint64_t largest_payload = 0x7fffffff;  // the size field is signed

using detail::failed;

error wrong_magic(error_code code, std::uint64_t offset, const std::byte* found) {
  return {.code = code, .offset = offset, .expected = magic, .found = bytes::load_le32(found)};
}

// The end of the file as far as it was read, with json_padding bytes after it, so that the JSON can
// be parsed in place.
class tail {
 public:
  tail(const random_access_source& source, std::uint64_t size)
      : source_(source), size_(size), start_(size) {}

  // Makes bytes from `offset` to the end available, by one read of those that are not yet.
  error extend_to(std::uint64_t offset) {
    if (offset >= start_) return {};
    auto longer = byte_buffer::allocate(size_ - offset + json_padding);
    if (!longer) return longer.error();
    const auto fresh = static_cast<std::size_t>(start_ - offset);
    const auto known = static_cast<std::size_t>(size_ - start_);
    if (const error e = source_.read_at(offset, longer->bytes().first(fresh)); failed(e)) return e;
    if (known != 0) std::memcpy(longer->data() + fresh, buffer_.data(), known);
    buffer_ = std::move(*longer);
    start_ = offset;
    return {};
  }
  [[nodiscard]] const std::byte* at(std::uint64_t offset) const {
    return buffer_.data() + (offset - start_);
  }
  [[nodiscard]] std::uint64_t start() const { return start_; }
  [[nodiscard]] byte_buffer take() && { return std::move(buffer_); }

 private:
  const random_access_source& source_;
  std::uint64_t size_;
  std::uint64_t start_;
  byte_buffer buffer_;
};

// Files that writers or catalogs pass off as Puffin. An answer to why, never to whether: a failed
// read changes nothing.
quirk looks_like(const random_access_source& source, std::uint64_t size) {
  std::byte head[9];
  if (size < sizeof head || failed(source.read_at(0, head))) return quirk::none;
  if (bytes::load_be32(head + 4) == detail::blob_magic) return quirk::bare_blob;
  if (head[0] == std::byte{1} && bytes::load_be32(head + 5) == detail::blob_magic)
    return quirk::delta_file;
  return quirk::none;
}

error check_head(const random_access_source& source, const tail& end) {
  std::byte head[magic_size];
  if (end.start() == 0) {
    std::memcpy(head, end.at(0), sizeof head);
  } else if (const error e = source.read_at(0, head); failed(e)) {
    return e;
  }
  return bytes::load_le32(head) == magic ? error{} : wrong_magic(error_code::head_magic, 0, head);
}

error inflate(std::span<const std::byte> stored, const reader_options& options, footer_text& out) {
  auto json = decode_lz4(stored, options.max_footer_bytes, json_padding);
  if (!json) {
    error e = json.error();
    e.offset = out.payload_offset;
    if (e.code == error_code::blob_lz4) e.code = error_code::footer_lz4;
    if (e.code == error_code::limit_exceeded) e.code = error_code::footer_too_large;
    return e;
  }
  out.json_size = json->size() - json_padding;
  out.buffer = std::move(*json);
  return {};
}

}  // namespace

result<footer_text> read_container(const random_access_source& source,
                                   const reader_options& options) noexcept {
  const std::uint64_t size =
      source.size();  // asked once: of a file that grows, too, there is one size
  if (size < smallest_file) {
    return error{.code = error_code::file_too_small, .expected = smallest_file, .found = size};
  }
  std::uint64_t first_read = std::max(options.tail_bytes, trailer_size);
  if (options.footer_size) {
    const std::uint64_t footer = *options.footer_size;
    if (footer < magic_size + trailer_size || footer > size - magic_size) {
      return error{
          .code = error_code::invalid_argument, .expected = size - magic_size, .found = footer};
    }
    // Not more than the limit on the payload's account: the size is the caller's word, but may be a
    // manifest's.
    first_read = std::min(footer, options.max_footer_bytes + magic_size + trailer_size);
  }
  tail end(source, size);
  if (const error e = end.extend_to(size - std::min(first_read, size)); failed(e)) return e;

  if (bytes::load_le32(end.at(size - 4)) != magic) {
    error e = wrong_magic(error_code::tail_magic, size - 4, end.at(size - 4));
    e.quirk = looks_like(source, size);
    return e;
  }
  const std::uint32_t flags = bytes::load_le32(end.at(size - 8));
  if ((flags & ~compressed_flag) != 0) {
    return error{.code = error_code::footer_flags,
                 .offset = size - 8,
                 .expected = flags & compressed_flag,
                 .found = flags};
  }
  footer_text out;
  out.compressed = flags != 0;
  out.payload_size = bytes::load_le32(end.at(size - 12));
  const std::uint64_t room = std::min(size - smallest_file, largest_payload);
  if (out.payload_size > room) {
    return error{.code = error_code::footer_size,
                 .offset = size - 12,
                 .expected = room,
                 .found = out.payload_size};
  }
  if (out.payload_size > options.max_footer_bytes) {
    return error{.code = error_code::footer_too_large,
                 .offset = size - 12,
                 .expected = options.max_footer_bytes,
                 .found = out.payload_size};
  }
  out.payload_offset = size - trailer_size - out.payload_size;
  const std::uint64_t footer = out.payload_offset - magic_size;
  if (const error e = end.extend_to(footer); failed(e)) return e;
  if (bytes::load_le32(end.at(footer)) != magic) {
    return wrong_magic(error_code::footer_magic, footer, end.at(footer));
  }
  if (options.footer_size && *options.footer_size != size - footer) {
    return error{.code = error_code::footer_size,
                 .offset = size - 12,
                 .expected = *options.footer_size - magic_size - trailer_size,
                 .found = out.payload_size};
  }
  if (options.check_head) {
    if (const error e = check_head(source, end); failed(e)) return e;
  }
  const auto stored_size = static_cast<std::size_t>(out.payload_size);
  if (out.compressed) {
    if (const error e = inflate({end.at(out.payload_offset), stored_size}, options, out); failed(e))
      return e;
    return out;
  }
  out.json_start = static_cast<std::size_t>(out.payload_offset - end.start());
  out.json_size = stored_size;
  out.buffer = std::move(end).take();
  return out;
}

}  // namespace dvk::inline v0::puffin
