// The comparisons of crc32.hpp on every variant that this CPU can run.
#include "tests/variants/crc32.hpp"

namespace {

namespace compare = dvk_test::crc32_comparisons;
using dvk::detail::crc32_table;
using dvk::detail::crc32_variant;

class crc32_kernel : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!variant().runnable) GTEST_SKIP() << variant().name << " cannot run on this CPU";
  }
  static const crc32_variant& variant() { return dvk::detail::crc32_variants()[GetParam()]; }
  static const crc32_table& kernel() { return variant().table; }
};

TEST_P(crc32_kernel, known_vectors) {
  compare::known_vectors(kernel());
}
TEST_P(crc32_kernel, every_length_and_offset) {
  compare::every_length_and_offset(kernel());
}
TEST_P(crc32_kernel, every_alignment) {
  compare::every_alignment(kernel());
}
TEST_P(crc32_kernel, random_lengths_offsets_and_initial_values) {
  compare::random_lengths_offsets_and_initial_values(kernel());
}
TEST_P(crc32_kernel, around_the_length_from_which_streams_are_aligned) {
  compare::around_the_length_from_which_streams_are_aligned(kernel());
}
TEST_P(crc32_kernel, single_bits) {
  compare::single_bits(kernel());
}
TEST_P(crc32_kernel, splits_anywhere) {
  compare::splits_anywhere(kernel());
}
TEST_P(crc32_kernel, lengths_just_above_whole_planes_keep_the_initial_value) {
  compare::lengths_just_above_whole_planes_keep_the_initial_value(kernel());
}
TEST_P(crc32_kernel, reads_nothing_outside) {
  compare::reads_nothing_outside(kernel());
}
TEST_P(crc32_kernel, copies_exactly) {
  compare::copies_exactly(kernel());
}
TEST_P(crc32_kernel, copies_at_any_alignment_and_no_byte_more) {
  compare::copies_at_any_alignment_and_no_byte_more(kernel());
}
TEST_P(crc32_kernel, shift_is_zero_bytes) {
  compare::shift_is_zero_bytes(kernel());
}
TEST_P(crc32_kernel, shift_adds_up_for_lengths_no_memory_holds) {
  compare::shift_adds_up_for_lengths_no_memory_holds(kernel());
}

INSTANTIATE_TEST_SUITE_P(variants, crc32_kernel,
                         testing::Range(std::size_t{0}, dvk::detail::crc32_variants().size()),
                         [](const auto& info) {
                           return std::string(dvk::detail::crc32_variants()[info.param].name);
                         });

}  // namespace
