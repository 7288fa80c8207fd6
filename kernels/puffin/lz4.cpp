// LZ4 frames. liblz4 1.9 is lenient where a format that others read must not be: it takes a content
// size of 0 for "unknown", ignores dictionary ids, decodes matches at distance 0 (whatever the
// buffer held before), and leaves it to the caller to see that a frame is incomplete or followed by
// more. So the frame is walked first, down to the sequences; that also yields the true content size
// before a byte is allocated. liblz4 then decodes, and checks the checksums.
#include <lz4frame.h>

#include <memory>
#include <string_view>

#include "bytes/load.hpp"
#include "puffin/codec.hpp"
#include "puffin/guarded.hpp"

namespace dvk::inline v0::puffin {
namespace {

constexpr std::uint32_t frame_magic = 0x184D2204;

error broken() {
  return {.code = error_code::blob_lz4};
}

// Why liblz4 gave up. Its public header tells the reason by name only.
error given_up(LZ4F_errorCode_t code) {
  const bool memory = std::string_view(LZ4F_getErrorName(code)) == "ERROR_allocation_failed";
  return memory ? error{.code = error_code::out_of_memory} : broken();
}

struct decoder_deleter {
  void operator()(LZ4F_dctx* d) const noexcept { LZ4F_freeDecompressionContext(d); }
};
using decoder = std::unique_ptr<LZ4F_dctx, decoder_deleter>;

// What stands in the header, which liblz4 has checked (version, reserved bits, checksum).
struct header {
  std::size_t size = 0;
  std::uint64_t content_size = 0;
  std::uint64_t block_max = 0;
  bool independent = false;
  bool block_checksum = false;
  bool content_checksum = false;
};

class frame_walk {
 public:
  frame_walk(std::span<const std::byte> frame, const header& h)
      : bytes_(frame), at_(h.size), header_(h) {}

  // The default error if the bytes are one frame, complete and nothing more, of the stated content
  // size.
  error check() {
    for (;;) {
      std::uint32_t word = 0;
      if (!number(word)) return broken();
      if (word == 0) break;  // end mark
      const std::size_t size = word & 0x7fffffff;
      if (size > header_.block_max || size > bytes_.size() - at_) return broken();
      if (const error failure = block(at_ + size, (word >> 31) != 0); detail::failed(failure))
        return failure;
      if (header_.block_checksum && !skip(4)) return broken();
      if (produced_ > header_.content_size) return wrong_size();
    }
    if (produced_ != header_.content_size) return wrong_size();
    if (header_.content_checksum && !skip(4)) return broken();
    return at_ == bytes_.size() ? error{} : broken();
  }

 private:
  error wrong_size() const {
    return {.code = error_code::content_size, .expected = header_.content_size, .found = produced_};
  }

  bool skip(std::uint64_t n) {
    if (n > bytes_.size() - at_) return false;
    at_ += static_cast<std::size_t>(n);
    return true;
  }
  bool number(std::uint32_t& out) {
    if (bytes_.size() - at_ < 4) return false;
    out = bytes::load_le32(bytes_.data() + at_);
    at_ += 4;
    return true;
  }

  // Lengths from 15 on go on in further bytes, each but the last 255.
  bool length(std::uint64_t& n, std::size_t end) {
    if (n < 15) return true;
    for (;;) {
      if (at_ == end) return false;
      const auto more = static_cast<std::uint64_t>(bytes_[at_++]);
      n += more;
      if (more != 255) return true;
    }
  }

  error block(std::size_t end, bool stored) {
    if (stored) {
      produced_ += end - at_;
      at_ = end;
      return {};
    }
    const std::uint64_t start = produced_;
    for (;;) {
      if (at_ == end) return broken();
      const auto token = static_cast<std::uint64_t>(bytes_[at_++]);
      std::uint64_t literals = token >> 4;
      if (!length(literals, end) || literals > end - at_) return broken();
      at_ += static_cast<std::size_t>(literals);
      produced_ += literals;
      if (produced_ - start > header_.block_max) return broken();
      if (at_ == end) return {};  // a block ends with literals
      if (end - at_ < 2) return broken();
      const auto low = static_cast<std::uint64_t>(bytes_[at_]);
      const std::uint64_t distance = low | static_cast<std::uint64_t>(bytes_[at_ + 1]) << 8;
      at_ += 2;
      const std::uint64_t reach = produced_ - (header_.independent ? start : 0);
      std::uint64_t match = token & 15;
      if (!length(match, end)) return broken();
      if (distance == 0 || distance > reach)
        return broken();  // 16 bits cannot leave the 64 KiB window
      produced_ += match + 4;
      if (produced_ - start > header_.block_max) return broken();
      if (produced_ > header_.content_size) return wrong_size();
    }
  }

  std::span<const std::byte> bytes_;
  std::size_t at_;
  const header& header_;
  std::uint64_t produced_ = 0;
};

error read_header(LZ4F_dctx* context, std::span<const std::byte> frame, header& out) {
  if (frame.size() < 7 || bytes::load_le32(frame.data()) != frame_magic)
    return broken();  // skippable, legacy
  LZ4F_frameInfo_t info{};
  std::size_t size = frame.size();
  const std::size_t hint = LZ4F_getFrameInfo(context, &info, frame.data(), &size);
  if (LZ4F_isError(hint) != 0) return given_up(hint);
  const auto flags = static_cast<unsigned>(frame[4]);
  if ((flags & 1) != 0) return broken();                            // dictionary id
  if ((flags & 8) == 0) return {.code = error_code::content_size};  // none stated
  out.size = size;
  out.content_size = info.contentSize;
  out.block_max = std::uint64_t{1}
                  << (8 + 2 * static_cast<unsigned>(info.blockSizeID));  // ids 4..7: 64 KiB..4 MiB
  out.independent = info.blockMode == LZ4F_blockIndependent;
  out.block_checksum = info.blockChecksumFlag == LZ4F_blockChecksumEnabled;
  out.content_checksum = info.contentChecksumFlag == LZ4F_contentChecksumEnabled;
  return {};
}

}  // namespace

result<byte_buffer> decode_lz4(std::span<const std::byte> frame, std::uint64_t limit,
                               std::size_t padding) noexcept {
  LZ4F_dctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION)) != 0) {
    return error{.code = error_code::out_of_memory};
  }
  const decoder context(raw);
  header h;
  if (const error failure = read_header(raw, frame, h); detail::failed(failure)) return failure;
  if (h.content_size > limit) {
    return error{.code = error_code::limit_exceeded, .expected = limit, .found = h.content_size};
  }
  if (const error failure = frame_walk(frame, h).check(); detail::failed(failure)) return failure;
  auto out = byte_buffer::allocate(h.content_size + padding);
  if (!out) return out;
  std::size_t consumed = h.size;
  std::size_t produced = 0;
  // A call may stop at a block's end, so go on for as long as it gets on.
  for (;;) {
    std::size_t in = frame.size() - consumed;
    std::size_t room = static_cast<std::size_t>(h.content_size) - produced;
    const std::size_t hint =
        LZ4F_decompress(raw, out->data() + produced, &room, frame.data() + consumed, &in, nullptr);
    if (LZ4F_isError(hint) != 0) return given_up(hint);
    consumed += in;
    produced += room;
    if (hint == 0) break;
    if (in == 0 && room == 0) return broken();
  }
  if (consumed != frame.size() || produced != h.content_size) return broken();
  return out;
}

result<encoded> encode_lz4(std::span<const std::byte> content) noexcept {
  encoded out;
  if (content.empty()) {
    // liblz4 cannot state a content size of 0. Header (version 1, independent blocks, size 0), its
    // checksum, end mark.
    static constexpr unsigned char empty[19] = {0x04, 0x22, 0x4D, 0x18, 0x68, 0x40, 0,   0,
                                                0,    0,    0,    0,    0,    0,    0x05};
    auto buffer = byte_buffer::allocate(sizeof empty);
    if (!buffer) return buffer.error();
    __builtin_memcpy(buffer->data(), empty, sizeof empty);
    out.buffer = std::move(*buffer);
    out.size = sizeof empty;
    return out;
  }
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.contentSize = content.size();
  auto buffer = byte_buffer::allocate(LZ4F_compressFrameBound(content.size(), &preferences));
  if (!buffer) return buffer.error();
  const std::size_t size = LZ4F_compressFrame(buffer->data(), buffer->size(), content.data(),
                                              content.size(), &preferences);
  if (LZ4F_isError(size) != 0)
    return error{.code = error_code::out_of_memory};  // the only way it fails here
  out.buffer = std::move(*buffer);
  out.size = size;
  return out;
}

}  // namespace dvk::inline v0::puffin
