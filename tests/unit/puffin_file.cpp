// File source and sink, on a real directory and a system with faults.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "dvk/puffin.hpp"
#include "tests/support/faulty_system.hpp"
#include "tests/support/puffin.hpp"

namespace {

using namespace dvk_test;
using dvk::error_code;
using dvk::detail::system_calls;
namespace fs = std::filesystem;

class puffin_file_io : public testing::Test {
 protected:
  void SetUp() override {
    now = {};
    directory_ = fs::temp_directory_path() / ("dvk-test-" + std::to_string(getpid()));
    fs::create_directory(directory_);
    path_ = (directory_ / "x.puffin").string();
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& e : fs::directory_iterator(directory_))
      out.push_back(e.path().filename().string());
    return out;
  }
  // Writes `text` in two pieces and commits.
  dvk::error save(const std::string& text, const system_calls* calls = &faulty) {
    auto sink = dvk::file_sink::create(path_.c_str(), calls);
    if (!sink) return sink.error();
    const auto bytes = bytes_of(text);
    for (const auto part : {bytes.first(text.size() / 2), bytes.subspan(text.size() / 2)}) {
      if (const dvk::error e = sink->write(part); e.code != error_code::ok) return e;
    }
    return sink->commit();
  }

  fs::path directory_;
  std::string path_;
};

TEST_F(puffin_file_io, appears_whole_with_usual_rights) {
  const mode_t mask = umask(022);
  EXPECT_EQ(save("some text", nullptr), dvk::error{});
  umask(mask);
  EXPECT_EQ(names(), std::vector<std::string>{"x.puffin"});
  EXPECT_EQ(load_file(path_), "some text");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0644));
}

TEST_F(puffin_file_io, nothing_appears_before_commit) {
  {
    auto sink = dvk::file_sink::create(path_.c_str());
    ASSERT_TRUE(sink);
    EXPECT_EQ(sink->write(bytes_of("x")), dvk::error{});
    auto moved = std::move(*sink);
    EXPECT_EQ(names().size(), 1u);
    EXPECT_FALSE(fs::exists(path_));
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(puffin_file_io, order_of_calls) {
  ASSERT_EQ(save("ab"), dvk::error{});
  EXPECT_EQ(now.log, (std::vector<std::string>{"open_directory", "open", "write", "write", "fsync",
                                               "close", "rename", "fsync_directory", "close"}));
}

TEST_F(puffin_file_io, replaces_a_file) {
  ASSERT_EQ(save("old"), dvk::error{});
  ASSERT_EQ(save("new"), dvk::error{});
  EXPECT_EQ(load_file(path_), "new");
  EXPECT_EQ(names().size(), 1u);
}

// The steps before the new file bears its name.
const std::vector<std::pair<const char*, int>> first_steps{
    {"open_directory", 0}, {"open", 0},  {"write", 0}, {"write", 1},
    {"fsync", 0},          {"close", 0}, {"rename", 0}};

TEST_F(puffin_file_io, every_failing_call_leaves_nothing) {
  for (const auto& [call, at] : first_steps) {
    for (const int with : {EIO, ENOSPC, EDQUOT, EACCES}) {
      now = {.failing = call, .at = at, .with = with};
      const dvk::error e = save("some text");
      EXPECT_EQ(e.code, error_code::io_error) << call;
      EXPECT_EQ(e.found, static_cast<std::uint64_t>(with)) << call;
      EXPECT_TRUE(names().empty()) << call << ' ' << names().front();
      EXPECT_EQ(now.open_descriptors, 0) << call;
    }
  }
}

TEST_F(puffin_file_io, an_old_file_survives_all_but_the_last_step) {
  ASSERT_EQ(save("old"), dvk::error{});
  for (const auto& [call, at] : first_steps) {
    for (const int with : {EIO, ENOSPC}) {
      now = {.failing = call, .at = at, .with = with};
      EXPECT_EQ(save("new").found, static_cast<std::uint64_t>(with)) << call;
      EXPECT_EQ(load_file(path_), "old") << call;
      EXPECT_EQ(names().size(), 1u);
    }
  }
}

// The rename has replaced the old file by then: removing the new one would lose both.
TEST_F(puffin_file_io, a_directory_that_cannot_be_flushed_keeps_the_new_file) {
  for (const bool old : {false, true}) {
    fs::remove(path_);
    if (old) {
      ASSERT_EQ(save("old", nullptr), dvk::error{});
    }
    now = {.failing = "fsync_directory"};
    {
      auto sink = dvk::file_sink::create(path_.c_str(), &faulty);
      ASSERT_TRUE(sink);
      ASSERT_EQ(sink->write(bytes_of("new")), dvk::error{});
      const dvk::error first = sink->commit();
      EXPECT_EQ(first.code, error_code::io_error);
      EXPECT_EQ(first.found, static_cast<std::uint64_t>(EIO));
      EXPECT_EQ(sink->commit(), first);
    }
    EXPECT_EQ(load_file(path_), "new");
    EXPECT_EQ(names().size(), 1u);
    EXPECT_EQ(std::count(now.log.begin(), now.log.end(), "fsync_directory"), 1);
    EXPECT_EQ(std::count(now.log.begin(), now.log.end(), "unlink"), 0);
    EXPECT_EQ(now.open_descriptors, 0);
  }
}

// A disk that fills up in the middle of a write takes a part of it first.
TEST_F(puffin_file_io, a_disk_that_fills_up) {
  ASSERT_EQ(save("old"), dvk::error{});
  now = {.failing = "write", .at = 3, .with = ENOSPC, .largest = 2};
  const dvk::error e = save("0123456789");
  EXPECT_EQ(e.found, static_cast<std::uint64_t>(ENOSPC));
  EXPECT_EQ(e.offset, 5u);  // 2 + 2 + 1 bytes of the first piece were taken
  EXPECT_EQ(load_file(path_), "old");
  EXPECT_EQ(names().size(), 1u);
}

// What cannot be removed is left, and the error is the one that came first.
TEST_F(puffin_file_io, a_failing_removal_hides_nothing) {
  now = {.failing = "rename", .with = EXDEV};
  system_calls stuck = faulty;
  stuck.unlink = [](const char*) {
    errno = EACCES;
    return -1;
  };
  EXPECT_EQ(save("new", &stuck).found, static_cast<std::uint64_t>(EXDEV));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_EQ(now.open_descriptors, 0);
}

TEST_F(puffin_file_io, a_failed_flush_is_final) {
  now = {.failing = "fsync"};
  auto sink = dvk::file_sink::create(path_.c_str(), &faulty);
  ASSERT_TRUE(sink);
  ASSERT_EQ(sink->write(bytes_of("x")), dvk::error{});
  const dvk::error first = sink->commit();
  EXPECT_EQ(first.found, static_cast<std::uint64_t>(EIO));
  EXPECT_EQ(sink->commit(), first);
  EXPECT_EQ(sink->write(bytes_of("y")), first);
  EXPECT_EQ(std::count(now.log.begin(), now.log.end(), "fsync"), 1);
}

TEST_F(puffin_file_io, taken_names_are_tried_past) {
  now = {.failing = "open", .with = EEXIST};
  EXPECT_EQ(save("text"), dvk::error{});
  EXPECT_EQ(load_file(path_), "text");
}

TEST_F(puffin_file_io, interruptions_and_short_transfers) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += std::to_string(i);
  now = {.interrupt_all = true, .largest = 7};
  ASSERT_EQ(save(text), dvk::error{});
  EXPECT_EQ(load_file(path_), text);
  auto source = dvk::file_source::open(path_.c_str(), &faulty);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->size(), text.size());
  std::string back(1000, '\0');
  ASSERT_EQ(source->read_at(11, std::as_writable_bytes(std::span(back))), dvk::error{});
  EXPECT_EQ(back, text.substr(11, 1000));
}

TEST_F(puffin_file_io, close_is_not_repeated_when_interrupted) {
  now = {.failing = "close", .with = EINTR};
  EXPECT_EQ(save("text"), dvk::error{});
  EXPECT_EQ(std::count(now.log.begin(), now.log.end(), "close"), 2);  // file and directory
  EXPECT_EQ(now.open_descriptors, 0);
}

TEST_F(puffin_file_io, source_errors) {
  EXPECT_EQ(dvk::file_source::open("/no/such/file").error().found,
            static_cast<std::uint64_t>(ENOENT));
  EXPECT_EQ(dvk::file_source::open(directory_.c_str()).error().found,
            static_cast<std::uint64_t>(EISDIR));
  ASSERT_EQ(save("0123456789"), dvk::error{});
  now = {.failing = "fstat"};
  EXPECT_EQ(dvk::file_source::open(path_.c_str(), &faulty).error().code, error_code::io_error);
  EXPECT_EQ(now.open_descriptors, 0);

  now = {.failing = "pread"};
  std::byte out[4];
  {
    auto source = dvk::file_source::open(path_.c_str(), &faulty);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->read_at(3, out).code, error_code::io_error);
    EXPECT_EQ(source->read_at(7, out).code, error_code::short_read);
    EXPECT_EQ(source->read_at(~std::uint64_t{0}, out).code, error_code::short_read);
    EXPECT_EQ(source->read_at(6, out), dvk::error{});
    fs::resize_file(path_, 8);  // cut while it is open
    const dvk::error cut = source->read_at(6, out);
    EXPECT_EQ(cut.code, error_code::short_read);
    EXPECT_EQ(cut.found, 2u);
  }
  EXPECT_EQ(now.open_descriptors, 0);
}

TEST_F(puffin_file_io, a_puffin_file_on_disk) {
  {
    auto sink = dvk::file_sink::create(path_.c_str());
    ASSERT_TRUE(sink);
    dvk::puffin::writer writer(*sink);
    ASSERT_TRUE(writer.write_vector(bytes_of(vector_blob({4, 6})), "p", 2));
    ASSERT_TRUE(writer.finish());
  }
  auto reader = dvk::puffin::reader::open_file(path_.c_str());
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_TRUE(reader->read_vector(*reader->find("p"))->vector.contains(6));
  EXPECT_EQ(dvk::puffin::reader::open_file((path_ + "x").c_str()).error().code,
            error_code::io_error);
}

}  // namespace
