// Z85: five characters for four bytes, most significant first.
#include <array>

#include "bytes/guard_memory.hpp"
#include "bytes/load.hpp"
#include "dvk/delta.hpp"

namespace dvk::inline v0::delta {
namespace {

constexpr char alphabet[] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
constexpr std::uint8_t no_digit = 255;
constexpr std::size_t group_characters = 5, group_bytes = 4;

constexpr std::array<std::uint8_t, 256> make_digits() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(no_digit);
  for (std::uint8_t i = 0; i < 85; ++i)
    digits[static_cast<std::uint8_t>(alphabet[i])] = i;
  return digits;
}
constexpr auto digits = make_digits();

error fault(std::size_t at, std::uint64_t expected = 0, std::uint64_t found = 0) {
  return {.code = error_code::z85, .offset = at, .expected = expected, .found = found};
}

// The value of the characters [from, to), at most five.
result<std::uint64_t> number(std::string_view text, std::size_t from, std::size_t to) {
  std::uint64_t value = 0;
  for (std::size_t i = from; i < to; ++i) {
    const auto character = static_cast<std::uint8_t>(text[i]);
    if (digits[character] == no_digit) return fault(i, 0, character);
    value = value * 85 + digits[character];
  }
  return value;
}

// The Rust crate's tail: k characters '#' and 5 - k digits stand for 4 - k bytes.
error decode_hash_tail(std::string_view text, std::size_t from, std::byte* out, std::size_t bytes) {
  std::size_t hashes = 1;
  while (hashes < group_characters && text[from + hashes] == '#')
    ++hashes;
  error bad = fault(from);
  bad.quirk = quirk::z85_hash_tail;
  if (hashes + bytes != group_bytes) return bad;
  const auto value = number(text, from + hashes, from + group_characters);
  if (!value) return value.error();
  if (*value >> (8 * bytes) != 0) return bad;
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<std::byte>(*value >> (8 * (bytes - 1 - i)));
  return {};
}

}  // namespace

result<std::vector<std::byte>> z85_decode(std::string_view text, std::size_t size,
                                          const inline_options& options) noexcept {
  const std::size_t groups = size / group_bytes + (size % group_bytes != 0);
  // Compared without multiplying: the size is as untrusted as the text.
  if (text.size() % group_characters != 0 || text.size() / group_characters != groups) {
    return fault(0, std::uint64_t{groups} * group_characters, text.size());
  }
  return detail::guard_memory([&]() -> result<std::vector<std::byte>> {
    std::vector<std::byte> out(groups * group_bytes);
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t at = g * group_characters;
      const bool hash_tail = text[at] == '#' && g + 1 == groups && size % group_bytes != 0;
      if (hash_tail && options.accept_hash_tail) {
        const error bad = decode_hash_tail(text, at, &out[g * group_bytes], size % group_bytes);
        if (bad.code != error_code::ok) return bad;
        continue;
      }
      const auto value = number(text, at, at + group_characters);
      if (!value) return value.error();
      if (*value > 0xffffffff) {
        error bad = fault(at, 0xffffffff, *value);
        if (hash_tail) bad.quirk = quirk::z85_hash_tail;
        return bad;
      }
      bytes::store_be32(&out[g * group_bytes], static_cast<std::uint32_t>(*value));
    }
    for (std::size_t i = size; options.canonical_padding && i < out.size(); ++i) {
      if (out[i] != std::byte{0}) {
        return error{.code = error_code::not_canonical, .offset = text.size() - group_characters};
      }
    }
    out.resize(size);
    return out;
  });
}

result<std::string> z85_encode(std::span<const std::byte> bytes) noexcept {
  return detail::guard_memory([&]() -> result<std::string> {
    std::string out((bytes.size() + group_bytes - 1) / group_bytes * group_characters, '0');
    for (std::size_t at = 0, to = 0; at < bytes.size(); at += group_bytes, to += group_characters) {
      std::byte group[group_bytes] = {};
      for (std::size_t i = 0; i < group_bytes && at + i < bytes.size(); ++i)
        group[i] = bytes[at + i];
      std::uint32_t value = bytes::load_be32(group);
      for (std::size_t i = group_characters; i-- > 0; value /= 85)
        out[to + i] = alphabet[value % 85];
    }
    return out;
  });
}

}  // namespace dvk::inline v0::delta
