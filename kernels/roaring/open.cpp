// Opening: one walk over the headers fills the container directory and checks each payload while it
// is at hand.
//
// Which fault is reported when there are several does not depend on that interleaving: faults of
// a blob's frame and checksum come first, then those of the layout, those of payloads, disagreement
// with the caller's metadata, and faults of form.
//
// Bytes are read as they should be. Only where that fails, and the fault is a writer's that the
// caller tolerates, they are read again with another meaning; sound bytes never get that far.
#include <cstdlib>
#include <optional>
#include <utility>

#include "dvk/deletion_vector.hpp"
#include "roaring/checksum_ahead.hpp"
#include "roaring/key_order.hpp"
#include "roaring/layout.hpp"
#include "roaring/payload_checker.hpp"
#include "roaring/quirks.hpp"

namespace dvk::inline v0 {
namespace {

using detail::container_place;
using detail::layout_walk;
using detail::payload_checker;

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

// Calls read(quirks) with more and more of the tolerated quirks, as long as faults name new ones.
template <class Read>
result<deletion_vector> read_tolerantly(std::span<const std::byte> bytes,
                                        const open_options& options, Read read) noexcept {
  if (bytes.size() > options.max_bytes) {
    return error{
        .code = error_code::limit_exceeded, .expected = options.max_bytes, .found = bytes.size()};
  }
  quirk_set reading;
  // No payload is checked at level trusted, so no fault would name a bitset of 4,096 rows. This
  // reading takes sound bytes for what they are.
  if (options.level == validation::trusted && options.tolerate.contains(quirk::undersized_bitset))
    reading.insert(quirk::undersized_bitset);
  for (;;) {
    result<deletion_vector> opened = read(reading);
    const quirk named = opened.error().quirk;
    if (!options.tolerate.contains(named) || reading.contains(named)) return opened;
    reading.insert(named);
  }
}

}  // namespace

result<deletion_vector> deletion_vector::open_blob(std::span<const std::byte> blob,
                                                   const open_options& options) noexcept {
  return read_tolerantly(blob, options,
                         [&](quirk_set reading) { return read_blob(blob, options, reading); });
}

result<deletion_vector> deletion_vector::open_bitmap(std::span<const std::byte> bitmap,
                                                     const open_options& options) noexcept {
  return read_tolerantly(bitmap, options, [&](quirk_set reading) {
    return read(bitmap, 0, bitmap.size(), options, reading, nullptr);
  });
}

result<deletion_vector> deletion_vector::read_blob(std::span<const std::byte> blob,
                                                   const open_options& options,
                                                   quirk_set reading) noexcept {
  if (reading.contains(quirk::bare_bitmap))
    return read(blob, 0, blob.size(), options, reading, nullptr);
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
    return read(blob, detail::blob_head_bytes,
                static_cast<std::size_t>(blob.size() - detail::blob_frame_bytes), options, reading,
                checksum);
  };
  if (options.level == validation::trusted) return open_with(nullptr);
  const std::uint64_t crc_at = blob.size() - detail::blob_crc_bytes;
  detail::checksum_ahead checksum(blob, detail::blob_length_bytes, crc_at);
  const auto checksum_fault = [&]() -> std::optional<error> {
    const std::uint32_t stored = bytes::load_be32(blob.data() + crc_at);
    const std::uint32_t computed = checksum.finish();
    if (stored == computed) return std::nullopt;
    if (stored == ~computed && reading.contains(quirk::crc_not_inverted)) return std::nullopt;
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

result<deletion_vector> deletion_vector::read(std::span<const std::byte> all,
                                              std::size_t bitmap_offset, std::size_t bitmap_size,
                                              const open_options& options, quirk_set reading,
                                              detail::checksum_ahead* checksum) noexcept {
  const std::uint64_t begin = bitmap_offset;
  const std::uint64_t end = begin + bitmap_size;
  const auto refuse = [&](error fault) {
    fault.quirk = detail::guess_bitmap_quirk(all, begin, end, fault, reading);
    return fault;
  };
  layout_walk walk(all, begin, end, reading);
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
  view.tolerated_ = reading;
  if (!walk.met_undersized_bitset()) view.tolerated_.erase(quirk::undersized_bitset);
  if (reading.contains(quirk::keys_in_hash_order) && entries != 0) {
    const std::span directory(out - entries, static_cast<std::size_t>(entries) + 1);
    if (const auto twice = detail::restore_key_order(directory))
      return detail::repeated_key(layout_walk(all, begin, end, reading), *twice);
  }

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
