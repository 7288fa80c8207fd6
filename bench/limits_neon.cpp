#include "bench/limits_kernels.hpp"

namespace dvk_bench::limits {
constinit const limit_table neon = table_of<16>;
}  // namespace dvk_bench::limits
