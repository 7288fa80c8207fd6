// set_<op>/<dataset>/<tier>: a dataset and the same rotated by half its rows, from opened vectors
// to bytes; set_or_bytes: the same from bytes, opened and validated; set_or_blob: from blobs to a
// blob, their checksums as well. peer/croaring_<op>: from bytes by deserialise, the operation,
// run_optimize, serialise.
// build/<how>/<dataset>_100m/<tier>: from positions to a blob; peer/croaring_build likewise. Items
// are rows. build/add, build/add_range: single calls alone, nothing written; peer/croaring_add,
// with and without CRoaring's own memory of the last container, peer/croaring_add_range. Items are
// calls.
#include "dvk/builder.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "bench/datasets.hpp"
#include "bench/suite.hpp"
#ifdef DVK_WITH_roaring
#include <roaring/roaring.h>
#endif

namespace dvk_bench {
namespace {

using bytes_t = std::vector<std::byte>;
using rows_t = std::vector<std::uint64_t>;

rows_t rotated(const dataset& d) {
  rows_t rows = d.positions();
  for (auto& row : rows)
    row = (row + d.rows / 2 + 7) % d.rows;
  std::sort(rows.begin(), rows.end());
  return rows;
}

using set_function = dvk::result<bytes_t> (*)(const dvk::deletion_vector&,
                                              const dvk::deletion_vector&, dvk::output_form,
                                              const dvk::serialize_options&) noexcept;
using rows_function = std::back_insert_iterator<rows_t> (*)(rows_t::const_iterator,
                                                            rows_t::const_iterator,
                                                            rows_t::const_iterator,
                                                            rows_t::const_iterator,
                                                            std::back_insert_iterator<rows_t>);
struct operation {
  const char* name;
  set_function run;
  rows_function truth;
#ifdef DVK_WITH_roaring
  void (*peer)(roaring_bitmap_t*, const roaring_bitmap_t*);
#endif
};
#ifdef DVK_WITH_roaring
#define DVK_PEER(function) , function
#else
#define DVK_PEER(function)
#endif
const operation operations[] = {
    {"or", dvk::set_union, std::set_union DVK_PEER(roaring_bitmap_or_inplace)},
    {"and", dvk::set_intersection, std::set_intersection DVK_PEER(roaring_bitmap_and_inplace)},
    {"andnot", dvk::set_difference, std::set_difference DVK_PEER(roaring_bitmap_andnot_inplace)},
    {"xor", dvk::set_symmetric_difference,
     std::set_symmetric_difference DVK_PEER(roaring_bitmap_xor_inplace)}};

// Both operands of an operation, and the bytes it should give.
struct pair_of_vectors {
  pair_of_vectors(const dataset& d, const operation& op) : first(d) {
    const rows_t a = d.positions(), b = rotated(d);
    second_bytes = dvk::serialize_positions(b, dvk::output_form::bitmap).value();
    second = dvk::deletion_vector::open_bitmap(second_bytes).value();
    rows_t rows;
    op.truth(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rows));
    expected = dvk::serialize_positions(rows, dvk::output_form::bitmap).value();
    second_blob = dvk::serialize_positions(b).value();
    expected_blob = dvk::serialize_positions(rows).value();
    items = a.size() + b.size();
  }
  const dataset& first;
  bytes_t second_bytes;
  dvk::deletion_vector second;
  bytes_t expected;
  bytes_t second_blob, expected_blob;
  std::uint64_t items = 0;
};

job combine(const dataset& d, const operation& op) {
  const auto data = std::make_shared<pair_of_vectors>(d, op);
  const auto run = [data, f = op.run] {
    return f(data->first.view, data->second, dvk::output_form::bitmap, {});
  };
  return {[=] { return run().value() == data->expected; }, [=] { return run()->size(); },
          data->items, d.bitmap().size() + data->second_bytes.size()};
}

// The union, with all that comes before it and after it.
job unite_bytes(const dataset& d, bool blobs) {
  const auto data = std::make_shared<pair_of_vectors>(d, operations[0]);
  const auto form = blobs ? dvk::output_form::blob : dvk::output_form::bitmap;
  const auto run = [=] {
    const auto open = blobs ? dvk::deletion_vector::open_blob : dvk::deletion_vector::open_bitmap;
    const auto a = open(blobs ? data->first.blob : data->first.bitmap(), {});
    const auto b = open(blobs ? data->second_blob : data->second_bytes, {});
    return dvk::set_union(*a, *b, form);
  };
  return {[=] { return run().value() == (blobs ? data->expected_blob : data->expected); },
          [=] { return run()->size(); }, data->items,
          d.bitmap().size() + data->second_bytes.size()};
}

// What both builders start from: 10 rows of 100 deleted in a file of 100 million, in order or not.
rows_t positions_of(const std::string& name, bool shuffle) {
  rows_t rows = get_dataset(name).positions();
  if (shuffle) std::shuffle(rows.begin(), rows.end(), std::mt19937_64(7));
  return rows;
}

job build(const std::string& name, bool shuffle, bool through_builder) {
  const auto rows = std::make_shared<rows_t>(positions_of(name, shuffle));
  const auto run = [=] {
    if (!through_builder) return dvk::serialize_positions(*rows);
    dvk::deletion_vector_builder builder;
    return builder.add_many(*rows).code == dvk::error_code::ok
               ? builder.serialize_blob()
               : dvk::result<bytes_t>(dvk::error{.code = dvk::error_code::invalid_argument});
  };
  return {[=] { return run().value() == get_dataset(name).blob; }, [=] { return run()->size(); },
          rows->size(), 0};
}

// Single calls, in order or not. A row is a range of one row where rows are added one by one.
struct call {
  std::uint32_t begin, end;
};
std::vector<call> calls_of(const std::string& name, bool ranges, bool shuffle) {
  std::vector<call> calls;
  for (const std::uint64_t row : get_dataset(name).positions()) {
    const auto begin = static_cast<std::uint32_t>(row);
    if (ranges && !calls.empty() && calls.back().end == begin) {
      ++calls.back().end;
    } else {
      calls.push_back({begin, begin + 1});
    }
  }
  if (shuffle) std::shuffle(calls.begin(), calls.end(), std::mt19937_64(7));
  return calls;
}

// `add_all` takes the calls and gives the number of rows that are there then.
template <class AddAll>
job call_by_call(const std::string& name, bool ranges, bool shuffle, AddAll add_all) {
  const auto calls = std::make_shared<std::vector<call>>(calls_of(name, ranges, shuffle));
  const auto run = [=] { return add_all(*calls); };
  return {[=] { return run() == get_dataset(name).positions().size(); }, run, calls->size(), 0};
}

job add_calls(const std::string& name, bool ranges, bool shuffle) {
  return call_by_call(name, ranges, shuffle, [ranges](const std::vector<call>& calls) {
    dvk::deletion_vector_builder builder;
    bool right = true;
    for (const call& c : calls) {
      const dvk::error e = ranges ? builder.add_range(c.begin, c.end) : builder.add(c.begin);
      right = right && e.code == dvk::error_code::ok;
    }
    return right ? builder.cardinality() : 0;
  });
}

#ifdef DVK_WITH_roaring
enum class croaring_call { add, add_bulk, add_range };

job add_calls_croaring(const std::string& name, croaring_call how, bool shuffle) {
  const bool ranges = how == croaring_call::add_range;
  return call_by_call(name, ranges, shuffle, [how](const std::vector<call>& calls) {
    roaring_bitmap_t* const bitmap = roaring_bitmap_create();
    roaring_bulk_context_t context = {};
    for (const call& c : calls) {
      if (how == croaring_call::add) roaring_bitmap_add(bitmap, c.begin);
      if (how == croaring_call::add_bulk) roaring_bitmap_add_bulk(bitmap, &context, c.begin);
      if (how == croaring_call::add_range) roaring_bitmap_add_range(bitmap, c.begin, c.end);
    }
    const std::uint64_t rows = roaring_bitmap_get_cardinality(bitmap);
    roaring_bitmap_free(bitmap);
    return rows;
  });
}

std::vector<char> serialize(roaring_bitmap_t* bitmap) {
  roaring_bitmap_run_optimize(bitmap);
  std::vector<char> out(roaring_bitmap_portable_size_in_bytes(bitmap));
  roaring_bitmap_portable_serialize(bitmap, out.data());
  roaring_bitmap_free(bitmap);
  return out;
}

job combine_croaring(const dataset& d, const operation& op) {
  const auto data = std::make_shared<pair_of_vectors>(d, op);
  const auto read = [](std::span<const std::byte> bitmap) {
    return roaring_bitmap_portable_deserialize_safe(
        reinterpret_cast<const char*>(bitmap.data()) + 12, bitmap.size() - 12);
  };
  const auto run = [=, f = op.peer] {
    roaring_bitmap_t* const a = read(data->first.bitmap());
    roaring_bitmap_t* const b = read(data->second_bytes);
    f(a, b);
    roaring_bitmap_free(b);
    return serialize(a);
  };
  // Equal rows: the bytes may differ where runs and another form are of one size.
  const auto check = [=] {
    const auto bytes = run();
    roaring_bitmap_t* const r =
        roaring_bitmap_portable_deserialize_safe(bytes.data(), bytes.size());
    const auto expected = dvk::deletion_vector::open_bitmap(data->expected);
    bool right = expected && roaring_bitmap_get_cardinality(r) == expected->cardinality();
    std::vector<std::uint32_t> rows(roaring_bitmap_get_cardinality(r));
    roaring_bitmap_to_uint32_array(r, rows.data());
    for (const std::uint32_t row : rows)
      right = right && expected->contains(row);
    roaring_bitmap_free(r);
    return right;
  };
  return {check, [=] { return run().size(); }, data->items,
          d.bitmap().size() + data->second_bytes.size()};
}

job build_croaring(const std::string& name, bool shuffle) {
  const rows_t wide = positions_of(name, shuffle);
  const auto rows = std::make_shared<std::vector<std::uint32_t>>(wide.begin(), wide.end());
  const auto run = [=] {
    roaring_bitmap_t* const bitmap = roaring_bitmap_create();
    roaring_bitmap_add_many(bitmap, rows->size(), rows->data());
    return serialize(bitmap);
  };
  const auto check = [=] {
    const auto expected = get_dataset(name).bitmap32();
    const auto bytes = run();
    return std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const char*>(expected.data()),
                      reinterpret_cast<const char*>(expected.data()) + expected.size());
  };
  return {check, [=] { return run().size(); }, rows->size(), 0};
}
#endif

}  // namespace

void register_builder() {
  for (const std::string_view view : dataset_names) {
    if (view == "empty") continue;  // nothing to rotate, and CRoaring has no bytes to read
    const std::string name(view);
    for_each_tier([&](dvk::tier t, const std::string& tier) {
      for (const bool blobs : {false, true}) {
        add(std::string("set_or_") + (blobs ? "blob/" : "bytes/") + name + "/" + tier, t,
            [=] { return unite_bytes(get_dataset(name), blobs); });
      }
    });
    for (const operation& op : operations) {
      for_each_tier([&](dvk::tier t, const std::string& tier) {
        add("set_" + std::string(op.name) + "/" + name + "/" + tier, t,
            [=, &op] { return combine(get_dataset(name), op); });
      });
#ifdef DVK_WITH_roaring
      add("peer/croaring_" + std::string(op.name) + "/" + name, std::nullopt,
          [=, &op] { return combine_croaring(get_dataset(name), op); });
#endif
    }
  }
  for (const char* view : {"rand1pct_100m", "rand10pct_100m", "shortruns5pct_100m"}) {
    for (const bool shuffle : {false, true}) {
      const std::string name(view), order = shuffle ? "_shuffled/" : "/";
      for_each_tier([&](dvk::tier t, const std::string& tier) {
        add("build/positions" + order + name + "/" + tier, t,
            [=] { return build(name, shuffle, false); });
        add("build/add_many" + order + name + "/" + tier, t,
            [=] { return build(name, shuffle, true); });
      });
#ifdef DVK_WITH_roaring
      add("peer/croaring_build" + order + name, std::nullopt,
          [=] { return build_croaring(name, shuffle); });
#endif
    }
  }
  for (const char* view : {"rand1pct", "rand10pct", "shortruns5pct"}) {
    for (const bool shuffle : {false, true}) {
      const std::string name(view), order = shuffle ? "_shuffled/" : "/";
      add("build/add" + order + name, std::nullopt,
          [=] { return add_calls(name, false, shuffle); });
      add("build/add_range" + order + name, std::nullopt,
          [=] { return add_calls(name, true, shuffle); });
#ifdef DVK_WITH_roaring
      add("peer/croaring_add" + order + name, std::nullopt,
          [=] { return add_calls_croaring(name, croaring_call::add, shuffle); });
      add("peer/croaring_add_bulk" + order + name, std::nullopt,
          [=] { return add_calls_croaring(name, croaring_call::add_bulk, shuffle); });
      add("peer/croaring_add_range" + order + name, std::nullopt,
          [=] { return add_calls_croaring(name, croaring_call::add_range, shuffle); });
#endif
    }
  }
}

}  // namespace dvk_bench
