// VPCLMULQDQ on 64-byte planes.
#include "crc32/generic.hpp"
#include "crc32/lanes_x86.hpp"

namespace dvk::inline v0::detail::crc {

constinit const crc32_table avx512{
    .extend = extend<lanes_64, fold_by_multiplication<4, 5>>,
    .copy = copy<lanes_64, fold_by_multiplication<4, 5>>,
    .shift = nullptr,
};

}  // namespace dvk::inline v0::detail::crc
