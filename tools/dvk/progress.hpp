// A progress bar on standard error: only on a terminal, and only when the work takes a while.
#pragma once

#include <chrono>
#include <cstddef>

namespace dvk::cli {

class progress {
 public:
  explicit progress(std::size_t total);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // One of the total is done.
  void step();
  // Wipes the bar, so that a message can be printed; the next step draws it again.
  void wipe();

 private:
  using clock = std::chrono::steady_clock;

  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
  bool drawn_ = false;
  clock::time_point next_;
};

}  // namespace dvk::cli
