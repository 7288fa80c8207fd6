// Opening: CRoaring's safe deserialisation and its internal validation, which together check what
// dvk's standard level does.
#include <benchmark/benchmark.h>

#include <vector>

#include "bench/peers/peers.hpp"

namespace dvk_bench::peers {
namespace {

// Whether CRoaring, given the oracle's rows and run-optimised, writes the dataset's bytes: what we
// measure on is what writers make.
bool writes_same_bytes(const dataset& d) {
  roaring64_bitmap_t* const bitmap = roaring64_bitmap_create();
  const auto positions = d.positions();
  roaring64_bitmap_add_many(bitmap, positions.size(), positions.data());
  roaring64_bitmap_run_optimize(bitmap);
  std::vector<char> bytes(roaring64_bitmap_portable_size_in_bytes(bitmap));
  roaring64_bitmap_portable_serialize(bitmap, bytes.data());
  roaring64_bitmap_free(bitmap);
  const auto ours = d.bitmap();
  return std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const char*>(ours.data()),
                    reinterpret_cast<const char*>(ours.data()) + ours.size());
}

job deserialize_validate32(const dataset& d) {
  const auto pass = [bytes = d.bitmap32()] {
    roaring_bitmap_t* const bitmap = roaring_bitmap_portable_deserialize_safe(
        reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const char* reason = nullptr;
    if (bitmap == nullptr || !roaring_bitmap_internal_validate(bitmap, &reason))
      return ~std::uint64_t{0};
    const std::uint64_t cardinality = roaring_bitmap_get_cardinality(bitmap);
    roaring_bitmap_free(bitmap);
    return cardinality;
  };
  return {[&d, pass] { return pass() == d.deleted && writes_same_bytes(d); }, pass, 1,
          d.bitmap().size()};
}

job deserialize_validate64(const dataset& d) {
  const auto pass = [bytes = d.bitmap()] {
    roaring64_bitmap_t* const bitmap = roaring64_bitmap_portable_deserialize_safe(
        reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const char* reason = nullptr;
    if (bitmap == nullptr || !roaring64_bitmap_internal_validate(bitmap, &reason))
      return ~std::uint64_t{0};
    const std::uint64_t cardinality = roaring64_bitmap_get_cardinality(bitmap);
    roaring64_bitmap_free(bitmap);
    return cardinality;
  };
  return {[&d, pass] { return pass() == d.deleted; }, pass, 1, d.bitmap().size()};
}

}  // namespace

void register_open() {
  for (const std::string_view dataset : dataset_names) {
    for (const char* size : {"", "_100m"}) {
      const std::string name = std::string(dataset) + size;
      // The 32-bit form is the faster of the two; it has no empty file to read.
      if (dataset != "empty") {
        add("peer/croaring_deserialize_validate/" + name, std::nullopt,
            [=] { return deserialize_validate32(get_dataset(name)); });
      }
      add("peer/croaring64_deserialize_validate/" + name, std::nullopt,
          [=] { return deserialize_validate64(get_dataset(name)); });
    }
  }
}

}  // namespace dvk_bench::peers
