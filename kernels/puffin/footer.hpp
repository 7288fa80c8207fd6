// The footer's content: JSON to metadata, metadata to JSON, and the rules that single blobs have to
// keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dvk/puffin.hpp"

namespace dvk::inline v0::puffin {

// Everything that the views of blob_metadata look at. Moving it leaves them valid.
struct footer {
  std::unique_ptr<char[]> text;
  std::vector<std::int32_t> fields;
  std::vector<property> properties;  // those of all blobs, then those of the file
  std::vector<blob_metadata> blobs;
  std::span<const property> file_properties;
  quirk_set tolerated;
};

// Bytes that must be readable (with any value) after the text given to parse_footer.
inline constexpr std::size_t json_padding = 64;

// Parses `size` bytes of JSON at `text`, which json_padding more bytes follow; may change them.
// Refuses what is not exactly one JSON value, duplicate members at any level, nesting deeper than
// 64, and a wrong shape. Of quirks, velox_footer can be tolerated. Error offsets are 0. May throw
// std::bad_alloc.
[[nodiscard]] result<footer> parse_footer(char* text, std::size_t size, quirk_set tolerate = {});

// Fills in blob_metadata::fault and the deletion-vector members: byte ranges have to lie in [4,
// blobs_end) and be disjoint, deletion vectors have their properties, no codec, and a data file of
// their own. Faults get the offset `where`. Builds the index of deletion vectors on the way. O(n
// log n). May throw std::bad_alloc.
class reference_index;
void check_blobs(footer& content, std::int64_t blobs_end, std::uint64_t where, quirk_set tolerate,
                 reference_index& references);

// For the writer: the text of one entry, of a property map, and whether all strings are UTF-8.
void append_blob(std::string& json, const blob_description& blob, written_blob place);
void append_properties(std::string& json, std::span<const property> properties);
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;
// UTF-8 throughout, and no name twice: our own reader, rightly, refuses duplicate members.
[[nodiscard]] bool is_writable(std::span<const property> properties);

[[nodiscard]] std::string_view codec_name(codec which) noexcept;
[[nodiscard]] codec codec_of(std::string_view name) noexcept;

}  // namespace dvk::inline v0::puffin
