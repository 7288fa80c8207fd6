// PMULL on 16-byte planes, CRC-32 instructions for short messages and the last reduction.
#include "crc32/generic.hpp"
#include "crc32/lanes_neon.hpp"

namespace dvk::inline v0::detail::crc {

constinit const crc32_table neon_pmull{
    .extend = extend<lanes_16, fold_by_multiplication<8, 128>>,
    .copy = copy<lanes_16, fold_by_multiplication<8, 128>>,
    .shift = shift<lanes_16>,
};

}  // namespace dvk::inline v0::detail::crc
