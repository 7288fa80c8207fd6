// dvk: deletion vectors on the command line.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "command.hpp"
#include "dvk/version.hpp"
#include "output.hpp"

namespace dvk::cli {

std::string describe(std::string_view file, const error& fault) {
  std::string text = escaped(file) + ": " + std::string(error_name(fault.code));
  if (fault.code != error_code::io_error) text += " at byte " + std::to_string(fault.offset);
  return text + ": " + fault.message();
}

void complain(std::string_view text) {
  std::fprintf(stderr, "dvk: %.*s\n", static_cast<int>(text.size()), text.data());
}

failure::failure(std::string_view file, const error& fault)
    : status_(fault.code == error_code::io_error || fault.code == error_code::out_of_memory ||
                      fault.code == error_code::invalid_argument
                  ? usage
                  : invalid),
      fault_(fault),
      message_(fault.message()),
      text_(describe(file, fault)) {}

failure::failure(int exit_status, std::string_view file, std::string_view text)
    : status_(exit_status),
      fault_{.code = error_code::invalid_argument},
      message_(text),
      text_(file.empty() ? std::string(text) : escaped(file) + ": " + std::string(text)) {}

namespace {

constexpr const char* introduction =
    "Reads, checks and writes deletion vectors of Apache Iceberg (Puffin) and Delta Lake.";
constexpr const char* conclusion =
    "Kinds of files: puffin; blob (one deletion-vector-v1 blob with its frame); bitmap64 and "
    "bitmap32 (bare\nRoaring bitmaps); delta (.bin). Without --as the kind is told by the bytes: "
    "PFA1 at the start or end, or\na name that ends in .puffin: puffin; the deletion-vector magic "
    "at byte 4: blob; a byte 1 and the magic at\nbyte 5: delta. Nothing else is guessed. A range "
    "(--offset, --length) is a blob, a --descriptor delta.\n\n"
    "Exit status: 0 valid, 1 invalid bytes, 2 wrong usage or an I/O error.\n"
    "Start with: dvk inspect FILE; dvk COMMAND --help has examples.";

class cli11_registry final : public registry {
 public:
  explicit cli11_registry(CLI::App& app) : app_(app) {}

  CLI::App& add(const std::string& name, const std::string& description,
                const std::string& examples, std::function<int()> run) override {
    CLI::App* command = app_.add_subcommand(name, description);
    command->footer("Examples:\n" + examples);
    commands_.emplace_back(command, std::move(run));
    return *command;
  }

  int run() const {
    for (const auto& [command, run] : commands_) {
      if (command->parsed()) return run();
    }
    return usage;
  }

 private:
  CLI::App& app_;
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands_;
};

int run(int argc, char** argv) {
  CLI::App app(introduction, "dvk");
  app.footer(conclusion);
  app.require_subcommand(1);
  app.set_version_flag("--version", "dvk " DVK_VERSION_STRING);
  cli11_registry commands(app);
  add_inspect(commands);
  add_verify(commands);
  add_positions(commands);
  add_select(commands);
  add_create(commands);
  add_sets(commands);
  add_convert(commands);
  add_explain(commands);
  add_cat(commands);
  add_cpu(commands);
  int status = usage;
  try {
    app.parse(argc, argv);
    status = commands.run();
  } catch (const CLI::ParseError& e) {
    status = app.exit(e) == 0 ? ok : usage;
  } catch (const failure& e) {
    complain(e.what());
    status = e.exit_status();
  } catch (const std::exception& e) {  // an allocation, a length: not the file's fault
    complain(e.what());
  }
  if (const int error = standard_output().finish(); error != 0) {
    complain(std::string("standard output: ") + std::strerror(error));
    status = usage;
  }
  return status;
}

}  // namespace
}  // namespace dvk::cli

int main(int argc, char** argv) {
  // A reader that has seen enough closes the pipe; output then stops by itself.
  std::signal(SIGPIPE, SIG_IGN);
  return dvk::cli::run(argc, argv);
}
