// select/<form>[_<variant>]/<dataset>/n<batch>/<tier>: a pass over the whole file, batch by batch.
//
// The buffer is written for uniform batches too, so that figures are for the same bytes as the
// limits'; the variant `flag` leaves it alone, which is how a scan that honours `kind` calls. Other
// variants: `stateless` (a new scanner for each batch), `unaligned` (batches start at 17 modulo
// 64), `random` (as many batches, anywhere, in any order, one scanner).
#include "dvk/selection.hpp"

#include <benchmark/benchmark.h>

#include <random>

#include "bench/datasets.hpp"
#include "bench/forms.hpp"
#include "bench/suite.hpp"

namespace dvk_bench {
namespace {

using dvk::batch_kind;
using dvk::batch_result;
using dvk::row_range;
using dvk::scanner;

// A form: how a batch is asked for, and what the buffer must then hold.
template <class T, bool Always = true>
struct index_form {
  static batch_result run(scanner& s, row_range rows) {
    return s.indices(rows, output<T>().first(rows.count), {.always_write = Always});
  }
  static bool check(const dataset& d, row_range rows, batch_result r) {
    if (!Always && r.kind != batch_kind::mixed)
      return r.live == (r.kind == batch_kind::all_live ? rows.count : 0);
    return is_live_list<T>(d, rows, output<T>().first(r.live));
  }
};

struct bit_form {
  static batch_result run(scanner& s, row_range rows) {
    return s.bits(rows, output<std::uint64_t>().first((rows.count + 63) / 64), 0,
                  {.always_write = true});
  }
  static bool check(const dataset& d, row_range rows, batch_result) {
    return are_live_bits(d, rows, output<std::uint64_t>());
  }
};

struct byte_form {
  static batch_result run(scanner& s, row_range rows) {
    return s.bytes(rows, output<std::uint8_t>().first(rows.count), {.always_write = true});
  }
  static bool check(const dataset& d, row_range rows, batch_result) {
    return are_live_bytes(d, rows, output<std::uint8_t>());
  }
};

struct run_form {
  static dvk::run_result run(scanner& s, row_range rows) {
    return s.runs(rows, output<dvk::row_run>().first(rows.count / 2 + 1), {.always_write = true});
  }
  static bool check(const dataset& d, row_range rows, const dvk::run_result& r) {
    return r.rows_done == rows.count &&
           are_live_runs(d, rows, output<dvk::row_run>().first(r.written));
  }
};

struct count_form {
  static batch_result run(scanner& s, row_range rows) { return s.count(rows); }
  static bool check(const dataset&, row_range, batch_result) { return true; }
};

// An order: which batches are visited, and with which scanner.
struct sequential {
  template <class F>
  static void walk(const dataset& d, std::size_t n, F&& visit) {
    scanner s(d.view);
    for_each_batch(d, n, [&](row_range rows) { visit(s, rows); });
  }
};
struct stateless {
  template <class F>
  static void walk(const dataset& d, std::size_t n, F&& visit) {
    for_each_batch(d, n, [&](row_range rows) {
      scanner s(d.view);
      visit(s, rows);
    });
  }
};
struct unaligned {
  template <class F>
  static void walk(const dataset& d, std::size_t n, F&& visit) {
    scanner s(d.view);
    for_each_batch(
        d, n, [&](row_range rows) { visit(s, rows); }, 17);
  }
};
struct random_starts {
  template <class F>
  static void walk(const dataset& d, std::size_t n, F&& visit) {
    scanner s(d.view);
    // A multiplicative generator costs a cycle; a table of starts would cost the caches that the
    // vector lives in.
    std::uint64_t x = 0x9e3779b97f4a7c15;
    for (std::uint64_t i = 0; i < d.rows / n; ++i) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      visit(s, row_range{static_cast<std::uint64_t>((static_cast<double>(x >> 11)) * 0x1p-53 *
                                                    static_cast<double>(d.rows - n)),
                         n});
    }
  }
};

template <class Form, class Order>
job scan(const dataset& d, std::size_t n) {
  std::uint64_t items = 0;
  Order::walk(d, n, [&](scanner&, row_range rows) { items += rows.count; });
  const auto check = [&d, n] {
    bool right = true;
    Order::walk(d, n, [&](scanner& s, row_range rows) {
      if (!right) return;
      const auto r = Form::run(s, rows);
      right =
          r.kind != batch_kind::refused && r.live == live_rows(d, rows) && Form::check(d, rows, r);
    });
    return right;
  };
  const auto pass = [&d, n] {
    std::uint64_t live = 0;
    Order::walk(d, n, [&](scanner& s, row_range rows) {
      live += Form::run(s, rows).live;
      benchmark::ClobberMemory();
    });
    return live;
  };
  return {check, pass, items};
}

template <class Form, class Order = sequential>
void add_scan(const std::string& op, const std::string& name, std::size_t n, dvk::tier tier) {
  add("select/" + op + "/" + name + "/n" + std::to_string(n) + "/" +
          std::string(dvk::tier_name(tier)),
      tier, [=] { return scan<Form, Order>(get_dataset(name), n); });
}

void register_tier(dvk::tier tier, const std::string& name) {
  using u32 = index_form<std::uint32_t>;
  for (const std::size_t n : batch_sizes) {
    add_scan<u32>("u32", name, n, tier);
    add_scan<index_form<std::uint32_t, false>>("u32_flag", name, n, tier);
    add_scan<u32, stateless>("u32_stateless", name, n, tier);
    add_scan<index_form<std::uint16_t>>("u16", name, n, tier);
    add_scan<index_form<std::int32_t>>("i32", name, n, tier);
    add_scan<index_form<std::uint64_t>>("u64", name, n, tier);
    add_scan<bit_form>("bits", name, n, tier);
    add_scan<byte_form>("bytes", name, n, tier);
    add_scan<run_form>("runs", name, n, tier);
    add_scan<count_form>("count", name, n, tier);
  }
  for (const std::size_t n : {usual_batch, std::size_t{65536}}) {
    add_scan<u32, unaligned>("u32_unaligned", name, n, tier);
    add_scan<u32, random_starts>("u32_random", name, n, tier);
    add_scan<bit_form, unaligned>("bits_unaligned", name, n, tier);
    add_scan<byte_form, unaligned>("bytes_unaligned", name, n, tier);
  }
  const std::string large = name + "_100m";
  add_scan<u32>("u32", large, usual_batch, tier);
  add_scan<bit_form>("bits", large, usual_batch, tier);
}

}  // namespace

void register_selection() {
  for_each_tier([](dvk::tier tier, const std::string&) {
    for (const std::string_view name : dataset_names)
      register_tier(tier, std::string(name));
  });
}

}  // namespace dvk_bench
