// Puffin files for tests, put together by hand: any field may lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/io.hpp"
#include "tests/support/bitmap_builder.hpp"

namespace dvk_test {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string le32(std::uint32_t value) {
  std::string out;
  for (int i = 0; i < 4; ++i)
    out += static_cast<char>(value >> (8 * i));
  return out;
}

// A file around `body` (the bytes between head and footer) and the footer's payload.
inline std::string puffin_file(std::string_view body, std::string_view payload,
                               std::uint32_t flags = 0) {
  std::string file = "PFA1";
  file.append(body).append("PFA1").append(payload);
  file.append(le32(static_cast<std::uint32_t>(payload.size()))).append(le32(flags)).append("PFA1");
  return file;
}

// A framed deletion vector of the given ascending rows.
inline std::string vector_blob(const std::vector<std::uint64_t>& rows) {
  return text_of(bitmap_writer().add(rows).blob());
}

// JSON of one footer entry; `more` are further members, with a leading comma.
inline std::string entry(std::string_view type, std::int64_t offset, std::int64_t length,
                         std::string_view more = "") {
  return R"({"type":")" + std::string(type) +
         R"(","fields":[2147483645],"snapshot-id":-1,"sequence-number":-1,"offset":)" +
         std::to_string(offset) + ",\"length\":" + std::to_string(length) + std::string(more) + "}";
}
inline std::string vector_entry(std::int64_t offset, std::int64_t length, std::string_view path,
                                std::string_view cardinality, std::string_view more = "") {
  return entry("deletion-vector-v1", offset, length,
               R"(,"properties":{"referenced-data-file":")" + std::string(path) +
                   R"(","cardinality":")" + std::string(cardinality) + "\"}" + std::string(more));
}
inline std::string footer_of(const std::vector<std::string>& entries) {
  std::string out = "{\"blobs\":[";
  for (const std::string& e : entries)
    out += (out.back() == '[' ? "" : ",") + e;
  return out + "]}";
}

// Counts reads, and fails the one numbered `failing` (from 0).
class counting_source final : public dvk::random_access_source {
 public:
  explicit counting_source(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const noexcept override { return bytes_.size(); }
  dvk::error read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept override {
    if (static_cast<int>(reads++) == failing)
      return {.code = dvk::error_code::io_error, .offset = offset, .found = 5};
    bytes_read += out.size();
    return dvk::memory_source(bytes_of(bytes_)).read_at(offset, out);
  }

  mutable std::size_t reads = 0;
  mutable std::uint64_t bytes_read = 0;
  int failing = -1;

 private:
  std::string bytes_;
};

inline std::optional<std::string> load_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace dvk_test
