// Set operations from serialised to serialised form.
//
// Two opened vectors are walked in step by chunk. What only one of them holds is copied (or left
// out); a pair of containers is combined by the cheapest of three ways: array with array by
// merging, short lists of runs by a sweep over their borders, all else as bitsets.
#include <algorithm>

#include "builder/bitmap_writer.hpp"
#include "builder/chunk_walk.hpp"
#include "bytes/guard_memory.hpp"
#include "dvk/builder.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

// An array with more values than this is better looked up in a bitset than merged as runs.
constexpr std::uint32_t max_merged_array = 64;

// Runs and values in both, above which merging them as runs is slower than going through bitsets.
constexpr std::uint32_t max_merged_units = 1024;
constexpr std::size_t room = 4 * max_merged_units + 2 * setops_slack;  // bytes for that many runs

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

  void begin(std::uint32_t key, std::size_t containers, bool runs_likely) {
    sink_.begin(key, containers, runs_likely);
  }

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
    if (a.kind == container_kind::array && b.kind == container_kind::array &&
        (!keeps_second(op_) || a.units + b.units <= max_array_cardinality)) {
      std::uint8_t values[2 * (2 * max_array_cardinality + setops_slack)];
      return sink_.put_array(key, values,
                             array_kernel()(a.payload, a.units, b.payload, b.units, values));
    }
    const bool first_is_array = a.kind == container_kind::array;
    const bool second_is_array = b.kind == container_kind::array;
    const bool merge = !bitset && a.units + b.units <= max_merged_units;
    if (first_is_array && !keeps_second(op_) && !(merge && a.units <= max_merged_array)) {
      return filter(key, a, b, keeps_common(op_));
    }
    if (second_is_array && op_ == operation::both && !(merge && b.units <= max_merged_array)) {
      return filter(key, b, a, true);
    }
    if (merge) return merge_runs(key, a, b);
    if (second_is_array && op_ == operation::either) return mark(key, a, b);
    if (first_is_array && op_ == operation::either) return mark(key, b, a);
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
    if (c.kind == container_kind::run) {
      kernels_.runs_to_bitset(c.payload, c.units, scratch);
    } else {
      std::fill_n(scratch, bitset_bytes, std::uint8_t{0});
      kernels_.set_values(scratch, c.payload, c.units);
    }
    return scratch;
  }

  // `a` and the values of array `b`, marked in a copy of it.
  void mark(std::uint16_t key, const chunk& a, const chunk& b) {
    std::uint8_t words[bitset_bytes];
    if (const std::uint8_t* at = as_bitset(a, words); at != words)
      std::copy_n(at, bitset_bytes, words);
    kernels_.set_values(words, b.payload, b.units);
    sink_.put_bitset(key, words, kernels_.bitset_count(words));
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

  // The symmetric difference of runs is that of their borders: a border that both have is none.
  std::uint32_t differ(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                       std::uint32_t nb, std::uint8_t* runs) {
    std::uint8_t first[room], second[room];
    na = put_borders(first, kernels_.run_or(a, na, nullptr, 0, first));
    nb = put_borders(second, kernels_.run_or(b, nb, nullptr, 0, second));
    std::uint32_t n = kernels_.array_xor(first, na, second, nb, runs);
    if (n % 2 != 0) bytes::store_le(runs + 2 * n++, std::uint16_t{0});
    for (std::uint32_t i = 0; i < n; i += 2) {
      const int length = bytes::load_le16(runs + 2 * i + 2) - bytes::load_le16(runs + 2 * i) - 1;
      bytes::store_le(runs + 2 * i + 2, static_cast<std::uint16_t>(length));
    }
    return n / 2;
  }

  // Turns lengths into the rows after runs, in place. A border at 65,536, which no u16 holds, is
  // left out, and comes back where the count of borders is odd. Returns the number of borders.
  static std::uint32_t put_borders(std::uint8_t* runs, std::uint32_t n) noexcept {
    std::uint16_t after = 1;
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint8_t* run = runs + 4 * i;
      after = static_cast<std::uint16_t>(bytes::load_le16(run) + bytes::load_le16(run + 2) + 1);
      bytes::store_le(run + 2, after);
    }
    return 2 * n - (after == 0);
  }

  // As lists of runs; an array value is a run of one row.
  void merge_runs(std::uint16_t key, const chunk& a, const chunk& b) {
    std::uint8_t first[room], second[room], runs[room];
    const std::uint8_t* x = as_runs(a, first);
    const std::uint8_t* y = as_runs(b, second);
    std::uint32_t n = 0;
    switch (op_) {
      case operation::both:
        n = kernels_.run_and(x, a.units, y, b.units, runs);
        break;
      case operation::either:
        n = kernels_.run_or(x, a.units, y, b.units, runs);
        break;
      case operation::first_only:
        n = kernels_.run_andnot(x, a.units, y, b.units, runs);
        break;
      case operation::one_only:
        n = differ(x, a.units, y, b.units, runs);
        break;
    }
    put_maximal(key, runs, n);
  }

  static const std::uint8_t* as_runs(const chunk& c, std::uint8_t* scratch) noexcept {
    if (c.kind == container_kind::run) return c.payload;
    for (std::uint32_t i = 0; i < c.units; ++i) {
      bytes::store_le(scratch + 4 * i, std::uint32_t{bytes::load_le16(c.payload + 2 * i)});
    }
    return scratch;
  }

  void put_maximal(std::uint16_t key, const std::uint8_t* runs, std::uint32_t n) {
    std::uint32_t cardinality = n;
    for (std::uint32_t i = 0; i < n; ++i)  // by dwords, which compilers take several at a time
      cardinality += bytes::load_le32(runs + 4 * i) >> 16;
    sink_.put_runs(key, runs, n, cardinality);
  }

  // Runs of one vector: as they are, if none touches the next.
  void put_runs(std::uint16_t key, const chunk& c) {
    std::uint32_t cardinality = 0;
    std::uint32_t after = 0;  // first row after the run before
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

// The most bytes that a result takes; told by the directories, without a look at the payloads.
class size_bound {
 public:
  explicit size_bound(operation op) noexcept : op_(op) {}

  void begin(std::uint32_t, std::size_t, bool) noexcept { bytes_ += bytes_of_key; }
  void put(const chunk& c) noexcept { add(bytes_of(c)); }
  void combine(const chunk& a, const chunk& b) noexcept {
    const bool first = a.kind == container_kind::array, second = b.kind == container_kind::array;
    if (first && !keeps_second(op_)) {
      add(second && op_ == operation::both ? std::min(bytes_of(a), bytes_of(b)) : bytes_of(a));
    } else if (second && op_ == operation::both) {
      add(bytes_of(b));
    } else if (first && second) {
      add(bytes_of(a) + bytes_of(b));
    } else if (a.kind == container_kind::bitset || b.kind == container_kind::bitset) {
      add(bitset_bytes);
    } else {
      add(2 + 4 * (a.units + b.units));  // a value is a run; no operation gives more runs than both
    }
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::uint32_t bytes_of_key = 12, bytes_of_entry = 9;  // in headers

  static std::uint32_t bytes_of(const chunk& c) noexcept {
    if (c.kind == container_kind::bitset) return bitset_bytes;
    return c.kind == container_kind::array ? 2 * c.units : 2 + 4 * c.units;
  }
  void add(std::uint32_t payload) noexcept {
    bytes_ += std::min(payload, bitset_bytes) + bytes_of_entry;
  }

  const operation op_;
  std::uint64_t bytes_ = 0;
};

// Small vectors are not worth the walk.
constexpr std::size_t small_inputs = 65536;

std::uint64_t bound_of(const deletion_vector& a, const deletion_vector& b, operation op) {
  const std::size_t inputs = a.bytes().size() + b.bytes().size();
  if (inputs <= small_inputs) return inputs;
  size_bound bound(op);
  walk(a, b, op, bound, [] { return true; });
  return bound.bytes();
}

result<std::vector<std::byte>> combine_vectors(const deletion_vector& a, const deletion_vector& b,
                                               operation op, output_form form,
                                               const serialize_options& options) noexcept {
  return guard_memory([&]() -> result<std::vector<std::byte>> {
    bitmap_writer writer(form, options, bound_of(a, b, op));
    combiner combined(op, writer);
    walk(a, b, op, combined, [&writer] { return !writer.failed(); });
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
  detail::combiner without(detail::operation::first_only, missing);
  detail::walk(a, b, detail::operation::first_only, without,
               [&missing] { return missing.rows() == 0; });
  return missing.rows() == 0;
}

bool equals(const deletion_vector& a, const deletion_vector& b) noexcept {
  return a.cardinality() == b.cardinality() && is_subset(a, b);
}

std::uint64_t rows_newly_deleted(const deletion_vector& before,
                                 const deletion_vector& after) noexcept {
  detail::row_counter added;
  detail::combiner without(detail::operation::first_only, added);
  detail::walk(after, before, detail::operation::first_only, without, [] { return true; });
  return added.rows();
}

}  // namespace dvk::inline v0
