// What table metadata say of data files and of deletes, as JSON: the input of dvk explain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dvk/scope.hpp"

namespace dvk::cli {

// The part of a delete entry that decides nothing, and tells people which one it is.
struct delete_place {
  std::optional<std::string> file_path;
  std::optional<std::int64_t> content_offset;
  std::optional<std::int64_t> content_size_in_bytes;
  std::optional<std::int64_t> record_count;
};

struct table_facts {
  std::vector<data_file> data_files;
  std::vector<delete_entry> delete_entries;
  std::vector<delete_place> places;  // one for each entry
};

// Reads `file` ("-" for standard input):
//
//   {"data_files": [{"file_path", "data_sequence_number", "spec_id", "partition"}, ...],
//    "delete_entries": [{"content": "deletion_vector", "position_deletes" or "equality_deletes",
//      "data_sequence_number", "spec_id", "partition", "referenced_data_file", "file_path",
//      "content_offset", "content_size_in_bytes", "record_count"}, ...]}
//
// Optional: spec_id (0), partition ([]), and what follows it. A partition is the list of the
// tuple's values: null, true, false, numbers, strings, {"bytes": HEX}, {"float": "NaN"}. A member
// of another name is refused, lest a slip of the pen changes what applies. Throws failure, with the
// byte offset of bad JSON or the path of a bad member.
table_facts read_table_facts(const std::string& file);

}  // namespace dvk::cli
