// dvk positions, dvk count: the rows of one vector.
#include <CLI/CLI.hpp>
#include <memory>

#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"

namespace dvk::cli {
namespace {

struct positions_options {
  input_options file;
  bool ranges = false;
};

int run_positions(const positions_options& options) {
  input file(options.file);
  const opened_vector opened = file.open_chosen();
  (options.ranges ? print_ranges : print_positions)(standard_output(), opened.vector, {});
  return ok;
}

struct count_options {
  input_options file;
  std::string rows;
  bool live = false;
  bool as_json = false;
};

int run_count(const count_options& options) {
  row_range rows{0, std::uint64_t{1} << 63};
  if (!options.rows.empty()) {
    const auto [begin, end] = parse_pair(options.rows, "A:B");
    if (begin > end || end > rows.count) {
      throw failure(usage, {}, "--rows A:B wants A <= B <= 2^63");
    }
    rows = {begin, end - begin};
  } else if (options.live && !options.as_json) {
    throw failure(usage, {},
                  "--live needs --rows: the vector does not say how many rows there are");
  }
  input file(options.file);
  const opened_vector opened = file.open_chosen();
  const std::uint64_t deleted =
      options.rows.empty() ? opened.vector.cardinality() : opened.vector.count(rows);
  output& out = standard_output();
  if (!options.as_json) {
    out << (options.live ? rows.count - deleted : deleted) << '\n';
    return ok;
  }
  json j(out);
  j.begin('{').member("deleted", deleted);
  if (!options.rows.empty()) {
    j.member("begin", rows.start).member("end", rows.start + rows.count);
    j.member("live", rows.count - deleted);
  }
  j.end('}');
  out << '\n';
  return ok;
}

}  // namespace

void add_positions(registry& commands) {
  auto positions = std::make_shared<positions_options>();
  CLI::App& p = commands.add(
      "positions", "Print the deleted rows in ascending order",
      "  dvk positions dv.puffin                                  # the only vector of the file\n"
      "  dvk positions dv.puffin --data-file s3://b/data/1.parquet\n"
      "  dvk positions dv.puffin --offset 4 --length 50            # as a manifest entry says\n"
      "  dvk positions deletion_vector_x.bin --offset 1 --size 34  # as a Delta log says\n"
      "  dvk positions dv.puffin --ranges                          # first-last, both inclusive",
      [positions] { return run_positions(*positions); });
  add_file(p, positions->file);
  p.add_flag("--ranges", positions->ranges, "One range first-last a line, both inclusive");
  add_choice(p, positions->file);
  add_checks(p, positions->file);

  auto count = std::make_shared<count_options>();
  CLI::App& c = commands.add("count", "Count deleted (or live) rows",
                             "  dvk count dv.puffin\n"
                             "  dvk count dv.puffin --rows 100:200         # rows 100 to 199\n"
                             "  dvk count dv.puffin --rows 100:200 --live",
                             [count] { return run_count(*count); });
  add_file(c, count->file);
  c.add_option("--rows", count->rows, "Only rows A to B - 1")->type_name("A:B");
  c.add_flag("--live", count->live, "Count the rows that are not deleted");
  c.add_flag("--json", count->as_json, "Deleted and live rows as a JSON object");
  add_choice(c, count->file);
  add_checks(c, count->file);
}

}  // namespace dvk::cli
