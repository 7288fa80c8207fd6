#include "dvk/commit.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "bytes/guard_memory.hpp"

namespace dvk::inline v0 {
namespace {

using detail::guard_memory;
using bytes_t = std::vector<std::byte>;
using entries_t = std::vector<vector_manifest_entry>;

// Items that hold rows, grouped by path: groups in the order of the file, items of a group in the
// order given.
result<std::vector<std::vector<std::size_t>>> groups_of(std::span<const data_file_deletes> deletes,
                                                        const commit_options& options) {
  std::vector<std::size_t> by_path;
  for (std::size_t i = 0; i < deletes.size(); ++i) {
    if (deletes[i].rows == nullptr) return error{.code = error_code::invalid_argument, .found = i};
    if (!deletes[i].rows->empty()) by_path.push_back(i);
  }
  std::stable_sort(by_path.begin(), by_path.end(), [&](std::size_t a, std::size_t b) {
    return deletes[a].file_path < deletes[b].file_path;
  });
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : by_path) {
    if (!groups.empty() && deletes[groups.back()[0]].file_path == deletes[i].file_path) {
      if (options.duplicates == duplicate_paths::refuse) {
        return error{
            .code = error_code::dv_duplicate_reference, .expected = groups.back()[0], .found = i};
      }
      groups.back().push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  if (options.order == vector_order::given) {
    std::sort(groups.begin(), groups.end(),
              [](const auto& a, const auto& b) { return a[0] < b[0]; });
  }
  return groups;
}

struct vector_bytes {
  bytes_t blob;
  std::uint64_t cardinality;
};

result<vector_bytes> serialize_group(std::span<const data_file_deletes> deletes,
                                     const std::vector<std::size_t>& group,
                                     const serialize_options& options) {
  const deletion_vector_builder& first = *deletes[group[0]].rows;
  if (group.size() == 1) {
    auto blob = first.serialize_blob(options);
    if (!blob) return blob.error();
    return vector_bytes{std::move(blob).value(), first.cardinality()};
  }
  deletion_vector_builder merged;
  for (const std::size_t i : group) {
    const auto bitmap = deletes[i].rows->serialize_bitmap();
    if (!bitmap) return bitmap.error();
    const auto view = deletion_vector::open_bitmap(*bitmap, {.level = validation::trusted});
    if (!view) return view.error();
    if (const error bad = merged.merge(*view); bad.code != error_code::ok) return bad;
  }
  auto blob = merged.serialize_blob(options);
  if (!blob) return blob.error();
  return vector_bytes{std::move(blob).value(), merged.cardinality()};
}

result<entries_t> write_groups(sink& out, std::string_view file_path,
                               std::span<const data_file_deletes> deletes,
                               const std::vector<std::vector<std::size_t>>& groups,
                               const commit_options& options) {
  entries_t entries;
  puffin::writer writer(out, options.puffin);
  for (const auto& group : groups) {
    const auto vector = serialize_group(deletes, group, {.keys = options.keys});
    if (!vector) return vector.error();
    const std::string_view path = deletes[group[0]].file_path;
    const auto written = writer.write_vector(vector->blob, path, vector->cardinality);
    if (!written) return written.error();
    entries.push_back({.file_path = std::string(file_path),
                       .file_size_in_bytes = 0,
                       .content_offset = written->offset,
                       .content_size_in_bytes = written->length,
                       .referenced_data_file = std::string(path),
                       .record_count = vector->cardinality});
  }
  const auto file = writer.finish();
  if (!file) return file.error();
  for (auto& entry : entries)
    entry.file_size_in_bytes = file->file_size;
  return entries;
}

void put_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    constexpr char hex[] = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20) {
      out += "\\u00";
      out += hex[code >> 4];
      out += hex[code & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

result<entries_t> write_deletion_vectors(sink& out, std::string_view file_path,
                                         std::span<const data_file_deletes> deletes,
                                         const commit_options& options) noexcept {
  return guard_memory([&]() -> result<entries_t> {
    const auto groups = groups_of(deletes, options);
    if (!groups) return groups.error();
    if (groups->empty()) return entries_t{};
    return write_groups(out, file_path, deletes, *groups, options);
  });
}

result<entries_t> write_deletion_vectors(const std::string& file_path,
                                         std::span<const data_file_deletes> deletes,
                                         const commit_options& options) noexcept {
  return guard_memory([&]() -> result<entries_t> {
    const auto groups = groups_of(deletes, options);
    if (!groups) return groups.error();
    if (groups->empty()) return entries_t{};  // before a file is even begun
    auto out = file_sink::create(file_path.c_str());
    if (!out) return out.error();
    return write_groups(*out, file_path, deletes, *groups, options);
  });
}

result<std::string> manifest_json(std::span<const vector_manifest_entry> entries) noexcept {
  return guard_memory([&]() -> result<std::string> {
    std::string out = "[";
    const auto put_number = [&out](std::string_view name, std::uint64_t value) {
      (out += name) += std::to_string(value);
    };
    for (const auto& e : entries) {
      if (out.size() > 1) out += ',';
      put_string(out += "{\"file_path\":", e.file_path);
      put_number(",\"file_size_in_bytes\":", e.file_size_in_bytes);
      put_number(",\"content_offset\":", e.content_offset);
      put_number(",\"content_size_in_bytes\":", e.content_size_in_bytes);
      put_string(out += ",\"referenced_data_file\":", e.referenced_data_file);
      put_number(",\"record_count\":", e.record_count);
      out += '}';
    }
    return out += ']';
  });
}

}  // namespace dvk::inline v0
