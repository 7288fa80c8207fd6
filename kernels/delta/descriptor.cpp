// Delta descriptors: paths, UUIDs, and what Iceberg calls the same things.
#include <algorithm>

#include "bytes/guard_memory.hpp"
#include "dvk/delta.hpp"

namespace dvk::inline v0::delta {
namespace {

constexpr std::size_t uuid_characters = 20;  // Z85 of 16 bytes
constexpr std::int64_t largest_int32 = 0x7fffffff;
constexpr std::int64_t frame_bytes = 8;
constexpr std::int64_t least_size = 12;

error refuse() {
  return {.code = error_code::delta_descriptor};
}

bool has_parent_step(std::string_view path) {
  while (true) {
    const auto slash = path.find_first_of("/\\");
    if (path.substr(0, slash) == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Percent-escapes of '.', '/' and '\\': whoever decodes the path later would see steps that we did
// not.
bool has_escaped_step(std::string_view path) {
  for (std::size_t i = 0; i + 2 < path.size(); ++i) {
    if (path[i] != '%') continue;
    const char high = path[i + 1], low = lower(path[i + 2]);
    if ((high == '2' && (low == 'e' || low == 'f')) || (high == '5' && low == 'c')) return true;
  }
  return false;
}

// Stays inside the folder it is joined to.
bool is_safe_below(std::string_view path) {
  return !path.starts_with('/') && !path.starts_with('\\') &&
         path.find(":/") == std::string_view::npos && path.find('\0') == std::string_view::npos &&
         !has_parent_step(path) && !has_escaped_step(path);
}

std::string_view prefix_of(const descriptor& d) {
  return std::string_view(d.path_or_inline_dv)
      .substr(0, d.path_or_inline_dv.size() - uuid_characters);
}

result<std::vector<std::byte>> uuid_of(const descriptor& d) {
  const auto prefix = prefix_of(d);
  auto decoded =
      z85_decode(std::string_view(d.path_or_inline_dv).substr(prefix.size()), sizeof(uuid));
  if (decoded || decoded.error().code != error_code::z85) return decoded;
  error bad = decoded.error();
  bad.offset += prefix.size();
  return bad;
}

}  // namespace

error check(const descriptor& d) noexcept {
  if (d.storage_type != "u" && d.storage_type != "p" && d.storage_type != "i") return refuse();
  if (d.cardinality < 0) return refuse();
  if (d.storage_type == "i") return d.offset ? refuse() : error{};
  if (d.storage_type == "p") return d.path_or_inline_dv.empty() ? refuse() : error{};
  if (d.path_or_inline_dv.size() < uuid_characters) {
    return {
        .code = error_code::z85, .expected = uuid_characters, .found = d.path_or_inline_dv.size()};
  }
  if (!is_safe_below(prefix_of(d))) return refuse();
  return uuid_of(d).error();
}

result<std::string> relative_path(const descriptor& d) noexcept {
  if (const error bad = check(d); bad.code != error_code::ok) return bad;
  if (d.storage_type != "u") return refuse();
  const auto id = uuid_of(d);
  if (!id) return id.error();
  return detail::guard_memory([&]() -> result<std::string> {
    std::string out(prefix_of(d));
    if (!out.empty()) out += '/';
    out += "deletion_vector_";
    for (std::size_t i = 0; i < id->size(); ++i) {
      constexpr char hex[] = "0123456789abcdef";
      if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
      out += hex[static_cast<unsigned>((*id)[i]) >> 4];
      out += hex[static_cast<unsigned>((*id)[i]) & 15];
    }
    return out + ".bin";
  });
}

result<std::string> resolve_path(const descriptor& d, std::string_view table_root,
                                 bool inside_table) noexcept {
  return detail::guard_memory([&]() -> result<std::string> {
    if (const error bad = check(d); bad.code != error_code::ok) return bad;
    if (d.storage_type == "p") {
      const std::string_view path = d.path_or_inline_dv;
      const bool below = path.size() > table_root.size() + 1 && path.starts_with(table_root) &&
                         path[table_root.size()] == '/' &&
                         is_safe_below(path.substr(table_root.size() + 1));
      if (inside_table && !below) return refuse();
      return std::string(path);
    }
    auto name = relative_path(d);
    if (!name) return name;
    return std::string(table_root) + '/' + *name;
  });
}

result<std::string> encode_path(const uuid& id, std::string_view prefix) noexcept {
  if (!is_safe_below(prefix)) return refuse();
  auto text = z85_encode(std::as_bytes(std::span(id)));
  if (!text) return text;
  return detail::guard_memory([&]() -> result<std::string> { return std::string(prefix) + *text; });
}

result<iceberg_entry> to_iceberg(const descriptor& d, std::string_view table_root) noexcept {
  auto path = resolve_path(d, table_root);  // refuses inline vectors
  if (!path) return path.error();
  if (d.size_in_bytes < least_size || d.size_in_bytes > largest_int32 - frame_bytes)
    return refuse();
  const std::int64_t offset = d.offset.value_or(1);
  if (offset < 1 || offset > largest_int32) return refuse();
  return iceberg_entry{.file_path = std::move(path).value(),
                       .content_offset = offset,
                       .content_size_in_bytes = d.size_in_bytes + frame_bytes,
                       .record_count = d.cardinality};
}

result<descriptor> from_iceberg(const iceberg_entry& entry) noexcept {
  if (entry.file_path.empty() || entry.record_count < 0 || entry.content_offset < 1 ||
      entry.content_offset > largest_int32 ||
      entry.content_size_in_bytes < least_size + frame_bytes ||
      entry.content_size_in_bytes > largest_int32) {
    return refuse();
  }
  return detail::guard_memory([&]() -> result<descriptor> {
    return descriptor{.storage_type = "p",
                      .path_or_inline_dv = entry.file_path,
                      .offset = entry.content_offset,
                      .size_in_bytes = entry.content_size_in_bytes - frame_bytes,
                      .cardinality = entry.record_count};
  });
}

}  // namespace dvk::inline v0::delta
