// What this CPU and operating system can run.
#pragma once

#include <cstdint>
#include <string_view>

namespace dvk::inline v0::dispatch {

// One bit a feature that some kernel needs. A vector feature is reported only if the operating
// system saves its registers as well (XCR0): CPUID alone has crashed programs under hypervisors and
// old kernels.
// clang-format off
#define DVK_FEATURES(X)                                                                    \
  X(sse42, 0) X(popcnt, 1) X(pclmul, 2) X(avx2, 3) X(bmi1, 4) X(bmi2, 5) X(lzcnt, 6)       \
  X(avx512_base, 7) /* F, BW, DQ, VL, CD, IFMA */                                          \
  X(vbmi, 8) X(vbmi2, 9) X(bitalg, 10) X(vpopcntdq, 11) X(vpclmul, 12) X(gfni, 13)         \
  X(vp2intersect, 14)                                                                      \
  X(amd, 15) /* vendor, for choices that depend on the micro-architecture */               \
  X(neon, 16) X(arm_crc32, 17) X(arm_pmull, 18) X(arm_sha3, 19)
// clang-format on

enum feature : std::uint32_t {
#define DVK_X(name, bit) name = 1u << (bit),
  DVK_FEATURES(DVK_X)
#undef DVK_X
};

struct cpu_description {
  std::uint32_t features;   // or of feature bits
  char brand[49];           // CPUID brand string, or empty
  char feature_names[256];  // names of the bits set, separated by spaces
};

// Detected once, at first use; thread safe, allowed before main.
const cpu_description& cpu() noexcept;

// True if every feature in `needed` is present.
inline bool cpu_has(std::uint32_t needed) noexcept {
  return (cpu().features & needed) == needed;
}

// The x86 decision as a pure function of register values, so that tests can feed it machines that
// are not here: CPUID without OSXSAVE, ZMM state switched off in XCR0, features of AVX-512 missing.
struct x86_registers {
  std::uint32_t max_leaf = 0;
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf7_ebx = 0, leaf7_ecx = 0, leaf7_edx = 0;
  std::uint32_t ext1_ecx = 0;
  std::uint64_t xcr0 = 0;  // read only if leaf1_ecx says OSXSAVE
  bool amd_vendor = false;
};
std::uint32_t x86_features(const x86_registers& r) noexcept;

}  // namespace dvk::inline v0::dispatch
