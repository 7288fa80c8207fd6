// PCLMULQDQ on 16-byte planes.
#include "crc32/generic.hpp"
#include "crc32/lanes_x86.hpp"

namespace dvk::inline v0::detail::crc {

constinit const crc32_table sse42{
    .extend = extend<lanes_16, fold_by_multiplication<8, 128>>,
    .copy = copy<lanes_16, fold_by_multiplication<8, 128>>,
    .shift = shift<lanes_16>,
};

}  // namespace dvk::inline v0::detail::crc
