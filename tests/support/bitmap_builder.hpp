// A plain, slow writer of serialised deletion vectors for tests: 64-bit Roaring bitmaps and framed
// blobs from ascending rows. It shares no code with the library, its CRC-32 included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <vector>

namespace dvk_test {

using byte_vector = std::vector<std::byte>;

// Which containers become run containers. Whether another one is an array or a bitset follows from
// its cardinality.
enum class run_rule {
  smallest,  // Iceberg's rule for a fresh bitmap: if 2 + 4 * runs < min(2 * cardinality, 8192)
  never,
  always,
};

struct bitmap_options {
  run_rule runs = run_rule::smallest;
  // Decides instead of `runs` if set; `container` is row >> 16.
  std::function<bool(std::uint64_t container)> run_if = nullptr;
  // As Iceberg Java: an empty bitmap for every key between 0 and the highest one that has none. Low
  // keys only.
  bool gap_bitmaps = false;
  // Cookie 12347 even for a bitmap without run container.
  bool run_cookie_always = false;
};

// The standard CRC-32, bit table by bit table: the independent opinion on dvk::crc32.
inline std::uint32_t plain_crc32(std::span<const std::byte> bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      t[i] = i;
      for (int k = 0; k < 8; ++k)
        t[i] = (t[i] >> 1) ^ ((t[i] & 1) != 0 ? 0xedb88320u : 0u);
    }
    return t;
  }();
  std::uint32_t crc = 0xffffffff;
  for (const std::byte b : bytes)
    crc = (crc >> 8) ^ table[(crc ^ static_cast<std::uint32_t>(b)) & 0xff];
  return ~crc;
}

template <class T>
void put_le(byte_vector& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
  }
}
inline void put_be32(byte_vector& out, std::uint32_t value) {
  for (int i = 3; i >= 0; --i)
    out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// The deletion-vector-v1 frame around a serialised bitmap.
inline byte_vector frame_blob(std::span<const std::byte> bitmap) {
  byte_vector out;
  put_be32(out, static_cast<std::uint32_t>(bitmap.size() + 4));
  for (const int b : {0xd1, 0xd3, 0x39, 0x64})
    out.push_back(static_cast<std::byte>(b));
  out.insert(out.end(), bitmap.begin(), bitmap.end());
  put_be32(out, plain_crc32(std::span<const std::byte>(out).subspan(4)));
  return out;
}

class bitmap_writer {
 public:
  explicit bitmap_writer(bitmap_options options = {}) : options_(std::move(options)) {}

  // Rows ascend strictly over all calls.
  bitmap_writer& add(std::uint64_t row) { return add_range(row, 1); }
  bitmap_writer& add(std::span<const std::uint64_t> rows) {
    for (const std::uint64_t row : rows)
      add(row);
    return *this;
  }
  bitmap_writer& add_range(std::uint64_t first, std::uint64_t count) {
    if (first < next_) std::abort();
    next_ = first + count;
    while (count != 0) {
      const auto slot = static_cast<std::uint32_t>(first & 0xffff);
      const std::uint64_t room = 65536 - slot;
      const auto n = static_cast<std::uint32_t>(count < room ? count : room);
      extend(container_of(first >> 16), slot, n);
      first += n;
      count -= n;
    }
    return *this;
  }

  [[nodiscard]] byte_vector bitmap64() const {
    byte_vector body;
    std::uint64_t bitmaps = 0;
    std::uint64_t next_key = 0;
    for (std::size_t i = 0; i < containers_.size(); ++bitmaps) {
      const std::uint64_t key = containers_[i].key >> 16;
      for (; options_.gap_bitmaps && next_key < key; ++next_key, ++bitmaps) {
        put_le(body, static_cast<std::uint32_t>(next_key));
        put_bitmap32(body, {});
      }
      std::size_t end = i;
      while (end < containers_.size() && containers_[end].key >> 16 == key)
        ++end;
      put_le(body, static_cast<std::uint32_t>(key));
      put_bitmap32(body, std::span(containers_).subspan(i, end - i));
      next_key = key + 1;
      i = end;
    }
    byte_vector out;
    put_le(out, bitmaps);
    out.insert(out.end(), body.begin(), body.end());
    return out;
  }

  [[nodiscard]] byte_vector blob() const { return frame_blob(bitmap64()); }

 private:
  struct run {
    std::uint32_t first;
    std::uint32_t count;
  };
  struct container {
    std::uint64_t key;  // row >> 16
    std::uint32_t cardinality = 0;
    std::vector<run> runs = {};
  };

  container& container_of(std::uint64_t key) {
    if (containers_.empty() || containers_.back().key != key) containers_.push_back({key});
    return containers_.back();
  }

  static void extend(container& c, std::uint32_t first, std::uint32_t count) {
    if (!c.runs.empty() && c.runs.back().first + c.runs.back().count == first) {
      c.runs.back().count += count;
    } else {
      c.runs.push_back({first, count});
    }
    c.cardinality += count;
  }

  [[nodiscard]] bool is_run(const container& c) const {
    if (options_.run_if) return options_.run_if(c.key);
    const std::size_t other = c.cardinality <= 4096 ? 2 * std::size_t{c.cardinality} : 8192;
    return options_.runs == run_rule::always ||
           (options_.runs == run_rule::smallest && 2 + 4 * c.runs.size() < other);
  }

  void put_payload(byte_vector& out, const container& c) const {
    if (is_run(c)) {
      put_le(out, static_cast<std::uint16_t>(c.runs.size()));
      for (const run& r : c.runs) {
        put_le(out, static_cast<std::uint16_t>(r.first));
        put_le(out, static_cast<std::uint16_t>(r.count - 1));
      }
      return;
    }
    std::vector<bool> bits(65536);
    for (const run& r : c.runs) {
      for (std::uint32_t i = 0; i < r.count; ++i) {
        bits[r.first + i] = true;
        if (c.cardinality <= 4096) put_le(out, static_cast<std::uint16_t>(r.first + i));
      }
    }
    if (c.cardinality <= 4096) return;
    for (std::size_t i = 0; i < 65536; i += 8) {
      unsigned b = 0;
      for (std::size_t k = 0; k < 8; ++k)
        b |= static_cast<unsigned>(bits[i + k]) << k;
      out.push_back(static_cast<std::byte>(b));
    }
  }

  void put_bitmap32(byte_vector& out, std::span<const container> containers) const {
    const std::size_t n = containers.size();
    bool run_cookie = options_.run_cookie_always && n != 0;
    for (const container& c : containers)
      run_cookie = run_cookie || is_run(c);
    std::size_t header = 8 + 4 * n;
    if (run_cookie) {
      put_le(out, static_cast<std::uint32_t>(12347 | (n - 1) << 16));
      for (std::size_t i = 0; i < n; i += 8) {
        unsigned flags = 0;
        for (std::size_t k = i; k < n && k < i + 8; ++k) {
          flags |= static_cast<unsigned>(is_run(containers[k])) << (k - i);
        }
        out.push_back(static_cast<std::byte>(flags));
      }
      header = 4 + (n + 7) / 8 + 4 * n;
    } else {
      put_le(out, std::uint32_t{12346});
      put_le(out, static_cast<std::uint32_t>(n));
    }
    byte_vector payloads;
    std::vector<std::size_t> starts;
    for (const container& c : containers) {
      put_le(out, static_cast<std::uint16_t>(c.key));
      put_le(out, static_cast<std::uint16_t>(c.cardinality - 1));
      starts.push_back(payloads.size());
      put_payload(payloads, c);
    }
    if (!run_cookie || n >= 4) {
      header += 4 * n;
      for (const std::size_t start : starts)
        put_le(out, static_cast<std::uint32_t>(header + start));
    }
    out.insert(out.end(), payloads.begin(), payloads.end());
  }

  bitmap_options options_;
  std::vector<container> containers_;
  std::uint64_t next_ = 0;
};

// A copy of bytes at an address that is `misalignment` above a multiple of 64.
class placed_bytes {
 public:
  placed_bytes(std::span<const std::byte> bytes, std::size_t misalignment)
      : block_(bytes.size() + 128), size_(bytes.size()) {
    const auto address = reinterpret_cast<std::uintptr_t>(block_.data());
    start_ = (64 - address % 64) % 64 + misalignment % 64;
    for (std::size_t i = 0; i < size_; ++i)
      block_[start_ + i] = bytes[i];
  }
  placed_bytes(const placed_bytes&) = delete;
  placed_bytes& operator=(const placed_bytes&) = delete;
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::span(block_).subspan(start_, size_);
  }

 private:
  byte_vector block_;
  std::size_t size_;
  std::size_t start_ = 0;
};

}  // namespace dvk_test
