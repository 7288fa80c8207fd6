// The comparisons of setops.hpp on every tier that this CPU can run.
#include "tests/variants/setops.hpp"

namespace {

namespace compare = dvk_test::setops_comparisons;
using dvk::detail::setops_table;

class setops : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (dvk::dispatch::tier_list[GetParam()] > dvk::best_tier())
      GTEST_SKIP() << "this CPU has no such tier";
  }
  const setops_table& kernels() const { return dvk::detail::setops_tables(GetParam()); }
};

TEST_P(setops, arrays) {
  compare::arrays(kernels());
}
TEST_P(setops, run_lists) {
  compare::run_lists(kernels());
}
TEST_P(setops, runs_that_lie) {
  compare::runs_that_lie(kernels());
}
TEST_P(setops, arrays_that_lie) {
  compare::arrays_that_lie(kernels());
}
TEST_P(setops, facts_and_conversions) {
  compare::facts_and_conversions(kernels());
}
TEST_P(setops, a_run_past_the_end_is_cut) {
  compare::a_run_past_the_end_is_cut(kernels());
}
TEST_P(setops, bitsets) {
  compare::bitsets(kernels());
}

INSTANTIATE_TEST_SUITE_P(tiers, setops, ::testing::Range(std::size_t{0}, dvk::dispatch::tier_count),
                         [](const auto& info) {
                           return std::string(dvk::tier_name(dvk::dispatch::tier_list[info.param]));
                         });

}  // namespace
