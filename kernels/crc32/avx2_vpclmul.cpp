// VPCLMULQDQ on 32-byte planes: CPUs with the instruction but without (or not trusted with)
// AVX-512.
#include "crc32/generic.hpp"
#include "crc32/lanes_x86.hpp"

namespace dvk::inline v0::detail::crc {

constinit const crc32_table avx2_vpclmul{
    .extend = extend<lanes_32, fold_by_multiplication<8, 64>>,
    .copy = copy<lanes_32, fold_by_multiplication<8, 64>>,
    .shift = nullptr,
};

}  // namespace dvk::inline v0::detail::crc
