// probe/<op>/<dataset>/<tier>: 65,536 uniform rows; items are probes. single (independent),
// dependent (each waits for the answer before), and contains_many over unsorted and sorted rows.
#include <benchmark/benchmark.h>

#include "bench/datasets.hpp"
#include "bench/positions.hpp"
#include "bench/suite.hpp"
#include "dvk/deletion_vector.hpp"

namespace dvk_bench {
namespace {

job one_by_one(const dataset& d, bool dependent) {
  const auto pass = [&d, dependent, rows = probe_rows(d, false)] {
    if (dependent)
      return probe_dependent(rows, [&](std::uint64_t row) { return d.view.contains(row); });
    std::uint64_t deleted = 0;
    for (const std::uint64_t row : rows)
      deleted += d.view.contains(row) ? 1 : 0;
    return deleted;
  };
  const auto check = [&d, pass] {
    const auto rows = probe_rows(d, false);
    return std::all_of(
               rows.begin(), rows.end(),
               [&](std::uint64_t row) { return d.view.contains(row) == d.is_deleted(row); }) &&
           pass() == deleted_among(d, rows);
  };
  return {check, pass, probe_count};
}

job many(const dataset& d, bool ascending) {
  const auto pass = [&d, rows = probe_rows(d, ascending)] {
    d.view.contains_many(rows, output<std::uint8_t>());
    benchmark::ClobberMemory();
    return std::uint64_t{output<std::uint8_t>()[0]};
  };
  const auto check = [&d, pass, ascending] {
    pass();
    const auto rows = probe_rows(d, ascending);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (output<std::uint8_t>()[i] != (d.is_deleted(rows[i]) ? 1 : 0)) return false;
    }
    return true;
  };
  return {check, pass, probe_count};
}

}  // namespace

void register_probe() {
  for_each_tier([](dvk::tier tier, const std::string& suffix) {
    for (const std::string_view dataset : dataset_names) {
      for (const char* size : {"", "_100m"}) {
        const std::string name = std::string(dataset) + size;
        const std::string end = "/" + name + "/" + suffix;
        add("probe/single" + end, tier, [=] { return one_by_one(get_dataset(name), false); });
        add("probe/dependent" + end, tier, [=] { return one_by_one(get_dataset(name), true); });
        add("probe/unsorted" + end, tier, [=] { return many(get_dataset(name), false); });
        add("probe/sorted" + end, tier, [=] { return many(get_dataset(name), true); });
      }
    }
  });
}

}  // namespace dvk_bench
