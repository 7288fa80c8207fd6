#include "dispatch/cpu_features.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace dvk::inline v0::dispatch {

std::uint32_t x86_features(const x86_registers& r) noexcept {
  const auto bit = [](std::uint32_t word, int n) { return ((word >> n) & 1) != 0; };
  std::uint32_t f = 0;
  const auto add = [&f](bool present, std::uint32_t which) {
    if (present) f |= which;
  };
  add(r.amd_vendor, amd);
  if (r.max_leaf < 1) return f;
  add(bit(r.leaf1_ecx, 20), sse42);
  add(bit(r.leaf1_ecx, 23), popcnt);
  add(bit(r.leaf1_ecx, 1), pclmul);
  add(bit(r.ext1_ecx, 5), lzcnt);

  // OSXSAVE first: without it XGETBV is an illegal instruction, and no YMM state is saved.
  const bool osxsave = bit(r.leaf1_ecx, 27);
  const bool ymm_saved = osxsave && (r.xcr0 & 0x06) == 0x06;
  const bool zmm_saved = ymm_saved && (r.xcr0 & 0xe6) == 0xe6;
  if (r.max_leaf < 7) return f;
  add(bit(r.leaf7_ebx, 3), bmi1);
  add(bit(r.leaf7_ebx, 8), bmi2);
  add(ymm_saved && bit(r.leaf1_ecx, 28) && bit(r.leaf7_ebx, 5), avx2);
  add(ymm_saved && bit(r.leaf7_ecx, 10), vpclmul);
  add(ymm_saved && bit(r.leaf7_ecx, 8), gfni);
  if (!zmm_saved) return f;
  constexpr std::uint32_t base = 1u << 16 | 1u << 17 | 1u << 21 | 1u << 28 | 1u << 30 | 1u << 31;
  add((r.leaf7_ebx & base) == base, avx512_base);
  add(bit(r.leaf7_ecx, 1), vbmi);
  add(bit(r.leaf7_ecx, 6), vbmi2);
  add(bit(r.leaf7_ecx, 12), bitalg);
  add(bit(r.leaf7_ecx, 14), vpopcntdq);
  add(bit(r.leaf7_edx, 8), vp2intersect);
  return f;
}

namespace {

#if defined(__x86_64__)

std::uint64_t read_xcr0() noexcept {
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

void detect(cpu_description& d) noexcept {
  x86_registers r;
  std::uint32_t a = 0, b = 0, c = 0, e = 0;
  __cpuid(0, a, b, c, e);
  r.max_leaf = a;
  // "AuthenticAMD" and "HygonGenuine" share one design.
  r.amd_vendor = (b == 0x68747541 && e == 0x69746e65) || (b == 0x6f677948 && e == 0x6e65476e);
  __cpuid(1, a, b, r.leaf1_ecx, e);
  if (((r.leaf1_ecx >> 27) & 1) != 0) r.xcr0 = read_xcr0();
  if (r.max_leaf >= 7) __cpuid_count(7, 0, a, r.leaf7_ebx, r.leaf7_ecx, r.leaf7_edx);
  std::uint32_t extended = 0;
  __cpuid(0x80000000u, extended, b, c, e);
  if (extended >= 0x80000001u) __cpuid(0x80000001u, a, b, r.ext1_ecx, e);
  if (extended >= 0x80000004u) {
    std::uint32_t words[12];
    for (std::uint32_t i = 0; i < 3; ++i) {
      __cpuid(0x80000002u + i, words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]);
    }
    std::memcpy(d.brand, words, sizeof words);
  }
  d.features = x86_features(r);
}

#elif defined(__aarch64__)

void detect(cpu_description& d) noexcept {
  d.features = neon;  // part of the base architecture
#if defined(__linux__)
  // Bits from the kernel's <asm/hwcap.h>; CRC32 and PMULL are separate (some cores have one without
  // the other).
  const unsigned long caps = getauxval(AT_HWCAP);
  if ((caps & (1ul << 7)) != 0) d.features |= arm_crc32;
  if ((caps & (1ul << 4)) != 0) d.features |= arm_pmull;
  if ((caps & (1ul << 17)) != 0) d.features |= arm_sha3;
#endif
}

#else

void detect(cpu_description&) noexcept {}

#endif

cpu_description describe() noexcept {
  cpu_description d{};
  detect(d);
  char* out = d.feature_names;
  const auto append = [&](std::uint32_t which, const char* name) {
    if ((d.features & which) == 0) return;
    if (out != d.feature_names) *out++ = ' ';
    while (*name != '\0')
      *out++ = *name++;
  };
#define DVK_X(name, bit) append(name, #name);
  DVK_FEATURES(DVK_X)
#undef DVK_X
  return d;
}

}  // namespace

const cpu_description& cpu() noexcept {
  static const cpu_description description = describe();
  return description;
}

}  // namespace dvk::inline v0::dispatch
