// Probes: CRoaring's contains (and containsBulk for ascending rows, where its context pays).
#include <benchmark/benchmark.h>

#include "bench/peers/peers.hpp"
#include "bench/positions.hpp"

namespace dvk_bench::peers {
namespace {

template <class Pass>
job probe_job(const dataset& d, bool ascending, Pass pass) {
  const auto check = [&d, ascending, pass] {
    return pass() == deleted_among(d, probe_rows(d, ascending));
  };
  return {check, pass, probe_count};
}

job contains(const dataset& d) {
  return probe_job(d, false, [bitmap = roaring32(d), rows = probe_rows(d, false)] {
    std::uint64_t deleted = 0;
    for (const std::uint64_t row : rows) {
      deleted += roaring_bitmap_contains(bitmap, static_cast<std::uint32_t>(row)) ? 1 : 0;
    }
    return deleted;
  });
}

job contains_dependent(const dataset& d) {
  return probe_job(d, false, [bitmap = roaring32(d), rows = probe_rows(d, false)] {
    return probe_dependent(rows, [&](std::uint64_t row) {
      return roaring_bitmap_contains(bitmap, static_cast<std::uint32_t>(row));
    });
  });
}

// A byte per probe, as contains_many writes.
job contains_bytes(const dataset& d) {
  return probe_job(d, false, [bitmap = roaring32(d), rows = probe_rows(d, false)] {
    std::uint64_t deleted = 0;
    std::uint8_t* out = output<std::uint8_t>().data();
    for (const std::uint64_t row : rows) {
      const bool is = roaring_bitmap_contains(bitmap, static_cast<std::uint32_t>(row));
      *out++ = is ? 1 : 0;
      deleted += is ? 1 : 0;
    }
    return deleted;
  });
}

job contains_bulk_sorted(const dataset& d) {
  return probe_job(d, true, [bitmap = roaring32(d), rows = probe_rows(d, true)] {
    roaring_bulk_context_t context = {};
    std::uint64_t deleted = 0;
    std::uint8_t* out = output<std::uint8_t>().data();
    for (const std::uint64_t row : rows) {
      const bool is =
          roaring_bitmap_contains_bulk(bitmap, &context, static_cast<std::uint32_t>(row));
      *out++ = is ? 1 : 0;
      deleted += is ? 1 : 0;
    }
    return deleted;
  });
}

}  // namespace

void register_probe() {
  for (const std::string_view dataset : dataset_names) {
    for (const char* size : {"", "_100m"}) {
      const std::string name = std::string(dataset) + size;
      add("peer/croaring_contains/" + name, std::nullopt,
          [=] { return contains(get_dataset(name)); });
      add("peer/croaring_contains_dependent/" + name, std::nullopt,
          [=] { return contains_dependent(get_dataset(name)); });
      add("peer/croaring_contains_unsorted/" + name, std::nullopt,
          [=] { return contains_bytes(get_dataset(name)); });
      add("peer/croaring_contains_bulk_sorted/" + name, std::nullopt,
          [=] { return contains_bulk_sorted(get_dataset(name)); });
    }
  }
}

}  // namespace dvk_bench::peers
