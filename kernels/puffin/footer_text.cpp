// Metadata to footer JSON: the bytes that Iceberg Java's generator (Jackson) writes. Compact;
// members in a fixed order; `"`, `\` and control characters escaped, everything else raw.
#include <algorithm>
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

void append_string(std::string& json, std::string_view text) {
  json += '"';
  std::size_t plain = 0;  // where the characters begin that are still to be copied as they are
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    char room[6];
    json.append(text, plain, i - plain) += escaped(text[i], room);
    plain = i + 1;
  }
  json.append(text, plain) += '"';
}

template <class T>
void append_number(std::string& json, std::string_view member, T value) {
  json += member;
  json += std::to_string(value);
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
