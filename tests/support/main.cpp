// Entry point of every test program: prints the tier under test, and the seed of the random cases.
#include <gtest/gtest.h>

#include <cstdio>

#include "dvk/dispatch.hpp"
#include "tests/support/random.hpp"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto info = dvk::build_info();
  std::printf(
      "dvk %.*s, tier %.*s of %.*s, seed %llu (DVK_TEST_SEED), cases x%g (DVK_TEST_CASES)\n",
      static_cast<int>(info.version.size()), info.version.data(),
      static_cast<int>(dvk::tier_name(info.active).size()), dvk::tier_name(info.active).data(),
      static_cast<int>(dvk::tier_name(info.best).size()), dvk::tier_name(info.best).data(),
      static_cast<unsigned long long>(dvk_test::seed()), dvk_test::case_factor());
  return RUN_ALL_TESTS();
}
