// dvk create: positions and ranges as text into a Puffin file of deletion vectors.
#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <memory>
#include <utility>
#include <vector>

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
  std::string duplicates = "merge";
  std::string order = "by-path";
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

// The data files in the order in which they came.
class files {
 public:
  // The rows of `path`, none so far if it is new.
  deletion_vector_builder& operator[](std::string_view path) {
    const auto [at, is_new] = index_.try_emplace(std::string(path), rows_.size());
    if (is_new) rows_.emplace_back();
    return rows_[at->second];
  }
  [[nodiscard]] bool contains(std::string_view path) const { return index_.contains(path); }

  [[nodiscard]] std::vector<data_file_deletes> deletes(bool by_path) const {
    std::vector<data_file_deletes> out(rows_.size());
    std::size_t next = 0;
    for (const auto& [path, i] : index_)
      out[by_path ? next++ : i] = {path, &rows_[i]};
    return out;
  }

 private:
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<deletion_vector_builder> rows_;
};

void add_listing(const std::string& file, bool refuse_duplicates, files& all) {
  const std::string text = read_text(file);
  line_reader lines(file, text);
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0)
      lines.wrong("wants DATA FILE, a tab, and the file of its positions");
    const std::string_view path = line.substr(0, tab);
    if (refuse_duplicates && all.contains(path))
      lines.wrong('"' + escaped(path) + "\" is listed twice; --duplicates merge takes the union");
    add_positions(std::string(line.substr(tab + 1)), all[path]);
  }
}

// Takes the quotes off a CSV field that has them; a doubled quote stands for one.
std::string unquoted(const line_reader& lines, std::string_view field) {
  if (!field.starts_with('"')) return std::string(field);
  std::string out;
  for (std::size_t i = 1; i < field.size(); ++i) {
    if (field[i] != '"') {
      out += field[i];
    } else if (i + 1 < field.size() && field[i + 1] == '"') {
      out += field[i++];
    } else if (i + 1 == field.size()) {
      return out;
    } else {
      break;
    }
  }
  lines.wrong("a quoted field does not end with a quote");
}

// Rows of a position delete file as text: path,position, either in quotes or not. The last comma
// parts them: neither needs quotes for the path's own commas. A header is known by its second
// field.
void add_csv(const std::string& file, files& all) {
  const std::string text = read_text(file);
  line_reader lines(file, text);
  bool first = true;
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const std::size_t comma = line.rfind(',');
    if (comma == std::string_view::npos) lines.wrong("wants PATH,POSITION");
    const std::string path = unquoted(lines, line.substr(0, comma));
    const std::string position = unquoted(lines, line.substr(comma + 1));
    if (path.empty()) lines.wrong("wants PATH,POSITION");
    const bool header =
        std::exchange(first, false) && (position == "pos" || position == "position");
    if (!header) lines.check(all[path].add(number(lines, position)));
  }
}

int run_create(const create_options& options) {
  check_output(options.write);
  files all;
  if (!options.listing.empty()) {
    add_listing(options.listing, options.duplicates == "refuse", all);
  } else if (!options.csv.empty()) {
    add_csv(options.csv, all);
  } else {
    if (options.write.data_file.empty())
      throw failure(usage, {}, "--data-file, --listing or --csv says whose rows they are");
    add_positions(options.positions, all[options.write.data_file]);
  }
  write_vectors(all.deletes(options.order == "by-path"), options.write);
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
      "  dvk create --csv deletes.csv -o dv.puffin      # lines path,position; fields may be "
      "quoted\n"
      "Prints what a manifest says of each vector. Without deleted rows no file is written.",
      [options] { return run_create(*options); });
  auto* positions = c.add_option("positions", options->positions,
                                 "Rows N and ranges FIRST-LAST (both inclusive), separated by "
                                 "blanks or lines; - is standard input");
  auto* listing = c.add_option("--listing", options->listing,
                               "Several data files, each with a file of positions")
                      ->excludes(positions);
  auto* csv = c.add_option("--csv", options->csv, "Several data files: one path,position a line")
                  ->excludes(positions)
                  ->excludes(listing);
  c.add_option("--duplicates", options->duplicates,
               "What to do if a listing names a data file twice")
      ->check(CLI::IsMember({"merge", "refuse"}))
      ->needs(listing)
      ->capture_default_str();
  c.add_option("--order", options->order, "Of the vectors in the file")
      ->check(CLI::IsMember({"by-path", "given"}))
      ->capture_default_str();
  add_writing(c, options->write);
  c.get_option("--data-file")->excludes(listing)->excludes(csv);
}

}  // namespace dvk::cli
