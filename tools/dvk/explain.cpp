// dvk explain: which deletes apply to a data file, why, and what a new vector would replace.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "output.hpp"
#include "table_facts.hpp"

namespace dvk::cli {
namespace {

struct explain_options {
  std::string file;
  std::string data_file;
  bool as_json = false;
};

constexpr std::string_view content_names[] = {"deletion_vector", "position_deletes",
                                              "equality_deletes"};
constexpr std::string_view reason_names[] = {
#define DVK_X(name, text) #name,
    DVK_SCOPE_REASONS(DVK_X)
#undef DVK_X
};

std::string_view content_name(delete_content content) {
  return content_names[static_cast<std::size_t>(content)];
}

// What is known of one data file.
struct explanation {
  delete_scope scope;
  replacement_plan plan;
  std::vector<std::size_t> leave;  // entries that concern the data file and stay in the manifests
};

bool concerns(scope_reason reason) {
  return applies(reason) || reason == scope_reason::hidden;
}

result<explanation> explain(const data_file& file, const table_facts& facts) {
  auto scope = scope_of(file, facts.delete_entries);
  if (!scope) return scope.error();
  auto plan = plan_replacement(file, facts.delete_entries);
  if (!plan) return plan.error();
  explanation out{std::move(*scope), std::move(*plan), {}};
  for (std::size_t i = 0; i < out.scope.reasons.size(); ++i) {
    const auto& removed = out.plan.remove;
    if (concerns(out.scope.reasons[i]) &&
        std::find(removed.begin(), removed.end(), i) == removed.end())
      out.leave.push_back(i);
  }
  return out;
}

void print_partition(output& out, const partition& p) {
  out << ", spec " << p.spec_id;
  if (p.values.empty()) out << ", unpartitioned";
}

void print_entry(output& out, const table_facts& facts, std::size_t i) {
  const delete_entry& e = facts.delete_entries[i];
  const delete_place& place = facts.places[i];
  out << "  [" << i << "] " << content_name(e.content);
  if (place.file_path) out << ' ' << escaped(*place.file_path);
  out << " (sequence " << e.data_sequence_number;
  print_partition(out, e.partition);
  if (place.record_count) out << ", " << *place.record_count << " rows";
  if (place.content_size_in_bytes) out << ", " << *place.content_size_in_bytes << " bytes";
  if (place.content_offset) out << " at " << *place.content_offset;
  out << ")\n";
}

void print_list(output& out, std::string_view what, const std::vector<std::size_t>& entries) {
  out << what;
  if (entries.empty()) out << " nothing";
  for (const std::size_t i : entries)
    out << " [" << i << ']';
}

void print(output& out, const data_file& file, const table_facts& facts, const explanation& e) {
  out << escaped(file.file_path) << " (sequence " << file.data_sequence_number;
  print_partition(out, file.partition);
  out << ")\n";
  for (std::size_t i = 0; i < facts.delete_entries.size(); ++i) {
    print_entry(out, facts, i);
    out << "      " << scope_reason_text(e.scope.reasons[i]) << '\n';
  }
  out << "  a new deletion vector would";
  print_list(out, " merge", e.plan.merge);
  print_list(out, ", remove", e.plan.remove);
  print_list(out, ", leave", e.leave);
  out << '\n';
}

void write_list(json& j, std::string_view name, const std::vector<std::size_t>& entries) {
  j.key(name).begin('[');
  for (const std::size_t i : entries)
    j.value(i);
  j.end(']');
}

void write(json& j, const table_facts& facts, const explanation& e) {
  j.key("decisions").begin('[');
  for (std::size_t i = 0; i < facts.delete_entries.size(); ++i) {
    const scope_reason reason = e.scope.reasons[i];
    j.begin('{')
        .member("entry", i)
        .member("content", content_name(facts.delete_entries[i].content));
    j.member("file_path", facts.places[i].file_path).member("applies", applies(reason));
    j.member("reason", reason_names[static_cast<std::size_t>(reason)]);
    j.member("text", scope_reason_text(reason)).end('}');
  }
  j.end(']').member("deletion_vector", e.scope.deletion_vector);
  j.key("replacement").begin('{');
  write_list(j, "merge", e.plan.merge);
  write_list(j, "remove", e.plan.remove);
  write_list(j, "leave", e.leave);
  j.end('}');
}

// Two vectors of one data file: the table breaks the spec there, which hides no other file.
std::string conflict_text(const error& fault) {
  return "delete_entries[" + std::to_string(fault.expected) + "] and [" +
         std::to_string(fault.found) +
         "] are both deletion vectors of this data file; a table may have one";
}

int run_explain(const explain_options& options) {
  const table_facts facts = read_table_facts(options.file);
  output& out = standard_output();
  json j(out);
  int status = ok;
  bool any = false;
  if (options.as_json) j.begin('{').key("data_files").begin('[');
  for (const data_file& file : facts.data_files) {
    if (!options.data_file.empty() && file.file_path != options.data_file) continue;
    any = true;
    const auto e = explain(file, facts);
    const error fault = e.error();
    const bool conflict = fault.code == error_code::scope_conflict;
    if (!e && !conflict) throw failure(options.file, fault);
    if (options.as_json) {
      j.begin('{').member("file_path", file.file_path).member("code", error_name(fault.code));
      if (e) {
        write(j, facts, *e);
      } else {
        j.key("conflict").begin('[').value(fault.expected).value(fault.found).end(']');
      }
      j.end('}');
    } else if (e) {
      print(out, file, facts, *e);
    }
    if (!conflict) continue;
    complain(failure(invalid, file.file_path, "scope_conflict: " + conflict_text(fault)).what());
    status = invalid;
  }
  if (options.as_json) {
    j.end(']').end('}');
    out << '\n';
  }
  if (!any && !options.data_file.empty()) {
    throw failure(usage, options.file,
                  "lists no data file \"" + escaped(options.data_file) +
                      "\" (paths are compared "
                      "byte for byte)");
  }
  return status;
}

}  // namespace

void add_explain(registry& commands) {
  auto options = std::make_shared<explain_options>();
  CLI::App& c = commands.add(
      "explain", "Say which deletes apply to which data files, and why",
      "  dvk explain table.json\n"
      "  dvk explain table.json --data-file s3://b/data/1.parquet --json\n"
      "table.json, with all members that it may have (optional: spec_id and what follows it):\n"
      "  {\"data_files\": [\n"
      "    {\"file_path\": \"1.parquet\", \"data_sequence_number\": 3,\n"
      "     \"spec_id\": 0, \"partition\": [\"2026\", 7, null]}],\n"
      "   \"delete_entries\": [\n"
      "    {\"content\": \"deletion_vector\", \"data_sequence_number\": 4,\n"
      "     \"spec_id\": 0, \"partition\": [\"2026\", 7, null],\n"
      "     \"referenced_data_file\": \"1.parquet\", \"file_path\": \"dv.puffin\",\n"
      "     \"content_offset\": 4, \"content_size_in_bytes\": 46, \"record_count\": 2}]}\n"
      "content: deletion_vector, position_deletes or equality_deletes. Values of partitions that "
      "JSON\n"
      "lacks: {\"bytes\": \"0aff\"}, {\"float\": \"NaN\"}. Exit status 1: two vectors name one "
      "data file.",
      [options] { return run_explain(*options); });
  c.add_option("FILE", options->file, "Data files and delete entries as JSON; - for standard input")
      ->required();
  c.add_option("--data-file", options->data_file, "Only this data file")->type_name("PATH");
  c.add_flag("--json", options->as_json, "As JSON");
}

}  // namespace dvk::cli
