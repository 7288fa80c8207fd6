// dvk create: positions and ranges as text into a Puffin file of deletion vectors.
#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <memory>

#include "dvk/builder.hpp"
#include "dvk/commit.hpp"
#include "listing.hpp"
#include "writing.hpp"

namespace dvk::cli {
namespace {

struct create_options {
  std::string positions = "-";
  std::string listing;
  std::string csv;
  write_options write;
};

// Text by lines, with the number of the line for messages.
class line_reader {
 public:
  line_reader(std::string name, std::string_view text) : name_(std::move(name)), rest_(text) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  [[noreturn]] void wrong(std::string_view text) const {
    throw failure(usage, name_, "line " + std::to_string(number_) + ": " + std::string(text));
  }
  void check(const error& fault) const {
    if (fault.code == error_code::ok) return;
    if (fault.code != error_code::invalid_argument) throw failure(name_, fault);
    wrong("position " + std::to_string(fault.found) + " is larger than Iceberg's largest, " +
          std::to_string(max_position));
  }

 private:
  std::string name_;
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::uint64_t number(const line_reader& lines, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) {
    lines.wrong("\"" + escaped(text) + "\" is no row number");
  }
  return value;
}

// Adds "N" or "FIRST-LAST", both inclusive.
void add_entry(const line_reader& lines, std::string_view text, deletion_vector_builder& rows) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) {
    lines.check(rows.add(number(lines, text)));
    return;
  }
  const std::uint64_t first = number(lines, text.substr(0, dash));
  const std::uint64_t last = number(lines, text.substr(dash + 1));
  if (first > last) lines.wrong("\"" + escaped(text) + "\": the range ends before it starts");
  if (last > max_position) lines.check({error_code::invalid_argument, {}, 0, max_position, last});
  lines.check(rows.add_range(first, last + 1));
}

void add_positions(const std::string& file, deletion_vector_builder& rows) {
  const std::string text = read_text(file);
  line_reader lines(file, text);
  for (std::string_view line; lines.next(line);) {
    for (;;) {
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string_view::npos) break;
      const std::size_t end = line.find_first_of(" \t", begin);
      add_entry(lines, line.substr(begin, end - begin), rows);
      if (end == std::string_view::npos) break;
      line = line.substr(end);
    }
  }
}

using files = std::map<std::string, deletion_vector_builder, std::less<>>;

void add_listing(const std::string& file, files& all) {
  const std::string text = read_text(file);
  line_reader lines(file, text);
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0)
      lines.wrong("wants DATA FILE, a tab, and the file of its positions");
    add_positions(std::string(line.substr(tab + 1)), all[std::string(line.substr(0, tab))]);
  }
}

// Rows of a position delete file as text: path,position. A path may hold commas.
void add_csv(const std::string& file, files& all) {
  const std::string text = read_text(file);
  line_reader lines(file, text);
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const std::size_t comma = line.rfind(',');
    if (comma == std::string_view::npos || comma == 0) lines.wrong("wants PATH,POSITION");
    lines.check(all[std::string(line.substr(0, comma))].add(number(lines, line.substr(comma + 1))));
  }
}

int run_create(const create_options& options) {
  files all;
  if (!options.listing.empty()) {
    add_listing(options.listing, all);
  } else if (!options.csv.empty()) {
    add_csv(options.csv, all);
  } else {
    if (options.write.data_file.empty())
      throw failure(usage, {}, "--data-file, --listing or --csv says whose rows they are");
    add_positions(options.positions, all[options.write.data_file]);
  }
  std::vector<data_file_deletes> deletes;
  for (const auto& [path, rows] : all)
    deletes.push_back({path, &rows});
  write_vectors(deletes, options.write);
  return ok;
}

}  // namespace

void add_create(registry& commands) {
  auto options = std::make_shared<create_options>();
  CLI::App& c = commands.add(
      "create", "Write a Puffin file of deletion vectors from row numbers",
      "  seq 0 2 98 | dvk create --data-file s3://b/data/1.parquet -o dv.puffin\n"
      "  echo '5 7 100-199' | dvk create --data-file 1.parquet -o dv.puffin\n"
      "  dvk create --listing files.tsv -o dv.puffin    # lines DATA FILE<tab>POSITIONS FILE\n"
      "  dvk create --csv deletes.csv -o dv.puffin      # lines path,position\n"
      "Prints what a manifest says of each vector. Without deleted rows no file is written.",
      [options] { return run_create(*options); });
  auto* positions = c.add_option("positions", options->positions,
                                 "Rows N and ranges FIRST-LAST (both inclusive), separated by "
                                 "blanks or lines; - is standard input");
  auto* listing = c.add_option("--listing", options->listing,
                               "Several data files, each with a file of positions")
                      ->excludes(positions);
  c.add_option("--csv", options->csv, "Several data files: one path,position a line")
      ->excludes(positions)
      ->excludes(listing);
  add_writing(c, options->write);
}

}  // namespace dvk::cli
