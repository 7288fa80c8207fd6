// As neon_pmull, with the three-operand EOR3 of the SHA3 extension.
#include "crc32/generic.hpp"
#include "crc32/lanes_neon.hpp"

namespace dvk::inline v0::detail::crc {

constinit const crc32_table neon_eor3{
    .extend = extend<lanes_16, fold_by_multiplication<8, 128>>,
    .copy = copy<lanes_16, fold_by_multiplication<8, 128>>,
    .shift = nullptr,
};

}  // namespace dvk::inline v0::detail::crc
