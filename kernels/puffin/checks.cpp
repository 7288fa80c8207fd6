// Rules that single blobs have to keep. A blob that breaks one carries the fault, and the others
// stay usable.
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "puffin/footer.hpp"
#include "puffin/reference_index.hpp"
#include "roaring/format.hpp"

namespace dvk::inline v0::puffin {
namespace {

constexpr std::int64_t blobs_begin = 4;
constexpr std::int64_t smallest_vector = detail::min_blob_bytes;

// The first fault found stays: later rules look only at blobs without one.
void mark(blob_metadata& blob, error fault) {
  if (blob.fault.code == error_code::ok) blob.fault = fault;
}

bool sound(const blob_metadata& blob) {
  return blob.fault.code == error_code::ok;
}

void check_ranges(std::span<blob_metadata> blobs, std::int64_t end, std::uint64_t where) {
  for (blob_metadata& blob : blobs) {
    // No sum of untrusted numbers is formed: length <= end - offset, not offset + length <= end.
    const bool inside = blob.offset >= blobs_begin && blob.offset <= end;
    if (!inside) {
      const auto bound = static_cast<std::uint64_t>(blob.offset < blobs_begin ? blobs_begin : end);
      mark(blob, {error_code::blob_range, quirk::none, where, bound,
                  static_cast<std::uint64_t>(blob.offset)});
    } else if (blob.length < 0 || blob.length > end - blob.offset) {
      const auto room = static_cast<std::uint64_t>(end - blob.offset);
      mark(blob, {error_code::blob_range, quirk::none, where, room,
                  static_cast<std::uint64_t>(blob.length)});
    }
  }
}

// A blob that starts before the end of an earlier one is at fault; of two that start together, the
// later in the footer. Empty blobs share no byte with any other.
void check_overlaps(std::span<blob_metadata> blobs, std::uint64_t where) {
  std::vector<blob_metadata*> order;
  order.reserve(blobs.size());
  for (blob_metadata& blob : blobs) {
    if (sound(blob) && blob.length > 0) order.push_back(&blob);
  }
  const auto comes_before = [](const blob_metadata* a, const blob_metadata* b) {
    return a->offset != b->offset ? a->offset < b->offset : a < b;
  };
  if (!std::is_sorted(order.begin(), order.end(), comes_before)) {
    std::sort(order.begin(), order.end(), comes_before);
  }
  std::int64_t end = 0;
  for (blob_metadata* blob : order) {
    if (blob->offset < end) {
      mark(*blob, {error_code::blob_overlap, quirk::none, where, static_cast<std::uint64_t>(end),
                   static_cast<std::uint64_t>(blob->offset)});
    }
    end = std::max(end, blob->offset + blob->length);
  }
}

// Digits as Java writes a long: no sign, no leading zero, at most 2^63 - 1.
std::optional<std::uint64_t> canonical_decimal(std::string_view text) {
  if (text.empty() || text.size() > 19 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  std::uint64_t value = 0;  // 19 digits fit
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  return value;
}

// A codec that says "none", which is one too many: Iceberg's readers know no codec of that name.
bool is_velox_codec(const blob_metadata& blob) {
  return blob.compression == codec::unknown && blob.codec_name == "none";
}

void check_vector(blob_metadata& blob, std::uint64_t where) {
  if (blob.compression != codec::none) {
    const bool velox = is_velox_codec(blob);
    mark(blob, {error_code::dv_codec, velox ? quirk::velox_footer : quirk::none, where, 0, 0});
    return;
  }
  const auto reference = blob.find("referenced-data-file");
  const auto cardinality = canonical_decimal(blob.find("cardinality").value_or(std::string_view{}));
  if (!reference || reference->empty() || !cardinality) {
    mark(blob, {error_code::dv_properties, quirk::none, where, 0, 0});
    return;
  }
  blob.referenced_data_file = *reference;
  blob.cardinality = *cardinality;
}

}  // namespace

void check_blobs(footer& content, std::int64_t blobs_end, std::uint64_t where, quirk_set tolerate,
                 reference_index& references) {
  const std::span<blob_metadata> blobs = content.blobs;
  check_ranges(blobs, blobs_end, where);
  check_overlaps(blobs, where);
  for (blob_metadata& blob : blobs) {
    if (!sound(blob) || !blob.is_deletion_vector()) continue;
    if (tolerate.contains(quirk::velox_footer) && is_velox_codec(blob)) {
      blob.compression = codec::none;
      blob.has_codec_member = false;
      content.tolerated.insert(quirk::velox_footer);
    }
    check_vector(blob, where);
  }
  references.build(blobs, where);
  for (blob_metadata& blob : blobs) {
    if (sound(blob) && blob.is_deletion_vector() && blob.length < smallest_vector) {
      mark(blob, {error_code::blob_too_small, quirk::none, static_cast<std::uint64_t>(blob.offset),
                  smallest_vector, static_cast<std::uint64_t>(blob.length)});
    }
  }
}

}  // namespace dvk::inline v0::puffin
