// A process that is killed at any step of writing a Puffin file: what its successor finds.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "dvk/puffin.hpp"
#include "puffin/system_calls.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::detail::system_calls;
namespace fs = std::filesystem;

const system_calls& real() {
  return dvk::detail::real_system_calls();
}

// The process dies at moment `deadly`; two moments a system call, before it and after it.
int deadly = 0;
int moment = 0;

void pass_moment() {
  if (moment++ == deadly) raise(SIGKILL);
}

template <auto Call, class... Arguments>
auto between_moments(Arguments... arguments) {
  pass_moment();
  const auto answer = (real().*Call)(arguments...);
  pass_moment();
  return answer;
}

constexpr system_calls mortal{
    .open = between_moments<&system_calls::open>,
    .fstat = between_moments<&system_calls::fstat>,
    .pread = between_moments<&system_calls::pread>,
    // Small pieces: a file that is killed in the middle of a blob, of a footer, of a magic.
    .write = [](int fd, const void* from, std::size_t n) -> ssize_t {
      return between_moments<&system_calls::write>(fd, from, std::min<std::size_t>(n, 11));
    },
    .fsync = between_moments<&system_calls::fsync>,
    .close = between_moments<&system_calls::close>,
    .rename = between_moments<&system_calls::rename>,
    .unlink = between_moments<&system_calls::unlink>,
};

bool save(const std::string& path, std::uint32_t row, const system_calls* calls) {
  auto sink = dvk::file_sink::create(path.c_str(), calls);
  if (!sink) return false;
  dvk::puffin::writer writer(*sink);
  const std::string blob = vector_blob({row, row + 2});
  return writer.write_vector(bytes_of(blob), "data/1.parquet", 2) && writer.finish();
}

// Saves `row` in a process of its own that dies at `at`; whether it lived to the end.
bool survives(const std::string& path, std::uint32_t row, int at) {
  const pid_t child = fork();
  if (child == 0) {
    deadly = at;
    _exit(save(path, row, &mortal) ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) {
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return true;
  }
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  return false;
}

// The first row of the file's vector; the file is whole or the test fails.
std::uint32_t row_of(const std::string& path) {
  const auto reader = dvk::puffin::reader::open_file(path.c_str());
  EXPECT_TRUE(reader) << reader.error().message();
  if (!reader) return 0;
  const auto opened = reader->read_vector(*reader->find("data/1.parquet"));
  EXPECT_TRUE(opened) << opened.error().message();
  return opened && opened->vector.contains(30) ? 30 : opened && opened->vector.contains(4) ? 4 : 0;
}

constexpr std::uint32_t old_row = 4;
constexpr std::uint32_t new_row = 30;

class puffin_file_killed : public testing::TestWithParam<bool> {};

TEST_P(puffin_file_killed, leaves_the_old_file_or_the_new_one) {
  const bool has_old = GetParam();
  const fs::path folder = fs::temp_directory_path() / ("dvk-killed-" + std::to_string(getpid()) +
                                                       (has_old ? "-over" : "-fresh"));
  const std::string path = (folder / "x.puffin").string();
  const std::regex temporary(R"(\.x\.puffin\.\d+\.\d+\.\d+\.tmp)");
  int deaths = 0;
  std::vector<std::string> seen;  // what stood there after each death
  for (bool survived = false; !survived;) {
    SCOPED_TRACE("killed at moment " + std::to_string(deaths));
    ASSERT_LT(deaths, 1000);
    fs::remove_all(folder);
    fs::create_directory(folder);
    if (has_old) {
      ASSERT_TRUE(save(path, old_row, nullptr));
    }
    survived = survives(path, new_row, deaths);
    deaths += !survived;

    int leftovers = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name == "x.puffin") continue;
      EXPECT_TRUE(std::regex_match(name, temporary)) << name;
      ++leftovers;
    }
    EXPECT_LE(leftovers, survived ? 0 : 1);
    const std::uint32_t row = fs::exists(path) ? row_of(path) : 0;
    const std::string state = row == new_row ? "new" : row == old_row ? "old" : "none";
    if (seen.empty() || seen.back() != state) seen.push_back(state);
    if (survived) {
      EXPECT_EQ(state, "new");
      break;
    }
    // The successor is not disturbed by what was left, and does not disturb it.
    ASSERT_TRUE(save(path, new_row, nullptr));
    EXPECT_EQ(row_of(path), new_row);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1 + leftovers);
  }
  // The change comes once, at the rename.
  EXPECT_EQ(seen, (std::vector<std::string>{has_old ? "old" : "none", "new"}));
  // Directory and file opened, three writes at the least, two flushes, two closes, one rename.
  EXPECT_GE(deaths, 2 * 10);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(, puffin_file_killed, testing::Bool(),
                         [](const auto& old) { return old.param ? "over_an_old_file" : "fresh"; });

}  // namespace
