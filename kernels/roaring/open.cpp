// Opening: one walk over the headers fills the container directory and checks each payload while it
// is at hand.
//
// Which fault is reported when there are several does not depend on that interleaving: faults of
// a blob's frame and checksum come first, then those of the layout, those of payloads, disagreement
// with the caller's metadata, and faults of form.
#include <cstdlib>
#include <optional>
#include <utility>

#include "dvk/deletion_vector.hpp"
#include "roaring/checksum_ahead.hpp"
#include "roaring/layout.hpp"
#include "roaring/quirks.hpp"
#include "validate/validate.hpp"

namespace dvk::inline v0 {
namespace {

using detail::container_place;
using detail::layout_walk;

const std::uint8_t* data_at(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  return reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
}

// Keeps the first fault of a kind.
void note(error& first, const error& fault) noexcept {
  if (first.code == error_code::ok) first = fault;
}

// Whether Iceberg's Java writer would keep a run container of these sizes.
bool is_smallest_form(const container_place& c) noexcept {
  const std::uint64_t array_bytes = 2 * std::uint64_t{c.cardinality} + 2;
  return c.bytes <= array_bytes && c.bytes <= detail::bitset_bytes;
}

// Offset of the first run that starts right after the one before it.
std::uint64_t find_touching_run(const std::uint8_t* runs, const container_place& c) noexcept {
  for (std::uint32_t i = 1; i < c.runs; ++i) {
    const std::uint8_t* before = runs + 4 * (i - 1);
    if (bytes::load_le16(before) + bytes::load_le16(before + 2) + 1 ==
        bytes::load_le16(runs + 4 * i)) {
      return c.at + 2 + 4 * std::uint64_t{i};
    }
  }
  return c.at;
}

// Payload checks of levels standard and strict.
class payload_checker {
 public:
  explicit payload_checker(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  void check(const container_place& c) noexcept {
    if (content.code != error_code::ok) return;
    switch (c.type) {
      case detail::array_container:
        return check_array(c);
      case detail::bitset_container:
        return check_bitset(c);
      case detail::run_container:
        return check_runs(c);
    }
  }

  void check_header_form(const detail::bitmap_place& b) noexcept {
    if (b.key == detail::max_bitmap_key) {
      note(form, {.code = error_code::key_out_of_range,
                  .offset = b.key_at,
                  .expected = b.key - 1,
                  .found = b.key});
    }
    if (b.flags_at == 0) return;
    const std::uint64_t last = (b.containers - 1) / 8;
    const std::uint32_t used = b.containers - 8 * static_cast<std::uint32_t>(last);
    const std::uint8_t* flags = data_at(bytes_, b.flags_at);
    unsigned runs = flags[last] & ((1u << used) - 1);
    for (std::uint64_t i = 0; i < last; ++i)
      runs |= flags[i];
    if (runs == 0) note(form, {.code = error_code::not_canonical, .offset = b.cookie_at});
    if (flags[last] >> used != 0)
      note(form, {.code = error_code::not_canonical, .offset = b.flags_at + last});
  }

  error content = {};  // standard
  error form = {};     // strict

 private:
  void check_array(const container_place& c) noexcept {
    const std::uint32_t fault = validators_.array_order(data_at(bytes_, c.at), c.cardinality);
    if (fault == c.cardinality) return;
    const std::uint64_t offset = c.at + 2 * std::uint64_t{fault};
    content = {.code = error_code::array_order,
               .offset = offset,
               .expected = bytes::load_le16(data_at(bytes_, offset - 2)) + 1u,
               .found = bytes::load_le16(data_at(bytes_, offset))};
  }

  void check_bitset(const container_place& c) noexcept {
    const std::uint32_t bits = validators_.bitset_count(data_at(bytes_, c.at));
    if (bits == c.cardinality) return;
    content = {.code = error_code::bitset_cardinality,
               .offset = c.at,
               .expected = c.cardinality,
               .found = bits};
  }

  void check_runs(const container_place& c) noexcept {
    if (c.runs == 0) {
      content = {.code = error_code::run_empty, .offset = c.at};
      return;
    }
    const std::uint8_t* runs = data_at(bytes_, c.at + 2);
    const detail::run_check r = validators_.run_order(runs, c.runs);
    if (r.fault != c.runs) {
      content = {.code = r.overflow ? error_code::run_overflow : error_code::run_order,
                 .offset = c.at + 2 + 4 * r.fault};
      return;
    }
    if (r.cardinality != c.cardinality) {
      content = {.code = error_code::run_cardinality,
                 .offset = c.at,
                 .expected = c.cardinality,
                 .found = r.cardinality};
      return;
    }
    if (!is_smallest_form(c)) note(form, {.code = error_code::not_canonical, .offset = c.at});
    if (r.touching)
      note(form, {.code = error_code::not_canonical, .offset = find_touching_run(runs, c)});
  }

  std::span<const std::byte> bytes_;
  const detail::validate_table& validators_ = detail::active_validators();
};

// A blob of at most this size stays in the L2 cache between two passes, which cost less than
// blocks.
constexpr std::uint64_t checksummed_first_bytes = 256 * 1024;

// Bit fields take no wider numbers silently.
constexpr std::uint64_t max_rank = (std::uint64_t{1} << 62) - 1;

detail::container make_entry(const container_place& c, const std::uint8_t* bytes,
                             std::uint64_t rank) noexcept {
  const bool run = c.type == detail::run_container;
  // An entry has at least one unit, so a run container without runs, which level trusted lets
  // through, cannot be told as one. Its run count, two bytes of 0, stands in as an array of one
  // value: wrong rows, as promised for lying payloads, and no access out of bounds.
  const bool empty = run && c.runs == 0;
  const std::uint32_t units = empty ? 1 : run ? c.runs : c.cardinality;
  return {.payload = bytes + c.at + (run && !empty ? 2 : 0),
          .rank = rank & max_rank,
          .type = static_cast<std::uint64_t>(empty ? detail::array_container : c.type) & 3,
          .key = c.key & detail::sentinel_key,
          .units_minus_one = static_cast<std::uint16_t>(units - 1)};
}

// Containers of all bitmaps; walks the whole layout, so a fault there is found first.
std::uint64_t count_containers(layout_walk walk, error& fault) noexcept {
  std::uint64_t n = 0;
  while (walk.next_bitmap()) {
    n += walk.bitmap().containers;
    while (walk.next_container()) {
    }
  }
  fault = walk.fault();
  return n;
}

detail::container* allocate(const memory_hooks& memory, std::uint64_t entries) noexcept {
  const std::uint64_t bytes = entries * sizeof(detail::container);
  void* block = memory.allocate != nullptr
                    ? memory.allocate(memory.context, static_cast<std::size_t>(bytes))
                    : std::malloc(static_cast<std::size_t>(bytes));
  return static_cast<detail::container*>(block);
}

error with_quirk(error fault, std::span<const std::byte> bytes, std::uint64_t begin,
                 std::uint64_t end) noexcept {
  fault.quirk = detail::guess_bitmap_quirk(bytes, begin, end, fault);
  return fault;
}

}  // namespace

result<deletion_vector> deletion_vector::open_blob(std::span<const std::byte> blob,
                                                   const open_options& options) noexcept {
  if (blob.size() > options.max_bytes) {
    return error{
        .code = error_code::limit_exceeded, .expected = options.max_bytes, .found = blob.size()};
  }
  const auto refuse = [&](error_code code, std::uint64_t offset, std::uint64_t expected,
                          std::uint64_t found) {
    error fault{.code = code, .offset = offset, .expected = expected, .found = found};
    fault.quirk = detail::guess_frame_quirk(blob, fault);
    return fault;
  };
  if (blob.size() < detail::min_blob_bytes) {
    return refuse(error_code::blob_too_small, 0, detail::min_blob_bytes, blob.size());
  }
  const std::uint64_t covered = blob.size() - detail::blob_length_bytes - detail::blob_crc_bytes;
  const std::uint32_t length = bytes::load_be32(blob.data());
  if (length != covered) return refuse(error_code::blob_length, 0, covered, length);
  const std::uint32_t magic = bytes::load_be32(blob.data() + detail::blob_length_bytes);
  if (magic != detail::blob_magic) {
    return refuse(error_code::blob_magic, detail::blob_length_bytes, detail::blob_magic, magic);
  }
  const auto open_with = [&](detail::checksum_ahead* checksum) {
    return open(blob, detail::blob_head_bytes,
                static_cast<std::size_t>(blob.size() - detail::blob_frame_bytes), options,
                checksum);
  };
  if (options.level == validation::trusted) return open_with(nullptr);
  const std::uint64_t crc_at = blob.size() - detail::blob_crc_bytes;
  detail::checksum_ahead checksum(blob, detail::blob_length_bytes, crc_at);
  const auto checksum_fault = [&]() -> std::optional<error> {
    const std::uint32_t stored = bytes::load_be32(blob.data() + crc_at);
    const std::uint32_t computed = checksum.finish();
    if (stored == computed) return std::nullopt;
    return refuse(error_code::bad_crc, crc_at, computed, stored);
  };
  if (covered <= checksummed_first_bytes) {
    if (const auto fault = checksum_fault()) return *fault;
    return open_with(nullptr);
  }
  result<deletion_vector> opened = open_with(&checksum);
  // Bytes that are not the writer's have no further meaning: this fault hides all others.
  if (const auto fault = checksum_fault()) return *fault;
  return opened;
}

result<deletion_vector> deletion_vector::open_bitmap(std::span<const std::byte> bitmap,
                                                     const open_options& options) noexcept {
  if (bitmap.size() > options.max_bytes) {
    return error{
        .code = error_code::limit_exceeded, .expected = options.max_bytes, .found = bitmap.size()};
  }
  return open(bitmap, 0, bitmap.size(), options, nullptr);
}

result<deletion_vector> deletion_vector::open(std::span<const std::byte> all,
                                              std::size_t bitmap_offset, std::size_t bitmap_size,
                                              const open_options& options,
                                              detail::checksum_ahead* checksum) noexcept {
  const std::uint64_t begin = bitmap_offset;
  const std::uint64_t end = begin + bitmap_size;
  const auto refuse = [&](const error& fault) { return with_quirk(fault, all, begin, end); };
  layout_walk walk(all, begin, end);
  if (walk.failed()) return refuse(walk.fault());

  // With one bitmap (files below 2^32 rows) its header tells the size of the directory; else it
  // takes a walk of its own.
  std::uint64_t entries = 0;
  if (walk.bitmap_count() > 1) {
    error fault;
    entries = count_containers(walk, fault);
    if (fault.code != error_code::ok) return refuse(fault);
  }

  deletion_vector view;
  view.bytes_ = all;
  view.bitmap_count_ = walk.bitmap_count();
  view.memory_ = options.memory;
  const bool check = options.level != validation::trusted;
  payload_checker checker(all);
  // The layout walk keeps every container in front of `end`, so without a checksum none is asked.
  std::uint64_t checksummed = checksum == nullptr ? end : begin;
  detail::container* out = nullptr;
  std::uint64_t rank = 0;
  while (walk.next_bitmap()) {
    if (check) checker.check_header_form(walk.bitmap());
    if (walk.bitmap_count() == 1) entries = walk.bitmap().containers;
    if (out == nullptr && entries != 0) {
      out = allocate(options.memory, entries + 1);
      if (out == nullptr) return error{.code = error_code::out_of_memory};
      view.containers_ = out;  // from here on the view frees it
      view.container_count_ = static_cast<std::size_t>(entries);
    }
    // Where there is a container there is a directory, counted above, and one that reaches past
    // `checksummed` has a checksum to take: neither pointer is null.
    // NOLINTBEGIN(clang-analyzer-core.CallAndMessage)
    while (walk.next_container()) {
      const container_place& c = walk.container();
      if (c.at + c.bytes > checksummed) checksummed = checksum->reach(c.at + c.bytes);
      if (check) checker.check(c);
      *out++ = make_entry(c, reinterpret_cast<const std::uint8_t*>(all.data()), rank);
      rank += c.cardinality;
    }
    // NOLINTEND(clang-analyzer-core.CallAndMessage)
  }
  if (walk.failed()) return refuse(walk.fault());
  if (checker.content.code != error_code::ok) return refuse(checker.content);
  if (out != nullptr) {
    *out = {.payload = nullptr,
            .rank = rank & max_rank,
            .type = detail::array_container,
            .key = detail::sentinel_key,
            .units_minus_one = 0};
  }
  view.cardinality_ = rank;

  if (options.expected_cardinality.value_or(rank) != rank) {
    return error{.code = error_code::cardinality_mismatch,
                 .offset = begin,
                 .expected = *options.expected_cardinality,
                 .found = rank};
  }
  if (const auto last = view.max();
      last.has_value() && options.row_count.has_value() && *last >= *options.row_count) {
    return error{.code = error_code::position_out_of_range,
                 .offset = begin,
                 .expected = *options.row_count,
                 .found = *last};
  }
  if (options.level == validation::strict && checker.form.code != error_code::ok)
    return refuse(checker.form);
  return result<deletion_vector>(std::move(view));
}

}  // namespace dvk::inline v0
