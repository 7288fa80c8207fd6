// LZ4 and Zstandard frames: round trips, and what must be refused although the libraries decode it.
#include <gtest/gtest.h>

#include <string>

#include "dvk/puffin.hpp"
#include "puffin/codec.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/puffin.hpp"
#include "tests/support/random.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
namespace puffin = dvk::puffin;

constexpr std::uint64_t no_limit = std::uint64_t{1} << 40;

struct method {
  const char* name;
  error_code broken;
  std::string (*encode)(std::string_view);
  dvk::result<dvk::byte_buffer> (*decode)(std::span<const std::byte>, std::uint64_t limit);
};

const method methods[] = {
    {"lz4", error_code::blob_lz4,
     [](std::string_view t) { return text_of(puffin::encode_lz4(bytes_of(t))->bytes()); },
     [](std::span<const std::byte> f, std::uint64_t limit) {
       return puffin::decode_lz4(f, limit);
     }},
    {"zstd", error_code::blob_zstd,
     [](std::string_view t) { return text_of(puffin::encode_zstd(bytes_of(t))->bytes()); },
     [](std::span<const std::byte> f, std::uint64_t limit) {
       return puffin::decode_zstd(f, limit);
     }},
};

class puffin_codec : public testing::TestWithParam<method> {
 protected:
  // Decodes from bytes that end at a guard page.
  static dvk::result<dvk::byte_buffer> decode(std::string_view frame,
                                              std::uint64_t limit = no_limit) {
    const guard_buffer guarded({reinterpret_cast<const std::uint8_t*>(frame.data()), frame.size()});
    return GetParam().decode(guarded.bytes(), limit);
  }
  static std::string encode(std::string_view text) { return GetParam().encode(text); }
};

std::string some_text(std::size_t n, std::uint64_t alphabet) {
  auto rng = generator(n * 1000 + alphabet);
  std::string out;
  while (out.size() < n)
    out += static_cast<char>('a' + below(rng, alphabet));
  return out;
}

TEST_P(puffin_codec, round_trip) {
  for (const std::size_t n :
       {0, 1, 2, 15, 16, 255, 256, 300, 65535, 65536, 65537, 200000, 700000}) {
    for (const std::uint64_t alphabet : {1, 3, 200}) {
      const std::string text = some_text(n, alphabet);
      const auto back = decode(encode(text));
      ASSERT_TRUE(back) << n << ": " << back.error().message();
      EXPECT_TRUE(text_of(back->bytes()) == text) << n;
    }
  }
}

TEST_P(puffin_codec, limit_is_checked_against_the_declared_size) {
  const std::string frame = encode(std::string(1000000, 'a'));
  EXPECT_TRUE(decode(frame, 1000000));
  const dvk::error e = decode(frame, 999999).error();
  EXPECT_EQ(e.code, error_code::limit_exceeded);
  EXPECT_EQ(e.expected, 999999u);
  EXPECT_EQ(e.found, 1000000u);
}

TEST_P(puffin_codec, exactly_one_frame) {
  const std::string frame = encode("some text, some text, some text");
  EXPECT_EQ(decode(frame + frame).error().code, GetParam().broken);
  EXPECT_EQ(decode(frame + "x").error().code, GetParam().broken);
  EXPECT_EQ(decode("").error().code, GetParam().broken);
  const std::string skippable = le32(0x184D2A50) + le32(4) + "skip";
  EXPECT_EQ(decode(skippable + frame).error().code, GetParam().broken);
  EXPECT_EQ(decode(frame + skippable).error().code, GetParam().broken);
  EXPECT_EQ(decode(skippable).error().code, GetParam().broken);
  for (std::size_t n = 0; n < frame.size(); ++n) {
    EXPECT_FALSE(decode(frame.substr(0, n))) << n;
  }
}

TEST_P(puffin_codec, damaged_frames_never_read_or_write_outside) {
  auto rng = generator(2);
  const std::string frame = encode(some_text(3000, 4));
  for (std::size_t i = 0; i < cases(20000); ++i) {
    std::string bad = frame;
    for (std::uint64_t n = 1 + below(rng, 3); n != 0; --n) {
      bad[below(rng, bad.size())] = static_cast<char>(below(rng, 256));
    }
    const auto back = decode(bad, 1 << 20);
    if (back) {
      EXPECT_LE(back->size(), std::size_t{1} << 20);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(codecs, puffin_codec, testing::ValuesIn(methods),
                         [](const auto& m) { return m.param.name; });

// An LZ4 frame of independent 64 KiB blocks without checksums. The header checksum of each size is
// the caller's.
std::string lz4_frame(std::string_view header, const std::string& block) {
  return le32(0x184D2204) + std::string(header) + le32(static_cast<std::uint32_t>(block.size())) +
         block + le32(0);
}

// Flags 0x60 (no content size), 0x68 (content size n) with header checksums that the xxHash
// specification gives.
TEST(puffin_lz4, content_size_is_required) {
  const std::string none("\x60\x40\x82", 3);
  EXPECT_EQ(puffin::decode_lz4(bytes_of(lz4_frame(none, "\x50hello")), no_limit).error().code,
            error_code::content_size);
}

// liblz4 takes a stated size of 0 for unknown and would decode five bytes.
TEST(puffin_lz4, content_size_zero_is_a_size) {
  const std::string zero("\x68\x40\0\0\0\0\0\0\0\0\x05", 11);
  const dvk::error e = puffin::decode_lz4(bytes_of(lz4_frame(zero, "\x50hello")), no_limit).error();
  EXPECT_EQ(e.code, error_code::content_size);
  EXPECT_EQ(e.found, 5u);
}

// A frame that liblz4 wrote, with single fields of its block changed.
TEST(puffin_lz4, sequences_are_checked) {
  const std::string frame = text_of(puffin::encode_lz4(bytes_of(std::string(100, 'a')))->bytes());
  // magic 4, flags 1, block descriptor 1, content size 8, header checksum 1, block size 4; then the
  // block: token, one literal, distance 1, ...
  constexpr std::size_t block = 19;
  ASSERT_EQ(frame[block] & 0xf0, 0x10);
  ASSERT_EQ(frame.substr(block + 2, 2), std::string("\1\0", 2));
  const auto with_distance = [&](std::string_view distance) {
    std::string bad = frame;
    bad.replace(block + 2, 2, distance);
    return puffin::decode_lz4(bytes_of(bad), no_limit).error().code;
  };
  EXPECT_EQ(with_distance({"\1\0", 2}), error_code::ok);
  EXPECT_EQ(with_distance({"\0\0", 2}), error_code::blob_lz4);  // liblz4 1.9.4 decodes this one
  EXPECT_EQ(with_distance({"\2\0", 2}), error_code::blob_lz4);
  EXPECT_EQ(with_distance({"\xff\xff", 2}), error_code::blob_lz4);
  std::string longer = frame;
  ++longer[block + 4];  // the match, by one byte
  EXPECT_EQ(puffin::decode_lz4(bytes_of(longer), no_limit).error().code, error_code::content_size);
}

TEST(puffin_lz4, padding_follows_the_content) {
  const std::string frame = text_of(puffin::encode_lz4(bytes_of("abc"))->bytes());
  const auto back = puffin::decode_lz4(bytes_of(frame), 3, 64);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->size(), 67u);
  EXPECT_EQ(text_of(back->bytes()).substr(0, 3), "abc");
}

TEST(puffin_zstd, frames_carry_size_and_checksum) {
  const std::string frame = text_of(puffin::encode_zstd(bytes_of("abcdefghi"))->bytes());
  EXPECT_EQ(static_cast<unsigned char>(frame[4]) & 0x24, 0x24);  // single segment, checksum
}

TEST(puffin_zstd, false_sizes) {
  std::string frame = text_of(puffin::encode_zstd(bytes_of("abcdefghi"))->bytes());
  ASSERT_EQ(frame[5], 9);  // the content size
  frame[5] = 8;
  EXPECT_FALSE(puffin::decode_zstd(bytes_of(frame), no_limit));
  frame[5] = 10;
  EXPECT_FALSE(puffin::decode_zstd(bytes_of(frame), no_limit));
  // 2^39 bytes stated by a frame of 20: refused before anything is allocated.
  const std::string huge = le32(0xFD2FB528) + std::string("\xe0", 1) +
                           std::string("\0\0\0\0\x80\0\0\0", 8) + std::string("\1\0\0", 3) + "xxxx";
  EXPECT_EQ(puffin::decode_zstd(bytes_of(huge.substr(0, 16)), no_limit).error().code,
            error_code::content_size);
}

}  // namespace
