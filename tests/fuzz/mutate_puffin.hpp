// Mutations of Puffin files: of the footer's text, of its numbers, or of a blob; the container
// around them is then right again, and the footer says where the blobs are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/mutate_blob.hpp"

namespace dvk_fuzz {

// A number in the footer's text.
struct json_number {
  std::size_t at = 0;
  std::size_t size = 0;
};

inline std::vector<json_number> numbers_after(std::string_view text, std::string_view name) {
  std::vector<json_number> out;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at)) {
    at += name.size();
    std::size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    if (end != at && end - at < 10) out.push_back({at, end - at});
  }
  return out;
}
inline std::uint64_t value_of(std::string_view text, json_number n) {
  return std::stoull(std::string(text.substr(n.at, n.size)));
}

struct puffin_model {
  byte_vector body = {};    // between the head magic and the footer
  std::string footer = {};  // the payload
};

inline puffin_model take_apart(const byte_vector& file) {
  puffin_model out;
  if (file.size() < 20) return out;
  const std::uint64_t size = load_le(file, file.size() - 12, 4);
  if (size > file.size() - 20) return out;
  const auto footer = file.end() - 12 - static_cast<std::ptrdiff_t>(size);
  out.body.assign(file.begin() + 4, footer - 4);
  out.footer.assign(footer, file.end() - 12);
  return out;
}

inline byte_vector put_together(const puffin_model& m, std::uint32_t flags = 0) {
  const std::string magic = "PFA1";
  byte_vector trailer;
  append_le(trailer, static_cast<std::uint32_t>(m.footer.size()));
  append_le(trailer, flags);
  const std::string out = magic + std::string(m.body.begin(), m.body.end()) + magic + m.footer +
                          std::string(trailer.begin(), trailer.end()) + magic;
  return {out.begin(), out.end()};
}

// Replaces the bytes of blob `i` (in the text's order) and moves what the text says of those
// behind.
inline void replace_blob(puffin_model& m, std::size_t i, const byte_vector& blob) {
  const auto offsets = numbers_after(m.footer, "\"offset\":");
  const auto lengths = numbers_after(m.footer, "\"length\":");
  if (i >= offsets.size() || i >= lengths.size()) return;
  const std::uint64_t offset = value_of(m.footer, offsets[i]);
  const std::uint64_t length = value_of(m.footer, lengths[i]);
  if (offset < 4 || offset - 4 > m.body.size() || length > m.body.size() - (offset - 4)) return;
  struct edit {
    json_number where;
    std::uint64_t value;
  };
  std::vector<edit> edits{{lengths[i], blob.size()}};
  for (const json_number& n : offsets) {
    const std::uint64_t at = value_of(m.footer, n);
    if (at > offset) edits.push_back({n, at + blob.size() - length});
  }
  std::sort(edits.begin(), edits.end(),
            [](const edit& a, const edit& b) { return a.where.at > b.where.at; });
  for (const edit& e : edits)
    m.footer.replace(e.where.at, e.where.size, std::to_string(e.value));
  const auto at = m.body.begin() + static_cast<std::ptrdiff_t>(offset - 4);
  m.body.erase(at, at + static_cast<std::ptrdiff_t>(length));
  m.body.insert(m.body.begin() + static_cast<std::ptrdiff_t>(offset - 4), blob.begin(), blob.end());
}

inline byte_vector blob_bytes(const puffin_model& m, std::size_t i) {
  const auto offsets = numbers_after(m.footer, "\"offset\":");
  const auto lengths = numbers_after(m.footer, "\"length\":");
  if (i >= offsets.size() || i >= lengths.size()) return {};
  const std::uint64_t offset = value_of(m.footer, offsets[i]);
  const std::uint64_t length = value_of(m.footer, lengths[i]);
  if (offset < 4 || offset - 4 > m.body.size() || length > m.body.size() - (offset - 4)) return {};
  const auto at = m.body.begin() + static_cast<std::ptrdiff_t>(offset - 4);
  return {at, at + static_cast<std::ptrdiff_t>(length)};
}

// A piece of JSON in place of another, or one more.
inline std::string mutate_json(std::string text, std::size_t max, chooser& pick) {
  static constexpr std::string_view pieces[] = {"{",
                                                "}",
                                                "[",
                                                "]",
                                                ",",
                                                ":",
                                                "\"",
                                                "null",
                                                "true",
                                                "-1",
                                                "0",
                                                "1.5",
                                                "1e3",
                                                "4",
                                                "[{}]",
                                                "{}",
                                                "\\u0000",
                                                "\\ud800",
                                                "\"\"",
                                                "\"type\":",
                                                "9223372036854775807",
                                                "9223372036854775808",
                                                "2147483645",
                                                "\"deletion-vector-v1\"",
                                                "\"compression-codec\":\"zstd\",",
                                                "\"compression-codec\":\"lz4\",",
                                                "\"compression-codec\":null,",
                                                "\"properties\":{},",
                                                "\"fields\":[],",
                                                "\"snapshot-id\":1,",
                                                "\"cardinality\":\"1\"",
                                                "\"referenced-data-file\":\"a\",",
                                                "\"blobs\":[],"};
  const std::size_t way = pick.below(5);
  const std::size_t at = pick.below(text.size() + 1);
  if (way == 0) {
    text.insert(at, pieces[pick.below(std::size(pieces))]);
  } else if (way == 1) {
    text.erase(at, 1 + pick.below(8));
  } else if (way == 2) {
    const std::size_t from = pick.below(text.size() + 1);
    text.insert(at, text.substr(from, pick.below(200)));
  } else if (way == 3) {
    const auto numbers = numbers_after(text, pick.one_in(2) ? "\"offset\":" : "\"length\":");
    if (!numbers.empty()) {
      const json_number n = numbers[pick.below(numbers.size())];
      text.replace(n.at, n.size, std::to_string(other_number(value_of(text, n), 3, pick)));
    }
  } else {
    const byte_vector out =
        mutate_plainly({text.begin(), text.end()}, std::max<std::size_t>(max, 1));
    text.assign(out.begin(), out.end());
  }
  return text;
}

inline byte_vector mutate_puffin(byte_vector file, std::size_t max, chooser& pick) {
  const std::size_t way = pick.below(8);
  if (way == 0 || max < 64) return mutate_plainly(std::move(file), max);
  puffin_model m = take_apart(file);
  if (m.footer.empty()) m.footer = R"({"blobs":[]})";
  if (way < 4) {
    m.footer = mutate_json(m.footer, max - 20, pick);
  } else {
    const std::size_t i = pick.below(numbers_after(m.footer, "\"offset\":").size());
    const byte_vector blob = blob_bytes(m, i);
    replace_blob(m, i, way < 7 ? mutate_blob(blob, max, pick) : mutate_plainly(blob, max));
  }
  return put_together(m, pick.one_in(64) ? 1u << pick.below(32) : 0);
}

}  // namespace dvk_fuzz
