// Options and questions at their ends: limits, memory of the caller's, empty ranges, quirks that
// are nearly there.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "dvk/deletion_vector.hpp"
#include "tests/support/bitmap_builder.hpp"

namespace {

using namespace dvk_test;
using dvk::deletion_vector;
using dvk::error_code;
using dvk::quirk;

TEST(open_corners, limits_are_inclusive) {
  const byte_vector bitmap = bitmap_writer().add(3).bitmap64();
  EXPECT_TRUE(deletion_vector::open_bitmap(bitmap, {.max_bytes = bitmap.size()}));
  const dvk::error e =
      deletion_vector::open_bitmap(bitmap, {.max_bytes = bitmap.size() - 1}).error();
  EXPECT_EQ(e.code, error_code::limit_exceeded);
  EXPECT_EQ(e.found, bitmap.size());
}

// An arena: blocks go with it, none is released by itself.
TEST(open_corners, memory_that_is_not_released_one_by_one) {
  alignas(16) static std::byte arena[4096];
  const dvk::memory_hooks hooks{
      .allocate = [](void* at,
                     std::size_t bytes) noexcept { return bytes <= sizeof arena ? at : nullptr; },
      .release = nullptr,
      .context = arena};
  const byte_vector blob = bitmap_writer().add(3).add(70000).blob();
  const auto opened = deletion_vector::open_blob(blob, {.memory = hooks});
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->contains(70000));
}

TEST(open_corners, questions_about_nothing) {
  const byte_vector blob = bitmap_writer().add_range(3, 10).blob();
  const auto opened = deletion_vector::open_blob(blob);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->count({5, 0}), 0u);
  EXPECT_EQ(opened->count({5, ~std::uint64_t{0}}), 8u);
  opened->contains_many({}, {});
  EXPECT_FALSE(opened->select(10));
}

TEST(open_corners, messages_of_the_system) {
  const dvk::error e{.code = error_code::io_error, .found = ENOENT};
  EXPECT_NE(e.message().find(std::strerror(ENOENT)), std::string::npos);
}

byte_vector bytes(std::initializer_list<unsigned> values, std::size_t size) {
  byte_vector out;
  for (const unsigned v : values)
    out.push_back(static_cast<std::byte>(v));
  out.resize(size);
  return out;
}

TEST(open_corners, other_formats_by_their_first_bytes) {
  const auto guess = [](std::initializer_list<unsigned> head) {
    return deletion_vector::open_blob(bytes(head, 40)).error().quirk;
  };
  EXPECT_EQ(guess({0xd0, 0xd3, 0x39, 0x64}), quirk::delta_native);
  EXPECT_EQ(guess({0, 0, 0, 9, 0xd0, 0xd3, 0x39, 0x64}), quirk::delta_native);
  EXPECT_EQ(guess({1, 0, 0, 0, 9, 0xd1, 0xd3, 0x39, 0x64}), quirk::delta_file);
  EXPECT_EQ(guess({1, 0, 0, 0, 9, 0xd0, 0xd3, 0x39, 0x64}), quirk::delta_file);
  EXPECT_EQ(guess({1, 0, 0, 0, 9, 0xd1, 0xd3, 0x39, 0x65}), quirk::none);
  EXPECT_EQ(guess({0x3b, 0x30, 0, 0}), quirk::roaring32);      // with runs
  EXPECT_EQ(guess({0x3a, 0x30, 0, 0, 1}), quirk::roaring32);   // without
  EXPECT_EQ(guess({0x3a, 0x30, 0, 0, 0, 0, 2}), quirk::none);  // of too many containers
  EXPECT_EQ(guess({0x3a, 0x30, 1, 0, 1}), quirk::none);
}

}  // namespace
