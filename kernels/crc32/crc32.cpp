// Entry points of the CRC-32 family, and the choice of the variant.
#include "dvk/crc32.hpp"

#include <array>
#include <cassert>

#include "crc32/crc32.hpp"
#include "crc32/variants.hpp"
#include "dispatch/cpu_features.hpp"
#include "dispatch/tables.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

using namespace dispatch;  // the names of features, in variants.def

struct declaration {
  std::string_view name;
  tier admitted;
  std::uint32_t needs;
  std::uint32_t prefers;
  const crc32_table* own;
};

constexpr declaration declared[] = {
#define DVK_CRC32_VARIANT(name, admitted, needs, prefers) \
  {#name, tier::admitted, needs, prefers, &crc::name},
#include "crc32/variants.def"
#undef DVK_CRC32_VARIANT
};
constexpr std::size_t variant_count = std::size(declared);

constexpr std::uint32_t tier_needs(tier which) {
#define DVK_TIER(name, needs) \
  if (which == tier::name) return needs;
#include "dispatch/tiers.def"
#undef DVK_TIER
  return 0;
}

constexpr bool needs_ascend() {
  for (std::size_t i = 1; i < variant_count; ++i) {
    const declaration &below = declared[i - 1], &above = declared[i];
    if (above.admitted < below.admitted || (below.needs & ~above.needs) != 0) return false;
  }
  return true;
}
static_assert(needs_ascend(),
              "a variant inherits from the one before it, so it must need all that one needs");

struct merged_variants {
  std::array<crc32_variant, variant_count> all;
  std::array<const crc32_variant*, tier_count> chosen;

  merged_variants() noexcept {
    crc32_table below{};
    for (std::size_t i = 0; i < variant_count; ++i) {
      const declaration& d = declared[i];
      const bool runnable = cpu_has(tier_needs(d.admitted) | d.needs);
      if (d.own->extend != nullptr) below.extend = d.own->extend;
      if (d.own->copy != nullptr) below.copy = d.own->copy;
      if (d.own->shift != nullptr) below.shift = d.own->shift;
      all[i] = {d.name, d.admitted, runnable, runnable && cpu_has(d.prefers), below};
    }
    for (std::size_t t = 0; t < tier_count; ++t) {
      for (const crc32_variant& v : all) {
        if (v.preferred && v.admitted <= tier_list[t]) chosen[t] = &v;
      }
    }
  }
};

const merged_variants& variants() noexcept {
  static const merged_variants merged;
  return merged;
}

const crc32_table& active_kernels() noexcept {
  return variants().chosen[active_index()]->table;
}

const std::uint8_t* address(std::span<const std::byte> bytes) noexcept {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

}  // namespace

std::span<const crc32_variant> crc32_variants() noexcept {
  return variants().all;
}
const crc32_variant& crc32_chosen(std::size_t index) noexcept {
  return *variants().chosen[index];
}

}  // namespace detail

std::uint32_t crc32(std::span<const std::byte> bytes) noexcept {
  return crc32_extend(0, bytes);
}

std::uint32_t crc32_extend(std::uint32_t crc, std::span<const std::byte> bytes) noexcept {
  return detail::active_kernels().extend(crc, detail::address(bytes), bytes.size());
}

std::uint32_t crc32_combine(std::uint32_t crc_a, std::uint32_t crc_b,
                            std::uint64_t length_b) noexcept {
  // The inversions cancel: crc(A) and crc(B) both carry them, and so does the result.
  return detail::active_kernels().shift(crc_a, length_b) ^ crc_b;
}

std::uint32_t crc32_copy(std::span<std::byte> destination, std::span<const std::byte> source,
                         std::uint32_t crc) noexcept {
  assert(destination.size() >= source.size());
  return detail::active_kernels().copy(crc, reinterpret_cast<std::uint8_t*>(destination.data()),
                                       detail::address(source), source.size());
}

crc32_stream::crc32_stream() noexcept : kernels_(&detail::active_kernels()) {}

void crc32_stream::update(std::span<const std::byte> bytes) noexcept {
  crc_ = static_cast<const detail::crc32_table*>(kernels_)->extend(crc_, detail::address(bytes),
                                                                   bytes.size());
  length_ += bytes.size();
}

}  // namespace dvk::inline v0
