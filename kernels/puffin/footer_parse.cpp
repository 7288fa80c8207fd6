// Footer JSON to metadata. simdjson checks the grammar, UTF-8, string escapes and depth; what it
// leaves to its callers, duplicate members and the shape, is checked here. All strings go into one
// block: an entry of a footer costs no allocation of its own.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "puffin/footer.hpp"
#include "puffin/guarded.hpp"

namespace dvk::inline v0::puffin {
namespace {

namespace dom = simdjson::dom;
using dom::element_type;

static_assert(json_padding >= simdjson::SIMDJSON_PADDING);
constexpr std::size_t max_depth = 64;

// Encoding goes before grammar: of text that breaks both, simdjson reports what it meets first.
error refused(simdjson::error_code e, std::string_view text) {
  if (e == simdjson::MEMALLOC) return {.code = error_code::out_of_memory};
  return {.code = is_utf8(text) ? error_code::footer_json : error_code::footer_utf8};
}

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto one_of = [&](std::string_view set) {
    if (at == text.size() || set.find(text[at]) == set.npos) return false;
    ++at;
    return true;
  };
  const auto digits = [&] {
    const std::size_t first = at;
    while (one_of("0123456789")) {
    }
    return at > first;
  };
  one_of("-");
  if (!one_of("0") && !digits()) return false;
  if (one_of(".") && !digits()) return false;
  if (one_of("eE")) {
    one_of("+-");
    if (!digits()) return false;
  }
  return at == text.size();
}

// simdjson refuses numbers that fit neither 64 bits nor a double, but JSON has no such bound, and a
// member unknown to us may hold one. Each is replaced by 0.5, which is no integer literal either,
// and blanks. Returns whether there was any. Only looked for after simdjson met one.
bool replace_big_numbers(std::span<char> text) {
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
      ++at;
      continue;
    }
    const std::size_t first = at;
    while (at < text.size() && is_number_char(text[at]))
      ++at;
    const std::string_view token(text.data() + first, at - first);
    if (token.size() >= 3 && (token.size() > 18 || token.find_first_of(".eE") != token.npos) &&
        is_json_number(token)) {
      std::int64_t value = 0;
      const auto [end, e] = std::from_chars(token.data(), token.data() + token.size(), value);
      if (e != std::errc{} || end != token.data() + token.size()) {
        std::fill_n(std::copy_n("0.5", 3, text.data() + first), token.size() - 3, ' ');
        any = true;
      }
    }
    if (at == first) ++at;
  }
  return any;
}

// One bit of 64 for a name. Names that share no bit differ, so that comparing them is the
// exception.
std::uint64_t bit_of(std::string_view name) {
  if (name.empty()) return 1;
  const auto mix = name.size() + 5 * static_cast<unsigned char>(name.front()) +
                   11 * static_cast<unsigned char>(name.back());
  return std::uint64_t{1} << (mix & 63);
}

bool all_different(std::vector<std::string_view>& names) {
  if (names.size() <= 32) {  // almost always; more would fill the 64 bits
    std::uint64_t seen = 0;
    for (auto name = names.begin(); name != names.end(); ++name) {
      const std::uint64_t bit = bit_of(*name);
      if ((seen & bit) != 0 && std::find(names.begin(), name, *name) != name) return false;
      seen |= bit;
    }
    return true;
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

// Names are compared after unescaping: "a" and "\u0061" are one member. The recursion is as deep as
// the JSON.
bool members_unique(dom::element value, std::vector<std::string_view>& names) {
  if (value.type() == element_type::ARRAY) {
    for (const dom::element item : dom::array(value.get_array().value_unsafe())) {
      if (!members_unique(item, names)) return false;
    }
  } else if (value.type() == element_type::OBJECT) {
    const dom::object object = value.get_object().value_unsafe();
    names.clear();
    for (const auto member : object)
      names.push_back(member.key);
    if (!all_different(names)) return false;
    for (const auto member : object) {
      if (!members_unique(member.value, names)) return false;
    }
  }
  return true;
}

class builder {
 public:
  builder(std::size_t size, quirk_set tolerate)
      : tolerate_(tolerate), size_(size), end_(new char[size]) {
    out_.text.reset(end_);
  }

  error read_file(dom::element root);
  footer take() && { return std::move(out_); }

 private:
  struct first_of_blob {
    std::size_t field;
    std::size_t property;
  };

  error read_blob(dom::element value);
  bool read_fields(dom::element value, bool& velox);
  bool read_properties(dom::element value);
  std::string_view keep(std::string_view text);
  bool read_string(dom::element value, std::string_view& out);
  void bind_spans();

  footer out_;
  quirk_set tolerate_;
  std::size_t size_;
  char* end_;  // of the text kept so far; unescaping never makes a string longer, so the block is
               // large enough
  std::vector<first_of_blob> firsts_;
};

error wrong_shape(quirk which = quirk::none) {
  return {.code = error_code::footer_shape, .quirk = which};
}

std::string_view builder::keep(std::string_view text) {
  if (text.empty()) return {};
  std::memcpy(end_, text.data(), text.size());
  end_ += text.size();
  return {end_ - text.size(), text.size()};
}

bool builder::read_string(dom::element value, std::string_view& out) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return false;
  out = keep(text);
  return true;
}

// Only literals without fraction or exponent have type INT64: 4.0 and 4e0 are DOUBLE, 2^63 and
// above UINT64.
bool read_long(dom::element value, std::int64_t& out) {
  if (value.type() != element_type::INT64) return false;
  out = value.get_int64().value_unsafe();
  return true;
}

bool builder::read_fields(dom::element value, bool& velox) {
  if (value.type() != element_type::ARRAY) return false;
  for (dom::element item : dom::array(value.get_array().value_unsafe())) {
    if (item.type() == element_type::OBJECT &&
        item["source-field-id"].get(item) == simdjson::SUCCESS) {
      velox = true;
      if (!tolerate_.contains(quirk::velox_footer)) return false;
    }
    std::int64_t id = 0;
    if (!read_long(item, id)) return false;
    if (id < std::numeric_limits<std::int32_t>::min() ||
        id > std::numeric_limits<std::int32_t>::max())
      return false;
    out_.fields.push_back(static_cast<std::int32_t>(id));
  }
  return true;
}

bool builder::read_properties(dom::element value) {
  if (value.type() != element_type::OBJECT) return false;
  for (const auto member : dom::object(value.get_object().value_unsafe())) {
    property& p = out_.properties.emplace_back();
    p.name = keep(member.key);
    if (!read_string(member.value, p.value)) return false;
  }
  return true;
}

error builder::read_blob(dom::element value) {
  if (value.type() != element_type::OBJECT) return wrong_shape();
  firsts_.push_back({out_.fields.size(), out_.properties.size()});
  blob_metadata& blob = out_.blobs.emplace_back();
  enum : unsigned {
    type = 1,
    fields = 2,
    snapshot = 4,
    sequence = 8,
    offset = 16,
    length = 32,
    required = 63
  };
  unsigned seen = 0;
  bool velox = false;
  for (const auto member : dom::object(value.get_object().value_unsafe())) {
    const std::string_view name = member.key;
    bool good = true;
    if (name == "type") {
      good = read_string(member.value, blob.type);
      seen |= type;
    } else if (name == "fields") {
      good = read_fields(member.value, velox);
      seen |= fields;
    } else if (name == "snapshot-id") {
      good = read_long(member.value, blob.snapshot_id);
      seen |= snapshot;
    } else if (name == "sequence-number") {
      good = read_long(member.value, blob.sequence_number);
      seen |= sequence;
    } else if (name == "offset") {
      good = read_long(member.value, blob.offset);
      seen |= offset;
    } else if (name == "length") {
      good = read_long(member.value, blob.length);
      seen |= length;
    } else if (name == "compression-codec") {
      blob.has_codec_member = true;
      if (member.value.is_null()) continue;
      good = read_string(member.value, blob.codec_name);
      blob.compression = codec_of(blob.codec_name);
    } else if (name == "properties") {
      good = read_properties(member.value);
    }
    if (!good) return wrong_shape(velox ? quirk::velox_footer : quirk::none);
  }
  if (velox) {
    out_.tolerated.insert(quirk::velox_footer);
    seen |= snapshot | sequence;  // absent from that writer's blobs: -1
  }
  return seen == required ? error{} : wrong_shape();
}

error builder::read_file(dom::element root) {
  dom::array blobs;
  if (root["blobs"].get_array().get(blobs) != simdjson::SUCCESS) return wrong_shape();
  constexpr std::size_t least_blob =
      80;  // bytes of JSON; without this bound "[0,0,..." would reserve 100 times its size
  const std::size_t count = std::min(blobs.size(), size_ / least_blob + 1);
  out_.blobs.reserve(count);
  firsts_.reserve(count + 1);
  for (const dom::element value : blobs) {
    if (const error failure = read_blob(value); detail::failed(failure)) return failure;
  }
  firsts_.push_back({out_.fields.size(), out_.properties.size()});
  if (dom::element properties; root["properties"].get(properties) == simdjson::SUCCESS) {
    if (!read_properties(properties)) return wrong_shape();
  }
  bind_spans();
  return {};
}

// Only now that the vectors have stopped moving.
void builder::bind_spans() {
  const std::span<const std::int32_t> fields = out_.fields;
  const std::span<const property> properties = out_.properties;
  for (std::size_t i = 0; i < out_.blobs.size(); ++i) {
    const auto [field, first] = firsts_[i];
    out_.blobs[i].fields = fields.subspan(field, firsts_[i + 1].field - field);
    out_.blobs[i].properties = properties.subspan(first, firsts_[i + 1].property - first);
  }
  out_.file_properties = properties.subspan(firsts_.back().property);
}

}  // namespace

result<footer> parse_footer(char* text, std::size_t size, quirk_set tolerate) {
  dom::parser parser;
  if (const auto e = parser.allocate(size, max_depth); e != simdjson::SUCCESS)
    return refused(e, {});
  dom::element root;
  auto e = parser.parse(text, size, false).get(root);
  if (e == simdjson::NUMBER_ERROR && replace_big_numbers({text, size}))
    e = parser.parse(text, size, false).get(root);
  if (e != simdjson::SUCCESS) return refused(e, {text, size});
  std::vector<std::string_view> names;
  if (!members_unique(root, names)) return error{.code = error_code::footer_json};
  builder out(size, tolerate);
  if (const error failure = out.read_file(root); detail::failed(failure)) return failure;
  return std::move(out).take();
}

bool is_utf8(std::string_view text) noexcept {
  return simdjson::validate_utf8(text.data(), text.size());
}

}  // namespace dvk::inline v0::puffin
