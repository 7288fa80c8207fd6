// dvk inspect, dvk stats: what a file holds, and how its vectors are stored.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "input.hpp"
#include "output.hpp"
#include "tolerance.hpp"

namespace dvk::cli {
namespace {

struct inspect_options {
  input_options file;
  bool as_json = false;
};

// Containers of one kind.
struct kind_statistics {
  std::uint64_t containers = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::uint64_t runs = 0;
};

struct statistics {
  std::array<kind_statistics, 3> kinds;     // by container_kind
  std::array<std::uint64_t, 17> histogram;  // [i]: containers of 2^i to 2^(i+1) - 1 rows
  std::uint64_t bytes = 0;                  // of the vector, frame included
  std::uint64_t cardinality = 0;
  std::uint64_t bitmaps = 0;
  std::optional<std::uint64_t> min;
  std::optional<std::uint64_t> max;

  [[nodiscard]] std::uint64_t containers() const noexcept {
    return kinds[0].containers + kinds[1].containers + kinds[2].containers;
  }
};
constexpr std::string_view kind_names[] = {"array", "bitset", "run"};

statistics measure(const opened_vector& opened) {
  const deletion_vector& dv = opened.vector;
  statistics s{.kinds = {},
               .histogram = {},
               .bytes = opened.where.length,
               .cardinality = dv.cardinality(),
               .bitmaps = dv.bitmap_count(),
               .min = dv.min(),
               .max = dv.max()};
  for (std::size_t i = 0; i < dv.container_count(); ++i) {
    const container_info c = dv.container(i);
    kind_statistics& k = s.kinds[static_cast<std::size_t>(c.kind)];
    ++k.containers;
    k.rows += c.cardinality;
    k.bytes += c.bytes;
    k.runs += c.runs;
    ++s.histogram[static_cast<std::size_t>(std::bit_width(c.cardinality | 1)) - 1];
  }
  return s;
}

// Deleted rows in proportion to `rows`; without a row count to the rows up to the last deleted one.
double density(const statistics& s, std::optional<std::uint64_t> rows) {
  const double all = rows    ? static_cast<double>(*rows)
                     : s.max ? static_cast<double>(*s.max) + 1
                             : 0;
  return all > 0 ? static_cast<double>(s.cardinality) / all : 0;
}

double bytes_per_row(const statistics& s) {
  return s.cardinality > 0 ? static_cast<double>(s.bytes) / static_cast<double>(s.cardinality) : 0;
}

output& heading(output& out, std::string_view name) {
  constexpr std::size_t width = 14;
  out << "  " << name;
  for (std::size_t i = name.size(); i < width; ++i)
    out << ' ';
  return out;
}

void print_summary(output& out, const statistics& s) {
  heading(out, "deleted rows") << s.cardinality;
  if (s.min) out << ", from " << *s.min << " to " << *s.max;
  out << '\n';
  heading(out, "containers") << s.containers();
  const char* separator = ": ";
  for (std::size_t k = 0; k < s.kinds.size(); ++k) {
    if (s.kinds[k].containers == 0) continue;
    out << separator << s.kinds[k].containers << ' ' << kind_names[k];
    separator = ", ";
  }
  out << "; in " << s.bitmaps << (s.bitmaps == 1 ? " bitmap\n" : " bitmaps\n");
}

void print_statistics(output& out, const statistics& s, std::optional<std::uint64_t> rows) {
  print_summary(out, s);
  heading(out, "density").fixed(100 * density(s, rows), 4)
      << (rows ? " % of the data file\n" : " % of the rows up to the last deleted one\n");
  heading(out, "size") << s.bytes << " bytes, ";
  out.fixed(bytes_per_row(s), 3) << " a deleted row\n";
  for (std::size_t k = 0; k < s.kinds.size(); ++k) {
    const kind_statistics& kind = s.kinds[k];
    if (kind.containers == 0) continue;
    heading(out, kind_names[k]) << kind.containers << " containers, " << kind.rows << " rows, "
                                << kind.bytes << " bytes";
    if (kind.runs > 0) out << ", " << kind.runs << " runs";
    out << '\n';
  }
  if (s.containers() > 0) out << "  rows in a container   containers\n";
  const std::uint64_t most = *std::max_element(s.histogram.begin(), s.histogram.end());
  for (std::size_t i = 0; i < s.histogram.size(); ++i) {
    if (s.histogram[i] == 0) continue;
    const std::uint64_t least = std::uint64_t{1} << i;
    heading(out, std::to_string(least)) << s.histogram[i] << ' ';
    for (std::uint64_t bar = 0; bar < (40 * s.histogram[i] + most - 1) / most; ++bar)
      out << '#';
    out << '\n';
  }
}

void write_statistics(json& j, const statistics& s, std::optional<std::uint64_t> rows) {
  j.member("cardinality", s.cardinality).member("min", s.min).member("max", s.max);
  j.member("bytes", s.bytes).member("bytes_per_deleted_row", bytes_per_row(s));
  j.member("density", density(s, rows)).member("bitmaps", s.bitmaps).key("containers").begin('{');
  for (std::size_t k = 0; k < s.kinds.size(); ++k) {
    const kind_statistics& kind = s.kinds[k];
    j.key(kind_names[k]).begin('{').member("containers", kind.containers);
    j.member("rows", kind.rows).member("bytes", kind.bytes);
    if (k == static_cast<std::size_t>(container_kind::run)) j.member("runs", kind.runs);
    j.end('}');
  }
  j.end('}').key("containers_by_rows").begin('[');
  for (std::size_t i = 0; i < s.histogram.size(); ++i) {
    if (s.histogram[i] == 0) continue;
    j.begin('{').member("least", std::uint64_t{1} << i);
    j.member("containers", s.histogram[i]).end('}');
  }
  j.end(']');
}

void print_blob(output& out, const puffin::blob_metadata& blob) {
  heading(out, "metadata") << "fields [";
  const char* separator = "";
  for (const std::int32_t field : blob.fields) {
    out << separator << field;
    separator = ", ";
  }
  out << "], snapshot " << blob.snapshot_id << ", sequence " << blob.sequence_number << ", codec "
      << (blob.codec_name.empty() ? "none" : escaped(blob.codec_name)) << '\n';
  for (const puffin::property& p : blob.properties) {
    heading(out, "property") << escaped(p.name) << " = " << escaped(p.value) << '\n';
  }
}

void write_properties(json& j, std::span<const puffin::property> properties) {
  j.key("properties").begin('{');
  for (const puffin::property& p : properties)
    j.member(p.name, p.value);
  j.end('}');
}

void write_blob(json& j, const puffin::blob_metadata& blob) {
  j.key("fields").begin('[');
  for (const std::int32_t field : blob.fields)
    j.value(field);
  j.end(']').member("snapshot_id", blob.snapshot_id);
  j.member("sequence_number", blob.sequence_number);
  j.key("compression_codec");
  blob.codec_name.empty() ? j.null() : j.value(blob.codec_name);
  write_properties(j, blob.properties);
}

void print_head(output& out, const input& file) {
  out << escaped(file.name()) << ": " << kind_name(file.what()) << ", " << file.file_size()
      << " bytes";
  if (const puffin::reader* footer = file.footer()) {
    out << ", footer of " << footer->footer_size()
        << (footer->footer_compressed() ? " bytes (compressed)" : " bytes");
  }
  out << '\n';
  if (const puffin::reader* footer = file.footer()) {
    for (const puffin::property& p : footer->properties()) {
      heading(out, "property") << escaped(p.name) << " = " << escaped(p.value) << '\n';
    }
  }
}

void write_head(json& j, const input& file) {
  j.member("file", file.name()).member("kind", kind_name(file.what()));
  j.member("file_size_in_bytes", file.file_size());
  if (const puffin::reader* footer = file.footer()) {
    j.member("footer_size", footer->footer_size());
    j.member("footer_compressed", footer->footer_compressed());
    write_properties(j, footer->properties());
  }
}

void print_part_head(output& out, const part& where) {
  out << "blob " << where.index << ": " << escaped(where.type) << ", " << where.length
      << " bytes at " << where.offset << '\n';
}

// Everything about each part. One that is broken is shown as such and decides the status, but does
// not hide the others.
int run_inspect(const inspect_options& options) {
  input file(options.file);
  file.load();
  output& out = standard_output();
  json j(out);
  int status = ok;
  if (options.as_json) {
    j.begin('{');
    write_head(j, file);
    j.key("blobs").begin('[');
  } else {
    print_head(out, file);
  }
  for (const std::size_t i : file.chosen()) {
    const part& where = file.parts()[i];
    const result<opened_vector> opened = where.is_vector() ? file.open(i) : error{};
    const error fault = where.is_vector() ? opened.error() : file.footer()->blobs()[i].fault;
    if (options.as_json) {
      j.begin('{').member("blob", i).member("type", where.type);
      j.member("content_offset", where.offset).member("content_size_in_bytes", where.length);
      if (file.footer() != nullptr) write_blob(j, file.footer()->blobs()[i]);
      j.member("code", error_name(fault.code));
      if (opened) write_tolerated(j, opened->tolerated);
      if (opened) write_statistics(j, measure(*opened), options.file.check.row_count);
      j.end('}');
    } else {
      print_part_head(out, where);
      if (file.footer() != nullptr) print_blob(out, file.footer()->blobs()[i]);
      if (opened && !opened->tolerated.empty())
        heading(out, "tolerated") << text_of(opened->tolerated) << '\n';
      if (opened) print_summary(out, measure(*opened));
    }
    if (fault.code == error_code::ok) continue;
    const failure reason(file.name(), fault);
    complain(std::string(reason.what()) + " (blob " + std::to_string(i) + ')');
    status = std::max(status, reason.exit_status());
  }
  if (options.as_json) {
    j.end(']').end('}');
    out << '\n';
  }
  return status;
}

int run_stats(const inspect_options& options) {
  input file(options.file);
  file.load();
  output& out = standard_output();
  for (const std::size_t i : file.chosen()) {
    const part& where = file.parts()[i];
    if (!where.is_vector()) continue;
    const auto opened = file.open(i);
    if (!opened) throw failure(file.name(), opened.error());
    const statistics s = measure(*opened);
    if (options.as_json) {
      json j(out);
      j.begin('{').member("file", file.name()).member("blob", i);
      if (!where.data_file.empty()) j.member("referenced_data_file", where.data_file);
      write_statistics(j, s, options.file.check.row_count);
      j.end('}');
      out << '\n';
    } else {
      print_part_head(out, where);
      if (!where.data_file.empty()) heading(out, "data file") << escaped(where.data_file) << '\n';
      print_statistics(out, s, options.file.check.row_count);
    }
  }
  return ok;
}

void add_shared(CLI::App& command, inspect_options& options) {
  add_file(command, options.file);
  command.add_flag("--json", options.as_json, "As JSON");
  add_choice(command, options.file);
  add_checks(command, options.file);
  command
      .add_option(
          "--rows", options.file.check.row_count,
          "Rows of the data file: density refers to them, and none past them may be deleted")
      ->type_name("N")
      ->group("What is checked");
}

}  // namespace

void add_inspect(registry& commands) {
  auto inspect = std::make_shared<inspect_options>();
  add_shared(commands.add("inspect", "Show what a file holds: footer, blobs, deletion vectors",
                          "  dvk inspect dv.puffin\n"
                          "  dvk inspect dv.puffin --blob 3 --json\n"
                          "  dvk inspect deletion_vector_x.bin --as delta",
                          [inspect] { return run_inspect(*inspect); }),
             *inspect);
  auto stats = std::make_shared<inspect_options>();
  add_shared(commands.add("stats", "Show how deletion vectors are stored, and how densely",
                          "  dvk stats dv.puffin                  # all vectors of the file\n"
                          "  dvk stats dv.puffin --blob 0 --rows 4194304\n"
                          "  dvk stats dv.puffin --json           # one object a vector",
                          [stats] { return run_stats(*stats); }),
             *stats);
}

}  // namespace dvk::cli
