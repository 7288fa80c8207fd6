// From a data file's path to its deletion vector.
#include "puffin/reference_index.hpp"

#include <algorithm>
#include <functional>

namespace dvk::inline v0::puffin {

void reference_index::build(std::span<blob_metadata> blobs, std::uint64_t where) {
  entries_.clear();
  entries_.reserve(blobs.size());
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    if (blobs[i].is_deletion_vector() && blobs[i].fault.code == error_code::ok) {
      // A footer's size (32 bits) bounds the number of its entries.
      entries_.push_back({std::hash<std::string_view>{}(blobs[i].referenced_data_file),
                          static_cast<std::uint32_t>(i)});
    }
  }
  const auto path = [&](const entry& e) { return blobs[e.blob].referenced_data_file; };
  std::sort(entries_.begin(), entries_.end(), [&](const entry& a, const entry& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    if (const int order = path(a).compare(path(b)); order != 0) return order < 0;
    return a.blob < b.blob;
  });
  const auto same_path = [&](const entry& a, const entry& b) {
    return a.hash == b.hash && path(a) == path(b);
  };
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (!same_path(entries_[i - 1], entries_[i])) continue;
    const error fault{error_code::dv_duplicate_reference, quirk::none, where, entries_[i - 1].blob,
                      entries_[i].blob};
    blobs[entries_[i].blob].fault = fault;
  }
}

result<std::size_t> reference_index::find(std::span<const blob_metadata> blobs,
                                          std::string_view path) const noexcept {
  const std::uint64_t hash = std::hash<std::string_view>{}(path);
  const auto at = std::lower_bound(
      entries_.begin(), entries_.end(), path, [&](const entry& e, std::string_view p) {
        return e.hash != hash ? e.hash < hash : blobs[e.blob].referenced_data_file < p;
      });
  const auto matches = [&](auto e) {
    return e != entries_.end() && e->hash == hash && blobs[e->blob].referenced_data_file == path;
  };
  if (!matches(at)) return error{.code = error_code::not_found};
  if (matches(at + 1)) {
    return error{error_code::dv_duplicate_reference, quirk::none, 0, at->blob, (at + 1)->blob};
  }
  return std::size_t{at->blob};
}

}  // namespace dvk::inline v0::puffin
