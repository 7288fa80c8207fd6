// A vector opened through the C interface and through the C++ one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "dvk/deletion_vector.hpp"
#include "dvk/dvk.h"
#include "tests/support/bitmap_builder.hpp"
#include "tests/support/oracle.hpp"

namespace dvk_test {

// An array, a run and a bitset container, so that batches meet each.
inline std::vector<std::uint64_t> deleted_rows() {
  std::vector<std::uint64_t> rows = {3, 5, 100, 2000};
  for (std::uint64_t row = 65546; row < 70000; ++row)
    rows.push_back(row);
  for (std::uint64_t row = 131072; row < 161072; row += 3)
    rows.push_back(row);
  return rows;
}

class c_interface : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(open(nullptr), 0u);
    auto opened = dvk::deletion_vector::open_blob(blob_);
    ASSERT_TRUE(opened);
    expected_ = std::move(*opened);
    dvk_scanner_init(&scanner_, vector_);
  }
  void TearDown() override { dvk_vector_free(vector_); }

  std::uint32_t open(const dvk_open_options* options) {
    dvk_vector_free(std::exchange(vector_, nullptr));
    return dvk_vector_open_blob(blob_.data(), blob_.size(), options, &vector_, &error_);
  }

  row_oracle rows_{deleted_rows()};
  byte_vector blob_ = bitmap_writer().add(rows_.rows()).blob();
  dvk::deletion_vector expected_;
  dvk_vector* vector_ = nullptr;
  dvk_scanner scanner_;
  dvk_error error_ = {};
};

}  // namespace dvk_test
