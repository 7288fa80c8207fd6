// The comparisons of selection kernels catch kernels that are wrong on purpose.
#include "tests/variants/selection.hpp"

#include "tests/support/judge.hpp"

namespace {

namespace compare = dvk_test::selection_comparisons;
using dvk::detail::container;
using dvk::detail::segment_kind;
using dvk::detail::segment_result;
using dvk::detail::selection_table;
using dvk_test::touch;
using dvk_test::verdict;

const selection_table& sound() {
  return dvk::detail::selection_tables(0);
}

const std::uint8_t* end_of(const container& c) {
  const auto units = static_cast<std::size_t>(c.units_minus_one) + 1;
  return c.payload + (c.type == dvk::detail::array_container ? 2 * units
                      : c.type == dvk::detail::run_container ? 4 * units
                                                             : dvk::detail::bitset_bytes);
}

const dvk_test::kernel_fault<selection_table> faults[] = {
    {"indices_reads_a_byte_past_the_payload", verdict::leaves_its_bounds, compare::indices,
     [](selection_table& t) {
       t.indices_u32 = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                          std::uint64_t first, std::uint32_t* out, std::uint32_t* hint) noexcept {
         touch(end_of(c));
         return sound().indices_u32(c, lo, hi, deleted, first, out, hint);
       };
     }},
    {"indices_reads_a_byte_before_the_payload", verdict::leaves_its_bounds, compare::indices,
     [](selection_table& t) {
       t.indices_u32 = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                          std::uint64_t first, std::uint32_t* out, std::uint32_t* hint) noexcept {
         touch(c.payload - 1);
         return sound().indices_u32(c, lo, hi, deleted, first, out, hint);
       };
     }},
    {"indices_writes_one_past_the_list", verdict::leaves_its_bounds, compare::indices,
     [](selection_table& t) {
       t.indices_u16 = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                          std::uint64_t first, std::uint16_t* out, std::uint32_t* hint) noexcept {
         const segment_result r = sound().indices_u16(c, lo, hi, deleted, first, out, hint);
         if (r.kind == segment_kind::mixed) out[hi - lo] = 0;
         return r;
       };
     }},
    {"indices_has_one_lane_wrong", verdict::differs, compare::indices,
     [](selection_table& t) {
       t.indices_u64 = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                          std::uint64_t first, std::uint64_t* out, std::uint32_t* hint) noexcept {
         const segment_result r = sound().indices_u64(c, lo, hi, deleted, first, out, hint);
         if (r.kind == segment_kind::mixed && r.written > 8) ++out[7];
         return r;
       };
     }},
    {"indices_writes_where_the_segment_is_uniform", verdict::differs, compare::indices,
     [](selection_table& t) {
       t.indices_u32 = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                          std::uint64_t first, std::uint32_t* out, std::uint32_t* hint) noexcept {
         const segment_result r = sound().indices_u32(c, lo, hi, deleted, first, out, hint);
         if (r.kind != segment_kind::mixed) out[0] = 0;
         return r;
       };
     }},
    {"indices_takes_its_hint_on_trust", verdict::leaves_its_bounds,
     compare::lying_payloads_stay_in_bounds,
     [](selection_table& t) {
       t.indices_u32 = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                          std::uint64_t first, std::uint32_t* out, std::uint32_t* hint) noexcept {
         if (c.type == dvk::detail::array_container) touch(c.payload + 2 * std::size_t{*hint});
         return sound().indices_u32(c, lo, hi, deleted, first, out, hint);
       };
     }},
    {"fill_sets_the_bit_after_the_segment", verdict::differs, compare::fill_and_hints,
     [](selection_table& t) {
       t.fill = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                   std::uint64_t* words, std::uint32_t* hint) noexcept {
         const segment_kind kind = sound().fill(c, lo, hi, deleted, words, hint);
         if (kind == segment_kind::mixed && hi % 64 != 0)
           words[hi / 64 - lo / 64] |= std::uint64_t{1} << hi % 64;
         return kind;
       };
     }},
    {"fill_writes_the_word_before", verdict::leaves_its_bounds, compare::fill_and_hints,
     [](selection_table& t) {
       t.fill = [](const container& c, std::uint32_t lo, std::uint32_t hi, bool deleted,
                   std::uint64_t* words, std::uint32_t* hint) noexcept {
         words[-1] = 0;
         return sound().fill(c, lo, hi, deleted, words, hint);
       };
     }},
    {"edges_writes_one_past_its_room", verdict::leaves_its_bounds, compare::edges,
     [](selection_table& t) {
       t.edges = [](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint32_t first,
                    bool* deleted, std::uint32_t* out, std::uint32_t* hint) noexcept {
         const std::uint32_t n = sound().edges(c, lo, hi, first, deleted, out, hint);
         out[hi - lo] = 0;
         return n;
       };
     }},
    {"edges_forgets_the_state_it_leaves", verdict::differs, compare::edges,
     [](selection_table& t) {
       t.edges = [](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint32_t first,
                    bool* deleted, std::uint32_t* out, std::uint32_t* hint) noexcept {
         bool before = *deleted;
         return sound().edges(c, lo, hi, first, &before, out, hint);
       };
     }},
    {"iota_has_its_last_lane_wrong", verdict::differs, compare::iota_and_decode,
     [](selection_table& t) {
       t.iota_u32 = [](std::uint32_t* out, std::size_t n, std::uint64_t first) noexcept {
         sound().iota_u32(out, n, first);
         if (n % 8 == 1) out[n - 1] = 0;
       };
     }},
    {"decode_writes_one_past_its_room", verdict::leaves_its_bounds, compare::iota_and_decode,
     [](selection_table& t) {
       t.decode_u16 = [](const std::uint64_t* words, std::size_t head, std::size_t bits,
                         std::uint64_t first, std::uint16_t* out) noexcept {
         out[bits - head] = 0;
         return sound().decode_u16(words, head, bits, first, out);
       };
     }},
    {"popcount_reads_a_word_past", verdict::leaves_its_bounds, compare::popcount,
     [](selection_table& t) {
       t.popcount = [](const std::uint64_t* words, std::size_t n) noexcept {
         touch(words + n);
         return sound().popcount(words, n);
       };
     }},
    {"bits_changes_the_bit_after", verdict::differs, compare::bits_and_bytes,
     [](selection_table& t) {
       t.bits_and = [](const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                       std::size_t n, std::uint64_t* target, std::size_t to) noexcept {
         const std::size_t set = sound().bits_and(source, from, flip, n, target, to);
         if ((to + n) % 64 != 0) target[(to + n) / 64] &= ~(std::uint64_t{1} << (to + n) % 64);
         return set;
       };
     }},
    {"bits_reads_the_word_after_its_source", verdict::leaves_its_bounds, compare::bits_and_bytes,
     [](selection_table& t) {
       t.bits_replace = [](const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                           std::size_t n, std::uint64_t* target, std::size_t to) noexcept {
         touch(source + (from + n + 63) / 64 * 8 + 7);
         return sound().bits_replace(source, from, flip, n, target, to);
       };
     }},
    {"bits_counts_before_it_flips", verdict::differs, compare::bits_and_bytes,
     [](selection_table& t) {
       t.bits_or = [](const std::uint8_t* source, std::size_t from, std::uint64_t flip,
                      std::size_t n, std::uint64_t* target, std::size_t to) noexcept {
         const std::size_t set = sound().bits_or(source, from, flip, n, target, to);
         return flip == 0 ? set : n - set;
       };
     }},
    {"bytes_writes_one_past", verdict::leaves_its_bounds, compare::bits_and_bytes,
     [](selection_table& t) {
       t.bytes_or = [](const std::uint8_t* source, std::size_t bit, std::uint64_t flip,
                       std::size_t n, std::uint8_t* out) noexcept {
         const std::size_t set = sound().bytes_or(source, bit, flip, n, out);
         out[n] = 1;
         return set;
       };
     }},
    {"filter_reads_one_past_the_list", verdict::leaves_its_bounds, compare::filter,
     [](selection_table& t) {
       t.filter_u32 = [](const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                         std::uint32_t window, std::uint32_t first, const std::uint32_t* in,
                         std::size_t n, std::uint32_t* out, std::size_t* taken) noexcept {
         touch(in + n);
         return sound().filter_u32(mask, bit, flip, window, first, in, n, out, taken);
       };
     }},
    {"filter_clobbers_what_it_did_not_take", verdict::differs, compare::filter,
     [](selection_table& t) {
       t.filter_u16 = [](const std::uint8_t* mask, std::uint32_t bit, std::uint64_t flip,
                         std::uint32_t window, std::uint16_t first, const std::uint16_t* in,
                         std::size_t n, std::uint16_t* out, std::size_t* taken) noexcept {
         const std::size_t kept =
             sound().filter_u16(mask, bit, flip, window, first, in, n, out, taken);
         if (*taken < n) out[*taken] = static_cast<std::uint16_t>(out[*taken] + 1);
         return kept;
       };
     }},
};

DVK_JUDGE(selection, selection_table);

}  // namespace
