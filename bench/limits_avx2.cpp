#include "bench/limits_kernels.hpp"

namespace dvk_bench::limits {
constinit const limit_table avx2 = table_of<32>;
}  // namespace dvk_bench::limits
