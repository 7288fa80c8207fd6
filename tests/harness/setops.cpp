// The comparisons of set-operation kernels catch kernels that are wrong on purpose.
#include "tests/variants/setops.hpp"

#include "tests/support/judge.hpp"

namespace {

namespace compare = dvk_test::setops_comparisons;
using dvk::detail::bitset_facts;
using dvk::detail::setops_slack;
using dvk::detail::setops_table;
using dvk_test::touch;
using dvk_test::verdict;

const setops_table& sound() {
  return dvk::detail::setops_tables(0);
}

const dvk_test::kernel_fault<setops_table> faults[] = {
    {"array_or_reads_a_byte_past", verdict::leaves_its_bounds, compare::arrays,
     [](setops_table& t) {
       t.array_or = [](const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                       std::uint32_t nb, std::uint8_t* out) noexcept {
         touch(b + 2 * nb);
         return sound().array_or(a, na, b, nb, out);
       };
     }},
    {"array_xor_writes_a_byte_past_its_slack", verdict::leaves_its_bounds, compare::arrays,
     [](setops_table& t) {
       t.array_xor = [](const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                        std::uint32_t nb, std::uint8_t* out) noexcept {
         out[2 * (na + nb + setops_slack)] = 0;
         return sound().array_xor(a, na, b, nb, out);
       };
     }},
    {"array_and_loses_a_lane", verdict::differs, compare::arrays,
     [](setops_table& t) {
       t.array_and = [](const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                        std::uint32_t nb, std::uint8_t* out) noexcept {
         const std::uint32_t n = sound().array_and(a, na, b, nb, out);
         return n > 8 ? n - 1 : n;
       };
     }},
    {"array_andnot_believes_in_order", verdict::differs, compare::arrays_that_lie,
     [](setops_table& t) {
       t.array_andnot = [](const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                           std::uint32_t nb, std::uint8_t* out) noexcept {
         const std::uint32_t n = sound().array_andnot(a, na, b, nb, out);
         return sound().array_runs(a, na) > na / 2 && na > 1 ? na + nb + 1 : n;
       };
     }},
    {"run_or_writes_a_run_before", verdict::leaves_its_bounds, compare::run_lists,
     [](setops_table& t) {
       t.run_or = [](const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                     std::uint32_t nb, std::uint8_t* out) noexcept {
         out[-4] = 0;
         return sound().run_or(a, na, b, nb, out);
       };
     }},
    {"run_and_reads_a_byte_before", verdict::leaves_its_bounds, compare::run_lists,
     [](setops_table& t) {
       t.run_and = [](const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                      std::uint32_t nb, std::uint8_t* out) noexcept {
         touch(a - 1);
         return sound().run_and(a, na, b, nb, out);
       };
     }},
    {"bitset_xor_writes_a_byte_past", verdict::leaves_its_bounds, compare::bitsets,
     [](setops_table& t) {
       t.bitset_xor = [](const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
         out[8192] = 0;
         return sound().bitset_xor(a, b, out);
       };
     }},
    {"bitset_and_cuts_runs_at_words", verdict::differs, compare::bitsets,
     [](setops_table& t) {
       t.bitset_and = [](const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out) noexcept {
         bitset_facts facts = sound().bitset_and(a, b, out);
         for (std::size_t i = 8; i < 8192; i += 8)
           facts.runs += (out[i - 1] & 0x80) != 0 && (out[i] & 1) != 0;
         return facts;
       };
     }},
    {"bitset_to_array_has_one_lane_wrong", verdict::differs, compare::facts_and_conversions,
     [](setops_table& t) {
       t.bitset_to_array = [](const std::uint8_t* words, std::uint8_t* values) noexcept {
         const std::uint32_t n = sound().bitset_to_array(words, values);
         if (n > 32) values[2 * 31] = static_cast<std::uint8_t>(values[2 * 31] ^ 1);
         return n;
       };
     }},
    {"runs_to_bitset_reads_a_run_past", verdict::leaves_its_bounds, compare::runs_that_lie,
     [](setops_table& t) {
       t.runs_to_bitset = [](const std::uint8_t* runs, std::uint32_t n,
                             std::uint8_t* words) noexcept {
         touch(runs + 4 * n);
         sound().runs_to_bitset(runs, n, words);
       };
     }},
};

DVK_JUDGE(setops, setops_table);

}  // namespace
