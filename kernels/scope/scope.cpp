// The table spec's rules on which deletes apply to a data file.
#include "dvk/scope.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bytes/guard_memory.hpp"

namespace dvk::inline v0 {
namespace {

constexpr std::string_view texts[] = {
#define DVK_X(name, text) text,
    DVK_SCOPE_REASONS(DVK_X)
#undef DVK_X
};

std::optional<std::int64_t> integer(const partition_value& v) {
  if (const auto* narrow = std::get_if<std::int32_t>(&v)) return *narrow;
  if (const auto* wide = std::get_if<std::int64_t>(&v)) return *wide;
  return std::nullopt;
}

std::optional<std::uint64_t> float_bits(const partition_value& v) {
  constexpr std::uint64_t canonical_nan = 0x7ff8000000000000;
  std::optional<double> number;
  if (const auto* narrow = std::get_if<float>(&v)) number = *narrow;  // exact
  if (const auto* wide = std::get_if<double>(&v)) number = *wide;
  if (!number) return std::nullopt;
  return std::isnan(*number) ? canonical_nan : std::bit_cast<std::uint64_t>(*number);
}

bool names(const delete_entry& e, const data_file& file) {
  return e.referenced_data_file.has_value() && *e.referenced_data_file == file.file_path;
}

// The rule of one entry by itself; what a vector hides comes later.
scope_reason judge(const data_file& file, const delete_entry& e) {
  const bool equality = e.content == delete_content::equality_deletes;
  if (!equality && e.referenced_data_file.has_value() && !names(e, file))
    return scope_reason::other_file;
  if (e.content == delete_content::deletion_vector && !e.referenced_data_file)
    return scope_reason::no_reference;
  if (equality && e.data_sequence_number <= file.data_sequence_number)
    return scope_reason::not_newer;
  if (e.data_sequence_number < file.data_sequence_number) return scope_reason::older;
  if (equality && e.partition.values.empty()) return scope_reason::applies_globally;
  if (e.partition.spec_id != file.partition.spec_id) return scope_reason::other_spec;
  if (!partition_equal(e.partition, file.partition)) return scope_reason::other_partition;
  return !equality && e.referenced_data_file ? scope_reason::applies_to_file
                                             : scope_reason::applies_to_partition;
}

}  // namespace

std::string_view scope_reason_text(scope_reason reason) noexcept {
  const auto i = static_cast<std::size_t>(reason);
  return i < std::size(texts) ? texts[i] : "unknown";
}

bool partition_equal(const partition_value& a, const partition_value& b) noexcept {
  if (const auto x = integer(a)) return x == integer(b);
  if (const auto x = float_bits(a)) return x == float_bits(b);
  return a == b;
}

bool partition_equal(const partition& a, const partition& b) noexcept {
  return a.spec_id == b.spec_id &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const partition_value& x, const partition_value& y) {
                      return partition_equal(x, y);
                    });
}

result<delete_scope> scope_of(const data_file& file,
                              std::span<const delete_entry> entries) noexcept {
  return detail::guard_memory([&]() -> result<delete_scope> {
    delete_scope out;
    out.reasons.reserve(entries.size());
    std::optional<std::size_t> vector;  // that names the file, whether or not it applies
    for (std::size_t i = 0; i < entries.size(); ++i) {
      out.reasons.push_back(judge(file, entries[i]));
      if (entries[i].content != delete_content::deletion_vector || !names(entries[i], file))
        continue;
      if (vector) return error{.code = error_code::scope_conflict, .expected = *vector, .found = i};
      vector = i;
      if (applies(out.reasons[i])) out.deletion_vector = i;
    }
    for (std::size_t i = 0; i < entries.size() && out.deletion_vector; ++i) {
      if (entries[i].content == delete_content::position_deletes && applies(out.reasons[i])) {
        out.reasons[i] = scope_reason::hidden;
      }
    }
    return out;
  });
}

result<replacement_plan> plan_replacement(const data_file& file,
                                          std::span<const delete_entry> entries) noexcept {
  const auto scope = scope_of(file, entries);
  if (!scope) return scope.error();
  return detail::guard_memory([&]() -> result<replacement_plan> {
    replacement_plan plan;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].content == delete_content::equality_deletes) continue;  // they go on to apply
      const scope_reason reason = scope->reasons[i];
      if (applies(reason)) plan.merge.push_back(i);
      if ((applies(reason) || reason == scope_reason::hidden) && names(entries[i], file))
        plan.remove.push_back(i);
    }
    return plan;
  });
}

}  // namespace dvk::inline v0
