// Version, tiers, checksums.
#include <cstddef>
#include <cstdint>

#include "c/handles.hpp"
#include "dvk/crc32.hpp"
#include "dvk/dispatch.hpp"
#include "dvk/version.hpp"

static_assert(dvk_tier_scalar == static_cast<int>(dvk::tier::scalar) &&
              dvk_tier_sse42 == static_cast<int>(dvk::tier::sse42) &&
              dvk_tier_avx2 == static_cast<int>(dvk::tier::avx2) &&
              dvk_tier_avx512 == static_cast<int>(dvk::tier::avx512) &&
              dvk_tier_neon == static_cast<int>(dvk::tier::neon));

std::uint32_t dvk_abi_version(void) {
  return DVK_ABI_VERSION;
}
const char* dvk_version(void) {
  return DVK_VERSION_STRING;
}

std::uint32_t dvk_active_tier(void) {
  return static_cast<std::uint32_t>(dvk::active_tier());
}
std::uint32_t dvk_best_tier(void) {
  return static_cast<std::uint32_t>(dvk::best_tier());
}
const char* dvk_tier_name(std::uint32_t tier) {
  if (tier > dvk_tier_neon) return "unknown";
  return dvk::tier_name(static_cast<dvk::tier>(tier)).data();  // a literal: ends with a zero
}
bool dvk_set_max_isa(std::uint32_t tier) {
  return tier <= dvk_tier_neon && dvk::set_max_isa(static_cast<dvk::tier>(tier));
}
void dvk_reset_max_isa(void) {
  dvk::reset_max_isa();
}

std::uint32_t dvk_crc32(const void* bytes, std::size_t size) {
  return dvk::crc32(dvk::c::bytes_of(bytes, size));
}
std::uint32_t dvk_crc32_extend(std::uint32_t crc, const void* bytes, std::size_t size) {
  return dvk::crc32_extend(crc, dvk::c::bytes_of(bytes, size));
}
std::uint32_t dvk_crc32_combine(std::uint32_t crc_a, std::uint32_t crc_b, std::uint64_t length_b) {
  return dvk::crc32_combine(crc_a, crc_b, length_b);
}
