#include "table_facts.hpp"

#include <simdjson.h>
#include <algorithm>
#include <charconv>
#include <limits>

#include "command.hpp"
#include "listing.hpp"
#include "output.hpp"

namespace dvk::cli {
namespace {

namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;
using simdjson::simdjson_error;

// A value of the document, and where it stands: "delete_entries[2].partition[0]".
class node {
 public:
  node(const std::string& file, std::string path, dom::element value)
      : file_(file), path_(std::move(path)), value_(value) {}

  [[noreturn]] void wrong(std::string_view text) const {
    const std::string where = path_.empty() ? "the document" : path_;
    throw failure(usage, file_, where + ": " + std::string(text));
  }

  [[nodiscard]] std::vector<node> items() const {
    dom::array array;
    if (value_.get(array) != simdjson::SUCCESS) wrong("wants a list");
    std::vector<node> out;
    for (const dom::element item : array)
      out.emplace_back(file_, path_ + '[' + std::to_string(out.size()) + ']', item);
    return out;
  }

  // Refuses what is no object, and members that are not among `names` or come twice.
  void check_members(std::initializer_list<std::string_view> names) const {
    dom::object object;
    if (value_.get(object) != simdjson::SUCCESS) wrong("wants an object");
    std::vector<std::string_view> seen;
    for (const auto member : object) {
      const std::string quoted = '"' + escaped(member.key) + '"';
      if (std::find(names.begin(), names.end(), member.key) == names.end())
        wrong(quoted + " is no member of it");
      if (std::find(seen.begin(), seen.end(), member.key) != seen.end())
        wrong(quoted + " stands there twice");
      seen.push_back(member.key);
    }
  }

  // A member that is absent or null is nothing.
  [[nodiscard]] std::optional<node> maybe(std::string_view name) const {
    dom::element member;
    if (value_[name].get(member) != simdjson::SUCCESS || member.is_null()) return std::nullopt;
    return node(file_, path_ + (path_.empty() ? "" : ".") + std::string(name), member);
  }
  [[nodiscard]] node member(std::string_view name) const {
    auto out = maybe(name);
    if (!out) wrong('"' + std::string(name) + "\" is missing");
    return *out;
  }

  [[nodiscard]] std::string text() const {
    std::string_view out;
    if (value_.get(out) != simdjson::SUCCESS) wrong("wants a string");
    return std::string(out);
  }
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const {
    std::int64_t out = 0;
    if (!value_.is<std::int64_t>() || value_.get(out) != simdjson::SUCCESS || out < least ||
        out > most) {
      wrong("wants an integer from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return out;
  }
  [[nodiscard]] dom::element value() const { return value_; }

 private:
  const std::string& file_;
  std::string path_;
  dom::element value_;
};

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::vector<std::byte> bytes_of(const node& hex) {
  const std::string text = hex.text();
  std::vector<std::byte> out(text.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    unsigned value = 0;
    const char* const at = text.data() + 2 * i;
    if (std::from_chars(at, at + 2, value, 16).ptr != at + 2) hex.wrong("wants hexadecimal digits");
    out[i] = static_cast<std::byte>(value);
  }
  if (text.size() % 2 != 0) hex.wrong("wants an even number of hexadecimal digits");
  return out;
}

double float_of(const node& name) {
  const std::string text = name.text();
  double out = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, out);
  if (fault != std::errc{} || stop != end) name.wrong("wants a number, NaN or Infinity as text");
  return out;
}

partition_value partition_value_of(const node& n) {
  const dom::element v = n.value();
  switch (v.type()) {
    case dom::element_type::NULL_VALUE:
      return std::monostate{};
    case dom::element_type::BOOL:
      return bool(v);
    case dom::element_type::INT64:
      return std::int64_t(v);
    case dom::element_type::DOUBLE:
      return double(v);
    case dom::element_type::STRING:
      return n.text();
    case dom::element_type::UINT64:
      n.wrong("is larger than a long");
    case dom::element_type::ARRAY:
      n.wrong("a list is no partition value");
    case dom::element_type::OBJECT:
      break;
  }
  n.check_members({"bytes", "float"});
  const auto bytes = n.maybe("bytes");
  const auto number = n.maybe("float");
  if (bytes.has_value() == number.has_value()) n.wrong(R"(wants either "bytes" or "float")");
  if (bytes) return bytes_of(*bytes);
  return float_of(*number);
}

partition partition_of(const node& n) {
  partition out;
  if (const auto id = n.maybe("spec_id"))
    out.spec_id = static_cast<std::int32_t>(id->integer(0, 0x7fffffff));
  if (const auto tuple = n.maybe("partition")) {
    for (const node& value : tuple->items())
      out.values.push_back(partition_value_of(value));
  }
  return out;
}

data_file data_file_of(const node& n) {
  n.check_members({"file_path", "data_sequence_number", "spec_id", "partition"});
  return {.file_path = n.member("file_path").text(),
          .data_sequence_number = n.member("data_sequence_number").integer(0, largest),
          .partition = partition_of(n)};
}

delete_content content_of(const node& n) {
  const std::string name = n.text();
  if (name == "deletion_vector") return delete_content::deletion_vector;
  if (name == "position_deletes") return delete_content::position_deletes;
  if (name == "equality_deletes") return delete_content::equality_deletes;
  n.wrong("wants deletion_vector, position_deletes or equality_deletes");
}

delete_entry delete_entry_of(const node& n) {
  n.check_members({"content", "data_sequence_number", "spec_id", "partition", "file_path",
                   "referenced_data_file", "content_offset", "content_size_in_bytes",
                   "record_count"});
  delete_entry out{.content = content_of(n.member("content")),
                   .data_sequence_number = n.member("data_sequence_number").integer(0, largest),
                   .partition = partition_of(n),
                   .referenced_data_file = {}};
  if (const auto path = n.maybe("referenced_data_file")) out.referenced_data_file = path->text();
  return out;
}

delete_place place_of(const node& n) {
  delete_place out;
  if (const auto path = n.maybe("file_path")) out.file_path = path->text();
  const auto number = [&](std::string_view name) -> std::optional<std::int64_t> {
    const auto m = n.maybe(name);
    return m ? std::optional(m->integer(0, largest)) : std::nullopt;
  };
  out.content_offset = number("content_offset");
  out.content_size_in_bytes = number("content_size_in_bytes");
  out.record_count = number("record_count");
  return out;
}

// Visits every value, so that a fault anywhere is met.
void walk(ondemand::value value) {
  switch (value.type()) {
    case ondemand::json_type::array:
      for (auto item : value.get_array())
        walk(item.value());
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        static_cast<void>(std::string_view(field.unescaped_key()));
        walk(field.value());
      }
      break;
    case ondemand::json_type::string:
      static_cast<void>(std::string_view(value.get_string()));
      break;
    case ondemand::json_type::number:
      static_cast<void>(value.get_number().value());
      break;
    case ondemand::json_type::boolean:
      static_cast<void>(bool(value.get_bool()));
      break;
    case ondemand::json_type::null:
      static_cast<void>(value.is_null());
      break;
  }
}

// The DOM says what is wrong, and the on-demand parser knows where it stopped.
std::string place_of_fault(const simdjson::padded_string& text) {
  ondemand::parser parser;
  ondemand::document document;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return "";
  try {
    walk(document.get_value());
  } catch (const simdjson_error&) {
  }
  const char* at = nullptr;
  if (document.current_location().get(at) != simdjson::SUCCESS)
    return "byte " + std::to_string(text.size()) + ": ";
  return "byte " + std::to_string(at - text.data()) + ": ";
}

}  // namespace

table_facts read_table_facts(const std::string& file) {
  const simdjson::padded_string text(read_text(file));
  dom::parser parser;
  dom::element document;
  if (const auto fault = parser.parse(text).get(document); fault != simdjson::SUCCESS)
    throw failure(usage, file, place_of_fault(text) + simdjson::error_message(fault));
  const node root(file, "", document);
  root.check_members({"data_files", "delete_entries"});
  table_facts out;
  for (const node& n : root.member("data_files").items())
    out.data_files.push_back(data_file_of(n));
  for (const node& n : root.member("delete_entries").items()) {
    out.delete_entries.push_back(delete_entry_of(n));
    out.places.push_back(place_of(n));
  }
  return out;
}

}  // namespace dvk::cli
