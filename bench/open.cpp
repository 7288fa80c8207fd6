// open/<level>/<dataset>/<tier>: bytes to a usable view and back (items are opens); `blob` is the
// standard level with the frame and its CRC. validate/<kind>/<dataset>/<tier>: the validation
// kernels alone, over all containers of that kind.
#include <benchmark/benchmark.h>

#include <vector>

#include "bench/datasets.hpp"
#include "bench/suite.hpp"
#include "dispatch/tables.hpp"
#include "dvk/deletion_vector.hpp"
#include "validate/validate.hpp"

namespace dvk_bench {
namespace {

using dvk::container_kind;

job open_bitmap(const dataset& d, dvk::validation level) {
  const auto pass = [&d, level] {
    const auto dv = dvk::deletion_vector::open_bitmap(d.bitmap(), {.level = level});
    return dv ? dv->cardinality() : ~std::uint64_t{0};
  };
  return {[&d, pass] { return pass() == d.deleted; }, pass, 1, d.bitmap().size()};
}

job open_blob(const dataset& d) {
  const auto pass = [&d] {
    const auto dv = dvk::deletion_vector::open_blob(d.blob);
    return dv ? dv->cardinality() : ~std::uint64_t{0};
  };
  return {[&d, pass] { return pass() == d.deleted; }, pass, 1, d.blob.size()};
}

struct payload {
  const std::uint8_t* values;
  std::uint32_t units;  // array values or runs
  std::uint32_t cardinality;
};

job validate(const dataset& d, container_kind kind) {
  std::vector<payload> payloads;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < d.view.container_count(); ++i) {
    const dvk::container_info c = d.view.container(i);
    if (c.kind != kind) continue;
    const auto* const start =
        reinterpret_cast<const std::uint8_t*>(d.view.bytes().data()) + c.offset;
    const bool runs = kind == container_kind::run;
    payloads.push_back({start + (runs ? 2 : 0), runs ? c.runs : c.cardinality, c.cardinality});
    bytes += c.bytes;
  }
  // Containers whose facts the kernels confirm.
  const auto pass = [payloads, kind] {
    const dvk::detail::validate_table& t = dvk::detail::active_validators();
    std::uint64_t valid = 0;
    for (const payload& p : payloads) {
      switch (kind) {
        case container_kind::array:
          valid += t.array_order(p.values, p.units) == p.units ? 1 : 0;
          break;
        case container_kind::bitset:
          valid += t.bitset_count(p.values) == p.cardinality ? 1 : 0;
          break;
        case container_kind::run: {
          const auto r = t.run_order(p.values, p.units);
          valid += r.fault == p.units && r.cardinality == p.cardinality ? 1 : 0;
        }
      }
    }
    return valid;
  };
  const std::uint64_t count = payloads.size();
  return {[pass, count] { return count != 0 && pass() == count; }, pass, count, bytes};
}

void register_dataset(dvk::tier tier, const std::string& name) {
  const std::string end = "/" + name + "/" + std::string(dvk::tier_name(tier));
  add("open/standard" + end, tier,
      [=] { return open_bitmap(get_dataset(name), dvk::validation::standard); });
  add("open/strict" + end, tier,
      [=] { return open_bitmap(get_dataset(name), dvk::validation::strict); });
  add("open/trusted" + end, tier,
      [=] { return open_bitmap(get_dataset(name), dvk::validation::trusted); });
  add("open/blob" + end, tier, [=] { return open_blob(get_dataset(name)); });
}

}  // namespace

void register_open() {
  struct row {
    const char* op;
    container_kind kind;
    std::vector<const char*> datasets;
  };
  const row rows[] = {
      {"array", container_kind::array, {"scattered300", "rand1pct", "rand3pct"}},
      {"bitset", container_kind::bitset, {"rand10pct", "rand50pct", "everyother"}},
      {"run", container_kind::run, {"shortruns5pct", "denseruns28pct", "clustered", "alldeleted"}},
  };
  for_each_tier([&](dvk::tier tier, const std::string& suffix) {
    for (const char* size : {"", "_100m"}) {
      for (const std::string_view name : dataset_names)
        register_dataset(tier, std::string(name) + size);
      for (const row& r : rows) {
        for (const char* dataset : r.datasets) {
          const std::string name = std::string(dataset) + size;
          add("validate/" + std::string(r.op) + "/" + name + "/" + suffix, tier,
              [name, kind = r.kind] { return validate(get_dataset(name), kind); });
        }
      }
    }
  });
}

}  // namespace dvk_bench
