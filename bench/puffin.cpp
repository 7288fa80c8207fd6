// A commit's Puffin file of 10,000 small deletion vectors. puffin/write, puffin/write_file: from
// serialised vectors to a finished file, in memory or on disk; limit/write_and_crc, ..._file: the
// same bytes in the same pieces, each vector checksummed, by a caller who knows the whole layout
// beforehand. puffin/footer: from bytes to an opened reader; puffin/open_all: that, and all vectors
// read by a plan and validated. Items are vectors.
#include "dvk/puffin.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "bench/suite.hpp"
#include "dvk/builder.hpp"
#include "dvk/crc32.hpp"

namespace dvk_bench {
namespace {

constexpr std::size_t vectors = 10'000;
constexpr std::uint64_t rows_of_file = 1'000'000, rows_deleted = 100;

struct small_vector {
  std::string path;
  std::vector<std::byte> blob;
  std::uint64_t cardinality;
};

struct commit_data {
  commit_data() {
    std::mt19937_64 draw(11);
    for (std::size_t i = 0; i < vectors; ++i) {
      std::vector<std::uint64_t> rows(rows_deleted);
      for (auto& row : rows)
        row = draw() % rows_of_file;
      char path[96];
      std::snprintf(path, sizeof path,
                    "s3://lake/db/orders/data/day=2026-01-%02zu/%05zu-%08llx-00001.parquet",
                    i % 28 + 1, i, static_cast<unsigned long long>(draw() >> 32));
      auto blob = dvk::serialize_positions(rows).value();
      const std::uint64_t cardinality = dvk::deletion_vector::open_blob(blob).value().cardinality();
      all.push_back({path, std::move(blob), cardinality});
    }
    dvk::memory_sink sink;
    write(sink);
    file.assign(sink.bytes().begin(), sink.bytes().end());
  }

  // The size of the file, or 0.
  std::uint64_t write(dvk::sink& sink) const {
    dvk::puffin::writer writer(sink);
    for (const small_vector& v : all) {
      if (!writer.write_vector(v.blob, v.path, v.cardinality)) return 0;
    }
    const auto written = writer.finish();
    return written ? written->file_size : 0;
  }

  // The same file, copied piece by piece.
  std::uint64_t copy(dvk::sink& sink) const {
    const std::span<const std::byte> bytes(file);
    std::uint32_t sum = 0;
    std::size_t at = 4;
    bool fine = ok(sink.write(bytes.first(at)));
    for (const small_vector& v : all) {
      const auto piece = bytes.subspan(at, v.blob.size());
      sum ^= dvk::crc32(piece);
      fine = fine && ok(sink.write(piece));
      at += piece.size();
    }
    fine = fine && ok(sink.write(bytes.subspan(at))) && ok(sink.commit());
    return fine ? file.size() + (sum == 0) : 0;
  }
  static bool ok(const dvk::error& e) { return e.code == dvk::error_code::ok; }

  std::vector<small_vector> all;
  std::vector<std::byte> file;
};

const commit_data& data() {
  static const commit_data d;
  return d;
}

using write_function = std::uint64_t (commit_data::*)(dvk::sink&) const;

job to_memory(write_function write) {
  const auto pass = [write] {
    dvk::memory_sink sink;
    return (data().*write)(sink);
  };
  const auto check = [write] {
    dvk::memory_sink sink;
    return (data().*write)(sink) >= data().file.size() &&
           std::equal(sink.bytes().begin(), sink.bytes().end(), data().file.begin(),
                      data().file.end());
  };
  return {check, pass, vectors, data().file.size()};
}

job to_disk(write_function write) {
  const char* folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/dvk_bench_" +
                           std::to_string(getpid()) + ".puffin";
  const auto pass = [=] {
    auto sink = dvk::file_sink::create(path.c_str());
    const std::uint64_t size = sink ? (data().*write)(*sink) : 0;
    std::remove(path.c_str());
    return size;
  };
  return {[=] { return pass() >= data().file.size(); }, pass, vectors, data().file.size()};
}

// Vectors that could be opened; `all` of them or only the footer's entries.
std::uint64_t open(bool all) {
  const dvk::memory_source source(data().file);
  const auto reader = dvk::puffin::reader::open(source);
  if (!reader) return 0;
  const std::size_t count = reader->blobs().size();
  if (!all) return count;
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const auto opened = reader->read_vectors(indices);
  std::uint64_t good = 0;
  for (std::size_t i = 0; opened && i < count; ++i) {
    const auto& one = (*opened)[i];
    good += one && one->vector.cardinality() == data().all[i].cardinality;
  }
  return good;
}

job reading(bool all) {
  const auto pass = [all] { return open(all); };
  return {[pass] { return pass() == vectors; }, pass, vectors, data().file.size()};
}

}  // namespace

void register_puffin() {
  const std::string size = "/10000";
  for_each_tier([&](dvk::tier t, const std::string& tier) {
    add("puffin/write" + size + "/" + tier, t, [] { return to_memory(&commit_data::write); });
    add("puffin/write_file" + size + "/" + tier, t, [] { return to_disk(&commit_data::write); });
    add("puffin/footer" + size + "/" + tier, t, [] { return reading(false); });
    add("puffin/open_all" + size + "/" + tier, t, [] { return reading(true); });
  });
  add("limit/write_and_crc" + size, std::nullopt, [] { return to_memory(&commit_data::copy); });
  add("limit/write_and_crc_file" + size, std::nullopt, [] { return to_disk(&commit_data::copy); });
}

}  // namespace dvk_bench
