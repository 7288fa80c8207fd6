#include "writing.hpp"

#include <CLI/CLI.hpp>

namespace dvk::cli {

void add_writing(CLI::App& command, write_options& options) {
  command
      .add_option("--data-file", options.data_file,
                  "The data file whose rows they are, as the table metadata has it")
      ->type_name("PATH");
  command
      .add_option("-o,--output", options.out,
                  "The Puffin file to write; replaced only once the new one is complete")
      ->required()
      ->type_name("FILE");
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
  how.keys = options.keys == "java" ? key_mode::iceberg_java : key_mode::present_keys;
  how.puffin.created_by = options.created_by;
  const auto entries = write_deletion_vectors(options.out, deletes, how);
  if (!entries) throw failure(options.out, entries.error());
  const auto text = manifest_json(*entries);
  if (!text) throw failure(options.out, text.error());
  standard_output() << *text << '\n';
}

}  // namespace dvk::cli
