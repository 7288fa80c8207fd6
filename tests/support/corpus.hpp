// The files that tests read in bulk: valid ones that Iceberg wrote, and hostile ones.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/golden.hpp"
#include "tests/support/outcome.hpp"

namespace dvk_test {

struct corpus_file {
  std::string name;
  file_kind kind;
  std::string content;

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(content));
  }
};

inline std::vector<corpus_file> files_below(const std::filesystem::path& folder, auto is_wanted) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && is_wanted(entry.path())) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<corpus_file> files;
  for (const auto& path : paths)
    files.push_back({path.lexically_relative(folder).string(), kind_of(path), read_file(path)});
  return files;
}

// tests/data/iceberg: all valid.
inline std::vector<corpus_file> iceberg_files() {
  return files_below(std::filesystem::path(DVK_SOURCE_DIR) / "tests/data/iceberg",
                     [](const std::filesystem::path& path) {
                       return path.extension() == ".bin" || path.extension() == ".puffin";
                     });
}

// What tests/hostile/generate.py wrote; ctest runs it first.
inline std::filesystem::path hostile_folder() {
  return std::filesystem::path(DVK_BINARY_DIR) / "hostile_cases";
}
inline std::vector<corpus_file> hostile_files() {
  return files_below(hostile_folder(), [](const std::filesystem::path& path) {
    return path.filename() != "manifest.json";
  });
}

}  // namespace dvk_test

// Skips a test, visibly, if the cases have not been generated.
#define DVK_NEEDS_HOSTILE_CASES                                               \
  if (!std::filesystem::exists(dvk_test::hostile_folder() / "manifest.json")) \
  GTEST_SKIP() << "no cases at " << dvk_test::hostile_folder() << " (tests/hostile/generate.py)"
