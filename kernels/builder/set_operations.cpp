// Set operations from serialised to serialised form.
//
// Two opened vectors are walked in step by chunk. What only one of them holds is copied (or left
// out); a pair of containers is combined by the cheapest of three ways: array with array by
// merging, short lists of runs by a sweep over their borders, all else as bitsets.
#include <algorithm>

#include "builder/bitmap_writer.hpp"
#include "builder/chunk.hpp"
#include "bytes/guard_memory.hpp"
#include "dvk/builder.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

// Borders above which a sweep is slower than going through bitsets.
constexpr std::uint32_t max_sweep_units = 512;

enum class operation : std::uint8_t { both, either, first_only, one_only };

constexpr bool keeps_first(operation op) {
  return op != operation::both;
}
constexpr bool keeps_second(operation op) {
  return op == operation::either || op == operation::one_only;
}
constexpr bool keeps_common(operation op) {
  return op == operation::both || op == operation::either;
}

// A sink that only counts: what the questions about two vectors need.
class row_counter {
 public:
  void begin(std::uint32_t, std::size_t, bool) noexcept {}
  void put_array(std::uint16_t, const std::uint8_t*, std::uint32_t n) noexcept { rows_ += n; }
  void put_bitset(std::uint16_t, const std::uint8_t*, bitset_facts facts) noexcept {
    rows_ += facts.cardinality;
  }
  void put_runs(std::uint16_t, const std::uint8_t*, std::uint32_t,
                std::uint32_t cardinality) noexcept {
    rows_ += cardinality;
  }
  [[nodiscard]] bool failed() const noexcept { return false; }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  std::uint64_t rows_ = 0;
};

template <class Sink>
class combiner {
 public:
  combiner(operation op, Sink& sink) noexcept : op_(op), sink_(sink) {}

  // A chunk that only one vector holds.
  void put(const chunk& c) {
    const auto key = static_cast<std::uint16_t>(c.key);
    switch (c.kind) {
      case container_kind::array:
        return sink_.put_array(key, c.payload, c.units);
      case container_kind::bitset:
        return sink_.put_bitset(key, c.payload, kernels_.bitset_count(c.payload));
      case container_kind::run:
        return put_runs(key, c);
    }
  }

  void combine(const chunk& a, const chunk& b) {
    const auto key = static_cast<std::uint16_t>(a.key);
    const bool bitset = a.kind == container_kind::bitset || b.kind == container_kind::bitset;
    if (a.kind == container_kind::array && b.kind == container_kind::array) {
      std::uint8_t values[2 * (2 * max_array_cardinality + setops_slack)];
      return sink_.put_array(key, values,
                             array_kernel()(a.payload, a.units, b.payload, b.units, values));
    }
    if (!bitset && a.units + b.units <= max_sweep_units)
      return sweep(key, border_cursor(a), border_cursor(b));
    if (a.kind == container_kind::array && !keeps_second(op_))
      return filter(key, a, b, keeps_common(op_));
    if (b.kind == container_kind::array && op_ == operation::both) return filter(key, b, a, true);
    std::uint8_t first[bitset_bytes], second[bitset_bytes];
    const std::uint8_t* x = as_bitset(a, first);
    const std::uint8_t* y = as_bitset(b, second);
    sink_.put_bitset(key, first, bitset_kernel()(x, y, first));
  }

 private:
  using array_function = decltype(setops_table::array_and);
  using bitset_function = decltype(setops_table::bitset_and);

  [[nodiscard]] array_function array_kernel() const noexcept {
    switch (op_) {
      case operation::both:
        return kernels_.array_and;
      case operation::either:
        return kernels_.array_or;
      case operation::first_only:
        return kernels_.array_andnot;
      default:
        return kernels_.array_xor;
    }
  }
  [[nodiscard]] bitset_function bitset_kernel() const noexcept {
    switch (op_) {
      case operation::both:
        return kernels_.bitset_and;
      case operation::either:
        return kernels_.bitset_or;
      case operation::first_only:
        return kernels_.bitset_andnot;
      default:
        return kernels_.bitset_xor;
    }
  }

  const std::uint8_t* as_bitset(const chunk& c, std::uint8_t* scratch) const noexcept {
    if (c.kind == container_kind::bitset) return c.payload;
    std::fill_n(scratch, bitset_bytes, std::uint8_t{0});
    (c.kind == container_kind::array ? kernels_.set_values : kernels_.set_runs)(scratch, c.payload,
                                                                                c.units);
    return scratch;
  }

  // The values of array `a` that are in `b` (or are not): a look-up each, without building a bitset
  // of `a`.
  void filter(std::uint16_t key, const chunk& a, const chunk& b, bool keep_members) {
    std::uint8_t scratch[bitset_bytes];
    std::uint8_t values[2 * (max_array_cardinality + setops_slack)];
    const std::uint8_t* words = as_bitset(b, scratch);
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < a.units; ++i) {
      const std::uint16_t v = bytes::load_le16(a.payload + 2 * i);
      bytes::store_le(values + 2 * n, v);
      n += ((words[v >> 3] >> (v & 7)) & 1) == static_cast<int>(keep_members);
    }
    sink_.put_array(key, values, n);
  }

  // Both lists of borders, merged: the result's runs begin and end where the operation's truth
  // changes.
  void sweep(std::uint16_t key, border_cursor a, border_cursor b) {
    std::uint8_t runs[4 * (max_sweep_units + 1)];
    const bool truth[4] = {false, keeps_first(op_), keeps_second(op_), keeps_common(op_)};
    std::uint32_t n = 0, cardinality = 0, start = 0;
    bool inside = false;
    while (true) {
      const std::uint32_t at = std::min(a.next(), b.next());
      if (at == border_cursor::none) break;
      a.pass(at);
      b.pass(at);
      const bool now = truth[static_cast<int>(a.inside()) + 2 * static_cast<int>(b.inside())];
      if (now == inside) continue;
      inside = now;
      if (now) {
        start = at;
        continue;
      }
      const auto length_less_one = static_cast<std::uint16_t>(at - 1 - start);
      bytes::store_le(runs + 4 * n, static_cast<std::uint16_t>(start));
      bytes::store_le(runs + 4 * n++ + 2, length_less_one);
      cardinality += length_less_one + 1u;
    }
    sink_.put_runs(key, runs, n, cardinality);
  }

  // Runs of one vector: as they are, if none touches the next.
  void put_runs(std::uint16_t key, const chunk& c) {
    std::uint32_t cardinality = 0;
    std::uint32_t after = border_cursor::none;  // first row after the run before
    bool maximal = true;
    for (std::uint32_t i = 0; i < c.units; ++i) {
      const std::uint32_t first = bytes::load_le16(c.payload + 4 * i);
      const std::uint32_t rows = bytes::load_le16(c.payload + 4 * i + 2) + 1u;
      maximal &= i == 0 || first > after;
      after = first + rows;
      maximal &= after <= container_rows;
      cardinality += rows;
    }
    if (maximal) return sink_.put_runs(key, c.payload, c.units, cardinality);
    std::uint8_t words[bitset_bytes];
    as_bitset(c, words);
    sink_.put_bitset(key, words, kernels_.bitset_count(words));
  }

  const operation op_;
  Sink& sink_;
  const setops_table& kernels_ = active_setops();
};

// Index of the first container from `i` on that belongs to another 32-bit bitmap.
std::size_t end_of_key(const deletion_vector& dv, std::size_t i, std::uint64_t key) noexcept {
  const std::size_t count = dv.container_count();
  // Most vectors have one key: look at the last container first.
  if (i < count && dv.container(count - 1).first_row >> 32 == key) return count;
  while (i < count && dv.container(i).first_row >> 32 == key)
    ++i;
  return i;
}

// `go_on` is asked after every chunk.
template <class Sink, class GoOn>
void walk(const deletion_vector& a, const deletion_vector& b, operation op, Sink& sink,
          GoOn go_on) {
  combiner<Sink> combined(op, sink);
  std::size_t i = 0, j = 0;
  const std::size_t na = a.container_count(), nb = b.container_count();
  while (i < na || j < nb) {
    const std::uint64_t key = std::min(i < na ? a.container(i).first_row >> 32 : ~std::uint64_t{0},
                                       j < nb ? b.container(j).first_row >> 32 : ~std::uint64_t{0});
    const std::size_t end_a = end_of_key(a, i, key), end_b = end_of_key(b, j, key);
    const std::size_t most = std::max(end_a - i, end_b - j);
    bool runs_likely = false;
    for (std::size_t k = 0; k < 2; ++k) {  // a look at the first of each tells enough for a guess
      if (i + k < end_a) runs_likely |= a.container(i + k).kind == container_kind::run;
      if (j + k < end_b) runs_likely |= b.container(j + k).kind == container_kind::run;
    }
    sink.begin(static_cast<std::uint32_t>(key), most, runs_likely);
    while (i < end_a || j < end_b) {
      // Keys past the end count as infinite.
      const chunk x = i < end_a
                          ? chunk_at(a, i)
                          : chunk{.key = sentinel_key, .payload = nullptr, .units = 0, .kind = {}};
      const chunk y = j < end_b
                          ? chunk_at(b, j)
                          : chunk{.key = sentinel_key, .payload = nullptr, .units = 0, .kind = {}};
      if (x.key == y.key) {
        combined.combine(x, y);
      } else if (x.key < y.key) {
        if (keeps_first(op)) combined.put(x);
      } else if (keeps_second(op)) {
        combined.put(y);
      }
      i += x.key <= y.key;
      j += y.key <= x.key;
      if (!go_on()) return;
    }
  }
}

std::uint64_t bound_of(const deletion_vector& a, const deletion_vector& b, operation op) noexcept {
  const std::uint64_t x = a.bytes().size(), y = b.bytes().size();
  if (op == operation::both) return std::min(x, y);
  return keeps_second(op) ? x + y : x;
}

result<std::vector<std::byte>> combine_vectors(const deletion_vector& a, const deletion_vector& b,
                                               operation op, output_form form,
                                               const serialize_options& options) noexcept {
  return guard_memory([&]() -> result<std::vector<std::byte>> {
    bitmap_writer writer(form, options, bound_of(a, b, op));
    walk(a, b, op, writer, [&writer] { return !writer.failed(); });
    return writer.finish();
  });
}

}  // namespace
}  // namespace detail

result<std::vector<std::byte>> set_union(const deletion_vector& a, const deletion_vector& b,
                                         output_form form,
                                         const serialize_options& options) noexcept {
  return detail::combine_vectors(a, b, detail::operation::either, form, options);
}
result<std::vector<std::byte>> set_intersection(const deletion_vector& a, const deletion_vector& b,
                                                output_form form,
                                                const serialize_options& options) noexcept {
  return detail::combine_vectors(a, b, detail::operation::both, form, options);
}
result<std::vector<std::byte>> set_difference(const deletion_vector& a, const deletion_vector& b,
                                              output_form form,
                                              const serialize_options& options) noexcept {
  return detail::combine_vectors(a, b, detail::operation::first_only, form, options);
}
result<std::vector<std::byte>> set_symmetric_difference(const deletion_vector& a,
                                                        const deletion_vector& b, output_form form,
                                                        const serialize_options& options) noexcept {
  return detail::combine_vectors(a, b, detail::operation::one_only, form, options);
}

bool is_subset(const deletion_vector& a, const deletion_vector& b) noexcept {
  detail::row_counter missing;
  detail::walk(a, b, detail::operation::first_only, missing,
               [&missing] { return missing.rows() == 0; });
  return missing.rows() == 0;
}

bool equals(const deletion_vector& a, const deletion_vector& b) noexcept {
  return a.cardinality() == b.cardinality() && is_subset(a, b);
}

std::uint64_t rows_newly_deleted(const deletion_vector& before,
                                 const deletion_vector& after) noexcept {
  detail::row_counter added;
  detail::walk(after, before, detail::operation::first_only, added, [] { return true; });
  return added.rows();
}

}  // namespace dvk::inline v0
