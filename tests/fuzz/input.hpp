// The bytes of a fuzzer as a series of choices. Past their end every choice is 0, so that any
// prefix of an input is an input too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dvk_fuzz {

class input {
 public:
  explicit input(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  template <class T>
  T number() {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(byte()) << (8 * i)));
    return value;
  }
  [[nodiscard]] std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(bytes_.front());
    bytes_ = bytes_.subspan(1);
    return value;
  }
  bool flag() { return (byte() & 1) != 0; }
  // 0 to limit - 1.
  std::uint64_t below(std::uint64_t limit) {
    return limit <= 256 ? byte() % limit : number<std::uint32_t>() % limit;
  }

  std::span<const std::byte> take(std::size_t size) {
    const auto out = bytes_.first(std::min(size, bytes_.size()));
    bytes_ = bytes_.subspan(out.size());
    return out;
  }
  std::string text(std::size_t size) {
    const auto out = take(size);
    return {reinterpret_cast<const char*>(out.data()), out.size()};
  }
  std::span<const std::byte> rest() { return take(bytes_.size()); }

 private:
  std::span<const std::byte> bytes_;
};

// A number that depends on all bytes, for choices that must not be bytes of the format at hand.
inline std::uint64_t digest(std::span<const std::byte> bytes,
                            std::uint64_t start = 0xcbf29ce484222325u) {
  for (const std::byte b : bytes)
    start = (start ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
  return start ^ start >> 29;
}

}  // namespace dvk_fuzz
