// Questions to an opened deletion vector.
#include "dvk/deletion_vector.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "bytes/load.hpp"
#include "probe/probe.hpp"
#include "roaring/directory.hpp"
#include "roaring/slots.hpp"

namespace dvk::inline v0 {
namespace {

using entry = detail::container;
using detail::container_rows;
using detail::directory;

constexpr std::uint64_t row_end = std::uint64_t{1} << 63;  // positions are non-negative i64

std::uint64_t first_row(const entry& c) noexcept {
  return std::uint64_t{c.key} << 16;
}
std::uint32_t slot_of(std::uint64_t row) noexcept {
  return static_cast<std::uint32_t>(row & 0xffff);
}

// Index of the last of `count` >= 1 containers for which `below` holds; it holds for a prefix, the
// first one included.
template <class Predicate>
std::size_t last_container(std::size_t count, Predicate below) noexcept {
  std::size_t first = 0;
  while (count > 1) {
    const std::size_t half = count / 2;
    if (below(first + half)) first += half;
    count -= half;
  }
  return first;
}

}  // namespace

deletion_vector::deletion_vector(deletion_vector&& other) noexcept
    : containers_(std::exchange(other.containers_, nullptr)),
      container_count_(std::exchange(other.container_count_, 0)),
      cardinality_(std::exchange(other.cardinality_, 0)),
      bitmap_count_(std::exchange(other.bitmap_count_, 0)),
      bytes_(std::exchange(other.bytes_, {})),
      tolerated_(std::exchange(other.tolerated_, {})),
      memory_(other.memory_) {}

deletion_vector& deletion_vector::operator=(deletion_vector&& other) noexcept {
  if (this == &other) return *this;
  reset();
  containers_ = std::exchange(other.containers_, nullptr);
  container_count_ = std::exchange(other.container_count_, 0);
  cardinality_ = std::exchange(other.cardinality_, 0);
  bitmap_count_ = std::exchange(other.bitmap_count_, 0);
  bytes_ = std::exchange(other.bytes_, {});
  tolerated_ = std::exchange(other.tolerated_, {});
  memory_ = other.memory_;
  return *this;
}

deletion_vector::~deletion_vector() {
  reset();
}

void deletion_vector::reset() noexcept {
  if (containers_ == nullptr) return;
  void* block = const_cast<entry*>(containers_);
  if (memory_.release != nullptr) {
    memory_.release(memory_.context, block, memory_bytes());
  } else if (memory_.allocate == nullptr) {
    std::free(block);
  }
  containers_ = nullptr;
}

std::size_t deletion_vector::memory_bytes() const noexcept {
  return containers_ == nullptr ? 0 : (container_count_ + 1) * sizeof(entry);
}

bool deletion_vector::contains(std::uint64_t row) const noexcept {
  const directory d{containers_, container_count_};
  const std::size_t i = detail::find_container(d, row >> 16);
  if (i == d.count || d.containers[i].key != row >> 16) return false;
  return detail::active_probes().contains(d.containers[i], slot_of(row));
}

void deletion_vector::contains_many(std::span<const std::uint64_t> rows,
                                    std::span<std::uint8_t> out) const noexcept {
  constexpr std::size_t block = 4096;
  std::uint64_t words[block / 64];
  const directory d{containers_, container_count_};
  const detail::probe_table& probes = detail::active_probes();
  for (std::size_t done = 0; done < rows.size(); done += block) {
    const std::size_t n = std::min(block, rows.size() - done);
    detail::member_bits(probes, d, rows.data() + done, n, words);
    std::uint8_t* to = out.data() + done;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
      // Eight bits to eight bytes: a copy of the bits in each byte, one bit of each kept and moved
      // to the bottom (adding 0x7f carries into bit 7 exactly if the byte is not 0).
      const std::uint64_t bits = (words[i / 64] >> (i % 64)) & 0xff;
      const std::uint64_t spread = (bits * 0x0101010101010101u) & 0x8040201008040201u;
      bytes::store_le(to + i, ((spread + 0x7f7f7f7f7f7f7f7fu) >> 7) & 0x0101010101010101u);
    }
    for (; i < n; ++i)
      to[i] = static_cast<std::uint8_t>((words[i / 64] >> (i % 64)) & 1);
  }
}

std::uint64_t deletion_vector::rank(std::uint64_t row) const noexcept {
  return detail::rank(detail::active_probes(), {containers_, container_count_}, row);
}

std::uint64_t deletion_vector::count(row_range rows) const noexcept {
  if (rows.count == 0) return 0;
  const std::uint64_t end = rows.count > ~rows.start ? ~std::uint64_t{0} : rows.start + rows.count;
  const std::uint64_t before = rank(rows.start);
  return std::max(rank(end), before) - before;
}

std::optional<std::uint64_t> deletion_vector::select(std::uint64_t index) const noexcept {
  if (index >= cardinality_) return std::nullopt;
  const std::size_t i =
      last_container(container_count_, [&](std::size_t k) { return containers_[k].rank <= index; });
  const entry& c = containers_[i];
  return first_row(c) +
         detail::active_probes().select(c, static_cast<std::uint32_t>(index - c.rank));
}

std::optional<std::uint64_t> deletion_vector::select_live(std::uint64_t index) const noexcept {
  if (index >= row_end) return std::nullopt;
  // Live rows below a container: they never fall from one container to the next.
  const auto live_below = [&](std::size_t k) {
    return first_row(containers_[k]) - containers_[k].rank;
  };
  std::uint64_t row = index;
  if (container_count_ != 0 && live_below(0) <= index) {
    const std::size_t i =
        last_container(container_count_, [&](std::size_t k) { return live_below(k) <= index; });
    const entry& c = containers_[i];
    const std::uint64_t inside = index - live_below(i);
    const std::uint32_t live = container_rows - detail::cardinality(c);
    row =
        first_row(c) + (inside < live ? detail::select_clear(c, static_cast<std::uint32_t>(inside))
                                      : container_rows + (inside - live));
  }
  return row < row_end ? std::optional(row) : std::nullopt;
}

std::optional<std::uint64_t> deletion_vector::next_deleted(std::uint64_t row) const noexcept {
  const directory d{containers_, container_count_};
  for (std::size_t i = detail::find_container(d, row >> 16); i != d.count; ++i) {
    const entry& c = d.containers[i];
    const std::uint32_t slot = detail::next_set(c, c.key == row >> 16 ? slot_of(row) : 0);
    if (slot != container_rows) return first_row(c) + slot;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> deletion_vector::next_live(std::uint64_t row) const noexcept {
  const directory d{containers_, container_count_};
  for (std::size_t i = detail::find_container(d, row >> 16); i != d.count; ++i) {
    const entry& c = d.containers[i];
    if (c.key != row >> 16) break;
    const bool full = detail::cardinality(c) == container_rows;
    const std::uint32_t slot = full ? container_rows : detail::next_clear(c, slot_of(row));
    row = first_row(c) + slot;
    if (slot != container_rows) break;
  }
  return row < row_end ? std::optional(row) : std::nullopt;
}

std::optional<std::uint64_t> deletion_vector::min() const noexcept {
  return next_deleted(0);
}

std::optional<std::uint64_t> deletion_vector::max() const noexcept {
  if (container_count_ == 0) return std::nullopt;
  const entry& c = containers_[container_count_ - 1];
  return first_row(c) + detail::last_set(c);
}

std::optional<row_range> deletion_vector::next_range(std::uint64_t row) const noexcept {
  const auto start = next_deleted(row);
  if (!start.has_value()) return std::nullopt;
  // From the row after, so that a walk advances whatever a lying payload says.
  const std::uint64_t end = next_live(*start + 1).value_or(row_end);
  return row_range{*start, end - *start};
}

container_info deletion_vector::container(std::size_t i) const noexcept {
  const entry& c = containers_[i];
  const std::uint32_t n = detail::units(c);
  const auto base = reinterpret_cast<const std::uint8_t*>(bytes_.data());
  container_info info{.first_row = first_row(c),
                      .rank = c.rank,
                      .cardinality = detail::cardinality(c),
                      .runs = 0,
                      .offset = static_cast<std::uint64_t>(c.payload - base),
                      .bytes = detail::bitset_bytes,
                      .kind = container_kind::bitset};
  if (c.type == detail::array_container) {
    info.bytes = 2 * n;
    info.kind = container_kind::array;
  } else if (c.type == detail::run_container) {
    info.offset -= 2;
    info.bytes = 2 + 4 * n;
    info.runs = n;
    info.kind = container_kind::run;
  }
  return info;
}

}  // namespace dvk::inline v0
