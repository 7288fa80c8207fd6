// Errors and results: stable names, one-line messages, ownership.
#include "dvk/dvk.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace {

TEST(Error, EveryCodeHasItsNameAndText) {
  std::set<std::string_view> names;
  int count = 0;
#define DVK_X(name, text)                                   \
  EXPECT_EQ(dvk::error_name(dvk::error_code::name), #name); \
  EXPECT_EQ(dvk::error_text(dvk::error_code::name), text);  \
  names.insert(dvk::error_name(dvk::error_code::name));     \
  ++count;
  DVK_ERROR_CODES(DVK_X)
#undef DVK_X
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(dvk::error_name(static_cast<dvk::error_code>(255)), "unknown");
}

// Codes are part of the interface of stored reports and of the C ABI.
TEST(Error, CodesKeepTheirNumbers) {
  EXPECT_EQ(static_cast<int>(dvk::error_code::ok), 0);
  EXPECT_EQ(static_cast<int>(dvk::error_code::truncated), 1);
  EXPECT_EQ(static_cast<int>(dvk::error_code::not_canonical), 16);
  EXPECT_EQ(static_cast<int>(dvk::error_code::bad_crc), 20);
  EXPECT_EQ(static_cast<int>(dvk::error_code::out_of_memory), 24);
}

TEST(Error, MessageNamesOffsetValuesAndQuirk) {
  dvk::error e{.code = dvk::error_code::bad_crc, .offset = 123456789012, .expected = 7, .found = 8};
  const std::string plain = e.message();
  EXPECT_NE(plain.find("CRC"), std::string::npos);
  EXPECT_NE(plain.find("123456789012"), std::string::npos);
  EXPECT_NE(plain.find('7'), std::string::npos);
  EXPECT_EQ(plain.find('\n'), std::string::npos);
  e.quirk = dvk::quirk::crc_not_inverted;
  EXPECT_NE(e.message().find("Velox"), std::string::npos);
  EXPECT_EQ(dvk::error{}.message(), "no error");
}

TEST(Result, HoldsAValueOrAnError) {
  dvk::result<int> value = 5;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 5);
  EXPECT_EQ(value.error(), dvk::error{});
  const dvk::error fault{.code = dvk::error_code::truncated, .offset = 3};
  dvk::result<int> failure = fault;
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error(), fault);
}

TEST(Result, MovesWhatItOwns) {
  dvk::result<std::unique_ptr<int>> a = std::make_unique<int>(1);
  dvk::result<std::unique_ptr<int>> b = std::move(a);
  ASSERT_TRUE(b);
  EXPECT_EQ(**b, 1);
  dvk::result<std::unique_ptr<int>> c = dvk::error{.code = dvk::error_code::truncated};
  c = std::move(b);
  ASSERT_TRUE(c);
  const std::unique_ptr<int> taken = std::move(c).value();
  EXPECT_EQ(*taken, 1);
}

}  // namespace
