// What the commands that write a Puffin file share.
#pragma once

#include <span>
#include <string>

#include "command.hpp"
#include "dvk/commit.hpp"
#include "output.hpp"

namespace CLI {
class Option;
}

namespace dvk::cli {

struct output_options {
  std::string out;
  bool force = false;
};

// Declares -o and --force.
CLI::Option& add_output(CLI::App& command, output_options& options, const std::string& what);

// Refuses a name where something stands already, unless it is to be replaced, and "-". To be called
// before anything is read or computed. Throws failure.
void check_output(const output_options& options);

struct write_options : output_options {
  std::string data_file;
  std::string created_by = "dvk";
  std::string keys = "present";
};

// Declares --data-file, -o, --force, --created-by and --keys.
void add_writing(CLI::App& command, write_options& options);

// Writes the file, whole or not at all, with its vectors in the order given, and prints its
// manifest entries as JSON. Says so if nothing is deleted and so no file written. Throws failure.
void write_vectors(std::span<const data_file_deletes> deletes, const write_options& options);

}  // namespace dvk::cli
