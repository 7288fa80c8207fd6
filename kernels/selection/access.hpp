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
};

}  // namespace dvk::inline v0
