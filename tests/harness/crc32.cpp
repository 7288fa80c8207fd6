// The comparisons of CRC-32 kernels catch kernels that are wrong on purpose.
#include "tests/variants/crc32.hpp"

#include "tests/support/judge.hpp"

namespace {

namespace compare = dvk_test::crc32_comparisons;
using dvk::detail::crc32_table;
using dvk_test::touch;
using dvk_test::verdict;

const crc32_table& sound() {
  return dvk::detail::crc32_variants()[0].table;
}

const dvk_test::kernel_fault<crc32_table> faults[] = {
    {"extend_reads_a_byte_past", verdict::leaves_its_bounds, compare::reads_nothing_outside,
     [](crc32_table& t) {
       t.extend = [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
         touch(p + n);
         return sound().extend(crc, p, n);
       };
     }},
    {"extend_reads_a_byte_before", verdict::leaves_its_bounds, compare::reads_nothing_outside,
     [](crc32_table& t) {
       t.extend = [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
         touch(p - 1);
         return sound().extend(crc, p, n);
       };
     }},
    {"extend_leaves_out_the_last_byte_of_some_lengths", verdict::differs,
     compare::every_length_and_offset,
     [](crc32_table& t) {
       t.extend = [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
         return sound().extend(crc, p, n % 256 == 17 ? n - 1 : n);
       };
     }},
    {"extend_loses_the_initial_value_of_short_pieces", verdict::differs, compare::splits_anywhere,
     [](crc32_table& t) {
       t.extend = [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
         return sound().extend(n < 4 ? 0 : crc, p, n);
       };
     }},
    {"extend_has_one_lane_wrong", verdict::differs, compare::single_bits,
     [](crc32_table& t) {
       t.extend = [](std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
         return sound().extend(crc, p, n) ^ (n >= 256 && p[128 + 5] == 0x10 ? 1u : 0u);
       };
     }},
    {"copy_writes_a_byte_past", verdict::leaves_its_bounds, compare::copies_exactly,
     [](crc32_table& t) {
       t.copy = [](std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                   std::size_t n) noexcept {
         out[n] = 0;
         return sound().copy(crc, out, p, n);
       };
     }},
    {"copy_writes_a_byte_past_in_ordinary_memory", verdict::differs,
     compare::copies_at_any_alignment_and_no_byte_more,
     [](crc32_table& t) {
       t.copy = [](std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                   std::size_t n) noexcept {
         out[n] = 0;
         return sound().copy(crc, out, p, n);
       };
     }},
    {"copy_has_one_byte_wrong", verdict::differs, compare::copies_exactly,
     [](crc32_table& t) {
       t.copy = [](std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                   std::size_t n) noexcept {
         const std::uint32_t answer = sound().copy(crc, out, p, n);
         if (n > 63) out[63] = static_cast<std::uint8_t>(out[63] ^ 1);
         return answer;
       };
     }},
    {"shift_cuts_its_length_to_32_bits", verdict::differs,
     compare::shift_adds_up_for_lengths_no_memory_holds,
     [](crc32_table& t) {
       t.shift = [](std::uint32_t crc, std::uint64_t n) noexcept {
         return sound().shift(crc, n & 0xffffffff);
       };
     }},
};

DVK_JUDGE(crc32, crc32_table);

}  // namespace
