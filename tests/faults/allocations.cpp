#include "tests/faults/allocations.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>

// glibc's own, under the names that it keeps for such stand-ins.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t n, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

std::atomic<std::int64_t> held_bytes{0}, peak_bytes{0};
std::atomic<std::uint64_t> calls{0}, first_to_fail{never}, last_to_fail{0};
std::atomic<bool> has_failed{false};
std::atomic<int> exemptions{0};

bool fails() noexcept {
  if (exemptions != 0) return false;
  const std::uint64_t number = calls++;
  if (number < first_to_fail || number > last_to_fail) return false;
  has_failed = true;
  errno = ENOMEM;
  return true;
}

void* taken(void* block) noexcept {
  if (block != nullptr) {
    const std::int64_t now = held_bytes += static_cast<std::int64_t>(malloc_usable_size(block));
    peak_bytes = std::max(peak_bytes.load(), now);
  }
  return block;
}

void given_back(void* block) noexcept {
  if (block != nullptr) held_bytes -= static_cast<std::int64_t>(malloc_usable_size(block));
}

}  // namespace

#pragma GCC visibility push(default)  // or the libraries would not find them
extern "C" {
void* malloc(std::size_t size) {
  return fails() ? nullptr : taken(__libc_malloc(size));
}
void* calloc(std::size_t n, std::size_t size) {
  return fails() ? nullptr : taken(__libc_calloc(n, size));
}
void* realloc(void* block, std::size_t size) {
  if (fails()) return nullptr;
  const auto before = block == nullptr ? 0 : static_cast<std::int64_t>(malloc_usable_size(block));
  void* moved = __libc_realloc(block, size);
  if (moved != nullptr || size == 0) held_bytes -= before;
  return taken(moved);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : taken(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  void* block = memalign(alignment, size);
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}
void free(void* block) {
  given_back(block);
  __libc_free(block);
}
}
#pragma GCC visibility pop

namespace dvk_test {

allocation_meter::allocation_meter() noexcept {
  held_bytes = 0;
  peak_bytes = 0;
  calls = 0;
}
std::int64_t allocation_meter::held() const noexcept {
  return held_bytes;
}
std::int64_t allocation_meter::peak() const noexcept {
  return peak_bytes;
}
std::uint64_t allocation_meter::count() const noexcept {
  return calls;
}

void set_exempt(bool begins) noexcept {
  exemptions += begins ? 1 : -1;
}

failing_allocation::failing_allocation(std::uint64_t at, failure how) noexcept {
  calls = 0;
  has_failed = false;
  last_to_fail = how == failure::once ? at : never - 1;
  first_to_fail = at;
}
failing_allocation::~failing_allocation() {
  first_to_fail = never;
}
bool failing_allocation::happened() noexcept {
  return has_failed;
}

}  // namespace dvk_test
