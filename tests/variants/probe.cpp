// The comparisons of probe.hpp on every tier that this CPU can run.
#include "tests/variants/probe.hpp"

namespace {

namespace compare = dvk_test::probe_comparisons;
using dvk::detail::probe_table;

class Probe : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const dvk::tier tier = dvk::dispatch::tier_list[GetParam()];
    if (tier > dvk::best_tier()) GTEST_SKIP() << "this CPU lacks " << dvk::tier_name(tier);
  }
  const probe_table& table() const { return dvk::detail::probe_tables(GetParam()); }
};

TEST_P(Probe, PointsInContainersOfEverySize) {
  compare::points_in_containers_of_every_size(table());
}
TEST_P(Probe, PointsInRandomContainers) {
  compare::points_in_random_containers(table());
}
TEST_P(Probe, BatchesOfEveryLength) {
  compare::batches_of_every_length(table());
}
TEST_P(Probe, RandomBatches) {
  compare::random_batches(table());
}
TEST_P(Probe, AscendingRows) {
  compare::ascending_rows(table());
}
TEST_P(Probe, LyingPayloadsStayInBounds) {
  compare::lying_payloads_stay_in_bounds(table());
}

INSTANTIATE_TEST_SUITE_P(Tiers, Probe, testing::Range(std::size_t{0}, dvk::dispatch::tier_count),
                         [](const auto& tier) {
                           return std::string(dvk::tier_name(dvk::dispatch::tier_list[tier.param]));
                         });

}  // namespace
