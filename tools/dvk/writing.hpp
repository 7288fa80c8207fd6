// What the commands that write a Puffin file share.
#pragma once

#include <span>
#include <string>

#include "command.hpp"
#include "dvk/commit.hpp"
#include "output.hpp"

namespace dvk::cli {

struct write_options {
  std::string data_file;
  std::string out;
  std::string created_by = "dvk";
  std::string keys = "present";
};

// Declares --data-file, -o, --created-by and --keys.
void add_writing(CLI::App& command, write_options& options);

// Writes the file, whole or not at all, and prints its manifest entries as JSON. Throws failure.
void write_vectors(std::span<const data_file_deletes> deletes, const write_options& options);

}  // namespace dvk::cli
