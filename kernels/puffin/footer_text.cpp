// Metadata to footer JSON: the bytes that Iceberg Java's generator (Jackson) writes. Compact;
// members in a fixed order; `"`, `\` and control characters escaped, everything else raw.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "puffin/footer.hpp"

namespace dvk::inline v0::puffin {
namespace {

constexpr std::string_view codec_names[] = {"none", "lz4", "zstd", "unknown"};

// What stands for a character that JSON does not allow as it is; empty for all others.
std::string_view escaped(char c, char (&room)[6]) {
  constexpr char hex[] = "0123456789ABCDEF";
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\f':
      return "\\f";
    case '\r':
      return "\\r";
    default:
      if (static_cast<unsigned char>(c) >= 0x20) return {};
      std::copy_n("\\u00", 4, room);
      room[4] = hex[c >> 4];
      room[5] = hex[c & 15];
      return {room, sizeof room};
  }
}

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// The same of any of eight. `(x - n) & ~x` sets the top bit of a byte x < n, for n up to 128;
// borrows out of such a byte can only set others besides, so that the answer for all eight stays
// right.
bool any_needs_escape(const char* text) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t x;
  std::memcpy(&x, text, sizeof x);
  const auto below = [](std::uint64_t bytes, std::uint64_t n) {
    return (bytes - n * ones) & ~bytes;
  };
  return ((below(x, 0x20) | below(x ^ '"' * ones, 1) | below(x ^ '\\' * ones, 1)) & 0x80 * ones) !=
         0;
}

void append_string(std::string& json, std::string_view text) {
  json += '"';
  std::size_t plain = 0;  // where the characters begin that are still to be copied as they are
  for (std::size_t i = 0; i < text.size(); ++i) {
    while (text.size() - i > 8 && !any_needs_escape(text.data() + i))
      i += 8;
    if (!needs_escape(text[i])) continue;
    char room[6];
    json.append(text, plain, i - plain) += escaped(text[i], room);
    plain = i + 1;
  }
  json.append(text, plain) += '"';
}

template <class T>
void append_number(std::string& json, std::string_view member, T value) {
  char digits[20];
  json += member;
  json.append(digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr);
}

}  // namespace

std::string_view codec_name(codec which) noexcept {
  return codec_names[static_cast<std::size_t>(which)];
}

codec codec_of(std::string_view name) noexcept {
  return name == "lz4" ? codec::lz4 : name == "zstd" ? codec::zstd : codec::unknown;
}

void append_properties(std::string& json, std::span<const property> properties) {
  json += '{';
  for (const property& p : properties) {
    if (&p != properties.data()) json += ',';
    append_string(json, p.name);
    json += ':';
    append_string(json, p.value);
  }
  json += '}';
}

void append_blob(std::string& json, const blob_description& blob, written_blob place) {
  json += "{\"type\":";
  append_string(json, blob.type);
  json += ",\"fields\":[";
  for (const std::int32_t& id : blob.fields)
    append_number(json, &id != blob.fields.data() ? "," : "", id);
  append_number(json, "],\"snapshot-id\":", blob.snapshot_id);
  append_number(json, ",\"sequence-number\":", blob.sequence_number);
  append_number(json, ",\"offset\":", place.offset);
  append_number(json, ",\"length\":", place.length);
  if (blob.compression != codec::none) {
    json += ",\"compression-codec\":";
    append_string(json, codec_name(blob.compression));
  }
  if (!blob.properties.empty()) {
    json += ",\"properties\":";
    append_properties(json, blob.properties);
  }
  json += '}';
}

bool is_writable(std::span<const property> properties) {
  std::vector<std::string_view> names;
  for (const property& p : properties) {
    if (!is_utf8(p.name) || !is_utf8(p.value)) return false;
    names.push_back(p.name);
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace dvk::inline v0::puffin
