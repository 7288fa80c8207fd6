// Runs a call again and again, with its first, second... allocation failing, until none does.
#pragma once

#include <gtest/gtest.h>

#include "dvk/result.hpp"
#include "tests/faults/allocations.hpp"

namespace dvk_test {

// `body` answers an error; all that it makes is gone when it returns, so that nothing may be held
// after it. Returns how many allocations the undisturbed call makes. `optional` of them at most may
// fail without harm: std::stable_sort, say, has a slower way.
template <class Body>
std::uint64_t fail_each_allocation(Body body, int optional = 0) {
  EXPECT_EQ(body(), dvk::error{}) << "undisturbed";  // and keeps what is kept from first use on
  for (const failure how : {failure::once, failure::from_there_on}) {
    int harmless = 0;
    for (std::uint64_t n = 0;; ++n) {
      const allocation_meter meter;
      dvk::error answer;
      bool happened = false;
      {
        const failing_allocation now(n, how);
        answer = body();
        happened = now.happened();
      }
      const std::int64_t held = meter.held();
      EXPECT_EQ(held, 0) << "leaked when allocation " << n << " failed";
      if (!happened) {
        EXPECT_EQ(answer, dvk::error{});
        if (how == failure::from_there_on) return n;
        break;
      }
      if (answer == dvk::error{} && ++harmless <= optional) continue;
      EXPECT_EQ(answer.code, dvk::error_code::out_of_memory)
          << "allocation " << n << ": " << answer.message();
      if (::testing::Test::HasFailure()) return 0;
    }
  }
  return 0;
}

}  // namespace dvk_test
