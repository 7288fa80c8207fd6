// Files written by other projects, where they are at hand: DVK_GOLDEN, or ../shared/golden beside
// the sources.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace dvk_test {

inline std::filesystem::path golden_folder(const char* name) {
  const char* given = std::getenv("DVK_GOLDEN");
  const std::filesystem::path all =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(DVK_SOURCE_DIR) / "../shared/golden";
  return all / name;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace dvk_test

// Skips a test, visibly, if the folder is not there.
#define DVK_NEEDS_GOLDEN(folder)              \
  if (!std::filesystem::is_directory(folder)) \
  GTEST_SKIP() << "no golden files at " << (folder) << " (DVK_GOLDEN)"
