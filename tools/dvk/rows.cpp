#include "rows.hpp"

#include <charconv>
#include <vector>

#include "command.hpp"
#include "dvk/selection.hpp"

namespace dvk::cli {

void range_printer::add(std::uint64_t first, std::uint64_t last) {
  if (any_ && first == last_ + 1) {
    last_ = last;
    return;
  }
  finish();
  any_ = true;
  first_ = first;
  last_ = last;
}

void range_printer::finish() {
  if (any_) out_ << prefix_ << first_ << '-' << last_ << '\n';
  any_ = false;
}

// Both walk by container, so that empty stretches cost nothing however long they are.
void print_positions(output& out, const deletion_vector& dv, std::string_view prefix) {
  scanner scan(dv);
  std::vector<std::uint64_t> rows(batch_rows);
  for (std::size_t i = 0; i < dv.container_count() && !out.closed(); ++i) {
    const std::uint64_t first = dv.container(i).first_row;
    const batch_result batch = scan.indices<std::uint64_t>(
        {first, batch_rows}, rows,
        {.rows = polarity::deleted, .base = first, .always_write = true});
    const std::uint64_t deleted = batch_rows - batch.live;
    for (std::uint64_t j = 0; j < deleted; ++j)
      out << prefix << rows[j] << '\n';
  }
}

void print_ranges(output& out, const deletion_vector& dv, std::string_view prefix) {
  scanner scan(dv);
  range_printer printer(out, prefix);
  std::vector<row_run> runs(batch_rows / 2 + 1);
  for (std::size_t i = 0; i < dv.container_count() && !out.closed(); ++i) {
    const std::uint64_t first = dv.container(i).first_row;
    const run_result batch =
        scan.runs({first, batch_rows}, runs, {.rows = polarity::deleted, .always_write = true});
    for (std::size_t j = 0; j < batch.written; ++j) {
      printer.add(first + runs[j].begin, first + runs[j].end - 1);
    }
  }
  printer.finish();
}

number_pair parse_pair(const std::string& text, std::string_view form) {
  number_pair pair;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, pair.first);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ':') {
    const auto second = std::from_chars(first.ptr + 1, end, pair.second);
    if (second.ec == std::errc() && second.ptr == end) return pair;
  }
  throw failure(usage, {}, "--rows wants " + std::string(form) + ", not '" + escaped(text) + "'");
}

}  // namespace dvk::cli
