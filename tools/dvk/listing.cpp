#include "listing.hpp"

#include <simdjson.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace dvk::cli {
namespace {

namespace dom = simdjson::dom;

template <class T>
void get(dom::object object, const char* name, std::optional<T>& value) {
  dom::element element;
  if (object[name].get(element) != simdjson::SUCCESS || element.is_null()) return;
  value = static_cast<T>(
      std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>(element));
}

delta::descriptor descriptor_of(dom::object object) {
  delta::descriptor d;
  d.storage_type = std::string_view(object["storageType"]);
  std::optional<std::string> path;
  get(object, "pathOrInlineDv", path);
  d.path_or_inline_dv = path.value_or("");
  get(object, "offset", d.offset);
  d.size_in_bytes = std::int64_t(object["sizeInBytes"]);
  d.cardinality = std::int64_t(object["cardinality"]);
  return d;
}

input_options entry_of(dom::object object, const std::filesystem::path& folder,
                       input_options entry) {
  const std::string_view name = object["file"];
  entry.file = (folder / name).string();
  std::optional<std::string> what;
  get(object, "kind", what);
  if (what) entry.as = kind_of_name(*what);
  get(object, "blob", entry.blob);
  get(object, "content_offset", entry.offset);
  get(object, "content_size_in_bytes", entry.length);
  get(object, "referenced_data_file", entry.data_file);
  get(object, "record_count", entry.check.expected_cardinality);
  get(object, "row_count", entry.check.row_count);
  std::optional<std::uint64_t> max_bytes;
  get(object, "max_bytes", max_bytes);
  if (max_bytes) entry.check.max_bytes = *max_bytes;
  dom::object descriptor;
  if (object["descriptor"].get(descriptor) == simdjson::SUCCESS) {
    entry.descriptor = descriptor_of(descriptor);
  }
  return entry;
}

}  // namespace

std::string read_text(const std::string& file) {
  std::ostringstream all;
  if (file == "-") {
    all << std::cin.rdbuf();
    return all.str();
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream || !(all << stream.rdbuf())) throw failure(usage, file, "cannot be read");
  return all.str();
}

delta::descriptor parse_descriptor(const std::string& text) {
  const std::string content = text.find('{') == std::string::npos ? read_text(text) : text;
  try {
    dom::parser parser;
    return descriptor_of(parser.parse(content));
  } catch (const simdjson::simdjson_error& e) {
    throw failure(usage, {},
                  std::string("--descriptor is not the JSON of a deletionVector (storageType, "
                              "pathOrInlineDv, offset, sizeInBytes, cardinality): ") +
                      e.what());
  }
}

std::vector<input_options> read_listing(const std::string& file, const input_options& common) {
  std::istringstream lines(read_text(file));
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::vector<input_options> entries;
  dom::parser parser;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      entries.push_back(entry_of(parser.parse(line), folder, common));
    } catch (const simdjson::simdjson_error& e) {
      throw failure(usage, file + ":" + std::to_string(number), e.what());
    }
  }
  return entries;
}

}  // namespace dvk::cli
