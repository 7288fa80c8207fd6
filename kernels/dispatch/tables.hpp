// How a kernel family turns its tiers' tables into one table per tier.
//
// A family's table is a plain struct of function pointers (`<family>.hpp`). Each tier file defines
// one, and leaves null what it has no kernel of its own for: such a slot inherits the next lower
// tier's. The merge runs once, at first use.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "dvk/dispatch.hpp"

namespace dvk::inline v0::dispatch {

// Index of the active tier in the ascending list of tiers of this architecture (tiers.def): one
// atomic load.
std::size_t active_index() noexcept;

// Number of tiers in tiers.def on this architecture.
inline constexpr std::size_t tier_count = 0
#define DVK_TIER(name, needs) +1
#include "dispatch/tiers.def"
#undef DVK_TIER
    ;
inline constexpr std::array<tier, tier_count> tier_list = {
#define DVK_TIER(name, needs) tier::name,
#include "dispatch/tiers.def"
#undef DVK_TIER
};

// One tier's table, as listed by the generated <family>_tiers.def.
template <class Table>
struct tier_table {
  tier which;
  const Table* table;
};

// Every tier's table of one family, merged. `Table` holds function pointers and nothing else.
template <class Table>
class merged_tables {
 public:
  // `own[i]`: the table of tier_list[i], or null if the family has no file for that tier. own[0]
  // (scalar) is complete.
  explicit merged_tables(std::span<const Table* const, tier_count> own) noexcept {
    merged_[0] = *own[0];
    for (std::size_t i = 1; i < tier_count; ++i) {
      merged_[i] = own[i] == nullptr ? merged_[i - 1] : inherit(*own[i], merged_[i - 1]);
    }
  }
  // `built`: the tables that the build has, scalar among them.
  explicit merged_tables(std::initializer_list<tier_table<Table>> built) noexcept {
    Table below = {};
    for (std::size_t i = 0; i < tier_count; ++i) {
      for (const auto& entry : built) {
        if (entry.which == tier_list[i]) below = inherit(*entry.table, below);
      }
      merged_[i] = below;
    }
  }
  // The table of the active tier.
  const Table& active() const noexcept { return merged_[active_index()]; }
  // The table of tier_list[i], whether or not this CPU can run it (tests check first).
  const Table& at(std::size_t i) const noexcept { return merged_[i]; }

 private:
  using slot = void (*)();
  static_assert(sizeof(Table) % sizeof(slot) == 0);
  using slots = std::array<slot, sizeof(Table) / sizeof(slot)>;

  static Table inherit(const Table& own, const Table& below) noexcept {
    auto result = std::bit_cast<slots>(own);
    const auto lower = std::bit_cast<slots>(below);
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result[i] == nullptr) result[i] = lower[i];
    }
    return std::bit_cast<Table>(result);
  }

  std::array<Table, tier_count> merged_;
};

}  // namespace dvk::inline v0::dispatch
