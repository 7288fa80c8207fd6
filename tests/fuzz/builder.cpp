// The input is a series of calls on a builder. Promised, with a set of intervals as the oracle:
// - cardinality and contains are right after every call, and a refused call changes nothing;
// - what is serialised opens as strict, in both key modes, and holds the oracle's rows; twice gives
//   equal bytes, and building the same rows in another way gives the same bytes too, if it is one
//   that depends on the rows alone;
// - the serialised vector answers all questions and batches accordingly.
#include "dvk/builder.hpp"

#include <algorithm>

#include "tests/fuzz/batch_checks.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/interval_set.hpp"

using namespace dvk_fuzz;
using dvk::error_code;

namespace {

// Positions crowd in few chunks, near their borders, and in few 32-bit keys.
std::uint64_t position(input& in) {
  constexpr std::uint64_t keys[] = {0, 0, 0, 1, 2, 40, 0x7ffffffe, 0x7fffffff};
  const std::uint64_t key = keys[in.byte() & 7];
  const std::uint64_t chunk = in.byte() & 3;
  const std::uint64_t row = in.number<std::uint16_t>();
  const std::uint64_t base = key << 32 | (chunk == 3 ? 0xffff0000u : chunk << 16);
  switch (row >> 13) {
    case 0:
      return base + (row & 0x1fff);
    case 1:
      return base + 65535 - (row & 0xff);
    default:
      return base + row;
  }
}

void expect(const dvk::error& answer, bool allowed) {
  PROMISE(answer.code == (allowed ? error_code::ok : error_code::invalid_argument));
}

struct pair {
  dvk::deletion_vector_builder built;
  interval_set oracle;

  void add_range(std::uint64_t begin, std::uint64_t end) {
    const bool allowed = begin >= end || end - 1 <= dvk::max_position;
    expect(built.add_range(begin, end), allowed);
    if (allowed) oracle.add(begin, end);
  }
  void remove_range(std::uint64_t begin, std::uint64_t end) {
    const bool allowed = begin >= end || end - 1 <= dvk::max_position;
    expect(built.remove_range(begin, end), allowed);
    if (allowed) oracle.remove(begin, end);
  }
  void add_many(input& in) {
    std::vector<std::uint64_t> rows;
    const std::uint64_t step = in.byte();
    for (std::uint64_t row = position(in), n = in.byte() & 127; n != 0; --n)
      rows.push_back(row = step == 0 ? position(in) : row + (step & 15) + 1);
    const bool allowed =
        std::ranges::all_of(rows, [](std::uint64_t row) { return row <= dvk::max_position; });
    expect(built.add_many(rows), allowed);
    if (!allowed) return;
    for (const std::uint64_t row : rows)
      oracle.add(row, row + 1);
  }
};

void step(pair& p, input& in) {
  const std::uint8_t what = in.byte();
  const std::uint64_t row = position(in);
  const bool allowed = row <= dvk::max_position;
  switch (what % 8) {
    case 0:
      expect(p.built.add(row), allowed);
      if (allowed) p.oracle.add(row, row + 1);
      break;
    case 1:
      expect(p.built.remove(row), allowed);
      if (allowed) p.oracle.remove(row, row + 1);
      break;
    case 2:
      p.add_range(row, row + in.number<std::uint16_t>());
      break;
    case 3:
      p.add_range(row, row + 65536 * std::uint64_t{in.byte()} / 8);
      break;
    case 4:
      p.remove_range(row, row + in.number<std::uint16_t>() * std::uint64_t{what} / 8);
      break;
    case 5:
      p.add_many(in);
      break;
    case 6:
      if (what == 254) {
        p.built.clear();
        p.oracle.clear();
      } else {
        p.add_range(row, position(in) % (row + 0x30000 + 1));
      }
      break;
    default:
      PROMISE(p.built.contains(row) == p.oracle.contains(row));
  }
  PROMISE(p.built.contains(row) == p.oracle.contains(row));
  PROMISE(p.built.cardinality() == p.oracle.cardinality());
  PROMISE(p.built.empty() == (p.oracle.cardinality() == 0));
}

void check_serialised(const pair& p, dvk::key_mode keys, std::uint64_t choice) {
  const dvk::serialize_options options{
      .keys = keys, .max_bytes = std::uint64_t{4} << 20, .max_gap_bytes = 1000};
  const auto bytes = p.built.serialize_bitmap(options);
  if (!bytes) {
    PROMISE(bytes.error().code == error_code::limit_exceeded);
    PROMISE(keys == dvk::key_mode::iceberg_java);
    return;
  }
  const auto again = p.built.serialize_bitmap(options);
  PROMISE(again && *again == *bytes);
  const auto dv = dvk::deletion_vector::open_bitmap(
      *bytes, {.level = dvk::validation::strict, .expected_cardinality = p.oracle.cardinality()});
  PROMISE(dv.has_value());
  const auto ranges = check_view(*dv);
  PROMISE(ranges == p.oracle.ranges());
  check_batches(*dv, ranges, choice);
  const auto blob = p.built.serialize_blob(options);
  PROMISE(blob && dvk::deletion_vector::open_blob(*blob, {.level = dvk::validation::strict}));
  PROMISE(std::ranges::equal(std::span(*blob).subspan(8, bytes->size()), *bytes));

  // The same rows by merging, and one by one.
  dvk::deletion_vector_builder merged;
  PROMISE(merged.merge(*dv).code == error_code::ok);
  const auto copy = merged.serialize_bitmap(options);
  PROMISE(copy.has_value());
  const auto opened = dvk::deletion_vector::open_bitmap(*copy, {.level = dvk::validation::strict});
  PROMISE(opened && dvk::equals(*opened, *dv));
  if (p.oracle.cardinality() > 5000) return;
  std::vector<std::uint64_t> rows;
  for (const dvk::row_range& r : ranges) {
    for (std::uint64_t row = r.start; row != end_of(r); ++row)
      rows.push_back(row);
  }
  const auto direct = dvk::serialize_positions(rows, dvk::output_form::bitmap, options);
  PROMISE(direct.has_value());
  std::ranges::reverse(rows);
  const auto unsorted = dvk::serialize_positions(rows, dvk::output_form::bitmap, options);
  PROMISE(unsorted && *unsorted == *direct);
  const auto fresh = dvk::deletion_vector::open_bitmap(*direct, {.level = dvk::validation::strict});
  PROMISE(fresh && dvk::equals(*fresh, *dv));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  input in(bytes_of(data, std::min<std::size_t>(size, 1024)));
  pair p;
  while (!in.empty())
    step(p, in);
  check_serialised(p, dvk::key_mode::present_keys, digest(bytes_of(data, size)));
  check_serialised(p, dvk::key_mode::iceberg_java, digest(bytes_of(data, size)));
  return 0;
}
