// Which deletes apply to a data file, and what a new deletion vector has to replace.
//
// The rules are those of the Iceberg table spec, "Scan Planning" and "Deletion Vectors". Paths are
// compared as plain strings, byte for byte: no normalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dvk/export.hpp"
#include "dvk/result.hpp"

namespace dvk::inline v0 {

// One field of a partition tuple: null, boolean, integer (dates and times too), floating point,
// string, or bytes (binary, fixed, uuid, and the unscaled value of a decimal).
using partition_value = std::variant<std::monostate, bool, std::int32_t, std::int64_t, float,
                                     double, std::string, std::vector<std::byte>>;

// Equal by value within integers and within floating point, whatever the width: a column's type may
// have been promoted between two commits. Floating point by bits, so that -0 differs from 0, with
// all NaN alike. Nulls are equal.
[[nodiscard]] DVK_EXPORT bool partition_equal(const partition_value& a,
                                              const partition_value& b) noexcept;

struct partition {
  std::int32_t spec_id = 0;
  std::vector<partition_value> values;  // none: unpartitioned
};
// Same spec and equal tuple.
[[nodiscard]] DVK_EXPORT bool partition_equal(const partition& a, const partition& b) noexcept;

struct data_file {
  std::string file_path;
  std::int64_t data_sequence_number = 0;
  dvk::partition partition;
};

enum class delete_content : std::uint8_t { deletion_vector, position_deletes, equality_deletes };

// An entry of a delete manifest.
struct delete_entry {
  delete_content content = delete_content::deletion_vector;
  std::int64_t data_sequence_number = 0;
  dvk::partition partition;
  // Required for deletion vectors; makes position deletes file-scoped; absent with equality
  // deletes.
  std::optional<std::string> referenced_data_file;
};

// Why an entry applies, or why not; and in words, for people who look for a row.
#define DVK_SCOPE_REASONS(X)                                                              \
  X(applies_to_file, "applies: it names this data file")                                  \
  X(applies_to_partition, "applies: same partition, and not older than the data file")    \
  X(applies_globally,                                                                     \
    "applies: equality deletes of an unpartitioned spec apply to every older data file")  \
  X(other_file, "does not apply: it names another data file")                             \
  X(no_reference, "does not apply: a deletion vector that names no data file")            \
  X(older, "does not apply: its data sequence number is below the data file's")           \
  X(not_newer,                                                                            \
    "does not apply: equality deletes need a data sequence number above the data file's") \
  X(other_spec, "does not apply: it belongs to another partition spec")                   \
  X(other_partition, "does not apply: it belongs to another partition")                   \
  X(hidden,                                                                               \
    "does not apply: the data file has a deletion vector, which contains all position deletes")

enum class scope_reason : std::uint8_t {
#define DVK_X(name, text) name,
  DVK_SCOPE_REASONS(DVK_X)
#undef DVK_X
};
[[nodiscard]] DVK_EXPORT std::string_view scope_reason_text(scope_reason reason) noexcept;
[[nodiscard]] constexpr bool applies(scope_reason reason) noexcept {
  return reason <= scope_reason::applies_globally;
}

struct delete_scope {
  std::vector<scope_reason> reasons;  // one for each entry, in their order
  std::optional<std::size_t>
      deletion_vector;  // the entry that is the data file's vector, if one applies
};

// Which of `entries` apply to `file`. Error scope_conflict if two deletion vectors name the file:
// their indices are `expected` and `found`. Linear in the entries.
[[nodiscard]] DVK_EXPORT result<delete_scope> scope_of(
    const data_file& file, std::span<const delete_entry> entries) noexcept;

// What a commit that gives `file` a new deletion vector has to do besides writing it (with the
// file's own partition).
struct replacement_plan {
  // Entries whose rows the new vector must contain: the vector it replaces, or else all position
  // deletes that apply.
  std::vector<std::size_t> merge;
  // Entries to take out of the manifests: the old vector, and position deletes of this file alone.
  // Those that are scoped to the partition stay, since other data files need them.
  std::vector<std::size_t> remove;
};
[[nodiscard]] DVK_EXPORT result<replacement_plan> plan_replacement(
    const data_file& file, std::span<const delete_entry> entries) noexcept;

}  // namespace dvk::inline v0
