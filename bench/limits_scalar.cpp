// The widest stores of the baseline instruction set: a compiler may use what every CPU of the
// architecture has.
#include "bench/limits_kernels.hpp"

namespace dvk_bench::limits {
constinit const limit_table scalar = table_of<16>;
}  // namespace dvk_bench::limits
