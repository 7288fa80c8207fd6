// The container around the footer: magics, sizes, flags. Read with as few requests as can be.
#pragma once

#include <cstdint>

#include "dvk/puffin.hpp"

namespace dvk::inline v0::puffin {

struct footer_text {
  byte_buffer buffer;  // holds the JSON, decompressed, and json_padding bytes after it
  std::size_t json_start = 0;
  std::size_t json_size = 0;
  std::uint64_t payload_offset = 0;  // in the file; the blobs end 4 bytes before
  std::uint64_t payload_size = 0;    // as stored
  bool compressed = false;

  [[nodiscard]] char* json() { return reinterpret_cast<char*>(buffer.data()) + json_start; }
};

// Reads and checks the container, and hands out the footer's JSON, unparsed.
[[nodiscard]] result<footer_text> read_container(const random_access_source& source,
                                                 const reader_options& options) noexcept;

}  // namespace dvk::inline v0::puffin
