#include "progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace dvk::cli {
namespace {

constexpr std::size_t width = 40;
constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds pace{100};

}  // namespace

progress::progress(std::size_t total)
    : total_(total), terminal_(isatty(STDERR_FILENO) == 1), next_(clock::now() + patience) {}

progress::~progress() {
  wipe();
}

void progress::step() {
  ++done_;
  if (!terminal_ || total_ < 2) return;
  const auto now = clock::now();
  if (now < next_) return;
  next_ = now + pace;
  const std::size_t filled = width * done_ / total_;
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fprintf(stderr, "\r[%s] %zu/%zu", bar.c_str(), done_, total_);
  drawn_ = true;
}

void progress::wipe() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace dvk::cli
