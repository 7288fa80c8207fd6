// What follows from files that are at hand: every prefix of a valid one is refused, and so is every
// blob with a bit turned over; no answer depends on where the bytes lie or what lies around them.
#include <gtest/gtest.h>

#include <cstring>

#include "dvk/puffin.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/guard_buffer.hpp"
#include "tests/support/puffin.hpp"
#include "tests/support/random.hpp"

namespace {

using namespace dvk_test;
using dvk::validation;

constexpr validation levels[] = {validation::trusted, validation::standard, validation::strict};

bool accepts(const corpus_file& file, std::span<const std::byte> bytes, validation level) {
  switch (file.kind) {
    case file_kind::bitmap:
      return dvk::deletion_vector::open_bitmap(bytes, {.level = level}).has_value();
    case file_kind::blob:
      return dvk::deletion_vector::open_blob(bytes, {.level = level}).has_value();
    case file_kind::puffin:
      return dvk::puffin::reader::open(dvk::memory_source(bytes)).has_value();
    case file_kind::delta:
      return dvk::delta::list_vectors(bytes).has_value();
  }
  return false;
}

TEST(derived, every_prefix_of_a_valid_file_is_refused) {
  const auto files = iceberg_files();
  ASSERT_GT(files.size(), 50u);
  for (const corpus_file& file : files) {
    ASSERT_TRUE(accepts(file, file.bytes(), validation::standard)) << file.name;
    for (const validation level : levels) {
      for (std::size_t n = 0; n < file.content.size(); ++n) {
        ASSERT_FALSE(accepts(file, file.bytes().first(n), level)) << n << " bytes of " << file.name;
      }
    }
  }
}

// A file of several vectors is cut between two of them, too: what is left is a shorter file to the
// list, but not to the descriptor of the last one.
TEST(derived, every_prefix_of_a_delta_file_is_refused) {
  const byte_vector blobs[] = {bitmap_writer().add_range(3, 4000).blob(),
                               bitmap_writer().add(7).add(1 << 20).blob(),
                               bitmap_writer().add_range(std::uint64_t{1} << 32, 100000).blob()};
  const std::span<const std::byte> parts[] = {blobs[0], blobs[1], blobs[2]};
  const auto file = dvk::delta::write_file(parts);
  ASSERT_TRUE(file);
  const auto& last = file->vectors.back();
  const dvk::delta::descriptor descriptor{
      .storage_type = "p",
      .path_or_inline_dv = "s3://table/a.bin",
      .offset = static_cast<std::int64_t>(last.offset),
      .size_in_bytes = static_cast<std::int64_t>(last.size_in_bytes),
      .cardinality = 100000};
  ASSERT_TRUE(dvk::delta::open_in_file(file->bytes, descriptor));
  std::size_t seams = 0;
  for (std::size_t n = 0; n < file->bytes.size(); ++n) {
    const auto cut = std::span(file->bytes).first(n);
    for (const validation level : levels)
      ASSERT_FALSE(dvk::delta::open_in_file(cut, descriptor, {.level = level})) << n;
    const auto listed = dvk::delta::list_vectors(cut);
    if (!listed) continue;
    ASSERT_LT(listed->size(), file->vectors.size()) << n;
    ASSERT_EQ(n, file->vectors[listed->size()].offset);
    ++seams;
  }
  EXPECT_EQ(seams, 3u);  // none, one and two vectors
}

TEST(derived, every_bit_flip_of_a_blob_is_refused) {
  for (const corpus_file& file : iceberg_files()) {
    if (file.kind != file_kind::blob) continue;
    const guard_buffer copy(
        {reinterpret_cast<const std::uint8_t*>(file.content.data()), file.content.size()});
    for (std::size_t bit = 0; bit < 8 * copy.size(); ++bit) {
      std::uint8_t& byte = copy.data()[bit / 8];
      byte = static_cast<std::uint8_t>(byte ^ (1u << bit % 8));
      ASSERT_FALSE(dvk::deletion_vector::open_blob(copy.bytes())) << "bit " << bit << file.name;
      byte = static_cast<std::uint8_t>(byte ^ (1u << bit % 8));
    }
  }
}

// Without a CRC a turned bit may make another valid bitmap: then all of it is asked.
TEST(derived, no_bit_flip_of_a_bitmap_leads_outside) {
  std::size_t accepted = 0, refused = 0;
  for (const corpus_file& file : iceberg_files()) {
    if (file.kind != file_kind::blob && file.kind != file_kind::bitmap) continue;
    std::string_view bitmap = file.content;
    if (file.kind == file_kind::blob) bitmap = bitmap.substr(8, bitmap.size() - 12);
    const guard_buffer copy({reinterpret_cast<const std::uint8_t*>(bitmap.data()), bitmap.size()});
    const std::size_t step = bitmap.size() < 2000 ? 1 : 23;
    for (std::size_t bit = 0; bit < 8 * copy.size(); bit += step) {
      std::uint8_t& byte = copy.data()[bit / 8];
      byte = static_cast<std::uint8_t>(byte ^ (1u << bit % 8));
      for (const validation level : levels) {
        const auto opened = dvk::deletion_vector::open_bitmap(copy.bytes(), {.level = level});
        (opened ? accepted : refused) += 1;
        const std::string answer = dvk_test::text_of(opened);
        if (!opened || level == validation::trusted) continue;
        ASSERT_EQ(opened->rank(std::uint64_t{1} << 63), opened->cardinality()) << answer;
        ASSERT_TRUE(opened->cardinality() == 0 || opened->contains(*opened->max())) << answer;
      }
      byte = static_cast<std::uint8_t>(byte ^ (1u << bit % 8));
    }
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 1000u);
}

void expect_same_everywhere(const corpus_file& file, std::mt19937_64& rng) {
  const std::size_t size = file.content.size();
  const std::span<const std::uint8_t> content{
      reinterpret_cast<const std::uint8_t*>(file.content.data()), size};
  const guard_buffer end(content, guard_buffer::side::end),
      start(content, guard_buffer::side::start);
  for (const validation level : levels) {
    const std::string expected = outcome_of(file.kind, end.bytes(), level);
    ASSERT_EQ(outcome_of(file.kind, start.bytes(), level), expected) << file.name;
    std::vector<std::byte> around(size + 128);
    for (std::size_t at = 0; at < 64; at += size < 20000 ? 1 : 13) {
      // Noise, or the bytes that would make a cut file whole.
      for (std::byte& b : around)
        b = at % 8 == 7 ? std::byte{0} : static_cast<std::byte>(rng());
      if (size != 0) std::memcpy(around.data() + at, content.data(), size);
      ASSERT_EQ(outcome_of(file.kind, std::span(around).subspan(at, size), level), expected)
          << file.name << " at " << at;
    }
  }
}

TEST(derived, valid_files_read_the_same_at_any_place) {
  auto rng = generator(71);
  for (const corpus_file& file : iceberg_files())
    expect_same_everywhere(file, rng);
}

TEST(derived, hostile_files_read_the_same_at_any_place) {
  DVK_NEEDS_HOSTILE_CASES;
  auto rng = generator(72);
  const auto files = hostile_files();
  ASSERT_GT(files.size(), 1000u);
  for (const corpus_file& file : files)
    expect_same_everywhere(file, rng);
}

}  // namespace
