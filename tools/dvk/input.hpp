// One file as the commands see it: of a kind, with deletion vectors in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "dvk/deletion_vector.hpp"
#include "dvk/delta.hpp"
#include "dvk/io.hpp"
#include "dvk/puffin.hpp"

namespace dvk::cli {

enum class kind : std::uint8_t { puffin, blob, bitmap64, bitmap32, delta };
std::string_view kind_name(kind which);
// Throws failure for a name that is none.
kind kind_of_name(const std::string& name);

// What the command line (or a line of a listing) says about a file.
struct input_options {
  std::string file;  // "-" for standard input; may be empty with an inline descriptor
  std::optional<kind> as;
  // Which of its vectors.
  std::optional<std::uint64_t> blob;
  std::optional<std::string> data_file;
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> length;  // Iceberg's content_size_in_bytes
  std::optional<std::int64_t> size;    // Delta's sizeInBytes
  std::optional<delta::descriptor> descriptor;
  // What is known about it, and which faults of writers to put up with.
  open_options check;
};

// Declares the options of input_options: the file itself; --as alone; all those that choose a
// vector, --as among them; and those that say what is known.
void add_file(CLI::App& command, input_options& options);
void add_kind(CLI::App& command, input_options& options);
void add_choice(CLI::App& command, input_options& options);
void add_checks(CLI::App& command, input_options& options);
// The struct of a Delta log as JSON, or the name of a file that holds it.
delta::descriptor parse_descriptor(const std::string& text);

// One blob of a Puffin file, one record of a Delta file, or the whole of any other.
struct part {
  std::size_t index = 0;
  std::string_view type = {};  // of a Puffin blob; "deletion-vector-v1" for all that are vectors
  std::uint64_t offset = 0;    // in the file
  std::uint64_t length = 0;
  std::string_view data_file = {};  // empty where the file does not say

  [[nodiscard]] bool is_vector() const noexcept { return type == puffin::deletion_vector_type; }
};

// An opened vector and the bytes it looks at.
struct opened_vector {
  std::shared_ptr<const byte_buffer> storage;
  deletion_vector vector;
  part where;
  quirk_set tolerated;  // in the vector and in what describes it
};

class input {
 public:
  // Opens the file and decides its kind. Throws failure: for what the operating system refuses, and
  // where the kind is not clear.
  explicit input(const input_options& options);
  input(const input&) = delete;  // parts look into it
  input& operator=(const input&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return options_.file; }
  [[nodiscard]] kind what() const noexcept { return kind_; }
  [[nodiscard]] std::uint64_t file_size() const noexcept { return source_ ? source_->size() : 0; }

  // Reads what the file says of its parts. Throws failure for a container that cannot be read at
  // all. To be called first of all that follows.
  void load();
  [[nodiscard]] const std::vector<part>& parts() const noexcept { return parts_; }
  // The footer of a Puffin file, else null.
  [[nodiscard]] const puffin::reader* footer() const noexcept {
    return footer_ ? &*footer_ : nullptr;
  }

  // Indices of the parts that --blob or --data-file names; without them all parts.
  [[nodiscard]] std::vector<std::size_t> chosen() const;
  // The one vector that the options name, or the only one there is. Throws failure.
  [[nodiscard]] std::size_t choose() const;
  // Opens it: load, choose and open, for commands that want one vector. Says on standard error what
  // it put up with. Throws failure.
  [[nodiscard]] opened_vector open_chosen();
  // Opens part `i`, which is a vector. Error offsets count from the start of the file.
  [[nodiscard]] result<opened_vector> open(std::size_t i) const;
  // The content of part `i`, decompressed.
  [[nodiscard]] result<byte_buffer> content(std::size_t i) const;

 private:
  [[nodiscard]] kind decide() const;
  void load_puffin();
  void load_delta();
  [[nodiscard]] part range_part() const;
  [[nodiscard]] result<byte_buffer> read(std::uint64_t offset, std::uint64_t length) const;
  [[nodiscard]] result<byte_buffer> read_inline(quirk_set& tolerated) const;

  input_options options_;
  std::unique_ptr<const random_access_source> source_;
  std::shared_ptr<const byte_buffer> standard_input_;
  kind kind_ = kind::blob;
  std::optional<puffin::reader> footer_;
  std::vector<part> parts_;
};

}  // namespace dvk::cli
