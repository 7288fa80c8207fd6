#include "builder/positions.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "bytes/load.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0::detail {
namespace {

constexpr std::uint32_t bitset_from =
    1024;  // unsorted values from which on a bitset sorts them faster than std::sort

// Starts a new 32-bit bitmap in the writer whenever the key changes.
class chunk_sink {
 public:
  chunk_sink(bitmap_writer& writer, std::uint64_t chunks_likely)
      : writer_(writer), chunks_likely_(chunks_likely) {}

  // Values of one chunk: ascending without repeats.
  void put_ascending(std::uint64_t chunk, const std::uint8_t* values, std::uint32_t n) {
    writer_.put_array(enter(chunk), values, n);
  }
  // Any order.
  void put_bitset(std::uint64_t chunk, const std::uint8_t* words) {
    writer_.put_bitset(enter(chunk), words, kernels.bitset_count(words));
  }

  const setops_table& kernels = active_setops();

 private:
  std::uint16_t enter(std::uint64_t chunk) {
    if (chunk >> 16 != key_) {
      key_ = chunk >> 16;
      writer_.begin(static_cast<std::uint32_t>(key_),
                    static_cast<std::size_t>(std::min<std::uint64_t>(chunks_likely_, 65536)),
                    false);
    }
    return static_cast<std::uint16_t>(chunk);
  }

  bitmap_writer& writer_;
  std::uint64_t chunks_likely_;
  std::uint64_t key_ = ~std::uint64_t{0};
};

std::uint64_t chunk_of(std::uint64_t position) {
  return position >> 16;
}

// Index of the first position that is not in the chunk of positions[from].
std::size_t chunk_end(std::span<const std::uint64_t> positions, std::size_t from) {
  const std::uint64_t chunk = chunk_of(positions[from]);
  // A chunk's end is found by doubling steps, then halving: O(log n) for a dense chunk, two looks
  // for a sparse one.
  std::size_t step = 1, low = from;
  while (low + step < positions.size() && chunk_of(positions[low + step]) == chunk) {
    low += step;
    step *= 2;
  }
  const std::size_t high = std::min(low + step, positions.size());
  return static_cast<std::size_t>(
      std::partition_point(positions.begin() + static_cast<std::ptrdiff_t>(low),
                           positions.begin() + static_cast<std::ptrdiff_t>(high),
                           [chunk](std::uint64_t p) { return chunk_of(p) == chunk; }) -
      positions.begin());
}

// Ascending positions, repeats allowed.
void write_ascending(bitmap_writer& writer, std::span<const std::uint64_t> positions) {
  const std::uint64_t span = chunk_of(positions.back()) - chunk_of(positions.front()) + 1;
  chunk_sink sink(writer, std::min<std::uint64_t>(span, positions.size()));
  std::uint8_t words[bitset_bytes];
  std::uint8_t values[2 * max_array_cardinality];
  for (std::size_t i = 0; i < positions.size();) {
    const std::size_t end = chunk_end(positions, i);
    const std::uint64_t chunk = chunk_of(positions[i]);
    if (end - i <= max_array_cardinality) {
      // Each value is stored where the next one would go, and kept if it differs from the one
      // before: no branch.
      std::uint32_t n = 0;
      std::uint64_t before = ~positions[i];
      for (; i < end; ++i) {
        bytes::store_le(values + 2 * n, static_cast<std::uint16_t>(positions[i]));
        n += positions[i] != before;
        before = positions[i];
        // The first value always counts; a repeat is overwritten by what follows it.
      }
      sink.put_ascending(chunk, values, n);
    } else {
      std::fill_n(words, bitset_bytes, std::uint8_t{0});
      for (; i < end; ++i) {
        const auto v = static_cast<std::uint32_t>(positions[i] & 0xffff);
        words[v >> 3] = static_cast<std::uint8_t>(words[v >> 3] | 1u << (v & 7));
      }
      sink.put_bitset(chunk, words);
    }
  }
}

// Unsorted positions over few chunks: a counting sort by chunk that moves only the low 16 bits.
void write_partitioned(bitmap_writer& writer, std::span<const std::uint64_t> positions,
                       std::uint64_t first_chunk, std::size_t chunks) {
  std::vector<std::size_t> ends(chunks + 1);
  for (const std::uint64_t p : positions)
    ++ends[chunk_of(p) - first_chunk + 1];
  for (std::size_t c = 0; c < chunks; ++c)
    ends[c + 1] += ends[c];
  const std::unique_ptr<std::uint16_t[]> lows(new std::uint16_t[positions.size()]);
  // ends[c] is where chunk c begins; after the loop, where it ends.
  for (const std::uint64_t p : positions)
    lows[ends[chunk_of(p) - first_chunk]++] = static_cast<std::uint16_t>(p);

  chunk_sink sink(writer, chunks);
  std::uint8_t words[bitset_bytes];
  std::uint8_t values[2 * bitset_from];
  std::size_t begin = 0;
  for (std::size_t c = 0; c < chunks; begin = ends[c], ++c) {
    const std::size_t n = ends[c] - begin;
    if (n == 0) continue;
    const auto chunk = std::span(lows.get() + begin, n);
    if (n < bitset_from) {
      std::sort(chunk.begin(), chunk.end());
      const auto unique =
          static_cast<std::uint32_t>(std::unique(chunk.begin(), chunk.end()) - chunk.begin());
      for (std::uint32_t i = 0; i < unique; ++i)
        bytes::store_le(values + 2 * i, chunk[i]);
      sink.put_ascending(first_chunk + c, values, unique);
    } else {
      std::fill_n(words, bitset_bytes, std::uint8_t{0});
      for (const std::uint16_t v : chunk) {
        words[v >> 3] = static_cast<std::uint8_t>(words[v >> 3] | 1u << (v & 7));
      }
      sink.put_bitset(first_chunk + c, words);
    }
  }
}

}  // namespace

error check_positions(std::span<const std::uint64_t> positions) noexcept {
  std::uint64_t largest = 0;
  for (const std::uint64_t p : positions)
    largest = std::max(largest, p);
  if (largest <= max_position) return {};
  const auto bad = std::find_if(positions.begin(), positions.end(),
                                [](std::uint64_t p) { return p > max_position; });
  return {.code = error_code::invalid_argument,
          .offset = static_cast<std::uint64_t>(bad - positions.begin()) * sizeof(std::uint64_t),
          .expected = max_position,
          .found = *bad};
}

std::uint64_t expected_bytes(std::span<const std::uint64_t> positions) {
  // Arrays need 2 bytes a row and 8 a container, bitsets less than 2 a row.
  return positions.size() * 2 + 1024;
}

void write_positions(bitmap_writer& writer, std::span<const std::uint64_t> positions) {
  if (positions.empty()) return;
  if (std::is_sorted(positions.begin(), positions.end())) return write_ascending(writer, positions);
  const auto [least, most] = std::minmax_element(positions.begin(), positions.end());
  const std::uint64_t chunks = chunk_of(*most) - chunk_of(*least) + 1;
  if (chunks <= positions.size()) {
    write_partitioned(writer, positions, chunk_of(*least), static_cast<std::size_t>(chunks));
  } else {
    std::vector<std::uint64_t> sorted(positions.begin(), positions.end());
    std::sort(sorted.begin(), sorted.end());
    write_ascending(writer, sorted);
  }
}

}  // namespace dvk::inline v0::detail
