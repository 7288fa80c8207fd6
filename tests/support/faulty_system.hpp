// The operating system with faults put between it and the file classes.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <vector>

#include "puffin/system_calls.hpp"

namespace dvk_test {

using dvk::detail::system_calls;

inline const system_calls& real() {
  return dvk::detail::real_system_calls();
}

// What the faulty calls do. A call named `failing` fails with `with` when it comes for the `at`-th
// time.
struct plan {
  std::string failing = {};
  int at = 0;
  int with = EIO;
  bool interrupt_all = false;             // every second read, write and open says EINTR
  std::size_t largest = ~std::size_t{0};  // bytes that one read or write moves
  std::vector<std::string> log = {};
  int open_descriptors = 0;
  bool toggle = false;

  bool fails(const char* name) {
    log.emplace_back(name);
    const auto times = std::count(log.begin(), log.end(), name);
    if (failing != name || times != at + 1) return false;
    errno = with;
    return true;
  }
  bool interrupts() {
    toggle = !toggle && interrupt_all;
    if (toggle) errno = EINTR;
    return toggle;
  }
};
inline plan now;

inline const system_calls faulty{
    .open =
        [](const char* path, int flags, mode_t mode) {
          if (now.interrupts() || now.fails((flags & O_DIRECTORY) != 0 ? "open_directory" : "open"))
            return -1;
          const int fd = real().open(path, flags, mode);
          now.open_descriptors += fd >= 0;
          return fd;
        },
    .fstat = [](int fd,
                struct stat* out) { return now.fails("fstat") ? -1 : real().fstat(fd, out); },
    .pread = [](int fd, void* out, std::size_t n, off_t offset) -> ssize_t {
      if (now.interrupts() || now.fails("pread")) return -1;
      return real().pread(fd, out, std::min(n, now.largest), offset);
    },
    .write = [](int fd, const void* from, std::size_t n) -> ssize_t {
      if (now.interrupts() || now.fails("write")) return -1;
      return real().write(fd, from, std::min(n, now.largest));
    },
    .fsync =
        [](int fd) {
          struct stat facts {};
          real().fstat(fd, &facts);
          return now.fails(S_ISDIR(facts.st_mode) ? "fsync_directory" : "fsync") ? -1
                                                                                 : real().fsync(fd);
        },
    .close =
        [](int fd) {
          const int answer = real().close(fd);  // gone in any case, as on Linux
          --now.open_descriptors;
          return now.fails("close") ? -1 : answer;
        },
    .rename = [](const char* from,
                 const char* to) { return now.fails("rename") ? -1 : real().rename(from, to); },
    .unlink = [](const char* path) { return now.fails("unlink") ? -1 : real().unlink(path); },
};

}  // namespace dvk_test
