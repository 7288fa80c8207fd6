// From a data file's path to its deletion vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dvk/puffin.hpp"

namespace dvk::inline v0::puffin {

// Sorted by hash, then path: paths share long prefixes, so that comparing hashes first is what
// makes it fast. Not a hash table, because whoever writes a footer could choose paths that collide.
class reference_index {
 public:
  // Indexes the deletion vectors without fault. Of those that share a data file, all but the first
  // in the footer get the fault dv_duplicate_reference at offset `where`. O(n log n). May throw
  // std::bad_alloc.
  void build(std::span<blob_metadata> blobs, std::uint64_t where);

  // Index of the deletion vector of `path`; not_found, or dv_duplicate_reference if there are
  // several: by path alone none of them can be told to be the right one. O(log n).
  [[nodiscard]] result<std::size_t> find(std::span<const blob_metadata> blobs,
                                         std::string_view path) const noexcept;

 private:
  struct entry {
    std::uint64_t hash;
    std::uint32_t blob;
  };
  std::vector<entry> entries_;
};

}  // namespace dvk::inline v0::puffin
