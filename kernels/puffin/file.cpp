// Files: ranged reads, and writes that appear whole or not at all.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <utility>

#include "dvk/io.hpp"
#include "puffin/guarded.hpp"
#include "puffin/system_calls.hpp"

namespace dvk::inline v0 {
namespace {

// Linux moves at most 2^31 - 4096 bytes a call; smaller pieces also keep ssize_t out of trouble on
// 32-bit systems.
constexpr std::size_t largest_transfer = std::size_t{1} << 30;

error system_error(std::uint64_t offset = 0) noexcept {
  return {
      .code = error_code::io_error, .offset = offset, .found = static_cast<std::uint64_t>(errno)};
}

int open_retrying(const detail::system_calls& calls, const char* path, int flags,
                  mode_t mode = 0) noexcept {
  int descriptor = -1;
  do {
    descriptor = calls.open(path, flags, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

// Never repeated on EINTR: on Linux the descriptor is gone by then, and may be another thread's
// already.
bool close_once(const detail::system_calls& calls, int& descriptor) noexcept {
  return calls.close(std::exchange(descriptor, -1)) == 0 || errno == EINTR;
}

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Beside the target, so that the rename stays within one file system. O_EXCL makes the name ours;
// the rest only makes the first try succeed: time is in it because in a container every process may
// have the same id, and what killed ones left behind would take one name after the other.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char suffix[96];
  std::snprintf(suffix, sizeof suffix, ".%ld.%lld%09ld.%u.tmp", static_cast<long>(getpid()),
                static_cast<long long>(now.tv_sec), now.tv_nsec, counter.fetch_add(1));
  const auto slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, name) + "." + path.substr(name) + suffix;
}

}  // namespace

const detail::system_calls& detail::real_system_calls() noexcept {
  static constexpr system_calls calls{
      .open = [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
      .fstat = [](int descriptor, struct stat* out) { return ::fstat(descriptor, out); },
      .pread = [](int descriptor, void* out, std::size_t bytes,
                  off_t offset) { return ::pread(descriptor, out, bytes, offset); },
      .write = [](int descriptor, const void* from,
                  std::size_t bytes) { return ::write(descriptor, from, bytes); },
      .fsync = [](int descriptor) { return ::fsync(descriptor); },
      .close = [](int descriptor) { return ::close(descriptor); },
      .rename = [](const char* from, const char* to) { return std::rename(from, to); },
      .unlink = [](const char* path) { return ::unlink(path); },
  };
  return calls;
}

result<file_source> file_source::open(const char* path,
                                      const detail::system_calls* calls) noexcept {
  if (calls == nullptr) calls = &detail::real_system_calls();
  const int descriptor = open_retrying(*calls, path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error();
  file_source out(calls, descriptor, 0);
  struct stat facts {};
  if (calls->fstat(descriptor, &facts) != 0) return system_error();
  if (!S_ISREG(facts.st_mode)) {
    errno = S_ISDIR(facts.st_mode) ? EISDIR : ESPIPE;
    return system_error();
  }
  out.size_ = static_cast<std::uint64_t>(facts.st_size);
  return out;
}

file_source::file_source(file_source&& other) noexcept
    : calls_(other.calls_), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

file_source& file_source::operator=(file_source&& other) noexcept {
  std::swap(calls_, other.calls_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

file_source::~file_source() {
  if (descriptor_ >= 0) close_once(*calls_, descriptor_);
}

error file_source::read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept {
  const std::uint64_t there = offset <= size_ ? size_ - offset : 0;
  if (out.size() > there) {
    return {
        .code = error_code::short_read, .offset = offset, .expected = out.size(), .found = there};
  }
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t piece = std::min(out.size() - done, largest_transfer);
    const ssize_t n =
        calls_->pread(descriptor_, out.data() + done, piece, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(offset + done);
    if (n == 0) {  // the file was cut after it was opened
      return {
          .code = error_code::short_read, .offset = offset, .expected = out.size(), .found = done};
    }
    done += static_cast<std::size_t>(n);
  }
  return {};
}

result<file_sink> file_sink::create(const char* path, const detail::system_calls* calls) noexcept {
  return detail::guarded([&]() -> result<file_sink> {
    file_sink out;
    out.calls_ = calls != nullptr ? calls : &detail::real_system_calls();
    out.path_ = path;
    // Opened first: later there is nothing left that could fail but the flush itself.
    out.directory_ = open_retrying(*out.calls_, directory_of(out.path_).c_str(),
                                   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out.directory_ < 0) return system_error();
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::string name = temporary_name(out.path_);
      out.descriptor_ =
          open_retrying(*out.calls_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (out.descriptor_ >= 0) {
        out.temporary_ = std::move(name);
        return out;
      }
      if (errno != EEXIST) break;
    }
    return system_error();
  });
}

file_sink::file_sink(file_sink&& other) noexcept
    : calls_(other.calls_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      directory_(std::exchange(other.directory_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      written_(other.written_),
      failure_(other.failure_) {}

file_sink& file_sink::operator=(file_sink&& other) noexcept {
  if (this != &other) {
    discard();
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

file_sink::~file_sink() {
  discard();
}

void file_sink::discard() noexcept {
  if (descriptor_ >= 0) close_once(*calls_, descriptor_);
  if (directory_ >= 0) close_once(*calls_, directory_);
  if (!temporary_.empty()) calls_->unlink(temporary_.c_str());
  temporary_.clear();
}

error file_sink::fail(error failure) noexcept {
  failure_ = failure;
  discard();
  return failure;
}

error file_sink::write(std::span<const std::byte> bytes) noexcept {
  if (detail::failed(failure_)) return failure_;
  if (descriptor_ < 0) return {.code = error_code::invalid_argument};  // committed already
  while (!bytes.empty()) {
    const ssize_t n =
        calls_->write(descriptor_, bytes.data(), std::min(bytes.size(), largest_transfer));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;  // a device that takes nothing and reports nothing: do not spin
    if (n <= 0) return fail(system_error(written_));
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    written_ += static_cast<std::uint64_t>(n);
  }
  return {};
}

error file_sink::commit() noexcept {
  if (detail::failed(failure_)) return failure_;
  if (descriptor_ < 0) return {.code = error_code::invalid_argument};
  if (calls_->fsync(descriptor_) != 0) return fail(system_error(written_));
  if (!close_once(*calls_, descriptor_)) return fail(system_error(written_));
  if (calls_->rename(temporary_.c_str(), path_.c_str()) != 0) return fail(system_error(written_));
  // From here the old file is gone: to take the new one away as well would leave neither.
  temporary_.clear();
  if (calls_->fsync(directory_) != 0) return fail(system_error(written_));
  discard();
  return {};
}

}  // namespace dvk::inline v0
