// What levels standard and strict check of each container while its payload is at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bytes/load.hpp"
#include "dvk/result.hpp"
#include "roaring/layout.hpp"
#include "validate/validate.hpp"

namespace dvk::inline v0::detail {

// Keeps the first fault of each of two kinds: of content, which level standard refuses, and of
// form, which only strict does.
class payload_checker {
 public:
  explicit payload_checker(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  void check(const container_place& c) noexcept {
    if (content.code != error_code::ok) return;
    switch (c.type) {
      case array_container:
        return check_array(c);
      case bitset_container:
        return check_bitset(c);
      case run_container:
        return check_runs(c);
    }
  }

  void check_header_form(const bitmap_place& b) noexcept {
    if (b.key == max_bitmap_key) {
      note(form, {.code = error_code::key_out_of_range,
                  .offset = b.key_at,
                  .expected = b.key - 1,
                  .found = b.key});
    }
    if (b.flags_at == 0) return;
    const std::uint64_t last = (b.containers - 1) / 8;
    const std::uint32_t used = b.containers - 8 * static_cast<std::uint32_t>(last);
    const std::uint8_t* flags = data(b.flags_at);
    unsigned runs = flags[last] & ((1u << used) - 1);
    for (std::uint64_t i = 0; i < last; ++i)
      runs |= flags[i];
    if (runs == 0) note(form, {.code = error_code::not_canonical, .offset = b.cookie_at});
    if (flags[last] >> used != 0)
      note(form, {.code = error_code::not_canonical, .offset = b.flags_at + last});
  }

  error content = {};  // standard
  error form = {};     // strict

 private:
  [[nodiscard]] const std::uint8_t* data(std::uint64_t at) const noexcept {
    return reinterpret_cast<const std::uint8_t*>(bytes_.data()) + at;
  }

  // Keeps the first fault of a kind.
  static void note(error& first, const error& fault) noexcept {
    if (first.code == error_code::ok) first = fault;
  }

  // Whether Iceberg's Java writer would keep a run container of these sizes.
  static bool is_smallest_form(const container_place& c) noexcept {
    const std::uint64_t array_bytes = 2 * std::uint64_t{c.cardinality} + 2;
    return c.bytes <= array_bytes && c.bytes <= bitset_bytes;
  }

  // Offset of the first run that starts right after the one before it.
  static std::uint64_t find_touching_run(const std::uint8_t* runs,
                                         const container_place& c) noexcept {
    for (std::uint32_t i = 1; i < c.runs; ++i) {
      const std::uint8_t* before = runs + 4 * (i - 1);
      if (bytes::load_le16(before) + bytes::load_le16(before + 2) + 1 ==
          bytes::load_le16(runs + 4 * i)) {
        return c.at + 2 + 4 * std::uint64_t{i};
      }
    }
    return c.at;
  }

  void check_array(const container_place& c) noexcept {
    const std::uint32_t fault = validators_.array_order(data(c.at), c.cardinality);
    if (fault == c.cardinality) return;
    const std::uint64_t offset = c.at + 2 * std::uint64_t{fault};
    content = {.code = error_code::array_order,
               .offset = offset,
               .expected = bytes::load_le16(data(offset - 2)) + 1u,
               .found = bytes::load_le16(data(offset))};
  }

  void check_bitset(const container_place& c) noexcept {
    const std::uint32_t bits = validators_.bitset_count(data(c.at));
    if (bits == c.cardinality) return;
    content = {.code = error_code::bitset_cardinality,
               .offset = c.at,
               .expected = c.cardinality,
               .found = bits};
  }

  void check_runs(const container_place& c) noexcept {
    if (c.runs == 0) {
      content = {.code = error_code::run_empty, .offset = c.at};
      return;
    }
    const std::uint8_t* runs = data(c.at + 2);
    const run_check r = validators_.run_order(runs, c.runs);
    if (r.fault != c.runs) {
      content = {.code = r.overflow ? error_code::run_overflow : error_code::run_order,
                 .offset = c.at + 2 + 4 * r.fault};
      return;
    }
    if (r.cardinality != c.cardinality) {
      content = {.code = error_code::run_cardinality,
                 .offset = c.at,
                 .expected = c.cardinality,
                 .found = r.cardinality};
      return;
    }
    if (!is_smallest_form(c)) note(form, {.code = error_code::not_canonical, .offset = c.at});
    if (r.touching)
      note(form, {.code = error_code::not_canonical, .offset = find_touching_run(runs, c)});
  }

  std::span<const std::byte> bytes_;
  const validate_table& validators_ = active_validators();
};

}  // namespace dvk::inline v0::detail
