// The scanner: a C++ one in the caller's own memory.
#include "dvk/selection.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "c/handles.hpp"

namespace {

using dvk::c::read_options;

static_assert(sizeof(dvk::scanner) <= sizeof(dvk_scanner) &&
              alignof(dvk::scanner) <= alignof(dvk_scanner));
static_assert(std::is_trivially_copyable_v<dvk::scanner>, "C copies it by assignment");
static_assert(dvk_mixed == static_cast<int>(dvk::batch_kind::mixed) &&
              dvk_all_live == static_cast<int>(dvk::batch_kind::all_live) &&
              dvk_none_live == static_cast<int>(dvk::batch_kind::none_live) &&
              dvk_refused == static_cast<int>(dvk::batch_kind::refused));
static_assert(dvk_live == static_cast<int>(dvk::polarity::live) &&
              dvk_deleted == static_cast<int>(dvk::polarity::deleted));
static_assert(dvk_replace == static_cast<int>(dvk::combine::replace) &&
              dvk_and_with == static_cast<int>(dvk::combine::and_with) &&
              dvk_or_with == static_cast<int>(dvk::combine::or_with));
static_assert(dvk_relative == static_cast<int>(dvk::numbering::relative) &&
              dvk_packed == static_cast<int>(dvk::numbering::packed));

dvk::scanner& cpp(dvk_scanner* scanner) noexcept {
  return *std::launder(reinterpret_cast<dvk::scanner*>(scanner->opaque));
}

// The C structs are the C++ ones member by member, so that lists need no copy.
static_assert(sizeof(dvk_run) == sizeof(dvk::row_run) &&
              offsetof(dvk_run, end) == offsetof(dvk::row_run, end));
static_assert(sizeof(dvk_range) == sizeof(dvk::row_range) &&
              offsetof(dvk_range, count) == offsetof(dvk::row_range, count));
std::span<dvk::row_run> cpp(dvk_run* runs, std::size_t n) noexcept {
  return {reinterpret_cast<dvk::row_run*>(runs), n};
}
std::span<const dvk::row_range> cpp(const dvk_range* ranges, std::size_t n) noexcept {
  return {reinterpret_cast<const dvk::row_range*>(ranges), n};
}

bool to_cpp(const dvk_index_options* given, dvk::index_options& out) noexcept {
  dvk_index_options o;
  if (!read_options(given, o) || o.rows > dvk_deleted) return false;
  out = {.rows = static_cast<dvk::polarity>(o.rows),
         .base = o.base,
         .always_write = o.always_write != 0};
  return true;
}
bool to_cpp(const dvk_mask_options* given, dvk::mask_options& out) noexcept {
  dvk_mask_options o;
  if (!read_options(given, o) || o.rows > dvk_deleted || o.how > dvk_or_with || o.reserved != 0) {
    return false;
  }
  out = {.rows = static_cast<dvk::polarity>(o.rows),
         .how = static_cast<dvk::combine>(o.how),
         .always_write = o.always_write != 0};
  return true;
}

dvk_batch_result to_c(const dvk::batch_result& r) noexcept {
  return {.live = r.live, .kind = static_cast<std::uint32_t>(r.kind)};
}
dvk_run_result to_c(const dvk::run_result& r) noexcept {
  return {.written = r.written,
          .rows_done = r.rows_done,
          .live = r.live,
          .kind = static_cast<std::uint32_t>(r.kind)};
}

// Calls `scan` with C++ options; a default answer is a refusal.
template <class Options, class Given, class Scan>
auto with_options(const Given* given, Scan scan) noexcept {
  Options options;
  using answer = decltype(scan(options));
  return to_c(to_cpp(given, options) ? scan(options) : answer{});
}

template <class T>
dvk_batch_result indices(dvk_scanner* scanner, std::uint64_t start, std::uint64_t count, T* out,
                         std::size_t capacity, const dvk_index_options* given) noexcept {
  return with_options<dvk::index_options>(given, [&](const dvk::index_options& options) {
    return cpp(scanner).indices({start, count}, std::span<T>(out, capacity), options);
  });
}

template <class T>
std::size_t refine(dvk_scanner* scanner, std::uint64_t base, T* selected, std::size_t n,
                   std::uint32_t rows) noexcept {
  const auto which = rows == dvk_live ? dvk::polarity::live : dvk::polarity::deleted;
  return cpp(scanner).refine(base, std::span<T>(selected, n), which);
}

}  // namespace

void dvk_scanner_init(dvk_scanner* scanner, const dvk_vector* vector) {
  *scanner = {};
  ::new (scanner->opaque) dvk::scanner(vector->vector);
}

dvk_batch_result dvk_scan_indices_u16(dvk_scanner* scanner, std::uint64_t start,
                                      std::uint64_t count, std::uint16_t* out, std::size_t capacity,
                                      const dvk_index_options* options) {
  return indices(scanner, start, count, out, capacity, options);
}
dvk_batch_result dvk_scan_indices_u32(dvk_scanner* scanner, std::uint64_t start,
                                      std::uint64_t count, std::uint32_t* out, std::size_t capacity,
                                      const dvk_index_options* options) {
  return indices(scanner, start, count, out, capacity, options);
}
dvk_batch_result dvk_scan_indices_i32(dvk_scanner* scanner, std::uint64_t start,
                                      std::uint64_t count, std::int32_t* out, std::size_t capacity,
                                      const dvk_index_options* options) {
  return indices(scanner, start, count, out, capacity, options);
}
dvk_batch_result dvk_scan_indices_u64(dvk_scanner* scanner, std::uint64_t start,
                                      std::uint64_t count, std::uint64_t* out, std::size_t capacity,
                                      const dvk_index_options* options) {
  return indices(scanner, start, count, out, capacity, options);
}

dvk_batch_result dvk_scan_bits(dvk_scanner* scanner, std::uint64_t start, std::uint64_t count,
                               std::uint64_t* words, std::size_t capacity, std::size_t first_bit,
                               const dvk_mask_options* given) {
  return with_options<dvk::mask_options>(given, [&](const dvk::mask_options& options) {
    return cpp(scanner).bits({start, count}, {words, capacity}, first_bit, options);
  });
}
dvk_batch_result dvk_scan_bytes(dvk_scanner* scanner, std::uint64_t start, std::uint64_t count,
                                std::uint8_t* out, std::size_t capacity,
                                const dvk_mask_options* given) {
  return with_options<dvk::mask_options>(given, [&](const dvk::mask_options& options) {
    return cpp(scanner).bytes({start, count}, {out, capacity}, options);
  });
}
dvk_run_result dvk_scan_runs(dvk_scanner* scanner, std::uint64_t start, std::uint64_t count,
                             dvk_run* out, std::size_t capacity, const dvk_index_options* given) {
  return with_options<dvk::index_options>(given, [&](const dvk::index_options& options) {
    return cpp(scanner).runs({start, count}, cpp(out, capacity), options);
  });
}
dvk_run_result dvk_scan_alternating(dvk_scanner* scanner, std::uint64_t start, std::uint64_t count,
                                    std::uint32_t* out, std::size_t capacity,
                                    const dvk_index_options* given) {
  return with_options<dvk::index_options>(given, [&](const dvk::index_options& options) {
    return cpp(scanner).alternating({start, count}, {out, capacity}, options);
  });
}
dvk_batch_result dvk_scan_count(dvk_scanner* scanner, std::uint64_t start, std::uint64_t count) {
  return to_c(cpp(scanner).count({start, count}));
}

dvk_batch_result dvk_scan_ranges_indices_u32(dvk_scanner* scanner, const dvk_range* ranges,
                                             std::size_t n, std::uint32_t numbering,
                                             std::uint32_t* out, std::size_t capacity,
                                             const dvk_index_options* given) {
  if (numbering > dvk_packed) return to_c(dvk::batch_result{});
  return with_options<dvk::index_options>(given, [&](const dvk::index_options& options) {
    return cpp(scanner).indices(cpp(ranges, n), static_cast<dvk::numbering>(numbering),
                                std::span(out, capacity), options);
  });
}
dvk_batch_result dvk_scan_ranges_bits(dvk_scanner* scanner, const dvk_range* ranges, std::size_t n,
                                      std::uint32_t numbering, std::uint64_t* words,
                                      std::size_t capacity, std::size_t first_bit,
                                      const dvk_mask_options* given) {
  if (numbering > dvk_packed) return to_c(dvk::batch_result{});
  return with_options<dvk::mask_options>(given, [&](const dvk::mask_options& options) {
    return cpp(scanner).bits(cpp(ranges, n), static_cast<dvk::numbering>(numbering),
                             {words, capacity}, first_bit, options);
  });
}
dvk_batch_result dvk_scan_ranges_bytes(dvk_scanner* scanner, const dvk_range* ranges, std::size_t n,
                                       std::uint32_t numbering, std::uint8_t* out,
                                       std::size_t capacity, const dvk_mask_options* given) {
  if (numbering > dvk_packed) return to_c(dvk::batch_result{});
  return with_options<dvk::mask_options>(given, [&](const dvk::mask_options& options) {
    return cpp(scanner).bytes(cpp(ranges, n), static_cast<dvk::numbering>(numbering),
                              {out, capacity}, options);
  });
}

std::size_t dvk_refine_u16(dvk_scanner* scanner, std::uint64_t base, std::uint16_t* selected,
                           std::size_t n, std::uint32_t rows) {
  return refine(scanner, base, selected, n, rows);
}
std::size_t dvk_refine_u32(dvk_scanner* scanner, std::uint64_t base, std::uint32_t* selected,
                           std::size_t n, std::uint32_t rows) {
  return refine(scanner, base, selected, n, rows);
}
std::size_t dvk_refine_i32(dvk_scanner* scanner, std::uint64_t base, std::int32_t* selected,
                           std::size_t n, std::uint32_t rows) {
  return refine(scanner, base, selected, n, rows);
}
std::size_t dvk_refine_u64(dvk_scanner* scanner, std::uint64_t base, std::uint64_t* selected,
                           std::size_t n, std::uint32_t rows) {
  return refine(scanner, base, selected, n, rows);
}

dvk_batch_result dvk_gather_indices_u32(dvk_scanner* scanner, const std::uint64_t* positions,
                                        std::size_t n, std::uint32_t* out, std::size_t capacity,
                                        const dvk_index_options* given) {
  return with_options<dvk::index_options>(given, [&](const dvk::index_options& options) {
    return cpp(scanner).gather_indices(std::span(positions, n), std::span(out, capacity), options);
  });
}
dvk_batch_result dvk_gather_bits(dvk_scanner* scanner, const std::uint64_t* positions,
                                 std::size_t n, std::uint64_t* words, std::size_t capacity,
                                 std::size_t first_bit, const dvk_mask_options* given) {
  return with_options<dvk::mask_options>(given, [&](const dvk::mask_options& options) {
    return cpp(scanner).gather_bits(std::span(positions, n), {words, capacity}, first_bit, options);
  });
}
dvk_batch_result dvk_gather_bytes(dvk_scanner* scanner, const std::uint64_t* positions,
                                  std::size_t n, std::uint8_t* out, std::size_t capacity,
                                  const dvk_mask_options* given) {
  return with_options<dvk::mask_options>(given, [&](const dvk::mask_options& options) {
    return cpp(scanner).gather_bytes(std::span(positions, n), {out, capacity}, options);
  });
}
