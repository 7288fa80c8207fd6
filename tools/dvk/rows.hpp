// Rows as text: what positions, diff and select print, streamed through fixed buffers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dvk/deletion_vector.hpp"
#include "output.hpp"

namespace dvk::cli {

// Rows that are handled at a time.
inline constexpr std::uint64_t batch_rows = 65536;

// Prints ranges "first-last", both inclusive; ranges that touch become one.
class range_printer {
 public:
  range_printer(output& out, std::string_view prefix) : out_(out), prefix_(prefix) {}
  // Ranges come in ascending order.
  void add(std::uint64_t first, std::uint64_t last);
  void finish();

 private:
  output& out_;
  std::string prefix_;
  bool any_ = false;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
};

// Each deleted row, or each range of them, on a line of its own behind `prefix`.
void print_positions(output& out, const deletion_vector& dv, std::string_view prefix = {});
void print_ranges(output& out, const deletion_vector& dv, std::string_view prefix = {});

// "START:COUNT" and "A:B" as two numbers; throws failure(usage).
struct number_pair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
number_pair parse_pair(const std::string& text, std::string_view form);

}  // namespace dvk::cli
