// The comparisons of validate.hpp on every tier that this CPU can run.
#include "tests/variants/validate.hpp"

namespace {

namespace compare = dvk_test::validate_comparisons;
using dvk::detail::validate_table;

class Validate : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const dvk::tier tier = dvk::dispatch::tier_list[GetParam()];
    if (tier > dvk::best_tier()) GTEST_SKIP() << "this CPU lacks " << dvk::tier_name(tier);
  }
  const validate_table& table() const { return dvk::detail::validate_tables(GetParam()); }
};

TEST_P(Validate, ArraysOfEveryLength) {
  compare::arrays_of_every_length(table());
}
TEST_P(Validate, ArrayFaultsAtEverySeam) {
  compare::array_faults_at_every_seam(table());
}
TEST_P(Validate, ArraysCompareUnsigned) {
  compare::arrays_compare_unsigned(table());
}
TEST_P(Validate, RandomArrays) {
  compare::random_arrays(table());
}
TEST_P(Validate, Bitsets) {
  compare::bitsets(table());
}
TEST_P(Validate, RunsOfEveryLength) {
  compare::runs_of_every_length(table());
}
TEST_P(Validate, RunFaultsAtEverySeam) {
  compare::run_faults_at_every_seam(table());
}

INSTANTIATE_TEST_SUITE_P(Tiers, Validate, testing::Range(std::size_t{0}, dvk::dispatch::tier_count),
                         [](const auto& tier) {
                           return std::string(dvk::tier_name(dvk::dispatch::tier_list[tier.param]));
                         });

}  // namespace
