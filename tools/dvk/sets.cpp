// dvk merge, dvk diff: two and more vectors as sets of rows.
#include <CLI/CLI.hpp>
#include <memory>

#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"
#include "writing.hpp"

namespace dvk::cli {
namespace {

struct merge_options {
  std::vector<std::string> files;
  input_options common;
  write_options write;
};

int run_merge(const merge_options& options) {
  check_output(options.write);
  deletion_vector_builder rows;
  std::string data_file = options.write.data_file;
  for (const std::string& name : options.files) {
    input_options one = options.common;
    one.file = name;
    input file(one);
    file.load();
    // A file of several vectors: the one that belongs to the data file asked for.
    if (file.what() == kind::puffin && file.parts().size() > 1 &&
        !options.write.data_file.empty()) {
      one.data_file = options.write.data_file;
    }
    input chosen(one);
    const opened_vector opened = chosen.open_chosen();
    if (data_file.empty()) data_file = opened.where.data_file;
    if (const error fault = rows.merge(opened.vector); fault.code != error_code::ok)
      throw failure(name, fault);
  }
  if (data_file.empty()) throw failure(usage, {}, "no file names its data file: --data-file must");
  const data_file_deletes deletes{data_file, &rows};
  write_vectors(std::span(&deletes, 1), options.write);
  return ok;
}

struct diff_options {
  std::string old_file;
  std::string new_file;
  input_options common;
  bool ranges = false;
};

// Calls put(first, last) for the ranges of rows that `a` deletes and `b` does not, ascending.
template <class Put>
void difference(const deletion_vector& a, const deletion_vector& b, Put put) {
  for (auto r = a.next_range(0); r; r = a.next_range(r->start + r->count)) {
    const std::uint64_t end = r->start + r->count;
    for (std::uint64_t row = r->start; row < end;) {
      const auto hole = b.next_range(row);
      const std::uint64_t stop = hole && hole->start < end ? hole->start : end;
      if (row < stop) put(row, stop - 1);
      row = hole && hole->start < end ? hole->start + hole->count : end;
    }
  }
}

void print_difference(const deletion_vector& a, const deletion_vector& b, std::string_view sign,
                      bool ranges) {
  output& out = standard_output();
  range_printer printer(out, sign);
  difference(a, b, [&](std::uint64_t first, std::uint64_t last) {
    if (ranges) {
      printer.add(first, last);
      return;
    }
    for (std::uint64_t row = first; row <= last && !out.closed(); ++row)
      out << sign << row << '\n';
  });
  printer.finish();
}

int run_diff(const diff_options& options) {
  input_options one = options.common, two = options.common;
  one.file = options.old_file;
  two.file = options.new_file;
  input old_file(one), new_file(two);
  const opened_vector before = old_file.open_chosen(), after = new_file.open_chosen();
  print_difference(before.vector, after.vector, "-", options.ranges);
  print_difference(after.vector, before.vector, "+", options.ranges);
  return ok;
}

}  // namespace

void add_sets(registry& commands) {
  auto merge = std::make_shared<merge_options>();
  CLI::App& m = commands.add(
      "merge", "Write the union of several vectors of one data file",
      "  dvk merge old.puffin new.puffin -o merged.puffin\n"
      "  dvk merge many.puffin more.puffin --data-file s3://b/data/1.parquet -o merged.puffin\n"
      "  dvk merge dv.puffin new.puffin -o dv.puffin --force    # inputs are read before\n"
      "Prints what a manifest says of the new vector.",
      [merge] { return run_merge(*merge); });
  m.add_option("files", merge->files,
               "Files with one vector each, or with one of the data file named")
      ->required();
  add_writing(m, merge->write);
  add_kind(m, merge->common);
  add_checks(m, merge->common);

  auto diff = std::make_shared<diff_options>();
  CLI::App& d = commands.add(
      "diff", "Print the rows that one vector deletes and the other does not",
      "  dvk diff old.puffin new.puffin             # -N: only OLD deletes row N; +N: only NEW\n"
      "  dvk diff old.puffin new.puffin --ranges",
      [diff] { return run_diff(*diff); });
  d.add_option("old", diff->old_file, "A file")->required();
  d.add_option("new", diff->new_file, "Another")->required();
  d.add_flag("--ranges", diff->ranges, "One range first-last a line, both inclusive");
  add_choice(d, diff->common);
  add_checks(d, diff->common);
}

}  // namespace dvk::cli
