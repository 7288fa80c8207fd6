// The public CRC-32 functions, the choice of the variant, and the generated constants.
#include "dvk/crc32.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "crc32/variants.hpp"
#include "dispatch/cpu_features.hpp"
#include "dispatch/tables.hpp"
#include "dvk/dispatch.hpp"
#include "tests/support/random.hpp"

namespace {

std::vector<std::byte> noise(std::size_t n, std::uint64_t stream) {
  auto rng = dvk_test::generator(stream);
  std::vector<std::byte> bytes(n);
  for (auto& b : bytes)
    b = static_cast<std::byte>(rng());
  return bytes;
}

std::span<const std::byte> text(const char* s) {
  return std::as_bytes(std::span(s, std::strlen(s)));
}

TEST(crc32, known_values) {
  EXPECT_EQ(dvk::crc32({}), 0u);
  EXPECT_EQ(dvk::crc32(text("123456789")), 0xcbf43926u);
  EXPECT_EQ(dvk::crc32_extend(dvk::crc32(text("1234")), text("56789")), 0xcbf43926u);
  EXPECT_EQ(dvk::crc32_extend(0xcbf43926u, {}), 0xcbf43926u);
}

// The residue: a message followed by its own checksum, little endian, has always the same one.
TEST(crc32, residue) {
  for (std::size_t n = 0; n < 300; ++n) {
    auto bytes = noise(n, n);
    const std::uint32_t crc = dvk::crc32(bytes);
    for (int i = 0; i < 4; ++i)
      bytes.push_back(static_cast<std::byte>(crc >> (8 * i)));
    ASSERT_EQ(dvk::crc32(bytes), 0x2144df1cu) << n;
  }
}

TEST(crc32, combines_at_every_split) {
  const auto bytes = noise(1000, 1);
  const std::span<const std::byte> all(bytes);
  const std::uint32_t whole = dvk::crc32(all);
  for (std::size_t k = 0; k <= bytes.size(); ++k) {
    ASSERT_EQ(
        dvk::crc32_combine(dvk::crc32(all.first(k)), dvk::crc32(all.subspan(k)), bytes.size() - k),
        whole)
        << k;
  }
}

TEST(crc32, copies) {
  const auto bytes = noise(5000, 2);
  std::vector<std::byte> out(5001, std::byte{0x5a});
  EXPECT_EQ(dvk::crc32_copy(out, bytes), dvk::crc32(bytes));
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), out.begin()));
  EXPECT_EQ(out.back(), std::byte{0x5a});
  EXPECT_EQ(dvk::crc32_copy(out, bytes, 77), dvk::crc32_extend(77, bytes));
  EXPECT_EQ(dvk::crc32_copy({}, {}, 77), 77u);
}

TEST(crc32, stream_in_random_pieces) {
  auto rng = dvk_test::generator(3);
  const auto bytes = noise(20000, 4);
  for (std::size_t round = 0; round < dvk_test::cases(100); ++round) {
    std::span<const std::byte> left(bytes);
    dvk::crc32_stream stream;
    while (!left.empty()) {
      const std::size_t n = std::min<std::size_t>(
          left.size(), static_cast<std::size_t>(dvk_test::below(rng, round < 50 ? 6 : 3000)));
      stream.update(left.first(n));
      left = left.subspan(n);
    }
    ASSERT_EQ(stream.value(), dvk::crc32(bytes));
    ASSERT_EQ(stream.length(), bytes.size());
  }
}

TEST(crc32, same_answer_on_every_tier) {
  const auto bytes = noise(3000, 5);
  const std::uint32_t expected = dvk::crc32(bytes);
  for (const dvk::tier t : dvk::supported_tiers()) {
    ASSERT_TRUE(dvk::set_max_isa(t));
    EXPECT_EQ(dvk::crc32(bytes), expected) << dvk::tier_name(t);
  }
  dvk::reset_max_isa();
}

TEST(crc32_choice, is_runnable_and_within_the_tier) {
  for (const dvk::tier t : dvk::supported_tiers()) {
    std::size_t index = 0;
    while (dvk::dispatch::tier_list[index] != t)
      ++index;
    const auto& chosen = dvk::detail::crc32_chosen(index);
    EXPECT_TRUE(chosen.runnable && chosen.admitted <= t) << chosen.name;
  }
}

TEST(crc32_choice, follows_the_cpu) {
#if defined(__x86_64__)
  using namespace dvk::dispatch;
  const auto name = dvk::detail::crc32_chosen(tier_count - 1).name;
  if (dvk::best_tier() != dvk::tier::avx512 || !cpu_has(pclmul | vpclmul))
    GTEST_SKIP() << "not an AVX-512 machine";
  EXPECT_EQ(name, cpu_has(gfni | amd) ? "avx512_gfni" : "avx512");
#elif defined(__aarch64__)
  using namespace dvk::dispatch;
  const auto name = dvk::detail::crc32_chosen(tier_count - 1).name;
  EXPECT_EQ(name, !cpu_has(arm_crc32)              ? "scalar"
                  : !cpu_has(arm_pmull)            ? "neon"
                  : !cpu_has(arm_pmull | arm_sha3) ? "neon_pmull"
                                                   : "neon_eor3");
#else
  EXPECT_EQ(dvk::detail::crc32_chosen(0).name, "scalar");
#endif
}

TEST(crc32_constants, are_what_the_generator_derives) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  EXPECT_EQ(std::system("python3 " DVK_SOURCE_DIR "/tools/gen_crc_constants.py --check"), 0);
}

}  // namespace
