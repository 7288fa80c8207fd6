// Reading Puffin files from storage that fails, is slow to answer, changes meanwhile, or lies.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "dvk/dvk_files.h"
#include "dvk/puffin.hpp"
#include "tests/support/faulty_system.hpp"
#include "tests/support/outcome.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
using dvk::puffin::reader;
namespace fs = std::filesystem;

constexpr dvk::puffin::reader_options piecemeal{.tail_bytes = 0};  // the most reads: three

// Opens and reads all: the first error, or how many blobs there were.
dvk::result<std::size_t> read_all(const dvk::random_access_source& source) {
  const auto opened = reader::open(source, piecemeal);
  if (!opened) return opened.error();
  for (std::size_t i = 0; i < opened->blobs().size(); ++i) {
    if (const auto blob = opened->read_blob(i); !blob) return blob.error();
    if (!opened->blobs()[i].is_deletion_vector()) continue;
    if (const auto vector = opened->read_vector(i); !vector) return vector.error();
  }
  return opened->blobs().size();
}

class puffin_source_faults : public testing::Test {
 protected:
  void SetUp() override {
    now = {};
    path_ = (fs::temp_directory_path() / ("dvk-faults-" + std::to_string(getpid()))).string();
    put(sample_.file);
  }
  void TearDown() override { fs::remove(path_); }
  void put(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  dvk::file_source open_source() const {
    auto source = dvk::file_source::open(path_.c_str(), &faulty);
    EXPECT_TRUE(source);
    return std::move(*source);
  }

  sample sample_;
  std::string path_;
};

TEST_F(puffin_source_faults, each_read_fails_in_turn) {
  for (const int with : {EIO, ESTALE, ENOMEM}) {
    int at = 0;
    for (;; ++at) {
      now = {.failing = "pread", .at = at, .with = with};
      {
        const auto source = open_source();
        const auto answer = read_all(source);
        if (answer) break;
        EXPECT_EQ(answer.error().code, error_code::io_error) << at;
        EXPECT_EQ(answer.error().found, static_cast<std::uint64_t>(with)) << at;
      }
      EXPECT_EQ(now.open_descriptors, 0);
    }
    EXPECT_EQ(at, 8);  // tail, footer, head; three blobs, of which two are read again as vectors
  }
}

TEST_F(puffin_source_faults, interruptions_and_short_reads_change_nothing) {
  for (const std::size_t largest : {1u, 3u, 64u, 100000u}) {
    for (const bool interrupt : {false, true}) {
      now = {.interrupt_all = interrupt, .largest = largest};
      const auto source = open_source();
      const auto answer = read_all(source);
      ASSERT_TRUE(answer) << answer.error().message();
      EXPECT_EQ(*answer, 3u);
    }
  }
}

TEST_F(puffin_source_faults, a_file_cut_after_its_size_was_asked) {
  for (std::size_t left = 0; left < sample_.file.size(); ++left) {
    put(sample_.file);
    const auto source = open_source();
    fs::resize_file(path_, left);
    const auto answer = read_all(source);
    ASSERT_EQ(answer.error().code, error_code::short_read) << left;
    ASSERT_LT(answer.error().found, answer.error().expected) << left;
  }
}

TEST_F(puffin_source_faults, a_file_cut_after_its_footer_was_read) {
  const auto source = open_source();
  const auto opened = reader::open(source, piecemeal);
  ASSERT_TRUE(opened);
  fs::resize_file(path_, static_cast<std::uintmax_t>(sample_.second_at) + 1);
  EXPECT_TRUE(opened->read_vector(0));
  const dvk::error cut = opened->read_vector(1).error();
  EXPECT_EQ(cut.code, error_code::short_read);
  EXPECT_EQ(cut.offset, static_cast<std::uint64_t>(sample_.second_at));
  EXPECT_EQ(cut.found, 1u);
  const std::size_t both[] = {0, 1};
  const auto together = opened->read_vectors(both);
  ASSERT_TRUE(together);
  EXPECT_EQ((*together)[1].error().code, error_code::short_read);
}

TEST_F(puffin_source_faults, a_file_written_over_or_grown_meanwhile) {
  const auto source = open_source();
  const auto opened = reader::open(source, piecemeal);
  ASSERT_TRUE(opened);
  put(sample_.file + "more");
  EXPECT_TRUE(opened->read_vector(0));
  std::string other = sample_.file;
  other[10] = static_cast<char>(other[10] ^ 1);
  put(other);
  EXPECT_NE(opened->read_vector(0).error(), dvk::error{});
  EXPECT_TRUE(opened->read_vector(1));
}

// A source that is a function with state.
struct scripted {
  std::string bytes;
  int reads = 0;
  int failing = -1;
  dvk::error failure = {};

  static dvk::error read(void* context, std::uint64_t offset, std::span<std::byte> out) noexcept {
    auto& self = *static_cast<scripted*>(context);
    if (self.reads++ == self.failing) return self.failure;
    return dvk::memory_source(bytes_of(self.bytes)).read_at(offset, out);
  }
};

TEST_F(puffin_source_faults, what_a_callback_reports_is_passed_on) {
  const dvk::error failures[] = {
      {.code = error_code::io_error, .found = 5},
      {.code = error_code::short_read, .offset = 17, .expected = 9, .found = 3},
      {.code = error_code::out_of_memory},
      {.code = error_code::not_found}};
  for (const dvk::error& failure : failures) {
    for (int at = 0; at < 8; ++at) {
      scripted script{.bytes = sample_.file, .failing = at, .failure = failure};
      const dvk::callback_source source(sample_.file.size(), scripted::read, &script);
      EXPECT_EQ(read_all(source).error(), failure) << at;
      EXPECT_EQ(script.reads, at + 1) << "went on after a failure";
    }
  }
}

TEST_F(puffin_source_faults, a_callback_whose_size_is_wrong) {
  scripted script{.bytes = sample_.file};
  for (std::uint64_t size = 0; size < sample_.file.size(); ++size) {
    EXPECT_FALSE(read_all(dvk::callback_source(size, scripted::read, &script))) << size;
  }
  for (const std::uint64_t size :
       {sample_.file.size() + 1, std::size_t{1} << 40, (std::size_t{1} << 63) - 1,
        std::size_t{1} << 63, ~std::size_t{0}}) {
    EXPECT_EQ(read_all(dvk::callback_source(size, scripted::read, &script)).error().code,
              error_code::short_read)
        << size;
  }
}

// Says that all went well, whatever was asked: the end of a Puffin file, or the same byte all over.
class liar final : public dvk::random_access_source {
 public:
  liar(std::uint64_t size, std::byte fill, std::string end)
      : size_(size), fill_(fill), end_(std::move(end)) {}
  std::uint64_t size() const noexcept override { return size_; }
  dvk::error read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept override {
    std::fill(out.begin(), out.end(), fill_);
    const std::uint64_t end_at = size_ - end_.size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (offset + i >= end_at) out[i] = static_cast<std::byte>(end_[offset + i - end_at]);
    }
    return {};
  }

 private:
  std::uint64_t size_;
  std::byte fill_;
  std::string end_;
};

TEST_F(puffin_source_faults, sources_that_lie_are_refused_at_any_size) {
  constexpr std::uint64_t sizes[] = {20,
                                     1000,
                                     std::uint64_t{1} << 40,
                                     (std::uint64_t{1} << 63) - 1,
                                     std::uint64_t{1} << 63,
                                     ~std::uint64_t{0}};
  for (const std::uint64_t size : sizes) {
    for (int fill = 0; fill < 256; fill += 5)
      EXPECT_FALSE(read_all(liar(size, static_cast<std::byte>(fill), "")));
    // A whole footer, and blobs as far away as numbers go.
    for (const std::int64_t at :
         {std::int64_t{4}, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
      for (const std::int64_t length : {std::int64_t{1} << 33, std::int64_t{1} << 40,
                                        std::numeric_limits<std::int64_t>::max()}) {
        const std::string payload = footer_of({entry("t", at, length)});
        const std::string end = puffin_file("", payload).substr(4);
        if (size < end.size() + 4) continue;
        const liar source(size, std::byte{'P'}, end);
        const auto opened = reader::open(source, {.check_head = false});
        if (!opened) continue;
        const error_code code = opened->read_blob(0).error().code;
        EXPECT_TRUE(code == error_code::blob_range || code == error_code::limit_exceeded)
            << at << ' ' << length << ' ' << dvk::error_name(code);
      }
    }
  }
}

// The interface says that the size does not change; one that does all the same leads nowhere.
class restless final : public dvk::random_access_source {
 public:
  restless(std::string bytes, std::uint64_t later) : bytes_(std::move(bytes)), later_(later) {}
  std::uint64_t size() const noexcept override { return asked_++ == 0 ? bytes_.size() : later_; }
  dvk::error read_at(std::uint64_t offset, std::span<std::byte> out) const noexcept override {
    return dvk::memory_source(bytes_of(bytes_)).read_at(offset, out);
  }

 private:
  std::string bytes_;
  std::uint64_t later_;
  mutable int asked_ = 0;
};

TEST_F(puffin_source_faults, a_size_that_changes) {
  for (const std::uint64_t later : {std::uint64_t{0}, std::uint64_t{21}, std::uint64_t{1} << 62})
    EXPECT_TRUE(read_all(restless(sample_.file, later))) << later;
}

TEST_F(puffin_source_faults, the_size_stays_the_one_that_was_checked) {
  const restless source(sample_.file, 21);
  const auto reader = dvk::puffin::reader::open(source);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ(reader->file_size(), sample_.file.size());
}

TEST_F(puffin_source_faults, a_callback_that_throws_ends_the_process) {
  struct thrower {
    static int read(void*, std::uint64_t, void*, std::size_t) { throw std::bad_alloc(); }
  };
  dvk_puffin_reader* opened = nullptr;
  EXPECT_EXIT(static_cast<void>(
                  dvk_puffin_open_source(1000, thrower::read, nullptr, nullptr, &opened, nullptr)),
              testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
