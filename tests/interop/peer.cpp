// dvk's half of the comparison with Iceberg Java: answers each line of standard input with a line,
// so that one process writes what thousands of cases need. Commands and scripts are those of
// java/README.md; compare.py drives both.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/builder.hpp"
#include "dvk/commit.hpp"

namespace {

using bytes_t = std::vector<std::byte>;
namespace puffin = dvk::puffin;

constexpr std::string_view created_by = "dvk interop";

struct failure {
  std::string message;
};

template <class T>
T must(dvk::result<T> r) {
  if (!r) throw failure{r.error().message()};
  return std::move(*r);
}
void must(const dvk::error& e) {
  if (e.code != dvk::error_code::ok) throw failure{e.message()};
}

std::string hex(std::span<const std::byte> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte b : bytes) {
    text += digits[static_cast<unsigned>(b) >> 4];
    text += digits[static_cast<unsigned>(b) & 15];
  }
  return text;
}

bytes_t unhex(std::string_view text) {
  if (text.size() % 2 != 0) throw failure{"odd number of hex digits"};
  bytes_t bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned value = 0;
    const char* end = text.data() + 2 * i + 2;
    if (std::from_chars(end - 2, end, value, 16).ptr != end) throw failure{"not hex"};
    bytes[i] = static_cast<std::byte>(value);
  }
  return bytes;
}

// Cuts off what stands before the next `separator`; all of it if there is none.
std::string_view take(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto head = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return head;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  if (const auto r = std::from_chars(text.data(), end, value); r.ec != std::errc{} || r.ptr != end)
    throw failure{"not a position: " + std::string(text)};
  return value;
}

struct step {
  std::uint64_t first, last;
};
std::vector<step> parse(std::string_view script) {
  std::vector<step> steps;
  while (!script.empty()) {
    auto token = take(script, ' ');
    if (token.empty()) continue;
    const std::uint64_t first = number(take(token, ':'));
    steps.push_back({first, token.empty() ? first : number(token)});
  }
  return steps;
}

// One by one: like Iceberg's, a builder keeps the run that a range makes where an array is no
// longer.
void run_script(std::string_view script, dvk::deletion_vector_builder& rows) {
  for (const auto& [first, last] : parse(script))
    for (std::uint64_t row = first; row <= last; ++row)
      must(rows.add(row));
}

// By single adds, and by a list of rows: the bytes are the same.
std::string serialize(std::string_view script, dvk::key_mode keys) {
  dvk::deletion_vector_builder rows;
  run_script(script, rows);
  const auto blob = must(rows.serialize_blob({.keys = keys}));
  std::vector<std::uint64_t> positions;
  for (const auto& [first, last] : parse(script))
    for (std::uint64_t row = first; row <= last; ++row)
      positions.push_back(row);
  if (must(dvk::serialize_positions(positions, dvk::output_form::blob, {.keys = keys})) != blob)
    throw failure{"serialize_positions writes other bytes than a builder"};
  return hex(blob);
}

// `SCRIPT;SCRIPT;...`: a file with a vector for each, of the data files 0.parquet, 1.parquet, ...
std::string write_puffin(std::string_view line, dvk::key_mode keys, bool compress_footer) {
  std::vector<dvk::deletion_vector_builder> rows;
  do {
    run_script(take(line, ';'), rows.emplace_back());
  } while (!line.empty());
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < rows.size(); ++i)
    paths.push_back(std::to_string(i) + ".parquet");
  std::vector<dvk::data_file_deletes> deletes;
  for (std::size_t i = 0; i < rows.size(); ++i)
    deletes.push_back({paths[i], &rows[i]});
  dvk::memory_sink sink;
  must(dvk::write_deletion_vectors(
      sink, "out.puffin", deletes,
      {.order = dvk::vector_order::given,
       .keys = keys,
       .puffin = {.created_by = created_by, .compress_footer = compress_footer}}));
  return hex(sink.bytes());
}

// A file whose one blob, of a type of its own, has the line's bytes as content.
std::string write_other(std::string_view line, puffin::codec codec) {
  dvk::memory_sink sink;
  puffin::writer writer(sink, {.created_by = created_by});
  const std::int32_t fields[] = {1};
  must(writer.write_blob({.type = "other", .fields = fields, .compression = codec}, unhex(line)));
  must(writer.finish());
  return hex(sink.bytes());
}

std::string merge(std::string_view line) {
  const bytes_t old = unhex(take(line, ' '));
  dvk::deletion_vector_builder rows;
  must(rows.merge(must(dvk::deletion_vector::open_blob(old))));
  run_script(line, rows);
  return hex(must(rows.serialize_blob({.keys = dvk::key_mode::iceberg_java})));
}

// The ranges `A:B` that a blob deletes, as long as possible.
std::string ranges(std::string_view line) {
  const bytes_t blob = unhex(line);
  const auto dv = must(dvk::deletion_vector::open_blob(blob));
  std::string text;
  for (auto row = dv.next_deleted(0); row;) {
    std::uint64_t last = *row;
    auto next = dv.next_deleted(last + 1);
    while (next && *next == last + 1)
      next = dv.next_deleted(++last + 1);
    text += (text.empty() ? "" : " ") + std::to_string(*row) + ":" + std::to_string(last);
    row = next;
  }
  return text;
}

std::optional<std::string> answer(std::string_view command, std::string_view line) {
  using enum dvk::key_mode;
  if (command == "serialize") return serialize(line, iceberg_java);
  if (command == "serialize-present") return serialize(line, present_keys);
  if (command == "puffins") return write_puffin(line, iceberg_java, false);
  if (command == "puffins-present") return write_puffin(line, present_keys, false);
  if (command == "puffins-lz4-footer") return write_puffin(line, iceberg_java, true);
  if (command == "other-none") return write_other(line, puffin::codec::none);
  if (command == "other-zstd") return write_other(line, puffin::codec::zstd);
  if (command == "other-lz4") return write_other(line, puffin::codec::lz4);
  if (command == "merge") return merge(line);
  if (command == "ranges") return ranges(line);
  return std::nullopt;
}

}  // namespace

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const auto text = answer(count == 2 ? arguments[1] : "", line);
      if (!text) {
        std::fputs("usage: interop_peer COMMAND <LINES; see answer()\n", stderr);
        return 2;
      }
      std::cout << *text << '\n';
    } catch (const failure& f) {
      std::cout << "error " << f.message << '\n';
    }
  }
  return std::cout.flush() ? 0 : 2;
}
