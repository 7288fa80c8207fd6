// The operating system as the file classes see it: one table of functions, replaced by tests that
// inject faults. Each member has the meaning of the POSIX function of its name.
#pragma once

#include <sys/types.h>

#include <cstddef>

struct stat;

namespace dvk::inline v0::detail {

struct system_calls {
  int (*open)(const char* path, int flags, mode_t mode);
  int (*fstat)(int descriptor, struct stat* out);
  ssize_t (*pread)(int descriptor, void* out, std::size_t bytes, off_t offset);
  ssize_t (*write)(int descriptor, const void* from, std::size_t bytes);
  int (*fsync)(int descriptor);
  int (*close)(int descriptor);
  int (*rename)(const char* from, const char* to);
  int (*unlink)(const char* path);
};

[[nodiscard]] const system_calls& real_system_calls() noexcept;

}  // namespace dvk::inline v0::detail
