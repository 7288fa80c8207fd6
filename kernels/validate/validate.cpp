// The tables of the validate family.
#include "validate/validate.hpp"

#include "dispatch/tables.hpp"

namespace dvk::inline v0::detail {
namespace {

const dispatch::merged_tables<validate_table>& merged() noexcept {
  static const dispatch::merged_tables<validate_table> tables{
#define DVK_TABLE(name) {tier::name, &validate::name},
#include "validate_tiers.def"
#undef DVK_TABLE
  };
  return tables;
}

}  // namespace

const validate_table& validate_tables(std::size_t i) noexcept {
  return merged().at(i);
}
const validate_table& active_validators() noexcept {
  return merged().active();
}

}  // namespace dvk::inline v0::detail
