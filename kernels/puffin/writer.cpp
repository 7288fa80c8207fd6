// Writer: blobs as they come, then the footer.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bytes/load.hpp"
#include "dvk/puffin.hpp"
#include "puffin/codec.hpp"
#include "puffin/footer.hpp"
#include "puffin/guarded.hpp"

namespace dvk::inline v0::puffin {
namespace {

using detail::failed;

constexpr error invalid{.code = error_code::invalid_argument};
constexpr std::string_view magic = "PFA1";

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

struct writer::state {
  sink& out;
  std::string json = "{\"blobs\":[";
  std::string properties;  // of the file, as JSON; empty for none
  std::set<std::string, std::less<>> references;
  std::vector<std::byte> waiting;  // written, but not yet handed to the sink
  std::uint64_t position = 0;
  std::uint64_t blob_count = 0;
  bool compress_footer = false;
  error failure;  // sticky: the sink is of no use after an error, and a writer not after finish

  explicit state(sink& o) : out(o) {}

  error fail(error e) {
    failure = e;
    return e;
  }
  // Small pieces wait for each other: a call of the operating system costs more than the copy.
  error write(std::span<const std::byte> bytes) {
    constexpr std::size_t enough = 64 * 1024;
    position += bytes.size();
    if (waiting.size() + bytes.size() < enough) {
      waiting.insert(waiting.end(), bytes.begin(), bytes.end());
      return {};
    }
    if (const error e = flush(); failed(e)) return e;
    return pass_on(bytes);
  }
  error flush() {
    const error e = pass_on(waiting);
    waiting.clear();
    return e;
  }
  error pass_on(std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    const error e = out.write(bytes);
    return failed(e) ? fail(e) : e;
  }
  // The head is written late, so that a writer that is only made and dropped writes nothing.
  error write_head() { return position == 0 ? write(as_bytes(magic)) : error{}; }

  result<written_blob> append(const blob_description& description,
                              std::span<const std::byte> stored);
  result<written_blob> append_vector(std::span<const std::byte> blob, std::string_view path,
                                     std::uint64_t cardinality);
  result<written_file> finish();
};

result<written_blob> writer::state::append(const blob_description& description,
                                           std::span<const std::byte> stored) {
  if (const error e = write_head(); failed(e)) return e;
  const written_blob place{position, stored.size()};
  if (blob_count != 0) json += ',';
  append_blob(json, description, place);
  if (const error e = write(stored); failed(e)) return e;
  ++blob_count;
  return place;
}

result<written_blob> writer::state::append_vector(std::span<const std::byte> blob,
                                                  std::string_view path,
                                                  std::uint64_t cardinality) {
  if (path.empty() || !is_utf8(path)) return invalid;
  const auto place = references.lower_bound(path);
  if (place != references.end() && *place == path)
    return error{.code = error_code::dv_duplicate_reference, .offset = position};
  const auto opened = deletion_vector::open_blob(blob, {.expected_cardinality = cardinality});
  if (!opened) return opened.error();
  references.emplace_hint(place, path);
  const std::string count = std::to_string(cardinality);
  const property properties[] = {{"referenced-data-file", path}, {"cardinality", count}};
  return append(
      {.type = deletion_vector_type, .fields = {&row_position_field, 1}, .properties = properties},
      blob);
}

result<written_file> writer::state::finish() {
  if (const error e = write_head(); failed(e)) return e;
  json += ']';
  if (!properties.empty()) {
    json += ",\"properties\":";
    json += properties;
  }
  json += '}';
  std::span<const std::byte> payload = as_bytes(json);
  encoded compressed;
  if (compress_footer) {
    auto frame = encode_lz4(payload);
    if (!frame) return fail(frame.error());
    compressed = std::move(*frame);
    payload = compressed.bytes();
  }
  constexpr std::uint64_t largest_payload = 0x7fffffff;
  if (payload.size() > largest_payload) {
    return fail(
        {error_code::footer_too_large, quirk::none, position, largest_payload, payload.size()});
  }
  std::byte trailer[12] = {};
  bytes::store_le(trailer, static_cast<std::uint32_t>(payload.size()));
  trailer[4] = std::byte{compress_footer};
  __builtin_memcpy(trailer + 8, magic.data(), magic.size());
  for (const auto part : {as_bytes(magic), payload, std::span<const std::byte>(trailer)}) {
    if (const error e = write(part); failed(e)) return e;
  }
  if (const error e = flush(); failed(e)) return e;
  if (const error e = out.commit(); failed(e)) return fail(e);
  failure = invalid;  // whatever is called after this
  return written_file{payload.size() + 16, position};
}

writer::writer(sink& out, const writer_options& options) noexcept {
  const error made = detail::guarded([&] {
    state_ = std::make_unique<state>(out);
    state_->compress_footer = options.compress_footer;
    std::vector<property> all;
    if (!options.created_by.empty()) all.push_back({"created-by", options.created_by});
    all.insert(all.end(), options.properties.begin(), options.properties.end());
    if (!is_writable(all)) return state_->fail(invalid);
    if (!all.empty()) append_properties(state_->properties, all);
    return error{};
  });
  if (failed(made) && made.code == error_code::out_of_memory) state_.reset();
}

writer::~writer() = default;

// What a call that may fail for want of memory leaves half done, no later call may build on.
template <class F>
static auto guarded_call(auto& state, F&& body) noexcept -> decltype(body()) {
  if (state == nullptr) return error{.code = error_code::out_of_memory};
  if (failed(state->failure)) return state->failure;
  auto answer = detail::guarded(body);
  if (!answer && answer.error().code == error_code::out_of_memory) state->failure = answer.error();
  return answer;
}

result<written_blob> writer::write_blob(const blob_description& description,
                                        std::span<const std::byte> content) noexcept {
  return guarded_call(state_, [&]() -> result<written_blob> {
    if (description.type == deletion_vector_type) return invalid;
    if (!is_utf8(description.type) || !is_writable(description.properties)) return invalid;
    switch (description.compression) {
      case codec::none:
        return state_->append(description, content);
      case codec::lz4:
      case codec::zstd: {
        auto frame =
            description.compression == codec::lz4 ? encode_lz4(content) : encode_zstd(content);
        if (!frame) return frame.error();
        return state_->append(description, frame->bytes());
      }
      default:
        return invalid;
    }
  });
}

result<written_blob> writer::write_vector(std::span<const std::byte> blob,
                                          std::string_view referenced_data_file,
                                          std::uint64_t cardinality) noexcept {
  return guarded_call(
      state_, [&] { return state_->append_vector(blob, referenced_data_file, cardinality); });
}

result<written_blob> writer::write_bitmap(std::span<const std::byte> bitmap,
                                          std::string_view referenced_data_file,
                                          std::uint64_t cardinality) noexcept {
  return guarded_call(state_, [&]() -> result<written_blob> {
    auto blob = byte_buffer::allocate(frame_size(bitmap.size()));
    if (!blob) return blob.error();
    if (const error e = frame(bitmap, blob->bytes()); failed(e)) return e;
    return state_->append_vector(blob->bytes(), referenced_data_file, cardinality);
  });
}

result<written_file> writer::finish() noexcept {
  return guarded_call(state_, [&] { return state_->finish(); });
}

}  // namespace dvk::inline v0::puffin
