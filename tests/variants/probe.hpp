// Every tier's probe kernels against the list of slots that a container holds, at all alignments,
// with inaccessible pages on both sides, and on payloads that lie.
#pragma once

#include "probe/probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dispatch/tables.hpp"
#include "dvk/dispatch.hpp"
#include "tests/support/datasets.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/random.hpp"

namespace dvk_test::probe_comparisons {

using dvk::detail::container;
using dvk::detail::container_type;
using dvk::detail::probe_table;
using slots = std::vector<std::uint32_t>;

inline void put16(std::vector<std::uint8_t>& out, std::uint32_t v) {
  out.push_back(static_cast<std::uint8_t>(v & 0xff));
  out.push_back(static_cast<std::uint8_t>(v >> 8));
}

struct payload {
  container_type type;
  std::uint32_t units;
  std::vector<std::uint8_t> bytes;
};

inline payload encode(const slots& s, container_type type) {
  payload p{type, static_cast<std::uint32_t>(s.size()), {}};
  if (type == dvk::detail::array_container) {
    for (const std::uint32_t v : s)
      put16(p.bytes, v);
  } else if (type == dvk::detail::bitset_container) {
    p.bytes.resize(8192);
    for (const std::uint32_t v : s) {
      p.bytes[v / 8] = static_cast<std::uint8_t>(p.bytes[v / 8] | 1u << (v % 8));
    }
  } else {
    p.units = 0;
    for (std::size_t i = 0; i < s.size();) {
      std::size_t end = i + 1;
      while (end < s.size() && s[end] == s[end - 1] + 1)
        ++end;
      put16(p.bytes, s[i]);
      put16(p.bytes, static_cast<std::uint32_t>(end - i - 1));
      ++p.units;
      i = end;
    }
  }
  return p;
}

inline void set_entry(container& c, const std::uint8_t* at, container_type type, std::uint64_t key,
                      std::uint32_t units, std::uint64_t rank) {
  c.payload = at;
  c.type = type & 3;
  c.key = key & dvk::detail::sentinel_key;
  c.units_minus_one = static_cast<std::uint16_t>(units - 1);
  c.rank = rank & 0xffffffff;
}

inline std::vector<container_type> types_for(const slots& s) {
  std::vector<container_type> types = {dvk::detail::bitset_container, dvk::detail::run_container};
  if (s.size() <= 4096) types.push_back(dvk::detail::array_container);
  return types;
}

inline void expect_point_answers(const probe_table& table, const slots& s, std::mt19937_64& rng) {
  for (const container_type type : types_for(s)) {
    const payload p = encode(s, type);
    for (const auto side : {guard_buffer::side::start, guard_buffer::side::end}) {
      const guard_buffer buffer(p.bytes, side);
      container c = {};
      set_entry(c, buffer.data(), type, 0, p.units, 0);
      slots asked = {0, 1, 63, 64, 65535};
      for (int i = 0; i < 40; ++i) {
        const std::uint32_t v = s[static_cast<std::size_t>(below(rng, s.size()))];
        for (const std::uint32_t q : {v, v + 1, v == 0 ? 0 : v - 1})
          asked.push_back(std::min(q, 65535u));
        asked.push_back(static_cast<std::uint32_t>(below(rng, 65536)));
      }
      for (const std::uint32_t slot : asked) {
        const auto it = std::lower_bound(s.begin(), s.end(), slot);
        ASSERT_EQ(table.contains(c, slot), it != s.end() && *it == slot)
            << type << ' ' << slot << " of " << s.size();
        ASSERT_EQ(table.rank(c, slot), it - s.begin()) << type << ' ' << slot << " of " << s.size();
        const auto index = static_cast<std::uint32_t>(below(rng, s.size()));
        ASSERT_EQ(table.select(c, index), s[index]) << type << ' ' << index << " of " << s.size();
      }
      ASSERT_EQ(table.rank(c, 65536), s.size());
      ASSERT_EQ(table.select(c, static_cast<std::uint32_t>(s.size() - 1)), s.back());
    }
  }
}

inline void points_in_containers_of_every_size(const probe_table& table) {
  auto rng = generator(21);
  for (std::uint32_t n = 1; n <= 4200; n = n < 140 ? n + 1 : n + 203) {
    slots s;
    const std::uint32_t step = 65536 / n;
    for (std::uint32_t i = 0; i < n; ++i)
      s.push_back(i * step + static_cast<std::uint32_t>(below(rng, step)));
    expect_point_answers(table, s, rng);
  }
}

inline void points_in_random_containers(const probe_table& table) {
  auto rng = generator(22);
  for (std::size_t i = 0; i < cases(150); ++i)
    expect_point_answers(table, dvk_test::random_slots(rng), rng);
  slots full(65536);
  for (std::uint32_t i = 0; i < 65536; ++i)
    full[i] = i;
  expect_point_answers(table, full, rng);
}

// A directory over containers in one guarded buffer, at any alignment.
struct world {
  std::vector<std::uint64_t> rows;
  std::vector<container> entries;
  std::unique_ptr<guard_buffer> buffer;

  static world make(std::mt19937_64& rng) {
    std::vector<payload> payloads;
    std::vector<std::uint64_t> rows, keys, ranks;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(below(rng, 64)));
    std::uint64_t key = below(rng, 3);
    const std::uint64_t kind = below(rng, 4);  // all arrays now and then
    for (std::size_t i = 0, n = static_cast<std::size_t>(1 + below(rng, 6)); i < n; ++i) {
      slots s = dvk_test::random_slots(rng);
      auto types = types_for(s);
      if (kind == 0 && s.size() > 4096) s.resize(4096);
      payloads.push_back(
          encode(s, kind == 0 ? dvk::detail::array_container
                              : types[static_cast<std::size_t>(below(rng, types.size()))]));
      keys.push_back(key);
      ranks.push_back(rows.size());
      for (const std::uint32_t v : s)
        rows.push_back(key << 16 | v);
      key += kind < 3 || below(rng, 2) == 0 ? 1 : 1 + below(rng, 5);
    }
    std::vector<std::size_t> starts;
    for (const payload& p : payloads) {
      starts.push_back(bytes.size());
      bytes.insert(bytes.end(), p.bytes.begin(), p.bytes.end());
    }
    world w{rows, std::vector<container>(payloads.size() + 1),
            std::make_unique<guard_buffer>(bytes)};
    for (std::size_t i = 0; i < payloads.size(); ++i) {
      set_entry(w.entries[i], w.buffer->data() + starts[i], payloads[i].type, keys[i],
                payloads[i].units, ranks[i]);
    }
    set_entry(w.entries.back(), nullptr, dvk::detail::array_container, dvk::detail::sentinel_key, 1,
              rows.size());
    return w;
  }
  dvk::detail::directory directory() const { return {entries.data(), entries.size() - 1}; }
  bool contains(std::uint64_t row) const {
    return std::binary_search(rows.begin(), rows.end(), row);
  }
};

inline std::vector<std::uint64_t> ask(const world& w, std::mt19937_64& rng, std::size_t n) {
  std::vector<std::uint64_t> out;
  while (out.size() < n) {
    const std::uint64_t row = w.rows[static_cast<std::size_t>(below(rng, w.rows.size()))];
    switch (below(rng, 8)) {
      case 0:
        out.push_back(row + 1);
        break;
      case 1:
        out.push_back((row & ~std::uint64_t{0xffff}) + below(rng, 65536));
        break;
      case 2:
        out.push_back(row + below(rng, 70000));
        break;
      case 3:
        out.push_back(below(rng, 100) == 0 ? rng() : row);
        break;
      default:
        out.push_back(row);
        break;
    }
  }
  return out;
}

inline void expect_batch(const probe_table& table, const world& w,
                         std::vector<std::uint64_t> rows) {
  const std::size_t words = (rows.size() + 63) / 64;
  const guard_buffer in({reinterpret_cast<const std::uint8_t*>(rows.data()), 8 * rows.size()});
  const auto run = [&](auto kernel, const char* name) {
    const guard_buffer out(8 * words);
    std::fill_n(out.data(), out.size(), std::uint8_t{0xa5});
    kernel(w.directory(), in.as<std::uint64_t>().data(), rows.size(),
           out.as<std::uint64_t>().data());
    for (std::size_t i = 0; i < 64 * words; ++i) {
      const bool found = (out.as<std::uint64_t>()[i / 64] >> (i % 64) & 1) != 0;
      ASSERT_EQ(found, i < rows.size() && w.contains(rows[i]))
          << name << ' ' << i << " of " << rows.size();
    }
  };
  run(table.unsorted, "unsorted");
  if (std::is_sorted(rows.begin(), rows.end())) run(table.sorted, "sorted");
}

inline void batches_of_every_length(const probe_table& table) {
  auto rng = generator(23);
  const world w = world::make(rng);
  for (std::size_t n = 1; n <= 200; ++n) {
    std::vector<std::uint64_t> rows = ask(w, rng, n);
    expect_batch(table, w, rows);
    std::sort(rows.begin(), rows.end());
    expect_batch(table, w, rows);
  }
}

inline void random_batches(const probe_table& table) {
  auto rng = generator(24);
  for (std::size_t i = 0; i < cases(60); ++i) {
    const world w = world::make(rng);
    std::vector<std::uint64_t> rows =
        ask(w, rng, static_cast<std::size_t>(1 + below(rng, i % 4 == 0 ? 5000 : 500)));
    expect_batch(table, w, rows);
    std::sort(rows.begin(), rows.end());
    expect_batch(table, w, rows);
    // One after the other, as a batch of consecutive rows is.
    std::vector<std::uint64_t> consecutive(static_cast<std::size_t>(1 + below(rng, 4000)));
    for (std::size_t k = 0; k < consecutive.size(); ++k)
      consecutive[k] = rows[rows.size() / 2] + k;
    expect_batch(table, w, consecutive);
  }
}

// A fall at every place, repeats, and numbers that only compare right as unsigned ones.
inline void ascending_rows(const probe_table& table) {
  for (std::size_t n = 1; n <= 200; ++n) {
    std::vector<std::uint64_t> rows(n);
    for (std::size_t i = 0; i < n; ++i)
      rows[i] = i < n / 3 ? 5 : i < n / 2 ? 5 + i : (std::uint64_t{1} << 63) - n / 2 - 1 + i;
    const auto answer = [&] {
      const guard_buffer in({reinterpret_cast<const std::uint8_t*>(rows.data()), 8 * n});
      return table.ascending(in.as<std::uint64_t>().data(), n);
    };
    std::sort(rows.begin(), rows.end());
    ASSERT_TRUE(answer()) << n;
    for (std::size_t at = 1; at < n; ++at) {
      const std::uint64_t kept = std::exchange(rows[at], rows[at - 1] - 1);
      ASSERT_FALSE(answer()) << at << " of " << n;
      rows[at] = kept;
    }
  }
}

// Payloads as level trusted may let them through: any bytes. Only accesses count, and that answers
// stay in range.
inline void lying_payloads_stay_in_bounds(const probe_table& table) {
  auto rng = generator(25);
  for (std::size_t i = 0; i < cases(300); ++i) {
    const auto type = static_cast<container_type>(i % 3);
    const auto units = static_cast<std::uint32_t>(
        1 + below(rng, type == dvk::detail::run_container ? 3000 : 4096));
    std::vector<std::uint8_t> bytes(type == dvk::detail::bitset_container
                                        ? 8192
                                        : units * (type == dvk::detail::array_container ? 2 : 4));
    const std::uint64_t pattern = below(rng, 3);
    for (std::uint8_t& b : bytes)
      b = static_cast<std::uint8_t>(pattern == 0 ? 0 : pattern == 1 ? 0xff : rng());
    const guard_buffer buffer(bytes,
                              i % 2 == 0 ? guard_buffer::side::start : guard_buffer::side::end);
    container entries[2] = {};
    set_entry(entries[0], buffer.data(), type, 0, units, 0);
    set_entry(entries[1], nullptr, dvk::detail::array_container, dvk::detail::sentinel_key, 1,
              65536);
    for (int k = 0; k < 50; ++k) {
      const auto slot = static_cast<std::uint32_t>(below(rng, 65536));
      static_cast<void>(table.contains(entries[0], slot));
      static_cast<void>(table.rank(entries[0], slot + 1));
      ASSERT_LT(table.select(entries[0], slot), 65536u);
    }
    std::vector<std::uint64_t> rows(1000);
    for (std::uint64_t& row : rows)
      row = below(rng, 65536);
    std::vector<std::uint64_t> words(16);
    table.unsorted({entries, 1}, rows.data(), rows.size(), words.data());
    std::sort(rows.begin(), rows.end());
    table.sorted({entries, 1}, rows.data(), rows.size(), words.data());
  }
}

}  // namespace dvk_test::probe_comparisons
