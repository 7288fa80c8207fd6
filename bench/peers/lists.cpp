// Index lists: a test per row, as iceberg-cpp and DuckDB do it, and CRoaring's own decoder over a
// whole-file bitset.
#include <benchmark/benchmark.h>
#include <roaring/bitset_util.h>
#include <roaring/isadetection.h>

#include <vector>

#include "bench/forms.hpp"
#include "bench/peers/peers.hpp"

namespace dvk_bench::peers {
namespace {

// Runs `batch(rows)`, which leaves a list of T in the output buffer and returns its length, over
// the file.
template <class T, class Batch>
job list_pass(const dataset& d, std::size_t n, Batch batch) {
  const auto check = [&d, n, batch]() mutable {
    bool right = true;
    for_each_batch(d, n, [&](dvk::row_range rows) {
      const std::size_t live = batch(rows);
      right = right && is_live_list<T>(d, rows, output<T>().first(live));
    });
    return right;
  };
  const auto pass = [&d, n, batch]() mutable {
    std::uint64_t live = 0;
    for_each_batch(d, n, [&](dvk::row_range rows) {
      live += batch(rows);
      benchmark::ClobberMemory();
    });
    return live;
  };
  return {check, pass, d.rows};
}

// iceberg-cpp: the row's position, contains, push_back of the live ones to a list of i32.
job contains_per_row(const dataset& d, std::size_t n) {
  return list_pass<std::int32_t>(d, n, [bitmap = roaring32(d)](dvk::row_range rows) {
    std::int32_t* out = output<std::int32_t>().data();
    for (std::uint64_t i = 0; i < rows.count; ++i) {
      if (!roaring_bitmap_contains(bitmap, static_cast<std::uint32_t>(rows.start + i))) {
        *out++ = static_cast<std::int32_t>(i);
      }
    }
    return static_cast<std::size_t>(out - output<std::int32_t>().data());
  });
}

// DuckDB: containsBulk for each row with a context that lives as long as the scan, branchless
// append of u32.
job contains_bulk(const dataset& d, std::size_t n) {
  return list_pass<std::uint32_t>(
      d, n,
      [bitmap = roaring32(d), context = roaring_bulk_context_t{}](dvk::row_range rows) mutable {
        std::uint32_t* const out = output<std::uint32_t>().data();
        std::size_t live = 0;
        for (std::uint64_t i = 0; i < rows.count; ++i) {
          out[live] = static_cast<std::uint32_t>(i);
          live += roaring_bitmap_contains_bulk(bitmap, &context,
                                               static_cast<std::uint32_t>(rows.start + i))
                      ? 0
                      : 1;
        }
        return live;
      });
}

// The bound of every design that decodes a vector beforehand to a bitset of live rows (an eighth of
// a byte per row of the file): CRoaring's fastest decoder over the batch's words.
job bitset_decode(const dataset& d, std::size_t n) {
  std::vector<std::uint64_t> words(d.oracle);
  for (std::uint64_t& word : words)
    word = ~word;
  return list_pass<std::uint32_t>(d, n, [words = std::move(words)](dvk::row_range rows) {
    using namespace roaring::internal;
    const std::uint64_t* const first = words.data() + rows.start / 64;
    const std::size_t length = (rows.count + 63) / 64;
    std::uint32_t* const out = output<std::uint32_t>().data();
    const std::size_t capacity = output<std::uint32_t>().size();
#if CROARING_IS_X64
    const int cpu = croaring_hardware_support();
#if CROARING_COMPILER_SUPPORTS_AVX512
    if ((cpu & ROARING_SUPPORTS_AVX512) != 0)
      return bitset_extract_setbits_avx512(first, length, out, capacity, 0);
#endif
    if ((cpu & ROARING_SUPPORTS_AVX2) != 0)
      return bitset_extract_setbits_avx2(first, length, out, capacity, 0);
#endif
    static_cast<void>(capacity);
    return bitset_extract_setbits(first, length, out, 0);
  });
}

}  // namespace

void register_lists() {
  add_batched("contains_per_row", contains_per_row);
  add_batched("duckdb_contains_bulk", contains_bulk);
  add_batched("croaring_bitset_decode", bitset_decode);
}

}  // namespace dvk_bench::peers
