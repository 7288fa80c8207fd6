// dvk cat: the bytes of one blob.
#include <CLI/CLI.hpp>
#include <memory>

#include "input.hpp"
#include "output.hpp"

namespace dvk::cli {
namespace {

int run_cat(const input_options& options) {
  input file(options);
  file.load();
  const auto chosen = file.chosen();
  if (chosen.size() != 1) {
    throw failure(usage, options.file,
                  "there are " + std::to_string(chosen.size()) +
                      " blobs: --blob N or --data-file says which");
  }
  const auto content = file.content(chosen[0]);
  if (!content) throw failure(options.file, content.error());
  const auto bytes = content->bytes();
  standard_output() << std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return ok;
}

}  // namespace

void add_cat(registry& commands) {
  auto options = std::make_shared<input_options>();
  CLI::App& c =
      commands.add("cat", "Write a blob's bytes, decompressed, to standard output",
                   "  dvk cat stats.puffin --blob 0 >sketch.bin\n"
                   "  dvk cat dv.puffin --data-file s3://b/data/1.parquet | dvk verify --as blob -",
                   [options] { return run_cat(*options); });
  add_file(c, *options);
  add_choice(c, *options);
}

}  // namespace dvk::cli
