// The tables of the set-operation kernels. The operations on whole vectors are in builder/: they
// allocate, the kernels do not.
#include "setops/setops.hpp"

#include <array>

#include "dispatch/tables.hpp"

namespace dvk::inline v0::detail {
namespace {

constexpr const setops_table* table_of(tier which) {
  switch (which) {
#define DVK_TABLE(name) \
  case tier::name:      \
    return &setops::name;
#include "setops_tiers.def"
#undef DVK_TABLE
    default:
      return nullptr;
  }
}

const dispatch::merged_tables<setops_table>& tables() noexcept {
  static constexpr std::array<const setops_table*, dispatch::tier_count> own = {
#define DVK_TIER(name, needs) table_of(tier::name),
#include "dispatch/tiers.def"
#undef DVK_TIER
  };
  static const dispatch::merged_tables<setops_table> merged(own);
  return merged;
}

}  // namespace

const setops_table& setops_tables(std::size_t i) noexcept {
  return tables().at(i);
}
const setops_table& active_setops() noexcept {
  return tables().active();
}

}  // namespace dvk::inline v0::detail
