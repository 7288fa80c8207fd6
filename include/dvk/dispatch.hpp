// Which instruction-set tier the kernels run on, and how to cap it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dvk/export.hpp"

namespace dvk::inline v0 {

// Tiers in ascending order; each covers everything of the one above it in this list on its
// architecture.
enum class tier : std::uint8_t { scalar, sse42, avx2, avx512, neon };

[[nodiscard]] DVK_EXPORT std::string_view tier_name(tier which) noexcept;

// The tier that calls made from now on use: the best this CPU supports, capped by DVK_MAX_ISA (read
// once, at first use) or set_max_isa. Thread safe, works before main; one relaxed load after the
// first call.
[[nodiscard]] DVK_EXPORT tier active_tier() noexcept;

// The best tier that this CPU, operating system and build support, without any cap.
[[nodiscard]] DVK_EXPORT tier best_tier() noexcept;

// The tiers that can run here, ascending; scalar is always the first. Static storage.
[[nodiscard]] DVK_EXPORT std::span<const tier> supported_tiers() noexcept;

// Caps the tier for the whole process, effective for objects created and free functions called
// afterwards (a scanner keeps the tier it was made with). Returns false, changing nothing, if `cap`
// cannot run here. Thread safe: racing callers leave one of their values.
DVK_EXPORT bool set_max_isa(tier cap) noexcept;

// Back to what the environment and the CPU say.
DVK_EXPORT void reset_max_isa() noexcept;

// What was built and what was found, for logs and bug reports. All strings have static storage.
struct build_information {
  std::string_view version;
  std::string_view compiler;
  std::string_view architecture;
  std::string_view cpu;       // brand string, empty where unknown
  std::string_view features;  // space-separated names of the detected features that dvk can use
  std::string_view requested_isa;  // value of DVK_MAX_ISA, empty if unset
  bool request_ignored;            // the value names no tier that can run here
  tier best;
  tier active;
};
[[nodiscard]] DVK_EXPORT build_information build_info() noexcept;

}  // namespace dvk::inline v0
