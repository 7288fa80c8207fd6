// Listings of vectors as metadata names them: JSON objects, one a line.
#pragma once

#include <string>
#include <vector>

#include "input.hpp"

namespace dvk::cli {

// Reads `file` ("-" for standard input). Members, all but `file` optional: file (relative to the
// listing), kind, blob, content_offset, content_size_in_bytes, record_count, referenced_data_file,
// row_count, max_bytes, descriptor (the struct of a Delta log). What a line leaves out is as in
// `common`. Throws failure.
std::vector<input_options> read_listing(const std::string& file, const input_options& common);

// The whole of a text file, "-" for standard input. Throws failure.
std::string read_text(const std::string& file);

}  // namespace dvk::cli
