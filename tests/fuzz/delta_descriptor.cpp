// The input is a Delta descriptor, with texts and numbers as they may stand in a log. Promised:
// - Z85 decodes to the size asked for or says at which character it is wrong; what it decodes with
//   zero padding encodes to the same text, and any bytes survive encoding and decoding;
// - a descriptor that check() refuses opens and resolves nowhere;
// - a path that must lie inside the table does, without any "..";
// - what converts to an Iceberg entry and back names the same place.
#include "dvk/delta.hpp"

#include <algorithm>

#include "tests/fuzz/input.hpp"
#include "tests/fuzz/promise.hpp"

using namespace dvk_fuzz;
using namespace dvk::delta;
using dvk::error_code;

namespace {

constexpr std::string_view root = "s3://bucket/table";

// Whether a segment of the path, decoded or not, leads upwards.
bool leads_up(std::string_view path) {
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (path.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

void check_z85(std::string_view text, std::size_t size) {
  const auto bytes = z85_decode(text, size);
  const auto strict = z85_decode(text, size, {.canonical_padding = true});
  if (!bytes) {
    check_error_text(bytes.error(), text.size());
    PROMISE(bytes.error().code == error_code::z85 && !strict);
    return;
  }
  PROMISE(bytes->size() == size && text.size() == (size + 3) / 4 * 5);
  const auto again = z85_encode(*bytes);
  PROMISE(again && again->size() == text.size());
  PROMISE(strict.has_value() == (*again == text));
  PROMISE(strict || strict.error().code == error_code::not_canonical);
}

void check_z85_of(std::span<const std::byte> bytes) {
  const auto text = z85_encode(bytes);
  PROMISE(text.has_value());
  const auto back = z85_decode(*text, bytes.size(), {.canonical_padding = true});
  PROMISE(back && std::ranges::equal(*back, bytes));
}

void check_paths(const descriptor& d, bool sound) {
  const auto relative = relative_path(d);
  const auto anywhere = resolve_path(d, root);
  const auto inside = resolve_path(d, root, true);
  if (!sound || d.storage_type == "i") PROMISE(!relative && !anywhere && !inside);
  if (relative) {
    PROMISE(d.storage_type == "u" && !leads_up(*relative) && !relative->starts_with('/'));
    PROMISE(anywhere && *anywhere == std::string(root) + "/" + *relative);
    PROMISE(inside && *inside == *anywhere);
  }
  if (inside) {
    PROMISE(inside->starts_with(std::string(root) + "/") && !leads_up(*inside));
    PROMISE(anywhere && *anywhere == *inside);
  }
  if (anywhere && d.storage_type == "p") PROMISE(*anywhere == d.path_or_inline_dv);
}

void check_iceberg(const descriptor& d, bool sound) {
  const auto entry = to_iceberg(d, root);
  if (!entry) return;
  PROMISE(sound && d.storage_type != "i");
  PROMISE(entry->content_offset == d.offset.value_or(1));
  PROMISE(entry->content_size_in_bytes == d.size_in_bytes + 8);
  PROMISE(entry->record_count == d.cardinality);
  const auto back = from_iceberg(*entry);
  PROMISE(back && back->storage_type == "p" && back->path_or_inline_dv == entry->file_path);
  PROMISE(back->size_in_bytes == d.size_in_bytes && back->cardinality == d.cardinality);
  const auto same = to_iceberg(*back, root);
  PROMISE(same && *same == *entry);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  input in(bytes_of(data, size));
  constexpr std::string_view types[] = {"u", "p", "i", "r", "", "up"};
  descriptor d;
  d.storage_type = types[in.below(std::size(types))];
  if (in.flag())
    d.offset = in.flag() ? static_cast<std::int64_t>(in.below(64)) : in.number<std::int64_t>();
  d.size_in_bytes = in.flag() ? static_cast<std::int64_t>(in.below(64)) : in.number<std::int64_t>();
  d.cardinality = in.flag() ? static_cast<std::int64_t>(in.below(64)) : in.number<std::int64_t>();
  const std::size_t z85_size = static_cast<std::size_t>(in.below(256));
  if (in.flag()) d.path_or_inline_dv = std::string(root) + "/";
  const auto text = in.rest();
  d.path_or_inline_dv.append(reinterpret_cast<const char*>(text.data()), text.size());

  const dvk::error fault = check(d);
  const bool sound = fault.code == error_code::ok;
  if (!sound) check_error_text(fault, d.path_or_inline_dv.size());
  check_paths(d, sound);
  check_iceberg(d, sound);
  const auto bytes = decode_inline(d);
  if (bytes) PROMISE(sound && d.storage_type == "i");
  if (bytes && open_inline(*bytes)) PROMISE(bytes->size() >= 12);
  if (!sound) PROMISE(!open_in_file(text, d));
  check_z85(d.path_or_inline_dv, z85_size);
  check_z85(d.path_or_inline_dv, d.path_or_inline_dv.size() / 5 * 4);
  check_z85_of(text);
  return 0;
}
