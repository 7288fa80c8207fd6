// A serialised 64-bit Roaring bitmap taken apart, for mutators: its containers, and where each
// number stands. Reads as far as the bytes make sense, and can write what no sound writer would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/fuzz/mutate.hpp"

namespace dvk_fuzz {

struct chunk {
  enum class form : std::uint8_t { array, bitset, run };

  std::uint64_t key = 0;  // row >> 16
  form kind = form::array;
  // Values, or the 4,096 words of a bitset, or first row and length - 1 of each run.
  std::vector<std::uint16_t> numbers = {};

  [[nodiscard]] std::uint32_t cardinality() const {
    std::uint32_t sum = 0;
    switch (kind) {
      case form::array:
        return static_cast<std::uint32_t>(numbers.size());
      case form::bitset:
        for (const std::uint16_t word : numbers)
          sum += static_cast<std::uint32_t>(__builtin_popcount(word));
        return sum;
      case form::run:
        for (std::size_t i = 1; i < numbers.size(); i += 2)
          sum += numbers[i] + 1u;
        return sum;
    }
    return sum;
  }
};

// What kind of number stands at a place of the bytes.
enum class field_kind : std::uint8_t { count, key, cookie, descriptor, flags, offset, payload };
inline constexpr std::size_t field_kinds = 7;

struct field {
  std::size_t at = 0;
  std::size_t width = 0;
  field_kind kind = field_kind::count;
};

struct bitmap_model {
  std::vector<chunk> chunks;
  std::vector<field> fields;
};

class bitmap_parser {
 public:
  explicit bitmap_parser(const byte_vector& bytes) : bytes_(bytes) {}

  bitmap_model parse() {
    if (!number(8, field_kind::count)) return out_;
    for (std::uint64_t bitmaps = last_; bitmaps != 0 && out_.chunks.size() < 4096; --bitmaps) {
      if (!number(4, field_kind::key)) break;
      if (!bitmap32(last_ << 16)) break;
    }
    return out_;
  }

 private:
  bool number(std::size_t width, field_kind kind) {
    if (bytes_.size() - at_ < width) return false;
    last_ = load_le(bytes_, at_, width);
    out_.fields.push_back({at_, width, kind});
    at_ += width;
    return true;
  }

  bool bitmap32(std::uint64_t high) {
    if (!number(4, field_kind::cookie)) return false;
    const bool runs = (last_ & 0xffff) == 12347;
    auto n = static_cast<std::size_t>((last_ >> 16) + 1);
    std::vector<bool> is_run(n);
    if (runs) {
      for (std::size_t i = 0; i < n; i += 8) {
        if (!number(1, field_kind::flags)) return false;
        for (std::size_t k = i; k < n && k < i + 8; ++k)
          is_run[k] = (last_ >> (k - i) & 1) != 0;
      }
    } else {
      if (last_ != 12346 || !number(4, field_kind::count) || last_ > 65536) return false;
      n = static_cast<std::size_t>(last_);
      is_run.assign(n, false);
    }
    std::vector<std::pair<std::uint64_t, std::size_t>> descriptors;
    for (std::size_t i = 0; i < n; ++i) {
      if (!number(2, field_kind::descriptor)) return false;
      const std::uint64_t key = high | last_;
      if (!number(2, field_kind::descriptor)) return false;
      descriptors.emplace_back(key, last_ + 1);
    }
    for (std::size_t i = 0; (!runs || n >= 4) && i < n; ++i) {
      if (!number(4, field_kind::offset)) return false;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (!payload(descriptors[i].first, descriptors[i].second, is_run[i])) return false;
    }
    return true;
  }

  bool payload(std::uint64_t key, std::size_t cardinality, bool run) {
    chunk c{.key = key,
            .kind = run                  ? chunk::form::run
                    : cardinality > 4096 ? chunk::form::bitset
                                         : chunk::form::array};
    std::size_t size = run ? 0 : c.kind == chunk::form::bitset ? 4096 : cardinality;
    if (run) {
      if (!number(2, field_kind::payload)) return false;
      size = static_cast<std::size_t>(2 * last_);
    }
    if ((bytes_.size() - at_) / 2 < size) return false;
    for (std::size_t i = 0; i < size; ++i, at_ += 2) {
      c.numbers.push_back(static_cast<std::uint16_t>(load_le(bytes_, at_, 2)));
      // Few of a payload's numbers are worth a try: its ends and the seams of vector lanes.
      if (i < 2 || i + 2 >= size || i % 32 == 0 || i % 32 == 31)
        out_.fields.push_back({at_, 2, field_kind::payload});
    }
    out_.chunks.push_back(std::move(c));
    return true;
  }

  const byte_vector& bytes_;
  std::size_t at_ = 0;
  std::uint64_t last_ = 0;
  bitmap_model out_;
};

// The containers as they are, one 32-bit bitmap for each stretch of equal high keys.
inline byte_vector serialise(const std::vector<chunk>& chunks) {
  byte_vector body;
  std::uint64_t bitmaps = 0;
  for (std::size_t i = 0; i < chunks.size(); ++bitmaps) {
    std::size_t end = i;
    bool runs = false;
    for (; end < chunks.size() && chunks[end].key >> 16 == chunks[i].key >> 16; ++end)
      runs = runs || chunks[end].kind == chunk::form::run;
    const std::size_t n = end - i;
    append_le(body, static_cast<std::uint32_t>(chunks[i].key >> 16));
    std::size_t header = 8;
    if (runs) {
      append_le(body, static_cast<std::uint32_t>(12347 | (n - 1) << 16));
      for (std::size_t k = 0; k < n; k += 8) {
        unsigned flags = 0;
        for (std::size_t b = k; b < n && b < k + 8; ++b)
          flags |= static_cast<unsigned>(chunks[i + b].kind == chunk::form::run) << (b - k);
        body.push_back(static_cast<std::uint8_t>(flags));
      }
      header = 4 + (n + 7) / 8;
    } else {
      append_le(body, std::uint32_t{12346});
      append_le(body, static_cast<std::uint32_t>(n));
    }
    for (std::size_t k = i; k < end; ++k) {
      append_le(body, static_cast<std::uint16_t>(chunks[k].key));
      append_le(body, static_cast<std::uint16_t>(chunks[k].cardinality() - 1));
    }
    if (!runs || n >= 4) {
      std::size_t offset = header + 8 * n;
      for (std::size_t k = i; k < end; ++k) {
        append_le(body, static_cast<std::uint32_t>(offset));
        offset += 2 * chunks[k].numbers.size() + (chunks[k].kind == chunk::form::run ? 2 : 0);
      }
    }
    for (; i < end; ++i) {
      if (chunks[i].kind == chunk::form::run)
        append_le(body, static_cast<std::uint16_t>(chunks[i].numbers.size() / 2));
      for (const std::uint16_t value : chunks[i].numbers)
        append_le(body, value);
    }
  }
  byte_vector out;
  append_le(out, bitmaps);
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

}  // namespace dvk_fuzz
