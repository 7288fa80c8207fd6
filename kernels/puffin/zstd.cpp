// Zstandard frames.
#include <zstd.h>
#include <zstd_errors.h>

#include <memory>

#include "bytes/load.hpp"
#include "puffin/codec.hpp"

namespace dvk::inline v0::puffin {
namespace {

constexpr std::uint32_t frame_magic = 0xFD2FB528;
constexpr std::uint64_t block_max = 128 * 1024;

error broken() {
  return {.code = error_code::blob_zstd};
}

struct encoder_deleter {
  void operator()(ZSTD_CCtx* c) const noexcept { ZSTD_freeCCtx(c); }
};

}  // namespace

result<byte_buffer> decode_zstd(std::span<const std::byte> frame, std::uint64_t limit) noexcept {
  if (frame.size() < 4 || bytes::load_le32(frame.data()) != frame_magic)
    return broken();  // skippable, legacy
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) return broken();
  if (ZSTD_getDictID_fromFrame(frame.data(), frame.size()) != 0) return broken();
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) return error{.code = error_code::content_size};
  if (size > limit)
    return error{.code = error_code::limit_exceeded, .expected = limit, .found = size};
  // Also an error where the frame is cut short.
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return broken();
  // A block takes 3 bytes at least and makes 128 KiB at most: no allocation that these bytes cannot
  // fill.
  if (size / block_max > frame.size() / 3)
    return error{.code = error_code::content_size, .expected = size};
  auto out = byte_buffer::allocate(size);
  if (!out) return out;
  const std::size_t made = ZSTD_decompress(out->data(), out->size(), frame.data(), frame.size());
  if (ZSTD_isError(made) != 0) {
    switch (ZSTD_getErrorCode(made)) {
      case ZSTD_error_dstSize_tooSmall:
        return error{.code = error_code::content_size, .expected = size};
      case ZSTD_error_memory_allocation:
        return error{.code = error_code::out_of_memory};
      default:
        return broken();
    }
  }
  if (made != size) return error{.code = error_code::content_size, .expected = size, .found = made};
  return out;
}

result<encoded> encode_zstd(std::span<const std::byte> content) noexcept {
  const std::unique_ptr<ZSTD_CCtx, encoder_deleter> context(ZSTD_createCCtx());
  if (context == nullptr) return error{.code = error_code::out_of_memory};
  auto buffer = byte_buffer::allocate(ZSTD_compressBound(content.size()));
  if (!buffer) return buffer.error();
  // As Iceberg Java's frames: content size (the default) and checksum.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t size =
      ZSTD_compress2(context.get(), buffer->data(), buffer->size(), content.data(), content.size());
  if (ZSTD_isError(size) != 0)
    return error{.code = error_code::out_of_memory};  // the only way it fails here
  return encoded{std::move(*buffer), size};
}

}  // namespace dvk::inline v0::puffin
