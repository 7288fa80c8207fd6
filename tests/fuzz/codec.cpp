// The input is a compressed blob, an LZ4 or a Zstandard frame. Promised of both decoders:
// - they give content or a fault that lies in the frame, and never more than the limit;
// - what they accept, liblz4 and libzstd decode to the same bytes, and say the same content size;
// - they take exactly one frame: not without its last byte, nor with one more;
// - the content, encoded and decoded again, is what it was.
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "puffin/codec.hpp"
#include "tests/fuzz/promise.hpp"

using namespace dvk_fuzz;
using namespace dvk::puffin;

namespace {

constexpr std::uint64_t limit = std::uint64_t{1} << 20;
using bytes = std::span<const std::byte>;
using buffer = std::vector<std::byte>;

buffer peer_lz4(bytes frame, std::size_t size) {
  LZ4F_dctx* context = nullptr;
  PROMISE(LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) == 0);
  LZ4F_frameInfo_t info{};
  std::size_t read = frame.size();
  std::size_t hint = LZ4F_getFrameInfo(context, &info, frame.data(), &read);
  PROMISE(LZ4F_isError(hint) == 0 && info.contentSize == size);
  buffer out(size + 1);
  std::size_t written = 0;
  while (hint != 0) {
    std::size_t room = out.size() - written;
    std::size_t taken = frame.size() - read;
    PROMISE(taken != 0);
    hint =
        LZ4F_decompress(context, out.data() + written, &room, frame.data() + read, &taken, nullptr);
    PROMISE(LZ4F_isError(hint) == 0);
    written += room;
    read += taken;
  }
  LZ4F_freeDecompressionContext(context);
  PROMISE(written == size && read == frame.size());
  out.resize(size);
  return out;
}

buffer peer_zstd(bytes frame, std::size_t size) {
  PROMISE(ZSTD_getFrameContentSize(frame.data(), frame.size()) == size);
  buffer out(size + 1);
  PROMISE(ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size()) == size);
  out.resize(size);
  return out;
}

template <class Decode, class Encode, class Peer>
void check_codec(bytes frame, Decode decode, Encode encode, Peer peer) {
  const auto content = decode(frame, limit);
  if (!content) {
    check_error_text(content.error(), frame.size());
    return;
  }
  PROMISE(content->size() <= limit);
  PROMISE(std::ranges::equal(content->bytes(), peer(frame, content->size())));
  if (content->size() != 0) {
    PROMISE(decode(frame, content->size() - 1).error().code == dvk::error_code::limit_exceeded);
  }
  PROMISE(!decode(frame.first(frame.size() - 1), limit));
  buffer longer(frame.begin(), frame.end());
  longer.push_back(frame.front());
  PROMISE(!decode(longer, limit));

  const auto again = encode(content->bytes());
  PROMISE(again.has_value());
  const auto back = decode(again->bytes(), limit);
  PROMISE(back && std::ranges::equal(back->bytes(), content->bytes()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto frame = bytes_of(data, size);
  check_codec(
      frame, [](bytes f, std::uint64_t most) { return decode_lz4(f, most); }, encode_lz4, peer_lz4);
  check_codec(frame, decode_zstd, encode_zstd, peer_zstd);
  return 0;
}
