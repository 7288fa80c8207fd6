#include "bench/datasets.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "tests/support/bitmap_builder.hpp"

namespace dvk_bench {
namespace {

struct expectation {
  std::uint64_t deleted;
  std::uint64_t hash;
};

// In the order of dataset_names, over small_rows rows.
constexpr expectation expected[] = {
    {300, 0xaebdb4ee03c69b7c},      // scattered300
    {42107, 0xa4c18af3cf6eb7da},    // rand1pct
    {126376, 0x60c51da6946bab3e},   // rand3pct
    {420523, 0x948b0ac1eaae1ce8},   // rand10pct
    {2097597, 0x6126382baacf12ec},  // rand50pct
    {2000000, 0xf69b38cda2c1fab5},  // clustered
    {220348, 0x8282ecdf1242f30f},   // shortruns5pct
    {1247195, 0x8f5200f632c72a60},  // denseruns28pct
    {2097152, 0xcbf3cf3586ddb1ed},  // everyother
    {4194304, 0xda7aae3d22c21011},  // alldeleted
    {0, 0xcf3c15a54ef91ac7},        // empty
};
static_assert(std::size(expected) == std::size(dataset_names));

std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const std::byte b : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

class row_set {
 public:
  explicit row_set(std::uint64_t rows) : bits_((rows + 63) / 64), rows_(rows) {}
  bool insert(std::uint64_t row) {
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    const bool added = (bits_[row / 64] & bit) == 0;
    bits_[row / 64] |= bit;
    return added;
  }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(bits_); }

 private:
  std::vector<std::uint64_t> bits_;
  std::uint64_t rows_;
};

// True once in `one_in` draws. std::geometric_distribution and friends are left to the
// implementation; this is not.
bool draw(std::mt19937_64& rng, double one_in) {
  return static_cast<double>(rng() >> 11) * one_in < 0x1p53;
}

void independent(row_set& set, std::uint64_t seed, double one_in) {
  std::mt19937_64 rng(seed);
  for (std::uint64_t row = 0; row < set.rows(); ++row) {
    if (draw(rng, one_in)) set.insert(row);
  }
}

// Geometric lengths are what a coin at every row gives: "does the run (or gap) end here?"
void alternating(row_set& set, std::uint64_t seed, double mean_run, double mean_gap) {
  std::mt19937_64 rng(seed);
  bool deleted = false;
  for (std::uint64_t row = 0; row < set.rows(); ++row) {
    if (draw(rng, deleted ? mean_run : mean_gap)) deleted = !deleted;
    if (deleted) set.insert(row);
  }
}

void range(row_set& set, std::uint64_t first, std::uint64_t end, std::uint64_t step = 1) {
  for (std::uint64_t row = first; row < end; row += step)
    set.insert(row);
}

void scattered(row_set& set, std::uint64_t seed, int count) {
  std::mt19937_64 rng(seed);
  while (count > 0) {
    if (set.insert(rng() % set.rows())) --count;
  }
}

void generate(row_set& set, std::string_view name) {
  const std::uint64_t rows = set.rows();
  if (name == "scattered300") scattered(set, 7, 300);
  if (name == "rand1pct") independent(set, 1, 100);
  if (name == "rand3pct") independent(set, 2, 100.0 / 3);
  if (name == "rand10pct") independent(set, 3, 10);
  if (name == "rand50pct") independent(set, 4, 2);
  if (name == "clustered") range(set, rows * 1'000'000 / small_rows, rows * 3'000'000 / small_rows);
  if (name == "shortruns5pct") alternating(set, 5, 21, 381);
  if (name == "denseruns28pct") alternating(set, 6, 11, 26);
  if (name == "everyother") range(set, 0, rows, 2);
  if (name == "alldeleted") range(set, 0, rows);
}

std::vector<std::byte> encode(const dataset& d) {
  dvk_test::bitmap_writer writer;
  for (std::uint64_t row = 0; row < d.rows;) {
    const std::uint64_t rest = d.oracle[row / 64] >> (row % 64);
    if (rest == 0) {
      row = (row / 64 + 1) * 64;
      continue;
    }
    row += static_cast<std::uint64_t>(std::countr_zero(rest));
    if (row >= d.rows) break;
    const std::uint64_t first = row;
    while (row < d.rows && d.is_deleted(row))
      ++row;
    writer.add_range(first, row - first);
  }
  return writer.blob();
}

std::unique_ptr<dataset> make(std::string_view name) {
  auto d = std::make_unique<dataset>();
  const bool large = name.ends_with("_100m");
  d->name = name;
  row_set set(large ? large_rows : small_rows);
  d->rows = set.rows();
  generate(set, large ? name.substr(0, name.size() - 5) : name);
  d->oracle = set.take();
  for (const std::uint64_t word : d->oracle)
    d->deleted += static_cast<std::uint64_t>(std::popcount(word));
  d->blob = encode(*d);
  d->hash = fnv1a(d->blob);
  auto opened = dvk::deletion_vector::open_blob(
      d->blob, {.expected_cardinality = d->deleted, .row_count = d->rows});
  if (!opened) {
    std::fprintf(stderr, "dataset %s: %s\n", d->name.c_str(), opened.error().message().c_str());
    std::exit(1);
  }
  d->view = std::move(*opened);
  return d;
}

}  // namespace

std::vector<std::uint64_t> dataset::positions() const {
  std::vector<std::uint64_t> out;
  out.reserve(deleted);
  for (std::size_t w = 0; w < oracle.size(); ++w) {
    for (std::uint64_t word = oracle[w]; word != 0; word &= word - 1) {
      out.push_back(w * 64 + static_cast<std::uint64_t>(std::countr_zero(word)));
    }
  }
  return out;
}

const dataset& get_dataset(std::string_view name) {
  static std::map<std::string, std::unique_ptr<dataset>, std::less<>> made;
  auto found = made.find(name);
  if (found == made.end()) found = made.emplace(name, make(name)).first;
  return *found->second;
}

std::uint64_t verify_datasets() {
  std::uint64_t all = 0xcbf29ce484222325;
  bool right = true;
  for (std::size_t i = 0; i < std::size(dataset_names); ++i) {
    const dataset& d = get_dataset(dataset_names[i]);
    if (d.deleted != expected[i].deleted || d.hash != expected[i].hash) {
      std::fprintf(stderr,
                   "dataset %s has %llu deleted rows and hash %016llx, not as written down\n",
                   d.name.c_str(), static_cast<unsigned long long>(d.deleted),
                   static_cast<unsigned long long>(d.hash));
      right = false;
    }
    all = (all ^ d.hash) * 0x100000001b3;
  }
  return right ? all : 0;
}

}  // namespace dvk_bench
