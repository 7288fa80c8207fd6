// The input is a bare 64-bit Roaring bitmap. Promised, for any bytes:
// - each level answers with a vector or with a fault that lies in the bytes;
// - what a level refuses, the levels above it refuse too: what trusted does for the same reason at
//   the same byte, and so does standard for strict. What all accept has the same rows;
// - a vector's questions and batches all say the same rows;
// - what the caller knows (cardinality, rows of the file, largest size) is held against the bytes;
// - memory is what memory_bytes says, below container_overhead, and all of it is given back.
#include <cstdlib>

#include "tests/fuzz/batch_checks.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/mutate_bitmap.hpp"
#include "tests/fuzz/view_checks.hpp"

namespace {

using dvk::deletion_vector;
using dvk::error_code;
using dvk::validation;
using namespace dvk_fuzz;

struct heap {
  std::size_t live = 0;
  std::size_t peak = 0;

  static void* allocate(void* context, std::size_t bytes) noexcept {
    auto& h = *static_cast<heap*>(context);
    h.live += bytes;
    h.peak = std::max(h.peak, h.live);
    return std::malloc(bytes);
  }
  static void release(void* context, void* block, std::size_t bytes) noexcept {
    static_cast<heap*>(context)->live -= bytes;
    std::free(block);
  }
};

void check_memory(std::span<const std::byte> bytes) {
  heap h;
  {
    const auto dv = deletion_vector::open_bitmap(
        bytes, {.memory = {.allocate = heap::allocate, .release = heap::release, .context = &h}});
    PROMISE(h.live == (dv ? dv->memory_bytes() : 0));
    PROMISE(h.peak <= deletion_vector::container_overhead(bytes.size()));
  }
  PROMISE(h.live == 0);
}

void check_callers_facts(std::span<const std::byte> bytes, const deletion_vector& dv) {
  const std::uint64_t rows = dv.empty() ? 0 : *dv.max() + 1;
  const std::uint64_t n = dv.cardinality();
  PROMISE(deletion_vector::open_bitmap(
              bytes, {.expected_cardinality = n, .row_count = rows, .max_bytes = bytes.size()})
              .has_value());
  PROMISE(deletion_vector::open_bitmap(bytes, {.expected_cardinality = n + 1}).error().code ==
          error_code::cardinality_mismatch);
  PROMISE(deletion_vector::open_bitmap(bytes, {.max_bytes = bytes.size() - 1}).error().code ==
          error_code::limit_exceeded);
  if (rows != 0) {
    PROMISE(deletion_vector::open_bitmap(bytes, {.row_count = rows - 1}).error().code ==
            error_code::position_out_of_range);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = bytes_of(data, size);
  const auto trusted = deletion_vector::open_bitmap(bytes, {.level = validation::trusted});
  const auto standard = deletion_vector::open_bitmap(bytes);
  const auto strict = deletion_vector::open_bitmap(bytes, {.level = validation::strict});
  check_memory(bytes);
  if (!trusted) {
    check_error(trusted.error(), size);
    PROMISE(!standard && same_fault(standard.error(), trusted.error()));
  }
  if (!standard) {
    check_error(standard.error(), size);
    PROMISE(!strict && same_fault(strict.error(), standard.error()));
    if (trusted) visit(*trusted);
    return 0;
  }
  const auto ranges = check_view(*standard);
  PROMISE(trusted->cardinality() == standard->cardinality());
  PROMISE(ranges_of(*trusted) == ranges);
  if (strict) {
    PROMISE(ranges_of(*strict) == ranges);
  } else {
    check_error(strict.error(), size);
    PROMISE(strict.error().code == error_code::not_canonical ||
            strict.error().code == error_code::key_out_of_range);
  }
  check_callers_facts(bytes, *standard);
  check_batches(*standard, ranges, digest(bytes));
  return 0;
}

DVK_MUTATE_AS(dvk_fuzz::mutate_bitmap)
