// Refining a list: containsBulk for each of its rows and a branchless append, as DuckDB would with
// a list of its own.
#include "bench/refine.hpp"

#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/peers/peers.hpp"

namespace dvk_bench::peers {
namespace {

template <class F>
void walk(const dataset& d, std::size_t n, const std::vector<std::uint32_t>& selected, F&& visit) {
  const roaring_bitmap_t* const bitmap = roaring32(d);
  roaring_bulk_context_t context = {};
  for (std::uint64_t base = 0; base + n <= d.rows; base += n) {
    std::uint32_t* const out = output<std::uint32_t>().data();
    std::memcpy(out, selected.data(), selected.size() * sizeof *out);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < selected.size(); ++i) {
      const std::uint32_t row = out[i];
      out[kept] = row;
      kept += roaring_bitmap_contains_bulk(bitmap, &context, static_cast<std::uint32_t>(base + row))
                  ? 0
                  : 1;
    }
    visit(base, kept);
    benchmark::ClobberMemory();
  }
}

job refine(const dataset& d, std::size_t n, std::uint64_t one_in) {
  const auto selected = selected_rows<std::uint32_t>(n, one_in);
  const auto check = [&d, n, selected] {
    bool right = true;
    walk(d, n, selected, [&](std::uint64_t base, std::size_t kept) {
      right = right && is_refined(d, base, selected, output<std::uint32_t>().data(), kept);
    });
    return right;
  };
  const auto pass = [&d, n, selected] {
    std::uint64_t total = 0;
    walk(d, n, selected, [&](std::uint64_t, std::size_t kept) { total += kept; });
    return total;
  };
  return {check, pass, d.rows / n * selected.size()};
}

}  // namespace

void register_refine() {
  for (const std::string_view dataset : dataset_names) {
    for (const std::size_t n : {usual_batch, std::size_t{16384}}) {
      for (const selected_share& share : selected_shares) {
        const std::string name(dataset);
        const std::uint64_t one_in = share.one_in;
        add("peer/refine_contains_bulk_" + std::string(share.name) + "/" + name + "/n" +
                std::to_string(n),
            std::nullopt, [=] { return refine(get_dataset(name), n, one_in); });
      }
    }
  }
}

}  // namespace dvk_bench::peers
