#include "writing.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace dvk::cli {

CLI::Option& add_output(CLI::App& command, output_options& options, const std::string& what) {
  command.add_flag("--force", options.force,
                   "Replace a file of that name, once the new one is complete");
  return *command.add_option("-o,--output", options.out, what)->type_name("FILE");
}

void check_output(const output_options& options) {
  if (options.out == "-" || options.out.empty())
    throw failure(usage, {}, "-o wants the name of a file; there is no writing to standard output");
  std::error_code ignored;
  const auto there = std::filesystem::symlink_status(options.out, ignored);
  if (std::filesystem::is_directory(there)) throw failure(usage, options.out, "is a directory");
  if (!options.force && std::filesystem::exists(there))
    throw failure(usage, options.out, "exists already; --force replaces it");
}

void add_writing(CLI::App& command, write_options& options) {
  command
      .add_option("--data-file", options.data_file,
                  "The data file whose rows they are, as the table metadata has it")
      ->type_name("PATH");
  add_output(command, options, "The Puffin file to write").required();
  command.add_option("--created-by", options.created_by, "The file's created-by property")
      ->capture_default_str();
  command
      .add_option(
          "--keys", options.keys,
          "present: only bitmaps with rows; java: also the empty ones that Iceberg Java writes")
      ->check(CLI::IsMember({"present", "java"}))
      ->capture_default_str();
}

void write_vectors(std::span<const data_file_deletes> deletes, const write_options& options) {
  commit_options how;
  how.order = vector_order::given;
  how.keys = options.keys == "java" ? key_mode::iceberg_java : key_mode::present_keys;
  how.puffin.created_by = options.created_by;
  const auto entries = write_deletion_vectors(options.out, deletes, how);
  if (!entries) throw failure(options.out, entries.error());
  if (entries->empty()) complain(escaped(options.out) + ": not written, since no row is deleted");
  const auto text = manifest_json(*entries);
  if (!text) throw failure(options.out, text.error());
  standard_output() << *text << '\n';
}

}  // namespace dvk::cli
