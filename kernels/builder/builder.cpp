// The mutable deletion vector: one CRoaring 32-bit bitmap for each key that holds rows.
#include "dvk/builder.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include "builder/bitmap_writer.hpp"
#include "builder/in_place.hpp"
#include "builder/positions.hpp"
#include "bytes/guard_memory.hpp"
#include "bytes/load.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

namespace cr = ::roaring::api;

struct free_bitmap {
  void operator()(cr::roaring_bitmap_t* b) const noexcept { cr::roaring_bitmap_free(b); }
};
using bitmap_pointer = std::unique_ptr<cr::roaring_bitmap_t, free_bitmap>;

constexpr std::uint64_t rows_of_key = std::uint64_t{1} << 32;

error beyond(std::uint64_t position) {
  return {.code = error_code::invalid_argument, .expected = max_position, .found = position};
}

}  // namespace

struct builder_state {
  std::map<std::uint32_t, bitmap_pointer> bitmaps;
  // Where the last call went: rows mostly come in clusters. The context knows the container too, as
  // long as nothing but append and CRoaring's bulk adds changed the bitmap.
  cr::roaring_bitmap_t* last = nullptr;
  std::uint32_t last_key = 0;
  cr::roaring_bulk_context_t context = {};

  void forget_container() { context = {}; }
  [[nodiscard]] bool was_last(std::uint64_t position) const {
    return last != nullptr && last_key == position >> 32;
  }

  cr::roaring_bitmap_t* at(std::uint32_t key) {
    if (last != nullptr && last_key == key) return last;
    forget_container();
    auto known = bitmaps.find(key);
    if (known == bitmaps.end()) {
      bitmap_pointer made(cr::roaring_bitmap_create());
      if (made == nullptr) throw std::bad_alloc();
      known = bitmaps.emplace(key, std::move(made)).first;
    }
    last_key = key;
    return last = known->second.get();
  }
};

namespace {

// The part of [begin, end) that has `key`, as positions inside the key.
template <class Each>
void each_key(std::uint64_t begin, std::uint64_t end, Each each) {
  while (begin < end) {
    const std::uint64_t key = begin >> 32;
    const std::uint64_t stop = std::min(end, (key + 1) * rows_of_key);
    each(static_cast<std::uint32_t>(key), begin - key * rows_of_key, stop - key * rows_of_key);
    begin = stop;
  }
}

// Adopts or joins the 32-bit bitmaps of a serialised 64-bit bitmap that this library wrote. All
// that dvk allocates comes first, so that a failure leaves the state as it was.
void absorb(builder_state& state, std::span<const std::byte> bytes) {
  std::map<std::uint32_t, bitmap_pointer> parts;
  std::size_t at = sizeof(std::uint64_t);
  while (at < bytes.size()) {
    const auto key = bytes::load_le32(&bytes[at]);
    at += sizeof key;
    const char* from = reinterpret_cast<const char*>(&bytes[at]);
    bitmap_pointer part(cr::roaring_bitmap_portable_deserialize_safe(from, bytes.size() - at));
    if (part == nullptr) throw std::bad_alloc();
    at += cr::roaring_bitmap_portable_deserialize_size(from, bytes.size() - at);
    parts.emplace_hint(parts.end(), key, std::move(part));
  }
  state.forget_container();
  state.bitmaps.merge(parts);  // those of new keys; moves nodes, allocates nothing
  for (const auto& [key, part] : parts)
    cr::roaring_bitmap_or_inplace(state.bitmaps[key].get(), part.get());
}

error check_array(const deletion_vector& dv, std::size_t i) {
  const container_info info = dv.container(i);
  if (info.kind != container_kind::array) return {};
  for (std::uint64_t at = info.offset + 2; at < info.offset + info.bytes; at += 2) {
    const auto before = bytes::load_le16(&dv.bytes()[at - 2]),
               here = bytes::load_le16(&dv.bytes()[at]);
    if (here <= before) {
      return {
          .code = error_code::array_order, .offset = at, .expected = before + 1u, .found = here};
    }
  }
  return {};
}

result<std::vector<std::byte>> serialize(const builder_state* state, output_form form,
                                         const serialize_options& options) {
  return guard_memory([&]() -> result<std::vector<std::byte>> {
    std::uint64_t reserve = 64;
    if (state != nullptr) {
      for (const auto& [key, bitmap] : state->bitmaps) {
        reserve += 4 + cr::roaring_bitmap_portable_size_in_bytes(bitmap.get());
      }
    }
    bitmap_writer writer(form, options, reserve);
    if (state != nullptr) {
      for (const auto& [key, bitmap] : state->bitmaps) {
        const cr::roaring_array_t& list = bitmap->high_low_container;
        const auto n = static_cast<std::size_t>(list.size);
        writer.begin(key, n,
                     n != 0 && std::find(list.typecodes, list.typecodes + n, RUN_CONTAINER_TYPE) !=
                                   list.typecodes + n);
        for (std::size_t i = 0; i < n && !writer.failed(); ++i) {
          write_container(writer, list.keys[i], list.containers[i], list.typecodes[i]);
        }
      }
    }
    return writer.finish();
  });
}

// Runs `body` on the state, made if there is none yet.
template <class Body>
error change(builder_state*& state, Body body) noexcept {
  return guard_memory([&]() -> error {
    if (state == nullptr) state = new builder_state;
    return body(*state);
  });
}

// The calls below that are not for the bitmap of the last one. Out of line: what they need on the
// stack would cost the short way more than the rest of it.
[[gnu::noinline]] error add_elsewhere(builder_state*& state, std::uint64_t position) noexcept {
  return change(state, [&](builder_state& s) -> error {
    cr::roaring_bitmap_t* const bitmap = s.at(static_cast<std::uint32_t>(position >> 32));
    cr::roaring_bitmap_add_bulk(bitmap, &s.context, static_cast<std::uint32_t>(position));
    return {};
  });
}

[[gnu::noinline]] error add_range_elsewhere(builder_state*& state, std::uint64_t begin,
                                            std::uint64_t end) noexcept {
  return change(state, [&](builder_state& s) -> error {
    // All keys first: what fails then has added no row.
    const auto make = [&s](std::uint32_t key, std::uint64_t, std::uint64_t) { s.at(key); };
    each_key(begin, end, make);
    s.forget_container();
    each_key(begin, end, [&s](std::uint32_t key, std::uint64_t from, std::uint64_t to) {
      cr::roaring_bitmap_add_range(s.at(key), from, to);
    });
    return {};
  });
}

error add_positions(builder_state*& state, std::span<const std::uint64_t> positions) noexcept {
  if (positions.empty()) return {};
  const position_order order = order_of(positions);
  if (order.most > max_position) return first_beyond(positions);
  return change(state, [&](builder_state& s) -> error {
    bitmap_writer writer(output_form::bitmap, {.max_bytes = ~std::uint64_t{0}},
                         expected_bytes(positions));
    write_positions(writer, positions, order);
    const auto bytes = writer.finish();
    if (!bytes) return bytes.error();
    absorb(s, *bytes);
    return {};
  });
}

}  // namespace
}  // namespace detail

using detail::builder_state;
namespace cr = ::roaring::api;

deletion_vector_builder::deletion_vector_builder() noexcept = default;
deletion_vector_builder::deletion_vector_builder(deletion_vector_builder&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)) {}
deletion_vector_builder& deletion_vector_builder::operator=(
    deletion_vector_builder&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
deletion_vector_builder::~deletion_vector_builder() {
  delete state_;
}

error deletion_vector_builder::add(std::uint64_t position) noexcept {
  if (position > max_position) return detail::beyond(position);
  if (state_ == nullptr || !state_->was_last(position)) [[unlikely]]
    return detail::add_elsewhere(state_, position);
  const auto row = static_cast<std::uint32_t>(position);
  if (detail::append(state_->context, row, row)) return {};
  if (state_->context.key != row >> 16) {
    state_->context = detail::find_container(*state_->last, row);
    if (detail::append(state_->context, row, row)) return {};
  }
  cr::roaring_bitmap_add_bulk(state_->last, &state_->context, row);
  return {};
}

error deletion_vector_builder::add_range(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin >= end) return {};
  if (end - 1 > max_position) return detail::beyond(end - 1);
  if (state_ == nullptr || !state_->was_last(begin) || !state_->was_last(end - 1)) [[unlikely]]
    return detail::add_range_elsewhere(state_, begin, end);
  const auto first = static_cast<std::uint32_t>(begin), last = static_cast<std::uint32_t>(end - 1);
  if (!detail::append(state_->context, first, last)) {
    cr::roaring_bitmap_add_range_closed(state_->last, first, last);
    state_->context = detail::last_container(*state_->last, last);
  }
  return {};
}

error deletion_vector_builder::add_many(std::span<const std::uint64_t> positions) noexcept {
  return detail::add_positions(state_, positions);
}

error deletion_vector_builder::add_many(std::span<const std::int64_t> positions) noexcept {
  // Signed and unsigned of one size may alias; a negative number becomes one above max_position.
  return detail::add_positions(
      state_, {reinterpret_cast<const std::uint64_t*>(positions.data()), positions.size()});
}

error deletion_vector_builder::add_rows(std::string_view file_path,
                                        std::span<const position_delete> rows) noexcept {
  return detail::guard_memory([&]() -> error {
    std::vector<std::uint64_t> positions;
    for (const position_delete& row : rows) {
      if (row.file_path != file_path) continue;
      if (row.position > max_position) {
        error bad = detail::beyond(row.position);
        bad.offset = static_cast<std::uint64_t>(&row - rows.data()) * sizeof row;
        return bad;
      }
      positions.push_back(row.position);
    }
    return detail::add_positions(state_, positions);
  });
}

error deletion_vector_builder::merge(const deletion_vector& other) noexcept {
  if (other.empty()) return {};
  if (const auto last = *other.max(); last > max_position) return detail::beyond(last);
  // CRoaring must get sound containers only. Bitsets and runs are recounted and repaired on the way
  // through set_union; what is left is a vector opened as trusted whose arrays are not in order.
  for (std::size_t i = 0; i < other.container_count(); ++i) {
    if (const error bad = detail::check_array(other, i); bad.code != error_code::ok) return bad;
  }
  const auto bitmap =
      set_union(other, deletion_vector(), output_form::bitmap, {.max_bytes = ~std::uint64_t{0}});
  if (!bitmap) return bitmap.error();
  return detail::change(state_, [&](builder_state& s) -> error {
    detail::absorb(s, *bitmap);
    return {};
  });
}

error deletion_vector_builder::remove(std::uint64_t position) noexcept {
  return position > max_position ? detail::beyond(position) : remove_range(position, position + 1);
}

error deletion_vector_builder::remove_range(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin >= end) return {};
  if (end - 1 > max_position) return detail::beyond(end - 1);
  if (state_ == nullptr) return {};
  state_->forget_container();
  state_->last = nullptr;  // it may go away
  auto& bitmaps = state_->bitmaps;
  // By the keys present, not by those of the range: removing everything from an empty vector costs
  // nothing.
  for (auto it = bitmaps.lower_bound(static_cast<std::uint32_t>(begin >> 32));
       it != bitmaps.end();) {
    const std::uint64_t first = std::uint64_t{it->first} * detail::rows_of_key;
    if (first >= end) break;
    cr::roaring_bitmap_remove_range(it->second.get(), begin > first ? begin - first : 0,
                                    std::min(end - first, detail::rows_of_key));
    it = cr::roaring_bitmap_is_empty(it->second.get()) ? bitmaps.erase(it) : std::next(it);
  }
  return {};
}

void deletion_vector_builder::clear() noexcept {
  delete state_;
  state_ = nullptr;
}

bool deletion_vector_builder::contains(std::uint64_t position) const noexcept {
  if (state_ == nullptr || position > max_position) return false;
  const auto it = state_->bitmaps.find(static_cast<std::uint32_t>(position >> 32));
  return it != state_->bitmaps.end() &&
         cr::roaring_bitmap_contains(it->second.get(), static_cast<std::uint32_t>(position));
}

std::uint64_t deletion_vector_builder::cardinality() const noexcept {
  std::uint64_t rows = 0;
  if (state_ == nullptr) return rows;
  for (const auto& [key, bitmap] : state_->bitmaps)
    rows += cr::roaring_bitmap_get_cardinality(bitmap.get());
  return rows;
}

bool deletion_vector_builder::empty() const noexcept {
  return cardinality() == 0;
}

result<std::vector<std::byte>> deletion_vector_builder::serialize_bitmap(
    const serialize_options& options) const noexcept {
  return detail::serialize(state_, output_form::bitmap, options);
}

result<std::vector<std::byte>> deletion_vector_builder::serialize_blob(
    const serialize_options& options) const noexcept {
  return detail::serialize(state_, output_form::blob, options);
}

result<std::vector<std::byte>> serialize_positions(std::span<const std::uint64_t> positions,
                                                   output_form form,
                                                   const serialize_options& options) noexcept {
  const detail::position_order order = detail::order_of(positions);
  if (order.most > max_position) return detail::first_beyond(positions);
  return detail::guard_memory([&]() -> result<std::vector<std::byte>> {
    detail::bitmap_writer writer(form, options, detail::expected_bytes(positions));
    detail::write_positions(writer, positions, order);
    return writer.finish();
  });
}

}  // namespace dvk::inline v0
