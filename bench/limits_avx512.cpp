#include "bench/limits_kernels.hpp"

namespace dvk_bench::limits {
constinit const limit_table avx512 = table_of<64>;
}  // namespace dvk_bench::limits
