// The scanner's every form against the plain list of deleted rows: both polarities, ranges and
// lists of ranges, kept and fresh cursors, batches that cross containers and run past the last
// deletion.
#include "dvk/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

#include "dvk/dispatch.hpp"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/datasets.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/random.hpp"

namespace {

using dvk::batch_kind;
using dvk::combine;
using dvk::numbering;
using dvk::polarity;
using dvk::row_range;
using dvk_test::below;
using dvk_test::guard_buffer;

// A vector, its bytes, and the truth.
struct subject {
  dvk_test::row_oracle truth;
  dvk_test::byte_vector bytes;
  dvk::deletion_vector dv;

  explicit subject(std::vector<std::uint64_t> rows) : truth(std::move(rows)) {
    bytes = dvk_test::bitmap_writer().add(truth.rows()).blob();
    auto opened = dvk::deletion_vector::open_blob(bytes);
    if (!opened) throw std::runtime_error(opened.error().message());
    dv = std::move(*opened);
  }
  // Wanted rows of the batch, as numbers.
  [[nodiscard]] std::vector<bool> deleted(row_range rows) const {
    std::vector<bool> out(static_cast<std::size_t>(rows.count));
    for (std::uint64_t i = truth.rank(rows.start);
         i < truth.cardinality() &&
         truth.rows()[static_cast<std::size_t>(i)] - rows.start < rows.count;
         ++i) {
      out[static_cast<std::size_t>(truth.rows()[static_cast<std::size_t>(i)] - rows.start)] = true;
    }
    return out;
  }
};

std::vector<row_range> random_ranges(std::mt19937_64& rng, const subject& s, std::uint64_t limit) {
  std::vector<row_range> out;
  const auto n = static_cast<std::size_t>(below(rng, 3) == 0 ? 1 + below(rng, 6) : 1);
  std::uint64_t row = below(rng, limit);
  if (below(rng, 5) != 0 &&
      s.truth.cardinality() != 0) {  // mostly near a deleted row: the row space is wide
    const std::uint64_t before = below(rng, 3000);
    row = s.truth.rows()[static_cast<std::size_t>(below(rng, s.truth.cardinality()))];
    row -= std::min(row, before);
  }
  for (std::size_t i = 0; i < n; ++i) {
    constexpr std::array<std::uint64_t, 8> counts = {0, 1, 63, 64, 65, 1000, 2048, 70000};
    const std::uint64_t count =
        below(rng, 2) == 0 ? counts[static_cast<std::size_t>(below(rng, 8))] : below(rng, 5000);
    out.push_back({row, count});
    row += count + below(rng, 3) * below(rng, 3000);
  }
  return out;
}

// Numbers and states of the listed rows, in order.
struct listed_row {
  std::uint64_t number;
  bool deleted;
};
std::vector<listed_row> list_rows(const subject& s, std::span<const row_range> ranges,
                                  numbering how) {
  std::vector<listed_row> out;
  for (const row_range& r : ranges) {
    const auto deleted = s.deleted(r);
    for (std::uint64_t i = 0; i < r.count; ++i) {
      out.push_back({how == numbering::packed ? out.size() : r.start + i - ranges[0].start,
                     deleted[static_cast<std::size_t>(i)]});
    }
  }
  return out;
}
batch_kind expected_kind(const std::vector<listed_row>& rows, std::uint64_t* live) {
  *live = static_cast<std::uint64_t>(
      std::count_if(rows.begin(), rows.end(), [](auto r) { return !r.deleted; }));
  return *live == 0             ? batch_kind::none_live
         : *live == rows.size() ? batch_kind::all_live
                                : batch_kind::mixed;
}

template <class T>
void check_indices(dvk::scanner& scan, std::span<const row_range> ranges, numbering how,
                   const std::vector<listed_row>& rows, std::mt19937_64& rng) {
  const bool deleted = below(rng, 2) != 0, always = below(rng, 2) != 0;
  const std::uint64_t span = rows.empty() ? 0 : rows.back().number + 1;
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (span > largest) return;
  const std::uint64_t base = below(rng, largest - span + 1);
  std::vector<T> expected;
  for (const auto& r : rows) {
    if (r.deleted == deleted) expected.push_back(static_cast<T>(base + r.number));
  }
  std::uint64_t live = 0;
  const batch_kind kind = expected_kind(rows, &live);
  const guard_buffer out(rows.size() * sizeof(T),
                         always ? guard_buffer::side::end : guard_buffer::side::start);
  std::fill_n(out.data(), out.size(), std::uint8_t{0x77});
  const dvk::index_options options{deleted ? polarity::deleted : polarity::live, base, always};
  const auto r = ranges.size() == 1 ? scan.indices(ranges[0], out.as<T>(), options)
                                    : scan.indices(ranges, how, out.as<T>(), options);
  ASSERT_EQ(r.kind, kind);
  ASSERT_EQ(r.live, live);
  if (kind == batch_kind::mixed || always) {
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.as<T>().begin()))
        << sizeof(T) << " bytes";
  } else {
    ASSERT_TRUE(std::all_of(out.data(), out.data() + out.size(), [](auto b) { return b == 0x77; }))
        << "uniform, but written";
  }
}

void check_masks(dvk::scanner& scan, std::span<const row_range> ranges, numbering how,
                 const std::vector<listed_row>& rows, std::mt19937_64& rng) {
  const std::uint64_t span = rows.empty() ? 0 : rows.back().number + 1;
  const bool deleted = below(rng, 2) != 0, always = below(rng, 2) != 0;
  const auto mode = static_cast<combine>(below(rng, 3));
  const dvk::mask_options options{deleted ? polarity::deleted : polarity::live, mode, always};
  const auto meet = [mode](bool old, bool value) {
    return mode == combine::replace    ? value
           : mode == combine::and_with ? old && value
                                       : old || value;
  };
  std::uint64_t live = 0;
  const batch_kind kind = expected_kind(rows, &live);
  const bool written = kind == batch_kind::mixed || always || mode != combine::replace;

  const auto first = static_cast<std::size_t>(below(rng, 130));
  const guard_buffer words(static_cast<std::size_t>((first + span + 63) / 64 * 8));
  for (auto& w : words.as<std::uint64_t>())
    w = rng();
  std::vector<bool> bits(words.size() * 8);
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = ((words.as<std::uint64_t>()[i / 64] >> (i % 64)) & 1) != 0;
  if (written) {
    for (const auto& r : rows)
      bits[static_cast<std::size_t>(first + r.number)] =
          meet(bits[static_cast<std::size_t>(first + r.number)], r.deleted == deleted);
    if (mode == combine::replace)
      std::fill(bits.begin() + static_cast<std::ptrdiff_t>(first + span), bits.end(), false);
  }
  const auto r = ranges.size() == 1
                     ? scan.bits(ranges[0], words.as<std::uint64_t>(), first, options)
                     : scan.bits(ranges, how, words.as<std::uint64_t>(), first, options);
  ASSERT_EQ(r, (dvk::batch_result{live, kind}));
  for (std::size_t i = 0; i < bits.size(); ++i)
    ASSERT_EQ(((words.as<std::uint64_t>()[i / 64] >> (i % 64)) & 1) != 0, bits[i])
        << "bit " << i << " first " << first;

  const guard_buffer bytes(static_cast<std::size_t>(span),
                           always ? guard_buffer::side::end : guard_buffer::side::start);
  for (std::size_t i = 0; i < span; ++i)
    bytes.data()[i] = static_cast<std::uint8_t>(below(rng, 2) * (1 + below(rng, 255)));
  std::vector<std::uint8_t> expected(bytes.data(), bytes.data() + span);
  if (written) {
    for (const auto& row : rows)
      expected[static_cast<std::size_t>(row.number)] =
          meet(expected[static_cast<std::size_t>(row.number)] != 0, row.deleted == deleted) ? 1 : 0;
  }
  const auto b = ranges.size() == 1 ? scan.bytes(ranges[0], bytes.as<std::uint8_t>(), options)
                                    : scan.bytes(ranges, how, bytes.as<std::uint8_t>(), options);
  ASSERT_EQ(b, (dvk::batch_result{live, kind}));
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), bytes.data()));
}

// Runs and alternating lengths, read in pieces as small as the room allows, must rebuild the rows'
// states.
void check_runs(dvk::scanner& scan, row_range batch, const std::vector<bool>& truth,
                std::mt19937_64& rng) {
  const bool deleted = below(rng, 2) != 0;
  const auto room =
      static_cast<std::size_t>(1 + (below(rng, 2) == 0 ? below(rng, 4) : batch.count));
  const std::uint64_t base = below(rng, 1000);
  std::vector<bool> states;
  for (std::uint64_t done = 0; done < batch.count;) {
    const guard_buffer out(room * sizeof(dvk::row_run));
    const row_range rest{batch.start + done, batch.count - done};
    const auto r = scan.runs(rest, out.as<dvk::row_run>(),
                             {deleted ? polarity::deleted : polarity::live, base + done, false});
    ASSERT_NE(r.kind, batch_kind::refused);
    ASSERT_GT(r.rows_done, 0u);
    std::uint64_t at = 0, live = 0;
    for (const auto& run : out.as<dvk::row_run>().first(r.written)) {
      ASSERT_LT(run.begin, run.end);
      ASSERT_TRUE(at == 0 || run.begin - base - done > at) << "runs must be maximal";
      states.resize(static_cast<std::size_t>(done + (run.begin - base - done)),
                    deleted ? false : true);
      states.resize(static_cast<std::size_t>(done + (run.end - base - done)), deleted);
      at = run.end - base - done;
    }
    states.resize(static_cast<std::size_t>(done + r.rows_done), !deleted);
    for (std::uint64_t i = done; i < done + r.rows_done; ++i)
      live += truth[static_cast<std::size_t>(i)] ? 0 : 1;
    ASSERT_EQ(r.live, live);
    done += r.rows_done;
  }
  ASSERT_EQ(states, truth);

  states.clear();
  bool next = deleted;
  for (std::uint64_t done = 0; done < batch.count;) {
    const guard_buffer out((room + 1) * 4);
    const row_range rest{batch.start + done, batch.count - done};
    const auto r = scan.alternating(rest, out.as<std::uint32_t>(),
                                    {deleted ? polarity::deleted : polarity::live, 0, false});
    ASSERT_GT(r.rows_done, 0u);
    next = deleted;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < r.written; ++i, next = !next) {
      const std::uint32_t n = out.as<std::uint32_t>()[i];
      ASSERT_TRUE(n != 0 || i == 0) << "only the first length may be 0";
      states.resize(states.size() + n, next);
      sum += n;
    }
    ASSERT_EQ(sum, r.rows_done);
    done += r.rows_done;
  }
  ASSERT_EQ(states, truth);
}

template <class T>
void check_refine(dvk::scanner& scan, const subject& s, std::uint64_t base, std::mt19937_64& rng) {
  const bool deleted = below(rng, 2) != 0;
  const auto n = static_cast<std::size_t>(below(rng, 3000));
  const std::uint64_t step =
      std::array<std::uint64_t, 4>{1, 2, 10, 200}[static_cast<std::size_t>(below(rng, 4))];
  const guard_buffer list(n * sizeof(T));
  std::uint64_t at = below(rng, 100);
  for (T& value : list.as<T>()) {
    value = static_cast<T>(below(rng, 200) == 0 ? below(rng, 60000) : at & 0x7fff);
    at += 1 + below(rng, step);
  }
  std::vector<T> expected;
  for (const T value : list.as<T>()) {
    if (s.truth.contains(base + static_cast<std::uint64_t>(value)) == deleted)
      expected.push_back(value);
  }
  const std::size_t kept =
      scan.refine(base, list.as<T>(), deleted ? polarity::deleted : polarity::live);
  ASSERT_EQ(kept, expected.size());
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), list.as<T>().begin()));
}

void check_gather(dvk::scanner& scan, const subject& s, std::uint64_t limit, std::mt19937_64& rng) {
  const auto n = static_cast<std::size_t>(below(rng, 3000));
  std::vector<std::int64_t> rows(n);
  for (auto& row : rows)
    row = below(rng, 50) == 0 ? -static_cast<std::int64_t>(below(rng, 1u << 20))
                              : static_cast<std::int64_t>(below(rng, limit));
  if (below(rng, 2) == 0) std::sort(rows.begin(), rows.end());
  const bool deleted = below(rng, 2) != 0;
  std::vector<std::uint32_t> expected, out(n);
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool d = rows[i] >= 0 && s.truth.contains(static_cast<std::uint64_t>(rows[i]));
    live += d ? 0 : 1;
    if (d == deleted) expected.push_back(static_cast<std::uint32_t>(i) + 5);
  }
  const polarity p = deleted ? polarity::deleted : polarity::live;
  const auto r =
      scan.gather_indices(std::span<const std::int64_t>(rows), std::span(out), {p, 5, false});
  ASSERT_EQ(r.live, live);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.begin()));
  std::vector<std::uint8_t> bytes(n, 1);
  ASSERT_EQ(
      scan.gather_bytes(std::span<const std::int64_t>(rows), bytes, {p, combine::and_with, false})
          .live,
      live);
  std::vector<std::uint64_t> words((n + 7 + 63) / 64 + 1);
  ASSERT_EQ(
      scan.gather_bits(std::span<const std::int64_t>(rows), words, 7, {p, combine::or_with, false})
          .live,
      live);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool listed = k < expected.size() && expected[k] == i + 5;
    k += listed ? 1 : 0;
    ASSERT_EQ(bytes[i], listed ? 1 : 0);
    ASSERT_EQ((words[(i + 7) / 64] >> ((i + 7) % 64)) & 1, listed ? 1u : 0u);
  }
}

class selection_forms : public ::testing::TestWithParam<dvk::tier> {
 protected:
  void SetUp() override { ASSERT_TRUE(dvk::set_max_isa(GetParam())); }
  void TearDown() override { dvk::reset_max_isa(); }
};

TEST_P(selection_forms, agree_with_the_list_of_rows) {
  auto rng = dvk_test::generator(20);
  for (std::size_t k = 0; k < dvk_test::cases(40) && !HasFailure(); ++k) {
    const subject s(dvk_test::random_rows(rng, static_cast<std::size_t>(1 + below(rng, 6))));
    const std::uint64_t limit = s.truth.cardinality() == 0 ? 1000 : s.truth.rows().back() + 70000;
    dvk::scanner kept(s.dv);
    for (std::size_t b = 0; b < 25 && !HasFailure(); ++b) {
      const auto ranges = random_ranges(rng, s, limit);
      const auto how = below(rng, 2) == 0 ? numbering::relative : numbering::packed;
      const auto rows = list_rows(s, ranges, how);
      dvk::scanner fresh(s.dv);
      dvk::scanner& scan = below(rng, 2) == 0 ? kept : fresh;
      check_indices<std::uint16_t>(scan, ranges, how, rows, rng);
      check_indices<std::uint32_t>(scan, ranges, how, rows, rng);
      check_indices<std::int32_t>(scan, ranges, how, rows, rng);
      check_indices<std::uint64_t>(scan, ranges, how, rows, rng);
      check_masks(scan, ranges, how, rows, rng);
      const row_range near{ranges[0].start, std::min<std::uint64_t>(ranges[0].count, 3000)};
      check_runs(scan, near, s.deleted(near), rng);
      check_refine<std::uint16_t>(scan, s, near.start, rng);
      check_refine<std::uint32_t>(scan, s, near.start, rng);
      check_refine<std::uint64_t>(scan, s, near.start, rng);
      check_gather(scan, s, limit, rng);
      std::uint64_t live = 0;
      const auto one = list_rows(s, std::span(ranges).first(1), numbering::relative);
      const batch_kind kind = expected_kind(one, &live);
      ASSERT_EQ(scan.count(ranges[0]), (dvk::batch_result{live, kind}));
    }
  }
}

TEST_P(selection_forms, consecutive_batches_rebuild_the_file) {
  for (const auto name : dvk_test::dataset_names) {
    const subject s(dvk_test::dataset(name, 300000));
    dvk::scanner scan(s.dv);
    std::vector<std::uint64_t> live, out(2048);
    for (std::uint64_t row = 0; row < 300000; row += 2048) {
      const std::uint64_t n = std::min<std::uint64_t>(2048, 300000 - row);
      const auto r = scan.indices({row, n}, std::span(out), {polarity::live, row, true});
      live.insert(live.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.live));
    }
    std::vector<std::uint64_t> expected;
    const auto deleted = s.deleted({0, 300000});
    for (std::uint64_t row = 0; row < 300000; ++row) {
      if (!deleted[static_cast<std::size_t>(row)]) expected.push_back(row);
    }
    EXPECT_EQ(live, expected) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(tiers, selection_forms,
                         ::testing::ValuesIn(dvk::supported_tiers().begin(),
                                             dvk::supported_tiers().end()),
                         [](const auto& i) { return std::string(dvk::tier_name(i.param)); });

TEST(selection, refuses_what_does_not_fit) {
  const subject s({5});
  dvk::scanner scan(s.dv);
  std::array<std::uint16_t, 8> small = {};
  EXPECT_EQ(scan.indices<std::uint16_t>({0, 9}, small).kind, batch_kind::refused);
  EXPECT_EQ(scan.indices<std::uint16_t>({0, 8}, small, {polarity::live, 65529, false}).kind,
            batch_kind::refused);
  EXPECT_EQ(scan.indices<std::uint16_t>({0, 8}, small, {polarity::live, 65528, false}).kind,
            batch_kind::mixed);
  EXPECT_EQ(scan.indices<std::uint16_t>({~std::uint64_t{0}, 8}, small).kind, batch_kind::refused);
  std::array<std::uint64_t, 1> word = {};
  EXPECT_EQ(scan.bits({0, 60}, word, 5).kind, batch_kind::refused);
  EXPECT_EQ(scan.bits({0, 59}, word, 5).kind, batch_kind::mixed);
  std::array<std::uint8_t, 4> bytes = {};
  EXPECT_EQ(scan.bytes({0, 5}, bytes).kind, batch_kind::refused);
  EXPECT_EQ(scan.runs({0, 5}, {}).kind, batch_kind::refused);
  const std::array<row_range, 2> backwards = {row_range{10, 2}, row_range{5, 2}};
  EXPECT_EQ(scan.indices<std::uint16_t>(backwards, numbering::packed, small).kind,
            batch_kind::refused);
  EXPECT_EQ(scan.count({1, ~std::uint64_t{0}}).kind, batch_kind::refused);
}

TEST(selection, works_at_the_far_end_of_the_row_space) {
  const std::uint64_t far = 0x7ffffffe80000000u;
  const subject s({far - 1, far});
  dvk::scanner scan(s.dv);
  std::array<std::uint32_t, 8> out = {};
  EXPECT_EQ(scan.indices<std::uint32_t>({far - 3, 8}, out),
            (dvk::batch_result{6, batch_kind::mixed}));
  EXPECT_EQ(out[2], 4u);
  EXPECT_EQ(scan.count({0, std::uint64_t{1} << 63}).live, (std::uint64_t{1} << 63) - 2);
}

}  // namespace
