// The comparisons of probe kernels catch kernels that are wrong on purpose.
#include "tests/variants/probe.hpp"

#include "tests/support/judge.hpp"

namespace {

namespace compare = dvk_test::probe_comparisons;
using dvk::detail::container;
using dvk::detail::directory;
using dvk::detail::probe_table;
using dvk_test::touch;
using dvk_test::verdict;

const probe_table& sound() {
  return dvk::detail::probe_tables(0);
}

const dvk_test::kernel_fault<probe_table> faults[] = {
    {"contains_reads_a_value_past_the_array", verdict::leaves_its_bounds,
     compare::points_in_containers_of_every_size,
     [](probe_table& t) {
       t.contains = [](const container& c, std::uint32_t slot) noexcept {
         if (c.type == dvk::detail::array_container) touch(c.payload + 2 * c.units_minus_one + 2);
         return sound().contains(c, slot);
       };
     }},
    {"contains_reads_a_byte_before_the_payload", verdict::leaves_its_bounds,
     compare::points_in_random_containers,
     [](probe_table& t) {
       t.contains = [](const container& c, std::uint32_t slot) noexcept {
         touch(c.payload - 1);
         return sound().contains(c, slot);
       };
     }},
    {"contains_misses_the_last_slot", verdict::differs, compare::points_in_random_containers,
     [](probe_table& t) {
       t.contains = [](const container& c, std::uint32_t slot) noexcept {
         return slot != 65535 && sound().contains(c, slot);
       };
     }},
    {"rank_counts_the_slot_itself", verdict::differs, compare::points_in_containers_of_every_size,
     [](probe_table& t) {
       t.rank = [](const container& c, std::uint32_t slot) noexcept {
         return sound().rank(c, slot < 65536 ? slot + 1 : slot);
       };
     }},
    {"select_takes_the_next_row", verdict::differs, compare::points_in_random_containers,
     [](probe_table& t) {
       t.select = [](const container& c, std::uint32_t index) noexcept {
         return sound().select(c, index) + (index == 32 ? 1u : 0u);
       };
     }},
    {"select_answers_a_slot_that_no_container_has", verdict::differs,
     compare::lying_payloads_stay_in_bounds,
     [](probe_table& t) {
       t.select = [](const container& c, std::uint32_t index) noexcept {
         return c.type == dvk::detail::run_container ? 65536 : sound().select(c, index);
       };
     }},
    {"ascending_overlooks_the_seam_of_two_vectors", verdict::differs, compare::ascending_rows,
     [](probe_table& t) {
       t.ascending = [](const std::uint64_t* rows, std::size_t n) noexcept {
         return sound().ascending(rows, std::min<std::size_t>(n, 8)) &&
                (n <= 8 || sound().ascending(rows + 8, n - 8));
       };
     }},
    {"ascending_reads_a_row_past", verdict::leaves_its_bounds, compare::ascending_rows,
     [](probe_table& t) {
       t.ascending = [](const std::uint64_t* rows, std::size_t n) noexcept {
         touch(rows + n);
         return sound().ascending(rows, n);
       };
     }},
    {"unsorted_reads_a_row_past", verdict::leaves_its_bounds, compare::batches_of_every_length,
     [](probe_table& t) {
       t.unsorted = [](directory d, const std::uint64_t* rows, std::size_t n,
                       std::uint64_t* words) noexcept {
         touch(rows + n);
         sound().unsorted(d, rows, n, words);
       };
     }},
    {"unsorted_has_one_lane_wrong", verdict::differs, compare::batches_of_every_length,
     [](probe_table& t) {
       t.unsorted = [](directory d, const std::uint64_t* rows, std::size_t n,
                       std::uint64_t* words) noexcept {
         sound().unsorted(d, rows, n, words);
         if (n > 64) words[1] ^= 1;
       };
     }},
    {"sorted_writes_a_word_past", verdict::leaves_its_bounds, compare::batches_of_every_length,
     [](probe_table& t) {
       t.sorted = [](directory d, const std::uint64_t* rows, std::size_t n,
                     std::uint64_t* words) noexcept {
         sound().sorted(d, rows, n, words);
         words[(n + 63) / 64] = 0;
       };
     }},
    {"sorted_leaves_bits_after_the_last_row", verdict::differs, compare::random_batches,
     [](probe_table& t) {
       t.sorted = [](directory d, const std::uint64_t* rows, std::size_t n,
                     std::uint64_t* words) noexcept {
         sound().sorted(d, rows, n, words);
         if (n % 64 != 0) words[n / 64] |= std::uint64_t{1} << 63;
       };
     }},
};

DVK_JUDGE(probe, probe_table);

}  // namespace
