// Runs a fuzz target over files, with any compiler and without a fuzzer: `replay_NAME PATH...`,
// where a path is a file or a folder. Says which file a broken promise or a crash belongs to. Exit
// code 77, for a skipped test, if there is no file at all.
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/promise.hpp"

namespace {

std::string current;

void name_the_file(int signal) {
  // Only what is safe in a signal handler.
  constexpr char text[] = "replay: in ";
  [[maybe_unused]] auto n = write(STDERR_FILENO, text, sizeof text - 1);
  n = write(STDERR_FILENO, current.data(), current.size());
  n = write(STDERR_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, name_the_file);
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::exists(argv[i])) continue;
    for (const auto& path : files_below(argv[i])) {
      current = path.string();
      std::ifstream in(path, std::ios::binary);
      if (!in) {
        std::fprintf(stderr, "replay: cannot read %s\n", current.c_str());
        return 2;
      }
      const std::string text(std::istreambuf_iterator<char>(in), {});
      // Exactly as large as the file, so that a sanitizer sees a read past its end.
      std::vector<std::uint8_t> bytes(text.begin(), text.end());
      bytes.shrink_to_fit();
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++count;
    }
  }
  std::printf("%zu files\n", count);
  return count == 0 ? 77 : 0;
}
