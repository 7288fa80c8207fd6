// The comparisons of validation kernels catch kernels that are wrong on purpose.
#include "tests/variants/validate.hpp"

#include "tests/support/judge.hpp"

namespace {

namespace compare = dvk_test::validate_comparisons;
using dvk::detail::run_check;
using dvk::detail::validate_table;
using dvk_test::touch;
using dvk_test::verdict;

const validate_table& sound() {
  return dvk::detail::validate_tables(0);
}

const dvk_test::kernel_fault<validate_table> faults[] = {
    {"array_order_reads_a_byte_past", verdict::leaves_its_bounds, compare::arrays_of_every_length,
     [](validate_table& t) {
       t.array_order = [](const std::uint8_t* values, std::uint32_t n) noexcept {
         touch(values + 2 * n);
         return sound().array_order(values, n);
       };
     }},
    {"array_order_reads_a_byte_before", verdict::leaves_its_bounds, compare::arrays_of_every_length,
     [](validate_table& t) {
       t.array_order = [](const std::uint8_t* values, std::uint32_t n) noexcept {
         touch(values - 1);
         return sound().array_order(values, n);
       };
     }},
    {"array_order_overlooks_a_seam", verdict::differs, compare::array_faults_at_every_seam,
     [](validate_table& t) {
       t.array_order = [](const std::uint8_t* values, std::uint32_t n) noexcept {
         const std::uint32_t at = sound().array_order(values, n);
         return at == 32 ? n : at;
       };
     }},
    {"bitset_count_reads_a_byte_past", verdict::leaves_its_bounds, compare::bitsets,
     [](validate_table& t) {
       t.bitset_count = [](const std::uint8_t* words) noexcept {
         touch(words + 8192);
         return sound().bitset_count(words);
       };
     }},
    {"bitset_count_overflows_in_a_full_bitset", verdict::differs, compare::bitsets,
     [](validate_table& t) {
       t.bitset_count = [](const std::uint8_t* words) noexcept {
         return sound().bitset_count(words) & 0xffff;
       };
     }},
    {"run_order_reads_a_byte_past", verdict::leaves_its_bounds, compare::runs_of_every_length,
     [](validate_table& t) {
       t.run_order = [](const std::uint8_t* runs, std::uint32_t n) noexcept {
         touch(runs + 4 * n);
         return sound().run_order(runs, n);
       };
     }},
    {"run_order_miscounts_one_run", verdict::differs, compare::runs_of_every_length,
     [](validate_table& t) {
       t.run_order = [](const std::uint8_t* runs, std::uint32_t n) noexcept {
         run_check r = sound().run_order(runs, n);
         if (n == 17) ++r.cardinality;
         return r;
       };
     }},
    {"run_order_takes_overflow_for_disorder", verdict::differs, compare::run_faults_at_every_seam,
     [](validate_table& t) {
       t.run_order = [](const std::uint8_t* runs, std::uint32_t n) noexcept {
         run_check r = sound().run_order(runs, n);
         r.overflow = false;
         return r;
       };
     }},
};

DVK_JUDGE(validate, validate_table);

}  // namespace
