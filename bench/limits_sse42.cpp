#include "bench/limits_kernels.hpp"

namespace dvk_bench::limits {
constinit const limit_table sse42 = table_of<16>;
}  // namespace dvk_bench::limits
