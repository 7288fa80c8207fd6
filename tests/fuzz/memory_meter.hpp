// How much memory a call takes at most, as AddressSanitizer sees it. Without that sanitizer nothing
// is measured, and every peak is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DVK_METERED 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define DVK_METERED 1
#endif

#ifdef DVK_METERED
// From sanitizer/allocator_interface.h, which Clang installs and GCC, whose run-time library has
// them too, does not.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                  std::size_t),
                                              void (*free_hook)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* block);
}
#endif

namespace dvk_fuzz {

class memory_meter {
 public:
  memory_meter() {
#ifdef DVK_METERED
    static const int installed = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void*, std::size_t size) { count(static_cast<std::int64_t>(size)); },
        [](const volatile void* block) {
          if (block != nullptr)
            count(-static_cast<std::int64_t>(__sanitizer_get_allocated_size(block)));
        });
    static_cast<void>(installed);
#endif
    held() = 0;
    peak_ = 0;
  }

  // The most bytes that were allocated at a time since the meter was made.
  [[nodiscard]] std::uint64_t peak() const {
    return static_cast<std::uint64_t>(peak_);
  }

 private:
  static std::int64_t& held() {
    static std::int64_t value = 0;
    return value;
  }
  static void count(std::int64_t bytes) {
    held() += bytes;
    peak_ = std::max(peak_, held());
  }

  inline static std::int64_t peak_ = 0;
};

}  // namespace dvk_fuzz
