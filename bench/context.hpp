// What a result must say about itself to be compared with another: build, machine, data.
#pragma once

#include <cstdint>

namespace dvk_bench {

// Adds it to the context of Google Benchmark's report.
void add_context(std::uint64_t dataset_hash);

// Whether this build's figures mean anything: Release, without assertions. Says why not.
bool is_measurable_build();

}  // namespace dvk_bench
