// What every command shares: how it is registered, what it returns, how it fails.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "dvk/result.hpp"

namespace CLI {
class App;
}

namespace dvk::cli {

// Exit status, documented in --help.
enum status : int {
  ok = 0,
  invalid = 1,  // bytes that break a rule of their format
  usage = 2,    // arguments that make no sense, and everything the operating system refuses
};

// Ends a command: which file, what is wrong with it, and the exit status that follows.
class failure : public std::exception {
 public:
  // Bytes (or an I/O call) at fault.
  failure(std::string_view file, const error& fault);
  // Anything else; `fault` stays invalid_argument.
  failure(int exit_status, std::string_view file, std::string_view text);

  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] int exit_status() const noexcept { return status_; }
  [[nodiscard]] const error& fault() const noexcept { return fault_; }
  // Without the file's name and the code.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

 private:
  int status_;
  error fault_;
  std::string message_;
  std::string text_;
};

// "FILE: bad_crc at byte 46: the CRC-32 stored ...": one line for standard error.
std::string describe(std::string_view file, const error& fault);
// Prints "dvk: TEXT" on standard error.
void complain(std::string_view text);

// Collects the commands. `run` is called once the arguments are parsed and returns the exit status.
class registry {
 public:
  virtual ~registry() = default;
  virtual CLI::App& add(const std::string& name, const std::string& description,
                        const std::string& examples, std::function<int()> run) = 0;
};

void add_inspect(registry& commands);    // inspect, stats
void add_verify(registry& commands);     // verify
void add_positions(registry& commands);  // positions, count
void add_select(registry& commands);     // select
void add_create(registry& commands);     // create
void add_sets(registry& commands);       // merge, diff
void add_convert(registry& commands);    // convert
void add_explain(registry& commands);    // explain
void add_cat(registry& commands);        // cat
void add_cpu(registry& commands);        // cpu

}  // namespace dvk::cli
