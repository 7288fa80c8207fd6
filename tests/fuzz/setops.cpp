// The input is the size of a bare bitmap (two bytes), that bitmap, and a second one. Promised of
// two vectors that open:
// - union, intersection, difference and symmetric difference open as strict, in both forms, and
// hold
//   what a sweep over their ranges says (as standard, if they hold rows of the largest key);
// - is_subset, equals and rows_newly_deleted agree with them;
// - of vectors that only trusted opens, wrong rows at most.
#include "dvk/builder.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/mutate_bitmap.hpp"
#include "tests/fuzz/view_checks.hpp"

using namespace dvk_fuzz;
using dvk::deletion_vector;

namespace {

using operation = dvk::result<std::vector<std::byte>> (*)(const deletion_vector&,
                                                          const deletion_vector&, dvk::output_form,
                                                          const dvk::serialize_options&) noexcept;
using ranges = std::vector<dvk::row_range>;

// The rows for which `keep` says so, of whether each of the two holds them: a sweep over all
// borders.
template <class Keep>
ranges combine(const ranges& a, const ranges& b, Keep keep) {
  std::vector<std::uint64_t> borders;
  borders.reserve(2 * (a.size() + b.size()));
  for (const ranges* list : {&a, &b}) {
    for (const dvk::row_range& r : *list) {
      borders.push_back(r.start);
      borders.push_back(end_of(r));
    }
  }
  std::inplace_merge(borders.begin(), borders.begin() + static_cast<std::ptrdiff_t>(2 * a.size()),
                     borders.end());
  ranges out;
  std::size_t i = 0;
  std::size_t j = 0;
  for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
    const std::uint64_t begin = borders[k];
    const std::uint64_t end = borders[k + 1];
    while (i < a.size() && end_of(a[i]) <= begin)
      ++i;
    while (j < b.size() && end_of(b[j]) <= begin)
      ++j;
    const bool in_a = i < a.size() && a[i].start <= begin;
    const bool in_b = j < b.size() && b[j].start <= begin;
    if (begin == end || !keep(in_a, in_b)) continue;
    if (!out.empty() && end_of(out.back()) == begin) {
      out.back().count += end - begin;
    } else {
      out.push_back({begin, end - begin});
    }
  }
  return out;
}
std::uint64_t rows_in(const ranges& list) {
  std::uint64_t sum = 0;
  for (const dvk::row_range& r : list)
    sum += r.count;
  return sum;
}

void check_operation(operation op, const deletion_vector& a, const deletion_vector& b,
                     const ranges& rows) {
  const auto bitmap = op(a, b, dvk::output_form::bitmap, {});
  PROMISE(bitmap.has_value());
  // The one thing about rows that strict refuses, and that other writers' vectors may hold.
  const bool last_key = !rows.empty() && end_of(rows.back()) > rows_end - (std::uint64_t{1} << 32);
  const dvk::open_options options{.level = last_key ? dvk::validation::standard
                                                    : dvk::validation::strict};
  const auto dv = deletion_vector::open_bitmap(*bitmap, options);
  PROMISE(dv && check_view(*dv) == rows);
  const auto blob = op(a, b, dvk::output_form::blob, {});
  PROMISE(blob && deletion_vector::open_blob(*blob, options));
  PROMISE(std::ranges::equal(std::span(*blob).subspan(8, bitmap->size()), *bitmap));
  PROMISE(op(a, b, dvk::output_form::bitmap, {.max_bytes = bitmap->size()}).has_value());
  PROMISE(op(a, b, dvk::output_form::bitmap, {.max_bytes = bitmap->size() - 1}).error().code ==
          dvk::error_code::limit_exceeded);
}

void check_pair(const deletion_vector& a, const deletion_vector& b) {
  const ranges in_a = ranges_of(a);
  const ranges in_b = ranges_of(b);
  const ranges only_a = combine(in_a, in_b, [](bool x, bool y) { return x && !y; });
  const ranges only_b = combine(in_a, in_b, [](bool x, bool y) { return y && !x; });
  const auto either = [](bool x, bool y) { return x || y; };
  const auto both = [](bool x, bool y) { return x && y; };
  check_operation(dvk::set_union, a, b, combine(in_a, in_b, either));
  check_operation(dvk::set_intersection, a, b, combine(in_a, in_b, both));
  check_operation(dvk::set_difference, a, b, only_a);
  check_operation(dvk::set_difference, b, a, only_b);
  check_operation(dvk::set_symmetric_difference, a, b, combine(only_a, only_b, either));
  PROMISE(dvk::is_subset(a, b) == only_a.empty());
  PROMISE(dvk::is_subset(b, a) == only_b.empty());
  PROMISE(dvk::equals(a, b) == (in_a == in_b));
  PROMISE(dvk::rows_newly_deleted(a, b) == rows_in(only_b));
  PROMISE(dvk::rows_newly_deleted(b, a) == rows_in(only_a));
}

void visit_pair(const deletion_vector& a, const deletion_vector& b) {
  for (const operation op : {dvk::set_union, dvk::set_intersection, dvk::set_difference,
                             dvk::set_symmetric_difference}) {
    (void)op(a, b, dvk::output_form::bitmap, {});
  }
  (void)dvk::is_subset(a, b);
  (void)dvk::equals(a, b);
  (void)dvk::rows_newly_deleted(a, b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  input in(bytes_of(data, size));
  // Each in a block of its own, so that a read past its end is seen.
  const auto copy = [](std::span<const std::byte> s) {
    return std::vector<std::byte>(s.begin(), s.end());
  };
  const auto first = copy(in.take(in.number<std::uint16_t>()));
  const auto second = copy(in.rest());
  const auto a = deletion_vector::open_bitmap(first);
  const auto b = deletion_vector::open_bitmap(second);
  if (a && b) {
    check_pair(*a, *b);
    if (digest(bytes_of(data, size)) % 8 == 0) check_pair(*a, *a);
    return 0;
  }
  const dvk::open_options trusting{.level = dvk::validation::trusted};
  const auto trusted_a = deletion_vector::open_bitmap(first, trusting);
  const auto trusted_b = deletion_vector::open_bitmap(second, trusting);
  if (trusted_a && trusted_b) visit_pair(*trusted_a, *trusted_b);
  return 0;
}

#ifdef DVK_LIBFUZZER
// Changes one of the two, or makes them more alike, since unrelated sets rarely meet.
static byte_vector mutate_pair(byte_vector bytes, std::size_t max, chooser& pick) {
  if (bytes.size() < 2 || max < 64 || pick.one_in(16)) return mutate_plainly(std::move(bytes), max);
  const std::size_t size = std::min<std::size_t>(load_le(bytes, 0, 2), bytes.size() - 2);
  const auto middle = bytes.begin() + 2 + static_cast<std::ptrdiff_t>(size);
  byte_vector a(bytes.begin() + 2, middle);
  byte_vector b(middle, bytes.end());
  switch (pick.below(6)) {
    case 0:
      a = mutate_bitmap(b, max, pick);
      break;
    case 1:
      b = mutate_bitmap(a, max, pick);
      break;
    case 2:
    case 3:
      a = mutate_bitmap(a, max, pick);
      break;
    default:
      b = mutate_bitmap(b, max, pick);
  }
  byte_vector out;
  append_le(out, static_cast<std::uint16_t>(std::min<std::size_t>(a.size(), 65535)));
  out.insert(out.end(), a.begin(), a.end());
  out.insert(out.end(), b.begin(), b.end());
  return out;
}
#endif
DVK_MUTATE_AS(mutate_pair)
