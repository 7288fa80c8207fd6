// One Puffin file of deletion vectors for a commit, and the manifest fields of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/builder.hpp"
#include "dvk/export.hpp"
#include "dvk/puffin.hpp"
#include "dvk/result.hpp"

namespace dvk::inline v0 {

// The deletes of one data file. Merge its old vector and position deletes first (plan_replacement
// says which).
struct data_file_deletes {
  std::string_view file_path;  // as the table metadata have it
  const deletion_vector_builder* rows = nullptr;
};

enum class duplicate_paths : std::uint8_t { refuse, merge };
enum class vector_order : std::uint8_t { given, by_path };

struct commit_options {
  duplicate_paths duplicates = duplicate_paths::refuse;
  vector_order order = vector_order::by_path;
  key_mode keys = key_mode::present_keys;
  puffin::writer_options puffin = {};
};

// What a delete manifest says of one vector, under the names of its fields. Also true of each, and
// left to the caller: content 1 (position deletes), file_format puffin, and the data file's
// partition.
struct vector_manifest_entry {
  std::string file_path;
  std::uint64_t file_size_in_bytes = 0;
  std::uint64_t content_offset = 0;
  std::uint64_t content_size_in_bytes = 0;
  std::string referenced_data_file;
  std::uint64_t record_count = 0;

  friend bool operator==(const vector_manifest_entry&, const vector_manifest_entry&) = default;
};

// Writes the vectors of `deletes` into one Puffin file and returns their manifest entries, in the
// order of the file. Data files without deleted rows are left out; if none has any, nothing is
// written, no file appears, and the list is empty. One vector is in memory at a time. Two items of
// one path: dv_duplicate_reference (indices in `expected` and `found`), or their union.
//
// `file_path` is what the entries name. The first form writes to that path of the local file
// system, whole or not at all (file_sink in io.hpp says what that means when something fails); the
// second to a sink, which it commits, unless nothing is deleted.
[[nodiscard]] DVK_EXPORT result<std::vector<vector_manifest_entry>> write_deletion_vectors(
    const std::string& file_path, std::span<const data_file_deletes> deletes,
    const commit_options& options = {}) noexcept;
[[nodiscard]] DVK_EXPORT result<std::vector<vector_manifest_entry>> write_deletion_vectors(
    sink& out, std::string_view file_path, std::span<const data_file_deletes> deletes,
    const commit_options& options = {}) noexcept;

// The entries as a JSON array of objects with those six members.
[[nodiscard]] DVK_EXPORT result<std::string> manifest_json(
    std::span<const vector_manifest_entry> entries) noexcept;

}  // namespace dvk::inline v0
