// Reader: opening, lookup, and reading blobs one by one or by a plan.
#include <algorithm>
#include <utility>

#include "dvk/puffin.hpp"
#include "puffin/codec.hpp"
#include "puffin/container.hpp"
#include "puffin/footer.hpp"
#include "puffin/guarded.hpp"
#include "puffin/reference_index.hpp"

namespace dvk::inline v0::puffin {

struct reader::state {
  std::unique_ptr<const random_access_source> owned;
  const random_access_source* source = nullptr;
  reader_options options;
  std::uint64_t payload_offset = 0;
  std::uint64_t footer_size = 0;
  bool compressed = false;
  footer content;
  reference_index references;

  [[nodiscard]] error open();
};

namespace {

using detail::failed;

std::uint64_t begin_of(const blob_metadata& blob) {
  return static_cast<std::uint64_t>(blob.offset);
}
std::uint64_t end_of(const blob_metadata& blob) {
  return static_cast<std::uint64_t>(blob.offset + blob.length);
}

error at(error e, std::uint64_t offset) {
  e.offset += offset;
  return e;
}

std::uint64_t bits(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace

error reader::state::open() {
  auto text = read_container(*source, options);
  if (!text) return text.error();
  payload_offset = text->payload_offset;
  footer_size = text->payload_size + 16;
  compressed = text->compressed;
  auto parsed = parse_footer(text->json(), text->json_size, options.tolerate);
  if (!parsed) return at(parsed.error(), payload_offset);
  content = std::move(*parsed);
  check_blobs(content, static_cast<std::int64_t>(payload_offset - 4), payload_offset,
              options.tolerate, references);
  return {};
}

result<reader> reader::open(const random_access_source& source,
                            const reader_options& options) noexcept {
  return detail::guarded([&]() -> result<reader> {
    auto opened = std::make_unique<state>();
    opened->source = &source;
    opened->options = options;
    if (const error e = opened->open(); failed(e)) return e;
    return reader(std::move(opened));
  });
}

result<reader> reader::open(std::unique_ptr<const random_access_source> source,
                            const reader_options& options) noexcept {
  auto opened = open(*source, options);
  if (opened) opened->state_->owned = std::move(source);
  return opened;
}

result<reader> reader::open_file(const char* path, const reader_options& options) noexcept {
  return detail::guarded([&]() -> result<reader> {
    auto source = file_source::open(path);
    if (!source) return source.error();
    return open(std::make_unique<const file_source>(std::move(*source)), options);
  });
}

reader::reader(std::unique_ptr<state> opened) noexcept : state_(std::move(opened)) {}
reader::reader(reader&& other) noexcept = default;
reader& reader::operator=(reader&& other) noexcept = default;
reader::~reader() = default;

std::span<const blob_metadata> reader::blobs() const noexcept {
  return state_->content.blobs;
}
std::span<const property> reader::properties() const noexcept {
  return state_->content.file_properties;
}
std::uint64_t reader::file_size() const noexcept {
  return state_->payload_offset - 4 + state_->footer_size;
}
std::uint64_t reader::footer_size() const noexcept {
  return state_->footer_size;
}
bool reader::footer_compressed() const noexcept {
  return state_->compressed;
}
quirk_set reader::tolerated() const noexcept {
  return state_->content.tolerated;
}

error reader::check() const noexcept {
  for (const blob_metadata& blob : blobs()) {
    if (failed(blob.fault)) return blob.fault;
  }
  return {};
}

// "Not found" must mean that no row is deleted, so a vector that is there but faulty is not passed
// over.
result<std::size_t> reader::find(std::string_view referenced_data_file) const noexcept {
  const auto found = state_->references.find(blobs(), referenced_data_file);
  if (found) return *found;
  for (const blob_metadata& blob : blobs()) {
    if (failed(blob.fault) && blob.is_deletion_vector() &&
        blob.find("referenced-data-file") == referenced_data_file) {
      return blob.fault;
    }
  }
  return at(found.error(), state_->payload_offset);
}

result<std::size_t> reader::bind(const manifest_entry& entry) const noexcept {
  const auto mismatch = [&](std::uint64_t expected, std::uint64_t found) {
    return error{error_code::manifest_mismatch, quirk::none, state_->payload_offset, expected,
                 found};
  };
  auto found = find(entry.referenced_data_file);
  if (!found) {
    if (found.error().code != error_code::not_found) return found;
    const bool other_file =
        std::any_of(blobs().begin(), blobs().end(), [&](const blob_metadata& blob) {
          return blob.offset == entry.content_offset && blob.length > 0;
        });
    return other_file ? mismatch(0, 0) : found.error();
  }
  const blob_metadata& blob = blobs()[*found];
  if (failed(blob.fault)) return blob.fault;
  if (blob.offset != entry.content_offset)
    return mismatch(begin_of(blob), bits(entry.content_offset));
  if (blob.length != entry.content_size_in_bytes) {
    return mismatch(bits(blob.length), bits(entry.content_size_in_bytes));
  }
  if (entry.record_count < 0 || blob.cardinality != bits(entry.record_count)) {
    return mismatch(blob.cardinality, bits(entry.record_count));
  }
  return found;
}

// Reading.

result<byte_buffer> reader::read(const read_range& range) const noexcept {
  auto out = byte_buffer::allocate(range.length);
  if (!out) return out;
  if (const error e = state_->source->read_at(range.offset, out->bytes()); failed(e)) return e;
  return out;
}

result<byte_buffer> reader::read_blob(std::size_t i) const noexcept {
  const blob_metadata& blob = blobs()[i];
  if (failed(blob.fault)) return blob.fault;
  if (blob.compression == codec::unknown)
    return error{.code = error_code::unknown_codec, .offset = state_->payload_offset};
  if (bits(blob.length) > state_->options.max_blob_bytes) {
    return error{error_code::limit_exceeded, quirk::none, begin_of(blob),
                 state_->options.max_blob_bytes, bits(blob.length)};
  }
  auto stored = read({.offset = begin_of(blob), .length = bits(blob.length), .blobs = {}});
  if (!stored || blob.compression == codec::none) return stored;
  return decode_blob(i, stored->bytes());
}

result<byte_buffer> reader::decode_blob(std::size_t i,
                                        std::span<const std::byte> stored) const noexcept {
  const blob_metadata& blob = blobs()[i];
  if (failed(blob.fault)) return blob.fault;
  if (stored.size() != bits(blob.length)) {
    return error{error_code::invalid_argument, quirk::none, begin_of(blob), bits(blob.length),
                 stored.size()};
  }
  const std::uint64_t limit = state_->options.max_blob_bytes;
  switch (blob.compression) {
    case codec::none: {
      auto copy = byte_buffer::allocate(stored.size());
      if (copy) std::copy(stored.begin(), stored.end(), copy->data());
      return copy;
    }
    case codec::lz4: {
      auto out = decode_lz4(stored, limit);
      if (!out) return at(out.error(), begin_of(blob));
      return out;
    }
    case codec::zstd: {
      auto out = decode_zstd(stored, limit);
      if (!out) return at(out.error(), begin_of(blob));
      return out;
    }
    default:
      return error{.code = error_code::unknown_codec, .offset = state_->payload_offset};
  }
}

result<deletion_vector> reader::decode_vector(std::size_t i, std::span<const std::byte> stored,
                                              const open_options& options) const noexcept {
  const blob_metadata& blob = blobs()[i];
  if (failed(blob.fault)) return blob.fault;
  if (!blob.is_deletion_vector() || stored.size() != bits(blob.length)) {
    return error{error_code::invalid_argument, quirk::none, begin_of(blob), bits(blob.length),
                 stored.size()};
  }
  if (options.expected_cardinality && *options.expected_cardinality != blob.cardinality) {
    return error{error_code::cardinality_mismatch, quirk::none, state_->payload_offset,
                 *options.expected_cardinality, blob.cardinality};
  }
  open_options with_cardinality = options;
  with_cardinality.expected_cardinality = blob.cardinality;
  auto opened = deletion_vector::open_blob(stored, with_cardinality);
  if (!opened) return at(opened.error(), begin_of(blob));
  const bool ids_as_specified = blob.snapshot_id == -1 && blob.sequence_number == -1;
  if (options.level == validation::strict && !(ids_as_specified && !blob.has_codec_member)) {
    return error{.code = error_code::not_canonical, .offset = state_->payload_offset};
  }
  return opened;
}

result<owned_deletion_vector> reader::read_vector(std::size_t i,
                                                  const open_options& options) const noexcept {
  return detail::guarded([&]() -> result<owned_deletion_vector> {
    if (!blobs()[i].is_deletion_vector()) {
      return failed(blobs()[i].fault) ? blobs()[i].fault
                                      : error{.code = error_code::invalid_argument};
    }
    if (bits(blobs()[i].length) > options.max_bytes && !failed(blobs()[i].fault)) {
      return error{error_code::limit_exceeded, quirk::none, begin_of(blobs()[i]), options.max_bytes,
                   bits(blobs()[i].length)};
    }
    auto stored = read_blob(i);
    if (!stored) return stored.error();
    owned_deletion_vector out{std::make_shared<const byte_buffer>(std::move(*stored)), {}};
    auto opened = decode_vector(i, out.buffer->bytes(), options);
    if (!opened) return opened.error();
    out.vector = std::move(*opened);
    return out;
  });
}

// Several blobs.

result<std::vector<read_range>> reader::plan(std::span<const std::size_t> wanted,
                                             const plan_options& options) const noexcept {
  return detail::guarded([&]() -> result<std::vector<read_range>> {
    const auto all = blobs();
    for (const std::size_t i : wanted) {
      if (i >= all.size())
        return error{.code = error_code::invalid_argument, .expected = all.size(), .found = i};
      if (failed(all[i].fault)) return all[i].fault;
    }
    std::vector<std::size_t> order(wanted.begin(), wanted.end());
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all[a].offset != all[b].offset ? all[a].offset < all[b].offset : a < b;
    });
    order.erase(std::unique(order.begin(), order.end()), order.end());
    std::vector<read_range> out;
    for (const std::size_t i : order) {
      const std::uint64_t begin = begin_of(all[i]);
      const std::uint64_t end = end_of(all[i]);
      if (!out.empty()) {
        read_range& last = out.back();
        const std::uint64_t last_end = last.offset + last.length;
        // An empty blob may lie within another: then the range does not grow.
        const std::uint64_t gap = begin > last_end ? begin - last_end : 0;
        const std::uint64_t length = std::max(end, last_end) - last.offset;
        if (gap <= options.max_gap && length <= std::max(options.max_bytes, last.length)) {
          last.length = length;
          last.blobs.push_back(i);
          continue;
        }
      }
      out.push_back({begin, end - begin, {i}});
    }
    return out;
  });
}

result<std::vector<result<owned_deletion_vector>>> reader::read_vectors(
    std::span<const std::size_t> wanted, const open_options& options,
    const plan_options& coalescing) const noexcept {
  return detail::guarded([&]() -> result<std::vector<result<owned_deletion_vector>>> {
    const auto all = blobs();
    // Only sound ones are planned; a fault is its blob's answer.
    std::vector<std::size_t> readable;
    for (const std::size_t i : wanted) {
      if (i >= all.size())
        return error{.code = error_code::invalid_argument, .expected = all.size(), .found = i};
      const bool fits =
          bits(all[i].length) <= std::min(options.max_bytes, state_->options.max_blob_bytes);
      if (!failed(all[i].fault) && all[i].is_deletion_vector() && fits) readable.push_back(i);
    }
    auto ranges = plan(readable, coalescing);
    if (!ranges) return ranges.error();
    struct piece {
      std::shared_ptr<const byte_buffer> buffer;
      std::uint64_t offset = 0;
      error failure;
    };
    std::vector<piece> pieces(ranges->size());
    std::vector<std::pair<std::size_t, std::size_t>> range_of;  // (blob, range), sorted by blob
    for (std::size_t r = 0; r < ranges->size(); ++r) {
      const read_range& range = (*ranges)[r];
      auto bytes = read(range);
      pieces[r].offset = range.offset;
      if (bytes) {
        pieces[r].buffer = std::make_shared<const byte_buffer>(std::move(*bytes));
      } else {
        pieces[r].failure = bytes.error();
      }
      for (const std::size_t i : range.blobs)
        range_of.emplace_back(i, r);
    }
    std::sort(range_of.begin(), range_of.end());
    std::vector<result<owned_deletion_vector>> out;
    out.reserve(wanted.size());
    for (const std::size_t i : wanted) {
      const auto found =
          std::lower_bound(range_of.begin(), range_of.end(), std::pair(i, std::size_t{0}));
      if (found == range_of.end() || found->first != i) {
        out.push_back(read_vector(i, options));  // fails, and says why
        continue;
      }
      const piece& p = pieces[found->second];
      if (failed(p.failure)) {
        out.push_back(p.failure);
        continue;
      }
      const auto stored =
          p.buffer->bytes().subspan(static_cast<std::size_t>(begin_of(all[i]) - p.offset),
                                    static_cast<std::size_t>(all[i].length));
      auto opened = decode_vector(i, stored, options);
      if (opened) {
        out.push_back(owned_deletion_vector{p.buffer, std::move(*opened)});
      } else {
        out.push_back(opened.error());
      }
    }
    return out;
  });
}

}  // namespace dvk::inline v0::puffin
