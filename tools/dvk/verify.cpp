// dvk verify: everything a reader can check, file by file.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "input.hpp"
#include "listing.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "tolerance.hpp"

namespace dvk::cli {
namespace {

struct verify_options {
  input_options common;
  std::vector<std::string> files;
  std::string entries;
  bool as_json = false;
  bool quiet = false;
};

// What was found in one part: a fault, or rows. Holds copies: the file is closed by then.
struct part_verdict {
  std::size_t index = 0;
  std::string type;
  std::string data_file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool is_vector = false;
  error fault = {};
  quirk_set tolerated = {};
  std::uint64_t cardinality = 0;
  std::optional<std::uint64_t> min = std::nullopt;
  std::optional<std::uint64_t> max = std::nullopt;

  [[nodiscard]] bool sound() const noexcept { return fault.code == error_code::ok; }
};

struct file_verdict {
  std::string file;
  std::optional<kind> what;
  error fault = {};
  std::string message = {};
  int status = ok;
  std::optional<std::size_t> blob = std::nullopt;  // the part at fault
  std::vector<part_verdict> parts = {};

  [[nodiscard]] bool sound() const noexcept { return status == ok; }
};

part_verdict verify_part(const input& file, std::size_t i) {
  const part& where = file.parts()[i];
  part_verdict verdict{.index = i,
                       .type = std::string(where.type),
                       .data_file = std::string(where.data_file),
                       .offset = where.offset,
                       .length = where.length,
                       .is_vector = where.is_vector()};
  if (verdict.is_vector) {
    const auto opened = file.open(i);
    verdict.fault = opened.error();
    if (!opened) return verdict;
    verdict.tolerated = opened->tolerated;
    verdict.cardinality = opened->vector.cardinality();
    verdict.min = opened->vector.min();
    verdict.max = opened->vector.max();
  } else {
    verdict.fault = file.content(i).error();
  }
  return verdict;
}

// What other blobs hold is not our business: a reader of deletion vectors never looks into them.
// Where they stand is.
bool refuses_file(const part_verdict& verdict) {
  return !verdict.sound() && (verdict.is_vector || verdict.fault.code == error_code::blob_range ||
                              verdict.fault.code == error_code::blob_overlap);
}

void reject(file_verdict& verdict, const failure& reason) {
  verdict.fault = reason.fault();
  verdict.message = reason.message();
  verdict.status = reason.exit_status();
}

file_verdict verify_file(const input_options& options) {
  file_verdict verdict{.file = options.file, .what = options.as};
  try {
    input file(options);
    verdict.file = file.name();
    verdict.what = file.what();
    file.load();
    for (const std::size_t i : file.chosen()) {
      verdict.parts.push_back(verify_part(file, i));
      if (refuses_file(verdict.parts.back()) && verdict.sound()) {
        reject(verdict, failure(file.name(), verdict.parts.back().fault));
        verdict.blob = i;
      }
    }
  } catch (const failure& reason) {
    reject(verdict, reason);
  }
  return verdict;
}

// Deleted rows of all vectors; bounds only where there is one vector, for the rows of several
// belong to different data files.
struct totals {
  std::size_t vectors = 0;
  quirk_set tolerated;
  std::uint64_t cardinality = 0;
  std::optional<std::uint64_t> min;
  std::optional<std::uint64_t> max;
};

totals sum_up(const file_verdict& verdict) {
  totals sum;
  for (const part_verdict& part : verdict.parts) {
    if (!part.is_vector || !part.sound()) continue;
    const bool only = sum.vectors++ == 0;
    sum.tolerated.insert(part.tolerated);
    sum.cardinality += part.cardinality;
    sum.min = only ? part.min : std::nullopt;
    sum.max = only ? part.max : std::nullopt;
  }
  return sum;
}

void write_fault(json& j, const error& fault, const std::string& message, bool sound) {
  j.member("verdict", sound ? "accept" : "reject");
  j.member("code", error_name(fault.code));
  if (sound) {
    j.key("offset").null().key("message").null();
    return;
  }
  j.member("offset", fault.offset).member("message", message);
  if (fault.quirk != quirk::none) j.member("quirk", quirk_name(fault.quirk));
}

void write_rows(json& j, bool known, std::uint64_t cardinality, std::optional<std::uint64_t> min,
                std::optional<std::uint64_t> max) {
  j.member("cardinality", known ? std::optional(cardinality) : std::nullopt);
  j.member("min", min).member("max", max);
}

void write_part(json& j, const part_verdict& part, bool in_puffin) {
  j.begin('{').member("blob", part.index);
  if (in_puffin) j.member("type", part.type);
  j.member("content_offset", part.offset).member("content_size_in_bytes", part.length);
  if (!part.data_file.empty()) j.member("referenced_data_file", part.data_file);
  write_fault(j, part.fault, part.fault.message(), part.sound());
  write_tolerated(j, part.tolerated);
  write_rows(j, part.sound() && part.is_vector, part.cardinality, part.min, part.max);
  j.end('}');
}

void write_json(output& out, const file_verdict& verdict) {
  json j(out);
  j.begin('{').member("file", verdict.file);
  j.member("kind", verdict.what ? std::optional(kind_name(*verdict.what)) : std::nullopt);
  write_fault(j, verdict.fault, verdict.message, verdict.sound());
  if (verdict.blob) j.member("blob", *verdict.blob);
  const totals sum = verdict.sound() ? sum_up(verdict) : totals{};
  write_tolerated(j, sum.tolerated);
  write_rows(j, verdict.sound(), sum.cardinality, sum.min, sum.max);
  if (verdict.what == kind::puffin || verdict.what == kind::delta) {
    j.key("blobs").begin('[');
    for (const part_verdict& part : verdict.parts) {
      write_part(j, part, verdict.what == kind::puffin);
    }
    j.end(']');
  }
  j.end('}');
  out << '\n';
}

std::string fault_text(const file_verdict& verdict) {
  if (verdict.fault.code == error_code::invalid_argument) {
    return escaped(verdict.file) + ": " + verdict.message;
  }
  std::string text = describe(verdict.file, verdict.fault);
  if (verdict.blob && verdict.parts.size() > 1) {
    text += " (blob " + std::to_string(*verdict.blob) + ')';
  }
  return text;
}

void write_text(output& out, const file_verdict& verdict) {
  const totals sum = sum_up(verdict);
  out << escaped(verdict.file) << ": valid " << kind_name(*verdict.what) << ", ";
  if (sum.vectors != 1) out << sum.vectors << " deletion vectors, ";
  out << sum.cardinality << " deleted rows";
  if (sum.min) out << " from " << *sum.min << " to " << *sum.max;
  if (!sum.tolerated.empty()) out << "; tolerated: " << text_of(sum.tolerated);
  out << '\n';
}

int run_verify(const verify_options& options) {
  std::vector<input_options> entries;
  if (!options.entries.empty()) entries = read_listing(options.entries, options.common);
  for (const std::string& file : options.files) {
    entries.push_back(options.common);
    entries.back().file = file;
  }
  // An inline descriptor needs no file.
  if (options.entries.empty() && options.files.empty()) entries.push_back(options.common);

  output& out = standard_output();
  progress bar(entries.size());
  int status = ok;
  for (const input_options& entry : entries) {
    const file_verdict verdict = verify_file(entry);
    status = std::max(status, verdict.status);
    if (options.as_json) {
      write_json(out, verdict);
    } else if (verdict.sound()) {
      if (!options.quiet) write_text(out, verdict);
    }
    bar.step();
    if (options.as_json && verdict.status != usage) continue;
    bar.wipe();
    if (!verdict.sound()) complain(fault_text(verdict));
    for (const part_verdict& part : verdict.parts) {
      if (!part.sound() && !refuses_file(part)) {
        complain(describe(verdict.file, part.fault) + " (blob " + std::to_string(part.index) +
                 ", not a deletion vector: the file counts as valid)");
      }
    }
  }
  return status;
}

}  // namespace

void add_verify(registry& commands) {
  auto options = std::make_shared<verify_options>();
  CLI::App& c = commands.add(
      "verify", "Check everything that a reader can check",
      "  dvk verify data/*.puffin\n"
      "  dvk verify dv.puffin --data-file s3://b/data/1.parquet --cardinality 5 --rows 1000\n"
      "  dvk verify deletion_vector_x.bin --as delta\n"
      "  dvk verify --descriptor '{\"storageType\":\"i\",\"pathOrInlineDv\":\"...\",...}'\n"
      "  dvk verify --json --entries entries.jsonl   # "
      "{\"file\":\"a.puffin\",\"record_count\":5}\n\n"
      "Valid files are named on standard output, faults on standard error. A Puffin file is "
      "invalid if one of its\ndeletion vectors is, or if blobs overlap or leave the file; what "
      "other blobs hold is reported, but does not count.\n--json: one object a line: file, kind, "
      "verdict (accept, reject), code, offset, message, quirk (if one is\nknown), tolerated (if "
      "anything was), blob\n(the one at fault), cardinality, min, max, and for Puffin and Delta "
      "files "
      "blobs.\n--entries: one JSON "
      "object a line; members file, kind, content_offset, content_size_in_bytes, record_count,\n"
      "referenced_data_file, row_count, max_bytes, descriptor.",
      [options] { return run_verify(*options); });
  c.add_option("FILE", options->files, "The files; - for standard input");
  c.add_option("--entries", options->entries, "Files and what metadata says of them, JSON lines")
      ->type_name("LISTING");
  c.add_flag("--json", options->as_json, "One JSON object a file");
  c.add_flag("-q,--quiet", options->quiet, "Do not name valid files");
  add_choice(c, options->common);
  add_checks(c, options->common);
  c.add_option("--rows", options->common.check.row_count,
               "Rows of the data file: no deleted row may lie past them")
      ->type_name("N")
      ->group("What is checked");
}

}  // namespace dvk::cli
