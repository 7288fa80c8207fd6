// Where bytes come from and where they go: sources that are read by ranges, sinks that are written
// once.
//
// Both are small interfaces, so that an engine can put its own file system behind them. Nothing
// throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "dvk/export.hpp"
#include "dvk/result.hpp"

namespace dvk::inline v0 {

namespace detail {
struct system_calls;  // what the file classes ask of the operating system; tests put faults there
}

// Bytes that were read or decoded, owned. Not cleared when it is made: every byte is written by its
// maker.
class byte_buffer {
 public:
  byte_buffer() noexcept = default;
  // `size` bytes of unspecified value, or out_of_memory.
  [[nodiscard]] DVK_EXPORT static result<byte_buffer> allocate(std::uint64_t size) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::byte* data() noexcept { return data_.get(); }
  [[nodiscard]] const std::byte* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::span<std::byte> bytes() noexcept { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_ = 0;
};

// A file, or what stands for one, read by ranges. Implementations allow read_at from several
// threads at once if the reader over them is to be shared between threads.
class DVK_EXPORT random_access_source {
 public:
  virtual ~random_access_source() = default;

  // Length in bytes. Does not change while the source is in use.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  // Fills all of `out` with the bytes from `offset` on. The default error (code ok) on success;
  // short_read if the source ended early, io_error with errno in `found` if it failed. On failure
  // `out` holds unspecified bytes.
  [[nodiscard]] virtual error read_at(std::uint64_t offset,
                                      std::span<std::byte> out) const noexcept = 0;
};

// Bytes in memory, borrowed.
class DVK_EXPORT memory_source final : public random_access_source {
 public:
  explicit memory_source(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] error read_at(std::uint64_t offset,
                              std::span<std::byte> out) const noexcept override;

 private:
  std::span<const std::byte> bytes_;
};

// A function and its context, for callers from C or with a reader of their own.
class DVK_EXPORT callback_source final : public random_access_source {
 public:
  // The contract of read_at above; `context` is handed through.
  using read_function = error (*)(void* context, std::uint64_t offset,
                                  std::span<std::byte> out) noexcept;

  callback_source(std::uint64_t size, read_function read, void* context) noexcept
      : size_(size), read_(read), context_(context) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] error read_at(std::uint64_t offset,
                              std::span<std::byte> out) const noexcept override;

 private:
  std::uint64_t size_;
  read_function read_;
  void* context_;
};

// A regular file, read with pread: no shared file position, so that threads do not disturb each
// other.
class DVK_EXPORT file_source final : public random_access_source {
 public:
  // Opens `path`. io_error if it cannot be opened or is no regular file. `calls` is for fault
  // tests.
  [[nodiscard]] static result<file_source> open(
      const char* path, const detail::system_calls* calls = nullptr) noexcept;
  file_source(file_source&& other) noexcept;
  file_source& operator=(file_source&& other) noexcept;
  ~file_source() override;

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] error read_at(std::uint64_t offset,
                              std::span<std::byte> out) const noexcept override;

 private:
  file_source(const detail::system_calls* calls, int descriptor, std::uint64_t size) noexcept
      : calls_(calls), descriptor_(descriptor), size_(size) {}

  const detail::system_calls* calls_;
  int descriptor_;
  std::uint64_t size_;
};

// Takes bytes in order. After an error the sink is of no more use. What was written counts only
// once commit succeeded; a sink destroyed before leaves nothing behind.
class DVK_EXPORT sink {
 public:
  virtual ~sink() = default;
  [[nodiscard]] virtual error write(std::span<const std::byte> bytes) noexcept = 0;
  [[nodiscard]] virtual error commit() noexcept = 0;
};

class DVK_EXPORT memory_sink final : public sink {
 public:
  [[nodiscard]] error write(std::span<const std::byte> bytes) noexcept override;
  [[nodiscard]] error commit() noexcept override { return {}; }
  // What was written so far.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return std::as_bytes(std::span(bytes_.data(), bytes_.size()));
  }

 private:
  std::string bytes_;
};

// A file that appears whole or not at all. The bytes go to a unique temporary file in the same
// directory; commit flushes it, renames it (replacing a file of that name) and flushes the
// directory. At every moment `path` names the old file, or nothing if there was none, or the whole
// new one.
//
// On any error before the rename, and without commit, the temporary file is removed and `path` is
// as it was. If only the flush of the directory fails, commit reports that too, but the new file
// stays, since the rename has already replaced the old one: which of the two a power failure would
// leave is then not known. A failed flush is final: it is never tried again, because the kernel may
// have dropped the pages and would then report success.
//
// A process that is killed may leave its temporary file, `.NAME.PID.TIME.N.tmp`: it never stands in
// the way of another sink, and can be removed once no process PID writes there.
class DVK_EXPORT file_sink final : public sink {
 public:
  [[nodiscard]] static result<file_sink> create(
      const char* path, const detail::system_calls* calls = nullptr) noexcept;
  file_sink(file_sink&& other) noexcept;
  file_sink& operator=(file_sink&& other) noexcept;
  ~file_sink() override;

  [[nodiscard]] error write(std::span<const std::byte> bytes) noexcept override;
  [[nodiscard]] error commit() noexcept override;

 private:
  file_sink() noexcept = default;
  error fail(error failure) noexcept;
  void discard() noexcept;

  const detail::system_calls* calls_ = nullptr;
  int descriptor_ = -1;
  int directory_ = -1;
  std::string path_;
  std::string temporary_;  // empty once it is renamed or removed
  std::uint64_t written_ = 0;
  error failure_;
};

}  // namespace dvk::inline v0
