// Velox: the vector decoded beforehand to a sorted list of i64 (8 bytes a deleted row); for each
// batch a forward cursor sets a bit per deleted row, and the bitmap's clear bits become the i32
// list of rows by a table of eight rows per byte.
#include <benchmark/benchmark.h>

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "bench/forms.hpp"
#include "bench/peers/peers.hpp"

namespace dvk_bench::peers {
namespace {

using eight = std::int32_t __attribute__((vector_size(32)));

struct byte_rows {
  std::int32_t rows[256][8];
};
constexpr byte_rows make_table() {
  byte_rows table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::size_t k = 0;
    for (int bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) table.rows[byte][k++] = bit;
    }
  }
  return table;
}
alignas(32) constexpr byte_rows table = make_table();

// Eight lanes at a time with AVX2, which is how Velox is built; where there is none, the compiler
// splits them.
#if defined(__x86_64__)
#define DVK_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define DVK_CLONES
#endif

DVK_CLONES std::size_t rows_of_bits(const std::uint64_t* words, std::size_t count,
                                    std::int32_t* out) {
  std::int32_t* const begin = out;
  for (std::size_t w = 0; w < count; ++w) {
    std::uint64_t word = words[w];
    auto row = static_cast<std::int32_t>(w * 64);
    if (word == 0) continue;
    // Sparse so far: one bit at a time; else whole bytes through the table.
    if (out - begin < row >> 2) {
      for (; word != 0; word &= word - 1)
        *out++ = row + std::countr_zero(word);
      continue;
    }
    for (int b = 0; b < 8; ++b, word >>= 8, row += 8) {
      const auto byte = static_cast<std::uint8_t>(word);
      eight rows;
      std::memcpy(&rows, table.rows[byte], sizeof rows);
      rows += row;
      std::memcpy(out, &rows, sizeof rows);
      out += std::popcount(byte);
    }
  }
  return static_cast<std::size_t>(out - begin);
}

struct cursor_scan {
  const dataset& d;
  std::size_t n;
  std::vector<std::int64_t> positions;

  template <class F>
  void walk(F&& visit) const {
    std::vector<std::uint64_t> bits((n + 63) / 64);
    std::size_t cursor = 0;
    for_each_batch(d, n, [&](dvk::row_range rows) {
      // Bits mark live rows here, as they do when Velox hands them to its row decoder: it flips
      // while it reads.
      std::memset(bits.data(), 0xff, bits.size() * 8);
      const auto start = static_cast<std::int64_t>(rows.start);
      const auto end = start + static_cast<std::int64_t>(rows.count);
      for (; cursor < positions.size() && positions[cursor] < end; ++cursor) {
        const auto bit = static_cast<std::uint64_t>(positions[cursor] - start);
        bits[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
      }
      visit(rows, rows_of_bits(bits.data(), (rows.count + 63) / 64, output<std::int32_t>().data()));
      benchmark::ClobberMemory();
    });
  }
};

job bitmap_to_rows(const dataset& d, std::size_t n) {
  const auto positions = d.positions();
  const cursor_scan scan{d, n, {positions.begin(), positions.end()}};
  const auto check = [scan] {
    bool right = true;
    scan.walk([&](dvk::row_range rows, std::size_t live) {
      right = right && is_live_list<std::int32_t>(scan.d, rows, output<std::int32_t>().first(live));
    });
    return right;
  };
  const auto pass = [scan] {
    std::uint64_t total = 0;
    scan.walk([&](dvk::row_range, std::size_t live) { total += live; });
    return total;
  };
  return {check, pass, d.rows};
}

}  // namespace

void register_velox() {
  add_batched("velox_bitmap", bitmap_to_rows);
}

}  // namespace dvk_bench::peers
