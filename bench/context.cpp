#include "bench/context.hpp"

#include <benchmark/benchmark.h>
#include <sys/utsname.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <xsimd/config/xsimd_config.hpp>

#include "build_info.h"
#include "crc32/variants.hpp"
#include "dispatch/tables.hpp"
#include "dvk/dispatch.hpp"

namespace dvk_bench {
namespace {

#define DVK_TEXT_OF(x) #x
#define DVK_TEXT(x) DVK_TEXT_OF(x)

// The value of the first "key : value" line of /proc/cpuinfo; empty where there is none.
std::string cpu_field(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string::npos && colon + 2 <= line.size())
      return line.substr(colon + 2);
  }
  return {};
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string known(std::string text) {
  return text.empty() ? "unknown" : text;
}

}  // namespace

void add_context(std::uint64_t dataset_hash) {
  const auto add = [](const char* key, std::string_view value) {
    benchmark::AddCustomContext(key, std::string(value));
  };
  const dvk::build_information info = dvk::build_info();
  add("dvk_version", info.version);
  add("dvk_commit", DVK_COMMIT);
  add("dvk_dirty", DVK_DIRTY);
  add("dvk_compiler", info.compiler);
  add("dvk_flags", DVK_FLAGS);
  add("dvk_build_type", DVK_BUILD_TYPE);
  add("dvk_tier_best", dvk::tier_name(info.best));
  add("dvk_tier_cap", info.requested_isa.empty() ? "none" : info.requested_isa);
  add("crc32_variant", dvk::detail::crc32_chosen(dvk::dispatch::active_index()).name);
  add("xsimd_version", DVK_TEXT(XSIMD_VERSION_MAJOR) "." DVK_TEXT(XSIMD_VERSION_MINOR) "." DVK_TEXT(
                           XSIMD_VERSION_PATCH));
  add("cpu_model", known(std::string(info.cpu)));
  add("cpu_features", info.features);
  add("microcode", known(cpu_field("microcode")));
  add("governor", known(first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
  add("virtualised", cpu_field("flags").find("hypervisor") != std::string::npos ? "yes" : "no");
  utsname os = {};
  uname(&os);
  add("kernel", std::string(os.sysname) + " " + os.release);
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(dataset_hash));
  add("dataset_hash", hash);
}

bool is_measurable_build() {
#ifndef NDEBUG
  std::fprintf(stderr,
               "dvk_bench: built with assertions; configure with -DCMAKE_BUILD_TYPE=Release\n");
  return false;
#else
  if (std::string_view(DVK_BUILD_TYPE) == "Release") return true;
  std::fprintf(stderr, "dvk_bench: build type is '%s', not Release\n", DVK_BUILD_TYPE);
  return false;
#endif
}

}  // namespace dvk_bench
