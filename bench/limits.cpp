// limit/...: ceilings of this machine, measured in the same process as the kernels they bound.
#include "bench/limits.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>

#include "bench/datasets.hpp"
#include "bench/suite.hpp"
#include "dispatch/tables.hpp"

namespace dvk_bench {
namespace {

constexpr const limit_table* tables[] = {
#define DVK_TIER(name, needs) &limits::name,
#include "dispatch/tiers.def"
#undef DVK_TIER
};

const limit_table& table_of_tier(dvk::tier tier) {
  const auto& list = dvk::dispatch::tier_list;
  return *tables[std::find(list.begin(), list.end(), tier) - list.begin()];
}

// As many fills as a pass over a small file has batches, so that limits and kernels are called
// alike.
template <class T>
job fill(void (*iota)(T*, std::size_t) noexcept, std::size_t n, std::size_t byte_offset) {
  T* const out = reinterpret_cast<T*>(output_block() + byte_offset);
  const auto check = [=] {
    std::fill_n(out, n + 1, T{7});
    iota(out, n);
    for (std::size_t i = 0; i < n; ++i) {
      if (out[i] != static_cast<T>(i)) return false;
    }
    return out[n] == T{7};
  };
  const auto pass = [=] {
    for (std::uint64_t row = 0; row < small_rows; row += n) {
      iota(out, n);
      benchmark::ClobberMemory();
    }
    return std::uint64_t{out[n - 1]};
  };
  return {check, pass, small_rows, small_rows * sizeof(T)};
}

// Reads `bytes`, cut to whole words, once.
job read(const limit_table& table, std::span<const std::byte> bytes) {
  const auto* const p = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t n = bytes.size() / 8 * 8;
  const auto check = [=, &table] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, p + i, 8);
      sum ^= word;
    }
    return sum == table.xor_words(p, n);
  };
  return {check, [=, &table] { return table.xor_words(p, n); }, 1, n};
}

void register_tier(dvk::tier tier, const std::string& suffix) {
  const limit_table& table = table_of_tier(tier);
  for (const std::size_t n : batch_sizes) {
    const std::string end = "/n" + std::to_string(n) + suffix;
    add("limit/iota_u32_aligned" + end, std::nullopt,
        [=, &table] { return fill(table.iota_u32, n, 0); });
    // A left-packed list starts anywhere: this is the ceiling of a selection kernel.
    add("limit/iota_u32_misaligned" + end, std::nullopt,
        [=, &table] { return fill(table.iota_u32, n, 4); });
    add("limit/iota_u16" + end, std::nullopt, [=, &table] { return fill(table.iota_u16, n, 0); });
  }
  for (const std::string_view name : dataset_names) {
    for (const std::string_view size : {"", "_100m"}) {
      const std::string full = std::string(name) + std::string(size);
      add("limit/memread/" + full + suffix, std::nullopt,
          [=, &table] { return read(table, get_dataset(full).bitmap()); });
    }
  }
  constexpr std::pair<const char*, std::size_t> sizes[] = {{"64B", 64},       {"1KiB", 1 << 10},
                                                           {"4KiB", 4 << 10}, {"64KiB", 64 << 10},
                                                           {"1MiB", 1 << 20}, {"16MiB", 16 << 20}};
  for (const auto& [label, bytes] : sizes) {
    add("limit/load_xor/" + std::string(label) + suffix, std::nullopt, [bytes = bytes, &table] {
      static const std::vector<std::byte> buffer(16 << 20, std::byte{0x5a});
      return read(table, std::span(buffer).first(bytes));
    });
  }
}

}  // namespace

// Without a tier in the name: the best of this machine.
void register_limits() {
  for_each_tier([](dvk::tier tier, const std::string& name) { register_tier(tier, "/" + name); });
  register_tier(dvk::best_tier(), "");
}

}  // namespace dvk_bench
