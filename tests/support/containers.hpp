// Random containers of every kind, as payload bytes and as the plain truth, for tests of kernels.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "roaring/container.hpp"
#include "tests/support/random.hpp"

namespace dvk_test {

struct test_container {
  std::vector<std::uint8_t> payload;
  std::vector<std::uint8_t> deleted = std::vector<std::uint8_t>(65536);  // the truth: 1 or 0 a slot
  dvk::detail::container_type type = dvk::detail::array_container;
  std::uint32_t units = 0;

  // The directory entry for a copy of the payload at `where`.
  [[nodiscard]] dvk::detail::container at(const std::uint8_t* where) const {
    dvk::detail::container c{};
    c.payload = where;
    c.type = type & 3u;
    c.units_minus_one = (units - 1) & 0xffff;
    return c;
  }
  [[nodiscard]] std::uint32_t cardinality() const {
    std::uint32_t n = 0;
    for (const auto d : deleted)
      n += d;
    return n;
  }
};

inline void put16(std::vector<std::uint8_t>& out, std::uint32_t v) {
  out.push_back(static_cast<std::uint8_t>(v));
  out.push_back(static_cast<std::uint8_t>(v >> 8));
}

// Serialises `deleted`, which must have a slot set (and fit the type: 1 to 4,096 slots for an
// array).
inline test_container encode(std::vector<std::uint8_t> deleted, dvk::detail::container_type type) {
  test_container c;
  c.deleted = std::move(deleted);
  c.type = type;
  if (type == dvk::detail::bitset_container) {
    c.payload.assign(8192, 0);
    for (std::uint32_t s = 0; s < 65536; ++s) {
      if (c.deleted[s] != 0) {
        c.payload[s / 8] = static_cast<std::uint8_t>(c.payload[s / 8] | (1u << (s % 8)));
        ++c.units;
      }
    }
  } else if (type == dvk::detail::array_container) {
    for (std::uint32_t s = 0; s < 65536; ++s) {
      if (c.deleted[s] != 0) put16(c.payload, s), ++c.units;
    }
  } else {
    for (std::uint32_t s = 0; s < 65536; ++s) {
      if (c.deleted[s] == 0) continue;
      std::uint32_t e = s;
      while (e < 65536 && c.deleted[e] != 0)
        ++e;
      put16(c.payload, s);
      put16(c.payload, e - s - 1);
      ++c.units;
      s = e;
    }
  }
  return c;
}

// A container of random kind and shape: uniform at many densities, clustered, runs, edges of the
// slot range.
inline test_container random_container(std::mt19937_64& rng) {
  std::vector<std::uint8_t> d(65536);
  const auto type = static_cast<dvk::detail::container_type>(below(rng, 3));
  const auto set_range = [&d](std::uint64_t from, std::uint64_t to) {
    for (; from < to && from < 65536; ++from)
      d[static_cast<std::size_t>(from)] = 1;
  };
  if (type == dvk::detail::array_container) {
    constexpr std::array<std::uint32_t, 10> counts = {1, 2, 3, 20, 31, 33, 300, 1000, 4095, 4096};
    const std::uint32_t n = below(rng, 3) == 0 ? 1 + static_cast<std::uint32_t>(below(rng, 4096))
                                               : counts[static_cast<std::size_t>(below(rng, 10))];
    const std::uint64_t span =
        below(rng, 4) == 0 ? std::uint64_t{n} + below(rng, 3000) : 65536;  // sometimes crowded
    const std::uint64_t from = span < 65536 ? below(rng, 65536 - (span < 65535 ? span : 65535)) : 0;
    for (std::uint32_t k = 0; k < n;) {
      auto& slot = d[(from + below(rng, span)) % 65536];
      if (slot == 0) slot = 1, ++k;
    }
  } else if (type == dvk::detail::bitset_container) {
    const std::uint64_t per_mille = std::array<std::uint64_t, 6>{
        70, 100, 300, 500, 900, 999}[static_cast<std::size_t>(below(rng, 6))];
    for (auto& slot : d)
      slot = below(rng, 1000) < per_mille ? 1 : 0;
    if (below(rng, 4) == 0)
      set_range(below(rng, 65536), below(rng, 65537));  // a stretch of all ones
    if (below(rng, 4) == 0) {
      const std::uint64_t from = below(rng, 65536), to = from + below(rng, 20000);
      for (std::uint64_t s = from; s < to && s < 65536; ++s)
        d[static_cast<std::size_t>(s)] = 0;
    }
    d[static_cast<std::size_t>(below(rng, 65536))] = 1;
  } else {
    constexpr std::array<std::uint64_t, 6> lengths = {1, 3, 21, 64, 300, 30000};
    const std::uint64_t mean_run = lengths[static_cast<std::size_t>(below(rng, 6))],
                        mean_gap = lengths[static_cast<std::size_t>(below(rng, 6))] + 1;
    for (std::uint64_t s = below(rng, 2) == 0 ? 0 : below(rng, 2 * mean_gap); s < 65536;) {
      const std::uint64_t n = 1 + below(rng, 2 * mean_run);
      set_range(s, s + n);
      s += n + 1 + below(rng, 2 * mean_gap);
    }
    if (below(rng, 6) == 0) set_range(0, 65536);
    d[static_cast<std::size_t>(below(rng, 65536))] = 1;
  }
  return encode(std::move(d), type);
}

}  // namespace dvk_test
