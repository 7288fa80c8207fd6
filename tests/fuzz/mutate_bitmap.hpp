// Mutations of serialised 64-bit bitmaps: of one number where it stands, or of the containers,
// which are then written soundly again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/fuzz/bitmap_model.hpp"
#include "tests/fuzz/mutate.hpp"

namespace dvk_fuzz {

// A sound container of any kind and any number of rows.
inline chunk any_chunk(std::uint64_t key, chooser& pick) {
  chunk c{.key = key};
  switch (pick.below(4)) {
    case 0: {  // runs, near each other or far apart
      c.kind = chunk::form::run;
      const std::size_t gap = std::size_t{1} << pick.below(14);
      for (std::size_t row = pick.below(gap), n = 1 + pick.below(40); n != 0; --n) {
        const std::size_t length = pick.below(2 * gap);
        if (row + length > 65535) break;
        c.numbers.push_back(static_cast<std::uint16_t>(row));
        c.numbers.push_back(static_cast<std::uint16_t>(length));
        row += length + 2 + pick.below(gap);
      }
      if (c.numbers.empty()) c.numbers = {0, 65535};
      break;
    }
    case 1: {  // a bitset of at least 4,097 rows, some words full and some empty
      c.kind = chunk::form::bitset;
      c.numbers.assign(4096, 0);
      const std::uint64_t pattern = pick.bits();
      for (std::size_t i = 0; i < 4096; ++i)
        c.numbers[i] =
            static_cast<std::uint16_t>((pattern >> i / 64 & 1) != 0 ? 0xffff : pattern >> 48 | 3);
      break;
    }
    default: {  // an array
      const std::size_t gap = std::size_t{1} << pick.below(12);
      std::size_t n = pick.one_in(8) ? 4096 : 1 + pick.below(70);
      for (std::size_t row = pick.below(65536 / 4); n != 0 && row < 65536; --n) {
        c.numbers.push_back(static_cast<std::uint16_t>(row));
        row += 1 + pick.below(gap);
      }
    }
  }
  return c;
}

// The same rows in another form, as far as the form can hold them.
inline void change_form(chunk& c, chooser& pick) {
  std::vector<bool> in(65536);
  for (std::size_t i = 0; i < c.numbers.size(); ++i) {
    if (c.kind == chunk::form::array) in[c.numbers[i]] = true;
    for (std::size_t b = 0; c.kind == chunk::form::bitset && b < 16; ++b)
      in[16 * (i % 4096) + b] = (c.numbers[i] >> b & 1) != 0;
    if (c.kind == chunk::form::run && i % 2 == 1) {
      for (std::size_t row = c.numbers[i - 1];
           row <= c.numbers[i - 1] + std::size_t{c.numbers[i]} && row < 65536; ++row)
        in[row] = true;
    }
  }
  c.numbers.clear();
  c.kind = static_cast<chunk::form>(pick.below(3));
  if (c.kind == chunk::form::bitset) c.numbers.assign(4096, 0);
  for (std::size_t row = 0; row < 65536; ++row) {
    if (!in[row]) continue;
    if (c.kind == chunk::form::array) {
      c.numbers.push_back(static_cast<std::uint16_t>(row));
    } else if (c.kind == chunk::form::bitset) {
      c.numbers[row / 16] = static_cast<std::uint16_t>(c.numbers[row / 16] | 1u << row % 16);
    } else if (row != 0 && in[row - 1]) {
      ++c.numbers.back();
    } else {
      c.numbers.push_back(static_cast<std::uint16_t>(row));
      c.numbers.push_back(0);
    }
  }
}

inline void change_chunks(std::vector<chunk>& chunks, chooser& pick) {
  const std::size_t i = pick.below(chunks.size());
  const std::uint64_t after = chunks.empty() ? 0 : chunks.back().key + 1;
  switch (chunks.empty() ? 0 : pick.below(9)) {
    case 0:
      chunks.push_back(any_chunk(after + (pick.one_in(3) ? pick.below(1u << 20) : 0), pick));
      break;
    case 1:
      chunks[i] = any_chunk(chunks[i].key, pick);
      break;
    case 2:
      chunks.erase(chunks.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 3:
      change_form(chunks[i], pick);
      break;
    case 4:
      std::swap(chunks[i], chunks[pick.below(chunks.size())]);
      break;
    case 5:
      chunks[i].key = other_number(chunks[i].key, 6, pick) & 0x7fffffffffff;
      break;
    case 6:
      chunks.push_back(chunks[i]);
      break;
    case 7:
      chunks.front().numbers = {0, 65535}, chunks.front().kind = chunk::form::run;
      break;
    default:
      if (!chunks[i].numbers.empty()) {
        std::uint16_t& x = chunks[i].numbers[pick.below(chunks[i].numbers.size())];
        x = static_cast<std::uint16_t>(other_number(x, 2, pick));
      }
  }
  if (!pick.one_in(6)) {
    std::stable_sort(chunks.begin(), chunks.end(),
                     [](const chunk& a, const chunk& b) { return a.key < b.key; });
    if (!pick.one_in(6)) {
      chunks.erase(std::unique(chunks.begin(), chunks.end(),
                               [](const chunk& a, const chunk& b) { return a.key == b.key; }),
                   chunks.end());
    }
  }
}

// One number of a kind chosen first, so that headers are hit as often as payloads.
inline void change_field(byte_vector& bytes, const std::vector<field>& fields, chooser& pick) {
  const auto kind = static_cast<field_kind>(pick.below(field_kinds));
  std::vector<field> of_kind;
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(of_kind),
               [&](const field& f) { return f.kind == kind; });
  const auto& from = of_kind.empty() ? fields : of_kind;
  const field f = from[pick.below(from.size())];
  store_le(bytes, f.at, f.width, other_number(load_le(bytes, f.at, f.width), f.width, pick));
}

inline byte_vector mutate_bitmap(byte_vector bytes, std::size_t max, chooser& pick) {
  const std::size_t way = pick.below(8);
  if (way < 2) return mutate_plainly(std::move(bytes), max);
  bitmap_model model = bitmap_parser(bytes).parse();
  if (way < 4 && !model.fields.empty()) {
    change_field(bytes, model.fields, pick);
    return bytes;
  }
  for (std::size_t n = 1 + pick.below(3); n != 0; --n)
    change_chunks(model.chunks, pick);
  return serialise(model.chunks);
}

}  // namespace dvk_fuzz
