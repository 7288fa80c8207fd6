// The comparisons of selection.hpp on every tier that this CPU can run.
#include "tests/variants/selection.hpp"

namespace {

namespace compare = dvk_test::selection_comparisons;
using dvk::detail::selection_table;

class selection_variants : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (dvk::dispatch::tier_list[GetParam()] > dvk::best_tier()) {
      GTEST_SKIP() << "this machine cannot run tier "
                   << dvk::tier_name(dvk::dispatch::tier_list[GetParam()]);
    }
  }
  const selection_table& kernels() const { return dvk::detail::selection_tables(GetParam()); }
};

TEST_P(selection_variants, indices) {
  compare::indices(kernels());
}
TEST_P(selection_variants, fill_and_hints) {
  compare::fill_and_hints(kernels());
}
TEST_P(selection_variants, edges) {
  compare::edges(kernels());
}
TEST_P(selection_variants, iota_and_decode) {
  compare::iota_and_decode(kernels());
}
TEST_P(selection_variants, popcount) {
  compare::popcount(kernels());
}
TEST_P(selection_variants, bits_and_bytes) {
  compare::bits_and_bytes(kernels());
}
TEST_P(selection_variants, filter) {
  compare::filter(kernels());
}
TEST_P(selection_variants, lying_payloads_stay_in_bounds) {
  compare::lying_payloads_stay_in_bounds(kernels());
}

INSTANTIATE_TEST_SUITE_P(tiers, selection_variants,
                         ::testing::Range(std::size_t{0}, dvk::dispatch::tier_count),
                         [](const auto& i) {
                           return std::string(dvk::tier_name(dvk::dispatch::tier_list[i.param]));
                         });

}  // namespace
