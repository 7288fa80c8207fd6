// The input is a bare 64-bit Roaring bitmap. Promised, against CRoaring's safe reader and validator
// as a second opinion:
// - what both accept has the same rows;
// - what dvk accepts, CRoaring accepts, but for what it refuses alone (README.md: touching runs);
// - what CRoaring accepts, dvk accepts, or refuses with one of the codes of the rules that CRoaring
//   does not have (README.md lists them).
#include <roaring/roaring64.h>

#include <memory>

#include "tests/fuzz/input.hpp"
#include "tests/fuzz/mutate_bitmap.hpp"
#include "tests/fuzz/view_checks.hpp"

namespace {

using namespace dvk_fuzz;
using dvk::error_code;

struct freed {
  void operator()(roaring64_bitmap_t* r) const noexcept { roaring64_bitmap_free(r); }
  void operator()(roaring64_iterator_t* i) const noexcept { roaring64_iterator_free(i); }
};
using bitmap = std::unique_ptr<roaring64_bitmap_t, freed>;
using iterator = std::unique_ptr<roaring64_iterator_t, freed>;

bitmap read(std::span<const std::byte> bytes) {
  bitmap r(roaring64_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(bytes.data()),
                                                      bytes.size()));
  const char* reason = nullptr;
  if (r && !roaring64_bitmap_internal_validate(r.get(), &reason)) r.reset();
  return r;
}

// Rules of dvk that CRoaring's reader does not have.
bool only_ours(error_code code) {
  return code == error_code::trailing_bytes || code == error_code::offset_mismatch ||
         code == error_code::key_out_of_range || code == error_code::run_cardinality;
}

// Whether a run starts right after the one before it.
bool runs_touch(const dvk::deletion_vector& dv) {
  for (std::size_t i = 0; i < dv.container_count(); ++i) {
    const dvk::container_info c = dv.container(i);
    const auto payload = dv.bytes().subspan(c.offset, c.bytes);
    input runs(payload.subspan(c.kind == dvk::container_kind::run ? 2 : payload.size()));
    for (std::uint32_t n = 0, end = 0; n < c.runs; ++n) {
      const std::uint32_t start = runs.number<std::uint16_t>();
      if (n != 0 && start == end) return true;
      end = start + runs.number<std::uint16_t>() + 1;
    }
  }
  return false;
}

void check_same_rows(const dvk::deletion_vector& dv, const roaring64_bitmap_t* peer) {
  const auto ranges = check_view(dv);
  PROMISE(roaring64_bitmap_get_cardinality(peer) == dv.cardinality());
  if (ranges.size() > 2000 || dv.cardinality() > (std::uint64_t{1} << 21)) {
    // Too many rows to go through one by one, so range by range.
    for (const std::size_t i : sample(ranges.size(), 2000))
      PROMISE(roaring64_bitmap_contains_range(peer, ranges[i].start, end_of(ranges[i])));
    return;
  }
  const iterator at(roaring64_iterator_create(peer));
  for (const dvk::row_range& r : ranges) {
    for (std::uint64_t row = r.start; row != end_of(r); ++row) {
      PROMISE(roaring64_iterator_has_value(at.get()) && roaring64_iterator_value(at.get()) == row);
      roaring64_iterator_advance(at.get());
    }
  }
  PROMISE(!roaring64_iterator_has_value(at.get()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = bytes_of(data, size);
  const auto dv = dvk::deletion_vector::open_bitmap(bytes);
  const bitmap peer = read(bytes);
  if (dv && peer) {
    check_same_rows(*dv, peer.get());
  } else if (dv) {
    PROMISE(runs_touch(*dv));
  } else if (peer) {
    PROMISE(only_ours(dv.error().code));
  }
  return 0;
}

DVK_MUTATE_AS(mutate_bitmap)
