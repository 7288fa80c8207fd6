// A program as a user of the installed C++ library writes it: which rows of a data file are live.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <dvk/deletion_vector.hpp>
#include <dvk/selection.hpp>
#include <dvk/version.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string blob{std::istreambuf_iterator<char>(file), {}};
  const auto vector = dvk::deletion_vector::open_blob(std::as_bytes(std::span(blob)));
  if (!vector) {
    std::fprintf(stderr, "%s\n", vector.error().message().c_str());
    return 1;
  }

  constexpr std::uint64_t batch = 2048;
  const std::uint64_t rows = *vector->max() + 1;
  dvk::scanner scan(*vector);
  std::vector<std::uint32_t> selected(batch);
  std::uint64_t live = 0, sum = 0;
  for (std::uint64_t start = 0; start < rows; start += batch) {
    const std::uint64_t count = rows - start < batch ? rows - start : batch;
    const auto answer = scan.indices({start, count}, std::span(selected), {.always_write = true});
    if (answer.kind == dvk::batch_kind::refused) return 1;
    for (std::uint64_t i = 0; i < answer.live; ++i)
      sum += start + selected[i];
    live += answer.live;
  }
  std::printf("dvk %s: %llu deleted, %llu live, sum of live rows %llu\n", DVK_VERSION_STRING,
              static_cast<unsigned long long>(vector->cardinality()),
              static_cast<unsigned long long>(live), static_cast<unsigned long long>(sum));
}
