// The options that commands share, and how their values are read.
#include <CLI/CLI.hpp>

#include "input.hpp"
#include "tolerance.hpp"

namespace dvk::cli {
namespace {

constexpr const char* choice_group = "Which deletion vector";

validation level_of_name(const std::string& name) {
  if (name == "strict") return validation::strict;
  return name == "trusted" ? validation::trusted : validation::standard;
}

}  // namespace

void add_file(CLI::App& command, input_options& options) {
  command.add_option("FILE", options.file, "The file; - for standard input");
}

void add_kind(CLI::App& command, input_options& options) {
  command
      .add_option_function<std::string>(
          "--as", [&](const std::string& name) { options.as = kind_of_name(name); },
          "What the file is, if its first bytes do not tell")
      ->check(CLI::IsMember({"puffin", "blob", "bitmap64", "bitmap32", "delta"}))
      ->group(choice_group);
}

void add_choice(CLI::App& command, input_options& options) {
  const std::string group = choice_group;
  add_kind(command, options);
  command.add_option("--data-file", options.data_file, "That of this data file (Puffin)")
      ->type_name("PATH")
      ->group(group);
  command.add_option("--blob", options.blob, "Blob N of the footer, or vector N of a Delta file")
      ->type_name("N")
      ->group(group);
  command.add_option("--offset", options.offset, "First byte: a manifest's content_offset")
      ->type_name("N")
      ->group(group);
  command.add_option("--length", options.length, "Bytes: a manifest's content_size_in_bytes")
      ->type_name("N")
      ->group(group);
  command.add_option("--size", options.size, "A Delta descriptor's sizeInBytes, with --offset")
      ->type_name("N")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--descriptor",
          [&](const std::string& text) { options.descriptor = parse_descriptor(text); },
          "A Delta log's deletionVector: its JSON, or a file that holds it")
      ->type_name("JSON")
      ->group(group);
}

void add_checks(CLI::App& command, input_options& options) {
  const std::string group = "What is checked";
  command
      .add_option_function<std::string>(
          "--level", [&](const std::string& name) { options.check.level = level_of_name(name); },
          "strict: only what Iceberg's writer emits; standard (default): all that reading rows "
          "depends on; trusted: bounds only")
      ->check(CLI::IsMember({"strict", "standard", "trusted"}))
      ->group(group);
  command
      .add_option("--cardinality", options.check.expected_cardinality,
                  "Deleted rows that the metadata promises")
      ->type_name("N")
      ->group(group);
  command
      .add_option_function<std::vector<std::string>>(
          "--tolerate",
          [&](const std::vector<std::string>& names) {
            options.check.tolerate = quirks_of_names(names);
          },
          "Known faults of known writers to put up with, separated by commas: where a file is "
          "refused because of one, it is read as its writer meant it")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names_to_tolerate()))
      ->group(group);
  command.add_option("--max-bytes", options.check.max_bytes, "Refuse longer blobs")
      ->type_name("N")
      ->group(group);
}

}  // namespace dvk::cli
