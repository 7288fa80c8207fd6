// Resolution of the active tier: what the CPU has, capped by DVK_MAX_ISA and set_max_isa.
//
// The state is one atomic index, constant-initialised, resolved on first use: it works before main,
// after dlopen and from racing threads, which all compute the same value. There is no ifunc and no
// constructor at load time.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "dispatch/cpu_features.hpp"
#include "dispatch/tables.hpp"
#include "dvk/dispatch.hpp"
#include "dvk/version.hpp"

namespace dvk::inline v0 {
namespace dispatch {
namespace {

constexpr std::uint32_t needs[] = {
#define DVK_TIER(name, needed) needed,
#include "dispatch/tiers.def"
#undef DVK_TIER
};

constexpr bool masks_ascend() {
  for (std::size_t i = 1; i < tier_count; ++i) {
    if ((needs[i - 1] & ~needs[i]) != 0) return false;
  }
  return true;
}
static_assert(masks_ascend(), "each tier needs everything that the tier below it needs");

constexpr int unresolved = -1;
constinit std::atomic<int> active{unresolved};

std::size_t best_index() noexcept {
  std::size_t best = 0;
  for (std::size_t i = 1; i < tier_count; ++i) {
    if (!cpu_has(needs[i])) break;
    best = i;
  }
  return best;
}

struct environment {
  char text[32];  // DVK_MAX_ISA as found, cut to fit
  bool ignored;
  std::size_t cap;
};

environment read_environment() noexcept {
  environment e{{}, false, best_index()};
  const char* value = std::getenv("DVK_MAX_ISA");
  if (value == nullptr || *value == '\0') return e;
  std::strncpy(e.text, value, sizeof e.text - 1);
  for (std::size_t i = 0; i <= best_index(); ++i) {
    if (tier_name(tier_list[i]) == value) {
      e.cap = i;
      return e;
    }
  }
  // A value that names nothing we can run is ignored and shown by build_info: a typing error in a
  // deployment must not change answers, and a library does not print.
  e.ignored = true;
  return e;
}

const environment& requested() noexcept {
  static const environment e = read_environment();
  return e;
}

}  // namespace

std::size_t active_index() noexcept {
  const int known = active.load(std::memory_order_relaxed);
  if (known != unresolved) [[likely]]
    return static_cast<std::size_t>(known);
  int expected = unresolved;
  const int resolved = static_cast<int>(requested().cap);
  // A set_max_isa that came between wins: exchange only if still unresolved.
  if (active.compare_exchange_strong(expected, resolved, std::memory_order_relaxed))
    expected = resolved;
  return static_cast<std::size_t>(expected);
}

}  // namespace dispatch

std::string_view tier_name(tier which) noexcept {
  switch (which) {
    case tier::scalar:
      return "scalar";
    case tier::sse42:
      return "sse42";
    case tier::avx2:
      return "avx2";
    case tier::avx512:
      return "avx512";
    case tier::neon:
      return "neon";
  }
  return "unknown";
}

tier active_tier() noexcept {
  return dispatch::tier_list[dispatch::active_index()];
}
tier best_tier() noexcept {
  return dispatch::tier_list[dispatch::best_index()];
}

std::span<const tier> supported_tiers() noexcept {
  return std::span(dispatch::tier_list).first(dispatch::best_index() + 1);
}

bool set_max_isa(tier cap) noexcept {
  for (std::size_t i = 0; i <= dispatch::best_index(); ++i) {
    if (dispatch::tier_list[i] == cap) {
      dispatch::active.store(static_cast<int>(i), std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

void reset_max_isa() noexcept {
  dispatch::active.store(static_cast<int>(dispatch::requested().cap), std::memory_order_relaxed);
}

build_information build_info() noexcept {
  const auto& cpu = dispatch::cpu();
  const auto& environment = dispatch::requested();
  return {
    .version = DVK_VERSION_STRING,
#if defined(__clang__)
    .compiler = "clang " __clang_version__,
#elif defined(__GNUC__)
    .compiler = "gcc " __VERSION__,
#else
    .compiler = "unknown",
#endif
#if defined(__x86_64__)
    .architecture = "x86-64",
#elif defined(__aarch64__)
    .architecture = "aarch64",
#else
    .architecture = "generic",
#endif
    .cpu = cpu.brand, .features = cpu.feature_names, .requested_isa = environment.text,
    .request_ignored = environment.ignored, .best = best_tier(), .active = active_tier(),
  };
}

}  // namespace dvk::inline v0
