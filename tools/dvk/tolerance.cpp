#include "tolerance.hpp"

namespace dvk::cli {
namespace {

// Whether bytes with this fault have a safe reading.
bool can_tolerate(quirk which) noexcept {
  switch (which) {
    case quirk::undersized_bitset:
    case quirk::missing_offset_header:
    case quirk::crc_not_inverted:
    case quirk::bare_bitmap:
    case quirk::keys_in_hash_order:
    case quirk::z85_hash_tail:
    case quirk::velox_footer:
      return true;
    // Other formats, which --as names, or whose magic says that all is laid out otherwise.
    case quirk::none:
    case quirk::bare_blob:
    case quirk::delta_native:
    case quirk::delta_file:
    case quirk::roaring32:
      return false;
  }
  return false;
}

quirk_set all_tolerable() {
  quirk_set all;
  for (unsigned i = 0; i < quirk_count; ++i) {
    if (can_tolerate(static_cast<quirk>(i))) all.insert(static_cast<quirk>(i));
  }
  return all;
}

}  // namespace

std::vector<std::string_view> names_of(quirk_set quirks) {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < quirk_count; ++i) {
    const auto which = static_cast<quirk>(i);
    if (quirks.contains(which)) names.push_back(quirk_name(which));
  }
  return names;
}

std::string text_of(quirk_set quirks) {
  std::string text;
  for (const std::string_view name : names_of(quirks)) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

void write_tolerated(json& j, quirk_set tolerated) {
  if (tolerated.empty()) return;
  j.key("tolerated").begin('[');
  for (const std::string_view name : names_of(tolerated))
    j.value(name);
  j.end(']');
}

quirk_set quirks_of_names(const std::vector<std::string>& names) {
  quirk_set quirks;
  for (const std::string& name : names) {
    if (name == "all") quirks.insert(all_tolerable());
    for (unsigned i = 0; i < quirk_count; ++i) {
      if (quirk_name(static_cast<quirk>(i)) == name) quirks.insert(static_cast<quirk>(i));
    }
  }
  return quirks;
}

std::vector<std::string> names_to_tolerate() {
  std::vector<std::string> names = {"all"};
  for (const std::string_view name : names_of(all_tolerable()))
    names.emplace_back(name);
  return names;
}

}  // namespace dvk::cli
