// What an opened Puffin file promises about its footer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dvk/puffin.hpp"
#include "tests/fuzz/promise.hpp"

namespace dvk_fuzz {

// Two readers show the same footer.
inline void check_same_footer(const dvk::puffin::reader& a, const dvk::puffin::reader& b) {
  PROMISE(std::ranges::equal(a.properties(), b.properties()));
  PROMISE(std::ranges::equal(a.blobs(), b.blobs(), [](const auto& x, const auto& y) {
    return x.type == y.type && std::ranges::equal(x.fields, y.fields) &&
           x.snapshot_id == y.snapshot_id && x.sequence_number == y.sequence_number &&
           x.offset == y.offset && x.length == y.length && x.compression == y.compression &&
           x.codec_name == y.codec_name && x.has_codec_member == y.has_codec_member &&
           std::ranges::equal(x.properties, y.properties) &&
           x.referenced_data_file == y.referenced_data_file && x.cardinality == y.cardinality &&
           x.fault.code == y.fault.code;
  }));
}

inline void check_vector_entry(const dvk::puffin::reader& r, std::size_t i) {
  const dvk::puffin::blob_metadata& b = r.blobs()[i];
  PROMISE(!b.referenced_data_file.empty() && b.compression == dvk::puffin::codec::none);
  PROMISE(b.length >= 20);
  PROMISE(b.find("referenced-data-file") == b.referenced_data_file);
  PROMISE(b.find("cardinality") == std::to_string(b.cardinality));
  const auto found = r.find(b.referenced_data_file);
  if (found) PROMISE(*found == i);
  dvk::puffin::manifest_entry entry{b.offset, b.length, static_cast<std::int64_t>(b.cardinality),
                                    b.referenced_data_file};
  const auto bound = r.bind(entry);
  if (found) PROMISE(bound && *bound == i);
  entry.record_count ^= 1;
  if (found) {
    PROMISE(r.bind(entry).error().code == dvk::error_code::manifest_mismatch);
  }
}

// Ranges in bounds and disjoint, deletion vectors complete and found by their data file, plans that
// cover what they were asked for.
inline void check_footer(const dvk::puffin::reader& r) {
  PROMISE(r.footer_size() >= 16 && r.footer_size() + 4 <= r.file_size());
  const auto area_end = static_cast<std::int64_t>(r.file_size() - r.footer_size());
  std::vector<std::size_t> sound;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (std::size_t i = 0; i < r.blobs().size(); ++i) {
    const auto& b = r.blobs()[i];
    if (b.fault.code != dvk::error_code::ok) {
      check_error_text(b.fault, r.file_size());
      PROMISE(r.check().code != dvk::error_code::ok);
      PROMISE(r.read_blob(i).error().code == b.fault.code);
      continue;
    }
    PROMISE(b.offset >= 4 && b.length >= 0 && b.length <= area_end - b.offset);
    sound.push_back(i);
    if (b.length != 0) ranges.emplace_back(b.offset, b.offset + b.length);
    if (b.is_deletion_vector() && i < 64) check_vector_entry(r, i);
  }
  PROMISE((r.check().code == dvk::error_code::ok) == (sound.size() == r.blobs().size()));
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    PROMISE(ranges[i].first >= ranges[i - 1].second);

  const auto plan = r.plan(sound, {.max_gap = 16, .max_bytes = 4096});
  PROMISE(plan.has_value());
  std::vector<std::size_t> planned;
  for (const dvk::puffin::read_range& range : *plan) {
    // Empty blobs may lie at the border of one that is too large.
    PROMISE(range.length <= 4096 || std::ranges::count_if(range.blobs, [&](std::size_t i) {
                                      return r.blobs()[i].length != 0;
                                    }) == 1);
    std::uint64_t end = range.offset;  // of the blobs seen so far
    for (const std::size_t i : range.blobs) {
      const auto offset = static_cast<std::uint64_t>(r.blobs()[i].offset);
      const auto length = static_cast<std::uint64_t>(r.blobs()[i].length);
      PROMISE(offset >= range.offset && (offset <= end || offset - end <= 16));
      end = std::max(end, offset + length);
      planned.push_back(i);
    }
    PROMISE(end == range.offset + range.length);
  }
  std::sort(planned.begin(), planned.end());
  PROMISE(planned == sound);
}

}  // namespace dvk_fuzz
