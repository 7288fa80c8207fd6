// Tiers: detection on machines that are not here, forcing, the environment, inheritance of null
// slots, use before main.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "crc32/variants.hpp"
#include "dispatch/cpu_features.hpp"
#include "dispatch/tables.hpp"
#include "dvk/crc32.hpp"
#include "dvk/dispatch.hpp"
#include "probe/probe.hpp"
#include "selection/selection.hpp"
#include "validate/validate.hpp"

namespace {

using dvk::dispatch::x86_features;
using dvk::dispatch::x86_registers;

// Called by a constructor that runs before main.
struct early {
  dvk::tier tier = dvk::active_tier();
  std::uint32_t crc = dvk::crc32(std::as_bytes(std::span("123456789", 9)));
};
const early before_main;

TEST(dispatch, works_before_main) {
  EXPECT_EQ(before_main.crc, 0xcbf43926u);
  EXPECT_EQ(before_main.tier, dvk::active_tier());
}

// An Ice Lake server as CPUID shows it.
[[maybe_unused]] x86_registers ice_lake() {
  x86_registers r;
  r.max_leaf = 27;
  r.leaf1_ecx = 1u << 20 | 1u << 23 | 1u << 1 | 1u << 27 | 1u << 28;
  r.leaf7_ebx =
      1u << 3 | 1u << 5 | 1u << 8 | 1u << 16 | 1u << 17 | 1u << 21 | 1u << 28 | 1u << 30 | 1u << 31;
  r.leaf7_ecx = 1u << 1 | 1u << 6 | 1u << 8 | 1u << 10 | 1u << 12 | 1u << 14;
  r.ext1_ecx = 1u << 5;
  r.xcr0 = 0xe7;
  return r;
}

std::uint32_t needs(dvk::tier which) {
  namespace d = dvk::dispatch;
  using namespace dvk::dispatch;
  std::uint32_t mask = 0;
#define DVK_TIER(name, needed) \
  if (which == dvk::tier::name) mask = needed;
#include "dispatch/tiers.def"
#undef DVK_TIER
  return mask;
}
[[maybe_unused]] bool reaches(const x86_registers& r, dvk::tier which) {
  return (x86_features(r) & needs(which)) == needs(which);
}

#if defined(__x86_64__)
TEST(dispatch, takes_a_vector_feature_only_if_the_system_saves_its_registers) {
  EXPECT_TRUE(reaches(ice_lake(), dvk::tier::avx512));

  x86_registers no_osxsave = ice_lake();
  no_osxsave.leaf1_ecx &= ~(1u << 27);
  EXPECT_FALSE(reaches(no_osxsave, dvk::tier::avx2)) << "XCR0 cannot even be read";
  EXPECT_TRUE(reaches(no_osxsave, dvk::tier::sse42));

  x86_registers no_zmm = ice_lake();
  no_zmm.xcr0 = 0x07;
  EXPECT_FALSE(reaches(no_zmm, dvk::tier::avx512));
  EXPECT_TRUE(reaches(no_zmm, dvk::tier::avx2));
  EXPECT_NE(x86_features(no_zmm) & dvk::dispatch::vpclmul, 0u) << "usable on YMM without ZMM state";

  x86_registers no_ymm = ice_lake();
  no_ymm.xcr0 = 0x03;
  EXPECT_FALSE(reaches(no_ymm, dvk::tier::avx2));
  EXPECT_EQ(x86_features(no_ymm) & dvk::dispatch::vpclmul, 0u);

  x86_registers old = ice_lake();
  old.max_leaf = 5;
  EXPECT_FALSE(reaches(old, dvk::tier::avx2)) << "leaf 7 does not exist";
}

TEST(dispatch, avx512_is_all_or_nothing) {
  x86_registers skylake = ice_lake();  // AVX-512 without VBMI2
  skylake.leaf7_ecx = 0;
  EXPECT_FALSE(reaches(skylake, dvk::tier::avx512));
  EXPECT_TRUE(reaches(skylake, dvk::tier::avx2));
  for (const int bit : {16, 17, 21, 28, 30, 31}) {
    x86_registers r = ice_lake();
    r.leaf7_ebx &= ~(1u << bit);
    EXPECT_FALSE(reaches(r, dvk::tier::avx512)) << "leaf 7 EBX bit " << bit;
  }
  for (const int bit : {1, 6, 12, 14}) {
    x86_registers r = ice_lake();
    r.leaf7_ecx &= ~(1u << bit);
    EXPECT_FALSE(reaches(r, dvk::tier::avx512)) << "leaf 7 ECX bit " << bit;
  }
}
#endif

TEST(dispatch, supported_tiers_ascend_from_scalar_to_the_best) {
  const auto tiers = dvk::supported_tiers();
  ASSERT_FALSE(tiers.empty());
  EXPECT_EQ(tiers.front(), dvk::tier::scalar);
  EXPECT_EQ(tiers.back(), dvk::best_tier());
  for (std::size_t i = 1; i < tiers.size(); ++i)
    EXPECT_LT(tiers[i - 1], tiers[i]);
}

TEST(dispatch, refuses_a_cap_that_cannot_run_here) {
  const dvk::tier before = dvk::active_tier();
#if defined(__x86_64__)
  EXPECT_FALSE(dvk::set_max_isa(dvk::tier::neon));
#else
  EXPECT_FALSE(dvk::set_max_isa(dvk::tier::avx2));
#endif
  EXPECT_EQ(dvk::active_tier(), before);
}

// The forced tier's own kernels are the ones that calls go to.
TEST(dispatch, a_forced_tier_really_runs) {
  namespace d = dvk::detail;
  for (std::size_t i = 0; i < dvk::supported_tiers().size(); ++i) {
    const dvk::tier which = dvk::supported_tiers()[i];
    ASSERT_TRUE(dvk::set_max_isa(which));
    EXPECT_EQ(dvk::active_tier(), which);
    EXPECT_EQ(dvk::build_info().active, which);
    EXPECT_EQ(&d::active_validators(), &d::validate_tables(i));
    EXPECT_EQ(&d::active_probes(), &d::probe_tables(i));
#define DVK_TABLE(name)                                                         \
  if (which == dvk::tier::name && d::selection::name.decode_u32 != nullptr) {   \
    EXPECT_EQ(d::selection_tables(i).decode_u32, d::selection::name.decode_u32) \
        << "selection " #name;                                                  \
  }
#include "selection_tiers.def"
#undef DVK_TABLE
#define DVK_TABLE(name)                                                         \
  if (which == dvk::tier::name && d::validate::name.array_order != nullptr) {   \
    EXPECT_EQ(d::validate_tables(i).array_order, d::validate::name.array_order) \
        << "validate " #name;                                                   \
  }
#include "validate_tiers.def"
#undef DVK_TABLE
#if defined(__x86_64__)
    // On x86 every tier above scalar has kernels of its own for these.
    if (i > 0) {
      EXPECT_NE(d::selection_tables(i).decode_u32, d::selection_tables(i - 1).decode_u32)
          << dvk::tier_name(which);
      EXPECT_NE(d::validate_tables(i).array_order, d::validate_tables(i - 1).array_order)
          << dvk::tier_name(which);
    }
#endif
  }
  dvk::reset_max_isa();
}

// A table of two slots, to see what a null one inherits.
struct toy_table {
  int (*a)() noexcept;
  int (*b)() noexcept;
};
int one() noexcept {
  return 1;
}
int two() noexcept {
  return 2;
}
int three() noexcept {
  return 3;
}

TEST(dispatch, a_null_slot_inherits_the_next_lower_tier) {
  constexpr toy_table low{one, two}, top{nullptr, three};
  const dvk::tier highest = dvk::dispatch::tier_list.back();
  const dvk::dispatch::merged_tables<toy_table> merged{{dvk::tier::scalar, &low}, {highest, &top}};
  const auto& last = merged.at(dvk::dispatch::tier_count - 1);
  EXPECT_EQ(last.a(), 1);
  if (dvk::dispatch::tier_count > 1) {
    EXPECT_EQ(last.b(), 3);
    EXPECT_EQ(merged.at(0).b(), 2);
  }
  for (std::size_t i = 0; i + 1 < dvk::dispatch::tier_count; ++i)
    EXPECT_EQ(merged.at(i).b(), 2) << "a tier without a file is the tier below";
}

// Run by the tests below in a process of its own, with DVK_MAX_ISA set.
TEST(dispatch_child, DISABLED_prints_what_it_got) {
  const auto info = dvk::build_info();
  std::printf("child active=%s ignored=%d requested=%s\n",
              std::string(dvk::tier_name(info.active)).c_str(), info.request_ignored ? 1 : 0,
              std::string(info.requested_isa).c_str());
}

std::string child(const std::string& value) {
  const std::string command =
      "DVK_MAX_ISA='" + value +
      "' /proc/self/exe --gtest_also_run_disabled_tests --gtest_filter='dispatch_child.*' 2>&1";
  std::array<char, 4096> self = {};
  const auto n = readlink("/proc/self/exe", self.data(), self.size() - 1);
  if (n <= 0) return {};
  std::string line = command;
  line.replace(line.find("/proc/self/exe"), 14, std::string("'") + self.data() + "'");
  std::string out;
  if (FILE* pipe = popen(line.c_str(), "r"); pipe != nullptr) {
    std::array<char, 256> part = {};
    while (fgets(part.data(), part.size(), pipe) != nullptr)
      out += part.data();
    pclose(pipe);
  }
  return out;
}

TEST(dispatch, the_environment_caps_the_tier) {
  if (child("scalar").empty()) GTEST_SKIP() << "cannot start a child process here";
  for (const dvk::tier which : dvk::supported_tiers()) {
    const std::string name(dvk::tier_name(which));
    EXPECT_NE(child(name).find("child active=" + name + " ignored=0 requested=" + name + "\n"),
              std::string::npos)
        << child(name);
  }
}

TEST(dispatch, an_unknown_cap_is_ignored_and_reported) {
  if (child("scalar").empty()) GTEST_SKIP() << "cannot start a child process here";
  const std::string best(dvk::tier_name(dvk::best_tier()));
  for (const char* value :
       {"AVX2", "avx-512", "fastest", "neon ", "a value much longer than any tier name is"}) {
    EXPECT_NE(child(value).find("child active=" + best + " ignored=1 requested="),
              std::string::npos)
        << value << ": " << child(value);
  }
  EXPECT_NE(child("").find("child active=" + best + " ignored=0"), std::string::npos);
}

}  // namespace
