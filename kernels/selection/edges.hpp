// Edges, the rows at which deleted and live change places: the plain code that all tiers share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "selection/segment.hpp"

namespace dvk::inline v0::detail {
namespace {

// The state at a slot and the edges written so far; ranges are added in ascending order.
class edge_writer {
 public:
  DVK_INLINE_MEMBER edge_writer(std::uint32_t* out, std::uint32_t lo, std::uint32_t shift,
                                bool deleted)
      : out_(out), done_(lo), shift_(shift), deleted_(deleted) {}
  // Slots [done, from) are live, [from, to) deleted.
  DVK_INLINE_MEMBER void deleted_range(std::uint32_t from, std::uint32_t to) {
    if (from > done_ && deleted_) put(done_, false);
    if (!deleted_) put(from, true);
    done_ = to;
  }
  // The same for one slot, after a deleted one and with room for two more edges: both are written,
  // and taken back if the slot follows the one before at once. No branch waits for the data.
  DVK_INLINE_MEMBER void next_deleted(std::uint32_t slot) {
    out_[0] = done_ + shift_;
    out_[1] = slot + shift_;
    out_ += slot != done_ ? 2 : 0;
    done_ = slot + 1;
  }
  DVK_INLINE_MEMBER void finish(std::uint32_t hi) {
    if (done_ < hi && deleted_) put(done_, false);
  }
  DVK_INLINE_MEMBER void put(std::uint32_t slot, bool deleted) {
    *out_++ = slot + shift_;
    deleted_ = deleted;
  }

  std::uint32_t* out_;
  std::uint32_t done_;
  std::uint32_t shift_;
  bool deleted_;
};

// Adds array values *unit to limit - 1; false if it stopped earlier, at the segment's end or at a
// value that does not ascend (a lying payload).
DVK_INLINE bool plain_array_edges(const container& c, std::uint32_t hi, edge_writer& w,
                                  std::uint32_t limit, std::uint32_t* unit) {
  std::uint32_t i = *unit;
  for (; i < limit; ++i) {
    const std::uint32_t slot = load_le16(c.payload + 2 * std::size_t{i});
    if (slot >= hi || slot < w.done_) break;
    w.deleted_range(slot, slot + 1);
  }
  *unit = i;
  return i == limit;
}

// Edges lie in [lo, done), so w.done_ <= slot leaves room for hi - slot more, at least two if slot
// is not the last one.
DVK_INLINE void array_edges(const container& c, std::uint32_t hi, edge_writer& w,
                            std::uint32_t* unit) {
  const std::uint32_t n = units(c);
  if (!plain_array_edges(c, hi, w, *unit < n ? *unit + 1 : n, unit)) return;
  std::uint32_t i = *unit;
  for (; i < n; ++i) {
    const std::uint32_t slot = load_le16(c.payload + 2 * std::size_t{i});
    if (slot + 1 >= hi || slot < w.done_) break;
    w.next_deleted(slot);
  }
  *unit = i;
  plain_array_edges(c, hi, w, n, unit);
}

}  // namespace
}  // namespace dvk::inline v0::detail
