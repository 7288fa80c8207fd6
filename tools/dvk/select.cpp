// dvk select: what a scan gets for a batch of rows, as text.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "dvk/selection.hpp"
#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"

namespace dvk::cli {
namespace {

struct select_options {
  input_options file;
  std::string rows;
  std::string form = "indices";
  bool deleted = false;
  bool absolute = false;
};

// One form: a batch of at most batch_rows rows to text. `number` is what the batch's first row is
// called.
class form_printer {
 public:
  form_printer(output& out, polarity rows) : out_(out), rows_(rows) {}
  virtual ~form_printer() = default;
  virtual void print(scanner& scan, row_range batch, std::uint64_t number) = 0;
  virtual void finish() {}

 protected:
  output& out_;
  polarity rows_;
};

class indices_printer final : public form_printer {
 public:
  using form_printer::form_printer;
  void print(scanner& scan, row_range batch, std::uint64_t number) override {
    const batch_result r = scan.indices<std::uint64_t>(
        batch, list_, {.rows = rows_, .base = number, .always_write = true});
    const std::uint64_t n = rows_ == polarity::live ? r.live : batch.count - r.live;
    for (std::uint64_t i = 0; i < n; ++i)
      out_ << list_[i] << '\n';
  }

 private:
  std::vector<std::uint64_t> list_ = std::vector<std::uint64_t>(batch_rows);
};

class bits_printer final : public form_printer {
 public:
  using form_printer::form_printer;
  void print(scanner& scan, row_range batch, std::uint64_t) override {
    scan.bits(batch, words_, 0, {.rows = rows_, .always_write = true});
    for (std::uint64_t i = 0; i < (batch.count + 63) / 64; ++i)
      out_.hex(words_[i]) << '\n';
  }

 private:
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(batch_rows / 64);
};

class bytes_printer final : public form_printer {
 public:
  using form_printer::form_printer;
  void print(scanner& scan, row_range batch, std::uint64_t) override {
    scan.bytes(batch, bytes_, {.rows = rows_, .always_write = true});
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      out_ << static_cast<char>('0' + bytes_[i]);
      if (i % 64 == 63 || i + 1 == batch.count) out_ << '\n';
    }
  }

 private:
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(batch_rows);
};

class runs_printer final : public form_printer {
 public:
  using form_printer::form_printer;
  void print(scanner& scan, row_range batch, std::uint64_t number) override {
    const run_result r = scan.runs(batch, runs_, {.rows = rows_, .always_write = true});
    for (std::size_t i = 0; i < r.written; ++i) {
      ranges_.add(number + runs_[i].begin, number + runs_[i].end - 1);
    }
  }
  void finish() override { ranges_.finish(); }

 private:
  range_printer ranges_{out_, {}};
  std::vector<row_run> runs_ = std::vector<row_run>(batch_rows / 2 + 1);  // never more in a batch
};

std::unique_ptr<form_printer> make_printer(const std::string& form, output& out, polarity rows) {
  if (form == "indices") return std::make_unique<indices_printer>(out, rows);
  if (form == "bits") return std::make_unique<bits_printer>(out, rows);
  if (form == "bytes") return std::make_unique<bytes_printer>(out, rows);
  return std::make_unique<runs_printer>(out, rows);
}

int run_select(const select_options& options) {
  const auto [start, count] = parse_pair(options.rows, "START:COUNT");
  constexpr std::uint64_t end_of_rows = std::uint64_t{1} << 63;
  if (start > end_of_rows || count > end_of_rows - start) {
    throw failure(usage, {}, "--rows START:COUNT wants START + COUNT <= 2^63");
  }
  input file(options.file);
  const opened_vector opened = file.open_chosen();
  scanner scan(opened.vector);
  output& out = standard_output();
  const auto printer =
      make_printer(options.form, out, options.deleted ? polarity::deleted : polarity::live);
  for (std::uint64_t done = 0; done < count && !out.closed();) {
    const std::uint64_t n = std::min(batch_rows, count - done);
    printer->print(scan, {start + done, n}, options.absolute ? start + done : done);
    done += n;
  }
  printer->finish();
  return ok;
}

}  // namespace

void add_select(registry& commands) {
  auto options = std::make_shared<select_options>();
  CLI::App& c = commands.add(
      "select", "Print the selection of a batch of rows",
      "  dvk select dv.puffin --rows 0:2048                  # live rows, numbered from 0\n"
      "  dvk select dv.puffin --rows 4096:2048 --absolute    # by their number in the data file\n"
      "  dvk select dv.puffin --rows 4096:2048 --form bits --deleted\n\n"
      "Forms. indices: one row a line, counted from START. runs: first-last a line, both "
      "inclusive, counted\nfrom START. bits: a word of 16 hexadecimal digits for every 64 rows; "
      "its lowest bit is the first of them,\nbits past COUNT are 0. bytes: a line of 0 and 1 for "
      "every 64 rows.",
      [options] { return run_select(*options); });
  add_file(c, options->file);
  c.add_option("--rows", options->rows, "First row of the batch, and how many rows")
      ->type_name("START:COUNT")
      ->required();
  c.add_option("--form", options->form, "indices (default), bits, bytes or runs")
      ->check(CLI::IsMember({"indices", "bits", "bytes", "runs"}));
  c.add_flag("--deleted", options->deleted, "Select the deleted rows instead of the live ones");
  c.add_flag("--absolute", options->absolute, "indices and runs: number rows as in the data file");
  add_choice(c, options->file);
  add_checks(c, options->file);
}

}  // namespace dvk::cli
