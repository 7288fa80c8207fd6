// Searches over the container directory against a plain scan.
#include "roaring/directory.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random.hpp"

namespace {

using dvk::detail::container;
using dvk_test::below;

std::vector<container> directory_of(const std::vector<std::uint64_t>& keys) {
  std::vector<container> entries(keys.size() + 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    entries[i].key = keys[i] & dvk::detail::sentinel_key;
  }
  entries.back().key = dvk::detail::sentinel_key;
  return entries;
}

std::size_t plain_find(const std::vector<std::uint64_t>& keys, std::uint64_t key) {
  std::size_t i = 0;
  while (i < keys.size() && keys[i] < key)
    ++i;
  return i;
}

TEST(Directory, FindsContainersWhateverTheHint) {
  auto rng = dvk_test::generator(31);
  for (std::size_t i = 0; i < dvk_test::cases(300); ++i) {
    std::vector<std::uint64_t> keys;
    std::uint64_t key = below(rng, 3);
    const std::uint64_t missing = below(rng, 4);  // none, few, many, nearly all
    for (auto n = static_cast<std::size_t>(1 + below(rng, 60)); n != 0; --n) {
      keys.push_back(key);
      const std::uint64_t gaps[] = {0, below(rng, 10) == 0, below(rng, 3),
                                    below(rng, std::uint64_t{1} << 30)};
      key += 1 + gaps[missing];
    }
    const auto entries = directory_of(keys);
    const dvk::detail::directory d{entries.data(), keys.size()};
    for (int k = 0; k < 100; ++k) {
      std::uint64_t wanted =
          keys[static_cast<std::size_t>(below(rng, keys.size()))] + below(rng, 3);
      if (k % 10 == 0) wanted = below(rng, keys.back() + 5);
      if (k % 25 == 0) wanted = dvk::detail::sentinel_key - below(rng, 2);
      if (wanted != 0) wanted -= below(rng, 2);
      const std::size_t expected = plain_find(keys, wanted);
      ASSERT_EQ(dvk::detail::locate(d, wanted), expected);
      const std::size_t hints[] = {0,
                                   expected,
                                   expected + 1,
                                   expected - 1,
                                   static_cast<std::size_t>(below(rng, keys.size())),
                                   ~std::size_t{0}};
      for (const std::size_t hint : hints) {
        ASSERT_EQ(dvk::detail::find_container(d, wanted, hint), expected) << hint;
      }
    }
  }
}

TEST(Directory, EmptyOneHasNoContainers) {
  EXPECT_EQ(dvk::detail::find_container({}, 0), 0u);
  EXPECT_EQ(dvk::detail::find_container({}, 17, 5), 0u);
  std::uint64_t word = ~std::uint64_t{0};
  const std::uint64_t rows[] = {0, 5};
  dvk::detail::member_bits(dvk::detail::active_probes(), {}, rows, 2, &word);
  EXPECT_EQ(word, 0u);
}

}  // namespace
