// Runs a comparison of tests/variants on a table of kernels in a process of its own, to see whether
// it passes, finds a difference, or dies of an access outside a guarded buffer.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace dvk_test {

enum class verdict { passes, differs, leaves_its_bounds, unclear };

inline std::ostream& operator<<(std::ostream& out, verdict v) {
  constexpr const char* names[] = {"passes", "differs", "leaves its bounds", "unclear"};
  return out << names[static_cast<int>(v)];
}

namespace judge_detail {
// Fewer random cases, as they are asked for under a sanitizer, may miss a fault by chance.
inline const bool all_cases = setenv("DVK_TEST_CASES", "1", 1) == 0;

constexpr int differs_status = 41, outside_status = 42;

class leave_at_first_failure final : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) _exit(differs_status);
  }
};
}  // namespace judge_detail

template <class Table>
verdict judge(void (*comparison)(const Table&), const Table& kernels) {
  const pid_t child = fork();
  if (child == 0) {
    // A guard page says SIGSEGV or SIGBUS, a guard_buffer that was written beside its bytes
    // SIGABRT.
    for (const int fault : {SIGSEGV, SIGBUS, SIGABRT})
      std::signal(fault, [](int) { _exit(judge_detail::outside_status); });
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new judge_detail::leave_at_first_failure);
    comparison(kernels);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return verdict::unclear;
  switch (WEXITSTATUS(status)) {
    case 0:
      return verdict::passes;
    case judge_detail::differs_status:
      return verdict::differs;
    case judge_detail::outside_status:
      return verdict::leaves_its_bounds;
    default:
      return verdict::unclear;
  }
}

// A fault that a kernel may have, the comparison that has to see it, and what it sees.
template <class Table>
struct kernel_fault {
  const char* name;
  verdict expected;
  void (*comparison)(const Table&);
  void (*put_into)(Table&);

  friend std::ostream& operator<<(std::ostream& out, const kernel_fault& f) {
    return out << f.name;
  }
};

template <class Table>
std::string fault_name(const ::testing::TestParamInfo<kernel_fault<Table>>& info) {
  return info.param.name;
}

// Every comparison passes the sound kernels (once each), and catches its faults.
template <class Table>
void expect_sound(std::span<const kernel_fault<Table>> faults, const Table& sound) {
  std::vector<void (*)(const Table&)> done;
  for (const kernel_fault<Table>& f : faults) {
    if (std::find(done.begin(), done.end(), f.comparison) != done.end()) continue;
    EXPECT_EQ(judge(f.comparison, sound), verdict::passes) << "the comparison of " << f.name;
    done.push_back(f.comparison);
  }
}

template <class Table>
void expect_caught(const kernel_fault<Table>& fault, const Table& sound) {
  Table broken = sound;
  fault.put_into(broken);
  EXPECT_EQ(judge(fault.comparison, broken), fault.expected);
}

// Reads *p and does nothing with it.
template <class T>
void touch(const T* p) {
  static_cast<void>(*const_cast<const volatile T*>(p));
}

}  // namespace dvk_test

// The tests of one family, from its `faults`, an array of kernel_fault<Table>, and sound(), the
// table that has none.
#define DVK_JUDGE(family, Table)                                                           \
  class family##_faults : public testing::TestWithParam<dvk_test::kernel_fault<Table>> {}; \
  TEST_P(family##_faults, are_caught) {                                                    \
    dvk_test::expect_caught(GetParam(), sound());                                          \
  }                                                                                        \
  TEST(family##_comparisons, pass_sound_kernels) {                                         \
    dvk_test::expect_sound<Table>(faults, sound());                                        \
  }                                                                                        \
  INSTANTIATE_TEST_SUITE_P(of, family##_faults, testing::ValuesIn(faults),                 \
                           dvk_test::fault_name<Table>)
