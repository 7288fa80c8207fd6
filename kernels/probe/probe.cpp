// The tables of the probe family.
#include "probe/probe.hpp"

#include "dispatch/tables.hpp"

namespace dvk::inline v0::detail {
namespace {

const dispatch::merged_tables<probe_table>& merged() noexcept {
  static const dispatch::merged_tables<probe_table> tables{
#define DVK_TABLE(name) {tier::name, &probe::name},
#include "probe_tiers.def"
#undef DVK_TABLE
  };
  return tables;
}

}  // namespace

const probe_table& probe_tables(std::size_t i) noexcept {
  return merged().at(i);
}
const probe_table& active_probes() noexcept {
  return merged().active();
}

}  // namespace dvk::inline v0::detail
