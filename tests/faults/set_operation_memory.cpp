// What a set operation allocates: its result, once, and at most 24 bytes a container on top. The
// result may be reserved longer than it becomes, where only the rows tell how long that is; what is
// past its end is then never touched, and takes no memory.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "dvk/builder.hpp"
#include "tests/faults/allocations.hpp"

namespace {

using dvk_test::allocation_meter;
using rows_t = std::vector<std::uint64_t>;
using bytes_t = std::vector<std::byte>;

constexpr std::uint64_t chunks = 64;
constexpr std::uint64_t rows_of_a_file = chunks * 65536;

// Runs of `length` rows, one every `step` rows, from `first` on. Serialised as arrays, bitsets or
// runs.
rows_t rows(std::uint64_t first, std::uint64_t length, std::uint64_t step) {
  rows_t out;
  for (std::uint64_t start = first; start % rows_of_a_file + length < rows_of_a_file &&
                                    start / rows_of_a_file == first / rows_of_a_file;
       start += step) {
    for (std::uint64_t i = 0; i < length; ++i)
      out.push_back(start + i);
  }
  return out;
}

struct vector_of {
  explicit vector_of(const rows_t& list)
      : bytes(dvk::serialize_positions(list, dvk::output_form::bitmap).value()),
        dv(dvk::deletion_vector::open_bitmap(bytes).value()) {}
  bytes_t bytes;
  dvk::deletion_vector dv;
};

// Bytes of those pages of a block that are in memory.
std::size_t resident(const std::byte* block, std::size_t size) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(block) / page * page;
  const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(block) + size;
  std::vector<unsigned char> in_memory((to - from + page - 1) / page);
  EXPECT_EQ(mincore(reinterpret_cast<void*>(from), to - from, in_memory.data()), 0);
  std::size_t pages = 0;
  for (const unsigned char flag : in_memory)
    pages += flag & 1;
  return pages * page;
}

using operation = dvk::result<bytes_t> (*)(const dvk::deletion_vector&, const dvk::deletion_vector&,
                                           dvk::output_form,
                                           const dvk::serialize_options&) noexcept;
struct named_operation {
  const char* name;
  operation run;
};
constexpr named_operation unite{"union", dvk::set_union};
constexpr named_operation intersect{"intersection", dvk::set_intersection};
constexpr named_operation subtract{"difference", dvk::set_difference};
constexpr named_operation differ{"symmetric difference", dvk::set_symmetric_difference};

// `told`: the directories of both vectors tell the length of the result.
void expect_bounded(const named_operation& op, const vector_of& a, const vector_of& b, bool told) {
  SCOPED_TRACE(op.name);
  const allocation_meter meter;
  const dvk::result<bytes_t> out = op.run(a.dv, b.dv, dvk::output_form::bitmap, {});
  const std::int64_t peak = meter.peak();
  ASSERT_TRUE(out);
  const auto result = dvk::deletion_vector::open_bitmap(*out);
  ASSERT_TRUE(result);
  const auto size = static_cast<std::int64_t>(out->size());
  const auto block = static_cast<std::int64_t>(out->capacity());
  // Blocks of malloc's own are whole pages.
  constexpr std::int64_t rounding = 4096 + 64;
  const auto on_top = static_cast<std::int64_t>(
      24 * (a.dv.container_count() + b.dv.container_count() + result->container_count()));
  EXPECT_LE(peak, block + on_top + rounding);
  if (told) {
    EXPECT_LE(peak, size + on_top + rounding);
  }
  ASSERT_GE(block, 65536) << "too short to tell";
  EXPECT_LE(resident(out->data(), out->capacity()), static_cast<std::size_t>(size) + 2 * 4096);
}

class set_operation_memory : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Long blocks have pages of their own, which are there once they are touched, and are small.
    ASSERT_EQ(mallopt(M_MMAP_THRESHOLD, 32768), 1);
    ASSERT_EQ(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
  }

  // Vectors of one kind of container. Where rows are disjoint, the lengths of both sides tell how
  // long all is that keeps rows of both; a bitset is as long as a bitset.
  static void expect_all_bounded(dvk::container_kind kind, const rows_t& list,
                                 const rows_t& disjoint, const rows_t& overlapping) {
    rows_t later = list;
    for (auto& row : later)
      row += rows_of_a_file;
    const vector_of a(list), b(disjoint), c(overlapping), d(later);
    for (const vector_of* v : {&a, &b, &c, &d})
      ASSERT_EQ(v->dv.container(chunks / 2).kind, kind);
    const bool bitsets = kind == dvk::container_kind::bitset;
    const auto expect = [&](const char* what, const vector_of& other, bool told_if_united,
                            bool told_if_different) {
      SCOPED_TRACE(what);
      expect_bounded(unite, a, other, told_if_united);
      expect_bounded(differ, a, other, told_if_different);
      expect_bounded(subtract, a, other, false);
      if (&other != &d) expect_bounded(intersect, a, other, false);
    };
    expect("disjoint", b, true, true);
    expect("in other chunks", d, true, true);
    expect("overlapping", c, bitsets, bitsets);
    expect("equal", a, bitsets, false);
  }
};

TEST_F(set_operation_memory, is_bounded_for_arrays) {
  expect_all_bounded(dvk::container_kind::array, rows(0, 1, 80), rows(40, 1, 80), rows(0, 1, 120));
}
TEST_F(set_operation_memory, is_bounded_for_bitsets) {
  expect_all_bounded(dvk::container_kind::bitset, rows(0, 1, 8), rows(2, 1, 8), rows(0, 1, 12));
}
TEST_F(set_operation_memory, is_bounded_for_runs) {
  expect_all_bounded(dvk::container_kind::run, rows(0, 20, 200), rows(100, 20, 200),
                     rows(10, 20, 200));
}

// Pages that are touched count: half of a block, and then all of it.
TEST_F(set_operation_memory, is_seen) {
  constexpr std::size_t size = 1 << 20;
  const std::unique_ptr<std::byte[]> block(new std::byte[size]);
  EXPECT_LE(resident(block.get(), size), 2 * 4096u);
  std::fill_n(block.get(), size / 2, std::byte{1});
  EXPECT_GE(resident(block.get(), size), size / 2);
  EXPECT_LE(resident(block.get(), size), size / 2 + 2 * 4096);
  std::fill_n(block.get(), size, std::byte{1});
  EXPECT_GE(resident(block.get(), size), size);
}

}  // namespace
