// Set operations on opened vectors against std algorithms on lists of rows, and their bytes against
// the plain writer.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "dvk/builder.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/random.hpp"

namespace {

using dvk::deletion_vector;
using dvk::error_code;
using dvk_test::below;
using rows_t = std::vector<std::uint64_t>;
using bytes_t = std::vector<std::byte>;

bytes_t bitmap_of(const rows_t& rows, dvk_test::bitmap_options options = {}) {
  dvk_test::bitmap_writer writer(std::move(options));
  for (const auto row : rows)
    writer.add(row);
  return writer.bitmap64();
}

struct opened {
  opened(const rows_t& list, dvk_test::bitmap_options options)
      : rows(list),
        bytes(bitmap_of(list, std::move(options))),
        result(deletion_vector::open_bitmap(bytes)) {
    EXPECT_TRUE(result) << result.error().message();
  }
  const deletion_vector& dv() const { return *result; }
  rows_t rows;
  bytes_t bytes;
  dvk::result<deletion_vector> result;
};

// A vector with chunks of every form; `shape` bits decide what stands in each, so that all pairs of
// forms meet.
rows_t random_rows(std::mt19937_64& rng) {
  rows_t rows;
  const std::size_t chunks = below(rng, 7);
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::uint64_t key = below(rng, 5) == 0 ? 1 + below(rng, 2) : 0;
    const std::uint64_t base = key << 32 | below(rng, 6) << 16;
    switch (below(rng, 7)) {
      case 0:
        for (int i = 0; i < 50; ++i)
          rows.push_back(base + below(rng, 65536));
        break;
      case 1:
        for (int i = 0; i < 4000; ++i)
          rows.push_back(base + below(rng, 65536));
        break;
      case 2:
        for (int i = 0; i < 30000; ++i)
          rows.push_back(base + below(rng, 65536));
        break;
      case 3:
        for (int i = 0; i < 65536; ++i)
          rows.push_back(base + static_cast<std::uint64_t>(i));
        break;
      case 4:
        for (int i = 0; i < 20; ++i) {
          const auto start = below(rng, 65000);
          for (std::uint64_t k = 0; k < below(rng, 500); ++k)
            rows.push_back(base + start + k);
        }
        break;
      case 5:
        for (std::uint64_t i = 0; i < 65536; ++i) {
          if (i % 40 < 25 + i % 3) rows.push_back(base + i);
        }
        break;
      default:
        for (int i = 0; i < 65536; i += 2)
          rows.push_back(base + static_cast<std::uint64_t>(i));
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

dvk_test::bitmap_options random_options(std::mt19937_64& rng) {
  using dvk_test::run_rule;
  const run_rule rules[] = {run_rule::smallest, run_rule::never, run_rule::always};
  return {.runs = rules[below(rng, 3)], .gap_bitmaps = below(rng, 4) == 0};
}

TEST(setops, agree_with_lists_of_rows_and_are_canonical) {
  auto rng = dvk_test::generator(21);
  for (std::size_t round = 0; round < dvk_test::cases(50); ++round) {
    SCOPED_TRACE(round);
    const rows_t list = random_rows(rng);
    rows_t other = below(rng, 3) == 0 ? list : random_rows(rng);
    if (!other.empty() && below(rng, 2) == 0)
      other.erase(other.begin() + static_cast<std::ptrdiff_t>(below(rng, other.size())));
    const opened a(list, random_options(rng)), b(other, random_options(rng));
    rows_t both, either, first, one;
    std::set_intersection(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                          std::back_inserter(both));
    std::set_union(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                   std::back_inserter(either));
    std::set_difference(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                        std::back_inserter(first));
    std::set_symmetric_difference(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                                  std::back_inserter(one));
    ASSERT_TRUE(dvk::set_intersection(a.dv(), b.dv()).value() == bitmap_of(both));
    ASSERT_TRUE(dvk::set_union(a.dv(), b.dv()).value() == bitmap_of(either));
    ASSERT_TRUE(dvk::set_difference(a.dv(), b.dv()).value() == bitmap_of(first));
    ASSERT_TRUE(dvk::set_symmetric_difference(a.dv(), b.dv()).value() == bitmap_of(one));
    ASSERT_EQ(dvk::is_subset(a.dv(), b.dv()), first.empty());
    ASSERT_EQ(dvk::equals(a.dv(), b.dv()), one.empty());
    ASSERT_TRUE(dvk::equals(a.dv(), a.dv()));
    ASSERT_EQ(dvk::rows_newly_deleted(b.dv(), a.dv()), first.size());

    dvk::deletion_vector_builder merged;
    ASSERT_EQ(merged.merge(a.dv()).code, error_code::ok);
    ASSERT_EQ(merged.merge(b.dv()).code, error_code::ok);
    const auto bytes = merged.serialize_bitmap().value();
    const auto reopened =
        deletion_vector::open_bitmap(bytes, {.expected_cardinality = either.size()});
    ASSERT_TRUE(reopened) << reopened.error().message();
    const auto united = bitmap_of(either);
    ASSERT_TRUE(dvk::equals(*reopened, *deletion_vector::open_bitmap(united)));
  }
}

TEST(setops, blob_form_and_limits) {
  const opened a({1, 2, 3, 70000}, {}), b({3, 4}, {});
  const auto blob = dvk::set_union(a.dv(), b.dv(), dvk::output_form::blob).value();
  const auto back = deletion_vector::open_blob(
      blob, {.level = dvk::validation::strict, .expected_cardinality = 5});
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(back->contains(4) && back->contains(70000));
  EXPECT_TRUE(dvk::set_union(a.dv(), b.dv(), dvk::output_form::blob, {.max_bytes = blob.size()}));
  EXPECT_EQ(dvk::set_union(a.dv(), b.dv(), dvk::output_form::blob, {.max_bytes = blob.size() - 1})
                .error()
                .code,
            error_code::limit_exceeded);
  const deletion_vector empty;
  EXPECT_EQ(dvk::set_union(empty, empty).value().size(), 8u);
  EXPECT_TRUE(dvk::is_subset(empty, a.dv()));
  EXPECT_FALSE(dvk::is_subset(a.dv(), empty));
  EXPECT_TRUE(dvk::equals(empty, empty));
}

// Payloads that lie, behind headers that do not, opened as trusted: any rows, but no bad access
// (sanitizers see to that).
TEST(setops, lying_payloads_do_no_harm) {
  auto rng = dvk_test::generator(22);
  for (std::size_t round = 0; round < dvk_test::cases(30); ++round) {
    const opened sound(random_rows(rng), random_options(rng));
    opened lie(random_rows(rng), random_options(rng));
    const auto places = deletion_vector::open_bitmap(lie.bytes);
    for (std::size_t i = 0; i < places->container_count(); ++i) {
      const auto c = places->container(i);
      const std::uint64_t skip = c.kind == dvk::container_kind::run ? 2 : 0;
      for (std::uint64_t k = skip; k < c.bytes; ++k)
        lie.bytes[c.offset + k] = static_cast<std::byte>(rng());
    }
    const auto dv = deletion_vector::open_bitmap(lie.bytes, {.level = dvk::validation::trusted});
    if (!dv) continue;
    for (const auto& operation : {dvk::set_union, dvk::set_intersection, dvk::set_difference,
                                  dvk::set_symmetric_difference}) {
      EXPECT_TRUE(operation(*dv, sound.dv(), dvk::output_form::bitmap, {}));
      EXPECT_TRUE(operation(sound.dv(), *dv, dvk::output_form::bitmap, {}));
      EXPECT_TRUE(operation(*dv, *dv, dvk::output_form::bitmap, {}));
    }
    (void)dvk::equals(*dv, sound.dv());
    dvk::deletion_vector_builder b;
    const auto merged = b.merge(*dv);
    EXPECT_TRUE(merged.code == error_code::ok || merged.code == error_code::array_order ||
                merged.code == error_code::invalid_argument)
        << merged.message();
    EXPECT_EQ(b.remove_range(1000, 100000).code, error_code::ok);
    EXPECT_TRUE(b.serialize_bitmap());
  }
}

}  // namespace
