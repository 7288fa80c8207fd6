// Opens a scanner for the entry points, which are spread over several files by form.
#pragma once

#include "dvk/selection.hpp"
#include "selection/batch.hpp"
#include "selection/kernels.hpp"

namespace dvk::inline v0 {

struct scanner_access {
  static detail::bound tools(const scanner& s) noexcept {
    return {*static_cast<const detail::selection_table*>(s.kernels_),
            *static_cast<const detail::probe_table*>(s.probes_),
            {s.containers_, s.container_count_}};
  }
  static detail::cursor cursor(const scanner& s) noexcept {
    return {s.container_hint_, s.unit_hint_};
  }
  static void keep(scanner& s, detail::cursor at) noexcept {
    s.container_hint_ = at.container;
    s.unit_hint_ = at.unit;
  }

  // What nearly every batch of a scan does, and all that it does: the cursor's container, if it
  // holds the whole batch; null if it does not, or if the batch is empty or invalid. The kernel
  // then moves the scanner's own unit, and leave() goes to the next container.
  static const detail::container* here(const scanner& s, row_range rows) noexcept {
    if (s.container_hint_ >= s.container_count_) return nullptr;
    const detail::container* c = s.containers_ + s.container_hint_;
    return detail::is_inside(*c, rows) ? c : nullptr;
  }
  static std::uint32_t* unit(scanner& s) noexcept { return &s.unit_hint_; }
  static void leave(scanner& s, std::uint32_t hi) noexcept {
    if (hi == detail::container_rows) keep(s, {s.container_hint_ + 1, 0});
  }

  // Whether the cursor stands behind the last container, before the batch: nothing is deleted from
  // there on.
  static bool is_behind(const scanner& s, row_range rows) noexcept {
    return s.container_hint_ == s.container_count_ &&
           (s.container_count_ == 0 ||
            s.containers_[s.container_count_ - 1].key < rows.start >> 16);
  }

  // Where any other batch lies, valid and not empty; moves the cursor to its start.
  struct place {
    const detail::container* where;  // the container that holds it, null if it takes more
    bool gap;                        // or none: between two, or after the last
  };
  static place seek(scanner& s, row_range rows) noexcept {
    const detail::directory d{s.containers_, s.container_count_};
    const std::size_t i = detail::find_near(d, rows.start >> 16, s.container_hint_);
    if (i != s.container_hint_) keep(s, {i, 0});
    const detail::container* const c = d.containers + i;
    if (i == d.count || c->key > (rows.start + rows.count - 1) >> 16) return {nullptr, true};
    return {detail::is_inside(*c, rows) ? c : nullptr, false};
  }
};

}  // namespace dvk::inline v0
