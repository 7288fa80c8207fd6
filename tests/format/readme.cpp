// The README's thirty seconds of C++, taken from it when the build is configured, on a blob that
// Iceberg wrote.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "readme_example.inc"

namespace {

TEST(readme, counts_the_live_rows_of_a_blob) {
  std::ifstream file(DVK_SOURCE_DIR "/tests/data/iceberg/random-10k-in-10m.dv.bin",
                     std::ios::binary);
  const std::vector<char> blob(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(blob.empty());
  EXPECT_EQ(count_live(std::as_bytes(std::span(blob)), 10'000, 10'000'000), 9'990'000);
  EXPECT_EQ(count_live(std::as_bytes(std::span(blob)), 9'999, 10'000'000), -1)
      << "the manifest's count must hold";
}

}  // namespace
