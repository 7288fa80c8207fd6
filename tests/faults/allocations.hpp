// The process's allocations, watched: how much is held, and what happens when one fails. Works by
// standing in for malloc and its kin, which the C libraries below dvk call as well as operator new.
#pragma once

#include <cstdint>

namespace dvk_test {

// Bytes held more than when the meter was made, and the most that there were. One at a time, in one
// thread.
class allocation_meter {
 public:
  allocation_meter() noexcept;
  [[nodiscard]] std::int64_t held() const noexcept;
  [[nodiscard]] std::int64_t peak() const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept;
};

// Nests.
void set_exempt(bool begins) noexcept;

// Calls `body`, in which no allocation fails or is numbered.
auto unfailing(auto body) {
  struct exemption {
    exemption() { set_exempt(true); }
    ~exemption() { set_exempt(false); }
  };
  const exemption scope;
  return body();
}

enum class failure { once, from_there_on };

// While it lives, the allocation numbered `at` (from 0) fails, or that and all after it.
class failing_allocation {
 public:
  explicit failing_allocation(std::uint64_t at, failure how = failure::once) noexcept;
  failing_allocation(const failing_allocation&) = delete;
  failing_allocation& operator=(const failing_allocation&) = delete;
  ~failing_allocation();

  // Whether it came to that.
  [[nodiscard]] static bool happened() noexcept;
};

}  // namespace dvk_test
