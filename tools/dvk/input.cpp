#include "input.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "output.hpp"
#include "tolerance.hpp"

namespace dvk::cli {
namespace {

constexpr std::string_view kind_names[] = {"puffin", "blob", "bitmap64", "bitmap32", "delta"};
constexpr std::string_view puffin_magic = "PFA1";
constexpr std::string_view vector_magic = "\xD1\xD3\x39\x64";

error refuse(error_code code, std::uint64_t offset, std::uint64_t expected = 0,
             std::uint64_t found = 0) {
  return {.code = code, .offset = offset, .expected = expected, .found = found};
}

result<std::shared_ptr<const byte_buffer>> shared(result<byte_buffer> bytes) {
  if (!bytes) return bytes.error();
  return std::shared_ptr<const byte_buffer>(std::make_shared<byte_buffer>(std::move(*bytes)));
}

std::shared_ptr<const byte_buffer> read_standard_input() {
  std::string all;
  char piece[1 << 16];
  for (;;) {
    const ssize_t n = ::read(STDIN_FILENO, piece, sizeof piece);
    if (n == 0) break;
    if (n < 0) {
      if (errno == EINTR) continue;
      throw failure("-", refuse(error_code::io_error, 0, 0, static_cast<std::uint64_t>(errno)));
    }
    all.append(piece, static_cast<std::size_t>(n));
  }
  auto bytes = byte_buffer::allocate(all.size());
  if (!bytes) throw failure("-", bytes.error());
  if (!all.empty()) std::memcpy(bytes->data(), all.data(), all.size());
  return std::make_shared<byte_buffer>(std::move(*bytes));
}

// A 32-bit bitmap as the only one of a 64-bit bitmap, with key 0.
result<byte_buffer> wrap32(std::span<const std::byte> bitmap) {
  auto bytes = byte_buffer::allocate(12 + bitmap.size());
  if (!bytes) return bytes;
  std::memset(bytes->data(), 0, 12);
  bytes->data()[0] = std::byte{1};
  if (!bitmap.empty()) std::memcpy(bytes->data() + 12, bitmap.data(), bitmap.size());
  return bytes;
}

error unwrap32(error e) {
  if (e.code == error_code::bitmap_count_too_large) e = refuse(error_code::truncated, 0);
  e.offset = e.offset > 12 ? e.offset - 12 : 0;
  return e;
}

}  // namespace

std::string_view kind_name(kind which) {
  return kind_names[static_cast<std::size_t>(which)];
}

kind kind_of_name(const std::string& name) {
  for (std::size_t i = 0; i < std::size(kind_names); ++i) {
    if (kind_names[i] == name) return static_cast<kind>(i);
  }
  throw failure(usage, {}, "no kind of file is called '" + name + "'");
}

input::input(const input_options& options) : options_(options) {
  const bool is_inline = options_.descriptor && options_.descriptor->storage_type == "i";
  if (options_.file == "-") {
    standard_input_ = read_standard_input();
    source_ = std::make_unique<memory_source>(standard_input_->bytes());
  } else if (!options_.file.empty()) {
    auto opened = file_source::open(options_.file.c_str());
    if (!opened) throw failure(options_.file, opened.error());
    source_ = std::make_unique<file_source>(std::move(*opened));
  } else if (!is_inline) {
    throw failure(usage, {}, "no file given");
  } else {
    options_.file = "inline";
  }
  kind_ = decide();
}

// The rule that --help states. No valid file of another kind fits any of its tests: in a bare
// bitmap the magic at 4 or 5 would be part of a count of bitmaps beyond 2^61.
kind input::decide() const {
  if (options_.as) return *options_.as;
  if (options_.descriptor || options_.size) return kind::delta;
  if (options_.length) return kind::blob;
  char head[9] = {};
  char tail[4] = {};
  const std::uint64_t size = source_->size();
  const auto read = [&](char* out, std::uint64_t offset, std::size_t n) {
    const error e = source_->read_at(offset, std::as_writable_bytes(std::span(out, n)));
    if (e.code != error_code::ok) throw failure(options_.file, e);
  };
  read(head, 0, static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof head)));
  if (size >= 4) read(tail, size - 4, sizeof tail);
  const std::string_view start(head, sizeof head);
  const auto named_puffin = [&] {
    const std::string_view name = options_.file;
    return name.size() >= 7 && name.substr(name.size() - 7) == ".puffin";
  };
  if (start.substr(0, 4) == puffin_magic) return kind::puffin;
  if (start.substr(4, 4) == vector_magic) return kind::blob;
  if (start[0] == 1 && start.substr(5, 4) == vector_magic) return kind::delta;
  if (std::string_view(tail, 4) == puffin_magic || named_puffin()) return kind::puffin;
  throw failure(usage, options_.file,
                "the first bytes do not tell what this is: say --as "
                "puffin, blob, bitmap64, bitmap32 or delta");
}

void input::load() {
  const bool by_range = options_.offset || options_.length || options_.size;
  if (options_.descriptor && kind_ != kind::delta) {
    throw failure(usage, name(), "a descriptor goes with --as delta");
  }
  if (kind_ == kind::puffin) return load_puffin();
  if (options_.descriptor || by_range) {
    parts_.push_back(range_part());
  } else if (kind_ == kind::delta) {
    load_delta();
  } else {
    parts_.push_back({.type = puffin::deletion_vector_type, .length = file_size()});
  }
  if (options_.data_file) parts_.back().data_file = *options_.data_file;
}

void input::load_puffin() {
  auto opened = puffin::reader::open(
      *source_, {.max_blob_bytes = options_.check.max_bytes, .tolerate = options_.check.tolerate});
  if (!opened) throw failure(name(), opened.error());
  footer_.emplace(std::move(*opened));
  for (const puffin::blob_metadata& blob : footer_->blobs()) {
    parts_.push_back({.index = parts_.size(),
                      .type = blob.type,
                      .offset = static_cast<std::uint64_t>(blob.offset),
                      .length = static_cast<std::uint64_t>(blob.length),
                      .data_file = blob.referenced_data_file});
  }
  if (!options_.offset && !options_.length) return;
  // The range of a manifest entry, and --as puffin: the footer must say the same.
  if (!options_.offset || !options_.length || !options_.data_file ||
      !options_.check.expected_cardinality) {
    throw failure(usage, name(),
                  "--as puffin with a range compares a whole manifest entry: --offset, --length, "
                  "--data-file and --cardinality");
  }
  const auto bound = footer_->bind(
      {.content_offset = *options_.offset,
       .content_size_in_bytes = *options_.length,
       .record_count = static_cast<std::int64_t>(*options_.check.expected_cardinality),
       .referenced_data_file = *options_.data_file});
  if (!bound) throw failure(name(), bound.error());
}

void input::load_delta() {
  auto file = read(0, file_size());
  if (!file) throw failure(name(), file.error());
  auto places = delta::list_vectors(file->bytes());
  if (!places) throw failure(name(), places.error());
  for (const delta::vector_place& place : *places) {
    parts_.push_back({.index = parts_.size(),
                      .type = puffin::deletion_vector_type,
                      .offset = place.offset,
                      .length = place.blob_bytes()});
  }
}

part input::range_part() const {
  part range{.type = puffin::deletion_vector_type};
  if (options_.descriptor) {
    const delta::descriptor& d = *options_.descriptor;
    const bool is_inline = d.storage_type == "i";
    range.offset = is_inline ? 0 : static_cast<std::uint64_t>(d.offset.value_or(1));
    range.length = static_cast<std::uint64_t>(d.size_in_bytes) + (is_inline ? 0 : 8);
    return range;
  }
  const bool with_size = options_.size && kind_ == kind::delta;
  if (!options_.length && !with_size) {
    throw failure(usage, name(), "--offset needs --length, or --size in a Delta file");
  }
  const std::int64_t offset = options_.offset.value_or(kind_ == kind::delta ? 1 : 0);
  const std::int64_t length = with_size ? *options_.size : *options_.length;
  if (offset < 0 || length < 0) throw failure(usage, name(), "a range is not negative");
  range.offset = static_cast<std::uint64_t>(offset);
  range.length = static_cast<std::uint64_t>(length) + (with_size ? 8 : 0);
  if (range.offset > file_size() || range.length > file_size() - range.offset) {
    const error_code code =
        kind_ == kind::delta ? error_code::delta_offset : error_code::blob_range;
    throw failure(name(), refuse(code, range.offset, file_size(), range.offset + range.length));
  }
  return range;
}

std::vector<std::size_t> input::chosen() const {
  if (options_.blob) {
    if (*options_.blob >= parts_.size()) {
      throw failure(usage, name(),
                    "has " + std::to_string(parts_.size()) + " blobs, so there is no --blob " +
                        std::to_string(*options_.blob));
    }
    return {static_cast<std::size_t>(*options_.blob)};
  }
  if (options_.data_file && footer_) {
    const auto found = footer_->find(*options_.data_file);
    if (!found) {
      if (found.error().code != error_code::not_found) throw failure(name(), found.error());
      throw failure(usage, name(),
                    "no deletion vector refers to \"" + escaped(*options_.data_file) + '"');
    }
    return {*found};
  }
  std::vector<std::size_t> all(parts_.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  return all;
}

std::size_t input::choose() const {
  std::vector<std::size_t> vectors;
  for (const std::size_t i : chosen()) {
    if (parts_[i].is_vector()) vectors.push_back(i);
  }
  if (vectors.empty()) throw failure(usage, name(), "holds no deletion vector here");
  if (vectors.size() > 1) {
    throw failure(usage, name(),
                  "holds " + std::to_string(vectors.size()) +
                      " deletion vectors: choose one by --data-file, --blob or --offset and "
                      "--length ('dvk inspect' lists them)");
  }
  return vectors[0];
}

opened_vector input::open_chosen() {
  load();
  auto opened = open(choose());
  if (!opened) throw failure(name(), opened.error());
  if (!opened->tolerated.empty())
    complain(escaped(name()) + ": tolerated: " + text_of(opened->tolerated));
  return std::move(*opened);
}

result<byte_buffer> input::read(std::uint64_t offset, std::uint64_t length) const {
  auto bytes = byte_buffer::allocate(length);
  if (!bytes) return bytes;
  if (const error e = source_->read_at(offset, bytes->bytes()); e.code != error_code::ok) return e;
  return bytes;
}

// The text of an inline vector stands in its descriptor, or in the file.
result<byte_buffer> input::read_inline(quirk_set& tolerated) const {
  delta::descriptor d = *options_.descriptor;
  if (source_) {
    const auto text = read(0, file_size());
    if (!text) return text.error();
    d.path_or_inline_dv.assign(reinterpret_cast<const char*>(text->data()), text->size());
  }
  const bool strict = options_.check.level == validation::strict;
  auto decoded = delta::decode_inline(d, {.canonical_padding = strict});
  if (const quirk named = decoded.error().quirk; options_.check.tolerate.contains(named)) {
    tolerated.insert(named);
    decoded = delta::decode_inline(d, {.accept_hash_tail = true, .canonical_padding = strict});
  }
  if (!decoded) return decoded.error();
  auto bytes = byte_buffer::allocate(decoded->size());
  if (bytes) std::memcpy(bytes->data(), decoded->data(), decoded->size());
  return bytes;
}

result<byte_buffer> input::content(std::size_t i) const {
  if (footer_) return footer_->read_blob(i);
  quirk_set tolerated;
  if (options_.descriptor && options_.descriptor->storage_type == "i")
    return read_inline(tolerated);
  return read(parts_[i].offset, parts_[i].length);
}

result<opened_vector> input::open(std::size_t i) const {
  const part& where = parts_[i];
  if (footer_) {
    auto opened = footer_->read_vector(i, options_.check);
    if (!opened) return opened.error();
    quirk_set tolerated = footer_->tolerated();
    tolerated.insert(opened->vector.tolerated());
    return opened_vector{std::move(opened->buffer), std::move(opened->vector), where, tolerated};
  }
  open_options check = options_.check;
  const bool with_descriptor = options_.descriptor.has_value();
  const bool is_inline = with_descriptor && options_.descriptor->storage_type == "i";
  std::uint64_t before = where.offset;  // bytes of the file before those that are opened
  if (with_descriptor && !is_inline) before = 0;

  if (kind_ != kind::delta && where.length > check.max_bytes) {
    return refuse(error_code::limit_exceeded, where.offset, check.max_bytes, where.length);
  }
  quirk_set tolerated;
  auto bytes = shared(is_inline         ? read_inline(tolerated)
                      : with_descriptor ? read(0, file_size())
                                        : content(i));
  if (!bytes) return bytes.error();
  if (kind_ == kind::bitmap32) {
    bytes = shared(wrap32((*bytes)->bytes()));
    if (!bytes) return bytes.error();
  }
  const std::span<const std::byte> view = (*bytes)->bytes();
  auto opened = [&]() -> result<deletion_vector> {
    if (is_inline) {
      check.expected_cardinality = static_cast<std::uint64_t>(options_.descriptor->cardinality);
      return delta::open_inline(view, check);
    }
    if (with_descriptor) return delta::open_in_file(view, *options_.descriptor, check);
    if (kind_ == kind::delta) return delta::open_record(view, check);
    if (kind_ == kind::blob) return deletion_vector::open_blob(view, check);
    return deletion_vector::open_bitmap(view, check);
  }();
  if (!opened) {
    error e = kind_ == kind::bitmap32 ? unwrap32(opened.error()) : opened.error();
    e.offset += before;
    return e;
  }
  tolerated.insert(opened->tolerated());
  return opened_vector{std::move(*bytes), std::move(*opened), where, tolerated};
}

}  // namespace dvk::cli
