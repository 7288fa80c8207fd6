// All that a reader of bytes can learn about them, as one line of text: to be compared between
// places in memory, or thrown away after the walk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "dvk/crc32.hpp"
#include "dvk/delta.hpp"
#include "dvk/puffin.hpp"

namespace dvk_test {

enum class file_kind { bitmap, blob, puffin, delta };

// By the names of tests/data/iceberg, and by the folders of the hostile cases.
inline file_kind kind_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string(),
                    folder = path.parent_path().filename().string();
  if (folder == "delta") return file_kind::delta;
  if (folder == "puffin" || name.ends_with(".puffin")) return file_kind::puffin;
  return folder == "bitmap64" || name.ends_with(".bitmap64.bin") ? file_kind::bitmap
                                                                 : file_kind::blob;
}

inline std::string text_of(const dvk::error& e) {
  std::string out(dvk::error_name(e.code));
  for (const std::uint64_t n : {std::uint64_t(e.quirk), e.offset, e.expected, e.found})
    out += ' ' + std::to_string(n);
  return out + '\n';
}

inline std::string text_of(const dvk::result<dvk::deletion_vector>& opened) {
  if (!opened) return text_of(opened.error());
  const dvk::deletion_vector& dv = *opened;
  std::string out = std::to_string(dv.cardinality()) + " rows";
  std::uint64_t row = 0;
  for (int ranges = 0; ranges < 200; ++ranges) {
    const auto range = dv.next_range(row);
    if (!range) break;
    row = range->start + range->count;
    out += ' ' + std::to_string(range->start) + '+' + std::to_string(range->count);
  }
  if (const auto last = dv.max()) out += " to " + std::to_string(*last);
  return out + '\n';
}

// `blob_limit`: what a careful caller would decompress; of a footer, which takes up to 20 times its
// size to parse, an eighth of it.
inline std::string outcome_of(file_kind kind, std::span<const std::byte> bytes,
                              dvk::validation level,
                              std::uint64_t blob_limit = std::uint64_t{16} << 20) {
  const dvk::open_options options{.level = level};
  if (kind == file_kind::bitmap) return text_of(dvk::deletion_vector::open_bitmap(bytes, options));
  if (kind == file_kind::blob) return text_of(dvk::deletion_vector::open_blob(bytes, options));
  if (kind == file_kind::delta) {
    const auto places = dvk::delta::list_vectors(bytes);
    if (!places) return text_of(places.error());
    std::string out = std::to_string(places->size()) + " vectors\n";
    for (const auto& place : *places)
      out += text_of(
          dvk::delta::open_record(bytes.subspan(place.offset, place.blob_bytes()), options));
    return out;
  }
  const dvk::memory_source source(bytes);
  const auto reader = dvk::puffin::reader::open(
      source, {.max_footer_bytes = blob_limit / 8, .max_blob_bytes = blob_limit});
  if (!reader) return text_of(reader.error());
  std::string out = std::to_string(reader->blobs().size()) + " blobs\n";
  for (std::size_t i = 0; i < reader->blobs().size(); ++i) {
    const dvk::puffin::blob_metadata& blob = reader->blobs()[i];
    out += std::string(blob.type) + ' ' + text_of(blob.fault);
    const auto content = reader->read_blob(i);
    out += content ? std::to_string(dvk::crc32(content->bytes())) : text_of(content.error());
    if (!blob.is_deletion_vector()) continue;
    const auto vector = reader->read_vector(i, options);
    if (!vector) {
      out += text_of(vector.error());
    } else if (blob.fault.code == dvk::error_code::ok && content) {
      out += text_of(reader->decode_vector(i, content->bytes(), options));
    }
  }
  return out;
}

}  // namespace dvk_test
