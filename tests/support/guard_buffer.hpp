// A buffer that ends (or starts) exactly at an inaccessible page, so that any access past it is a
// fault. On its other side, up to the next such page, lie bytes that nobody may write: they are
// looked at in the end. Needed beside sanitizers, which miss compress stores, expand loads, gathers
// and (with GCC) masked accesses.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace dvk_test {

class guard_buffer {
 public:
  enum class side { end, start };

  // Room for `bytes` bytes, the last one right before a guard page (side::end), or the first one
  // right after one.
  explicit guard_buffer(std::size_t bytes, side where = side::end) : size_(bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t body = (bytes + page - 1) / page * page;
    mapped_ = body + 2 * page;
    base_ = static_cast<std::uint8_t*>(
        mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) std::abort();
    if (body != 0 && mprotect(base_ + page, body, PROT_READ | PROT_WRITE) != 0) std::abort();
    data_ = where == side::end ? base_ + page + body - bytes : base_ + page;
    beside_ = {where == side::end ? base_ + page : data_ + bytes, body - bytes};
    std::fill(beside_.begin(), beside_.end(), untouched);
  }
  guard_buffer(std::span<const std::uint8_t> content, side where = side::end)
      : guard_buffer(content.size(), where) {
    if (!content.empty()) std::memcpy(data_, content.data(), content.size());
  }
  guard_buffer(const guard_buffer&) = delete;
  guard_buffer& operator=(const guard_buffer&) = delete;
  ~guard_buffer() {
    if (std::any_of(beside_.begin(), beside_.end(), [](auto b) { return b != untouched; })) {
      std::fprintf(stderr, "a buffer of %zu bytes was written outside\n", size_);
      std::abort();
    }
    munmap(base_, mapped_);
  }

  [[nodiscard]] std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
  }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(data_), size_};
  }

 private:
  static constexpr std::uint8_t untouched = 0xc9;

  std::span<std::uint8_t> beside_;
  std::uint8_t* base_ = nullptr;
  std::uint8_t* data_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t size_ = 0;
};

}  // namespace dvk_test
