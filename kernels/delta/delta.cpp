// Delta deletion-vector files and inline vectors.
#include "dvk/delta.hpp"

#include <algorithm>
#include <cstring>

#include "bytes/guard_memory.hpp"
#include "bytes/load.hpp"

namespace dvk::inline v0::delta {
namespace {

constexpr std::byte version{1};
constexpr std::uint64_t first_offset = 1;
constexpr std::uint64_t size_field = 4;
constexpr std::uint64_t frame_bytes = 8;  // size and CRC, which sizeInBytes leaves out
constexpr std::uint64_t least_size = 12;  // magic and the count of an empty bitmap
constexpr std::uint64_t largest_int32 = 0x7fffffff;
constexpr std::uint32_t portable_magic = 0x6439D3D1;
constexpr std::uint32_t native_magic = 0x6439D3D0;

error refuse(error_code code, std::uint64_t offset, std::uint64_t expected = 0,
             std::uint64_t found = 0) {
  return {.code = code, .offset = offset, .expected = expected, .found = found};
}

error refuse_native(std::uint64_t offset) {
  error e = refuse(error_code::delta_native_magic, offset, portable_magic, native_magic);
  e.quirk = quirk::delta_native;
  return e;
}

// The same answer, with an error's offset counted from `before` bytes earlier.
result<deletion_vector> moved(result<deletion_vector> answer, std::uint64_t before) {
  if (answer) return answer;
  error e = answer.error();
  e.offset += before;
  return e;
}

error check_version(std::span<const std::byte> file) {
  if (file.empty()) return refuse(error_code::truncated, 0);
  if (file[0] != version) {
    return refuse(error_code::delta_version, 0, static_cast<std::uint64_t>(version),
                  static_cast<std::uint64_t>(file[0]));
  }
  return {};
}

}  // namespace

result<deletion_vector> open_record(std::span<const std::byte> record,
                                    const open_options& options) noexcept {
  if (record.size() >= frame_bytes && bytes::load_le32(&record[size_field]) == native_magic) {
    return refuse_native(size_field);
  }
  return deletion_vector::open_blob(record, options);
}

result<deletion_vector> open_in_file(std::span<const std::byte> file, const descriptor& d,
                                     const open_options& options) noexcept {
  if (const error bad = check(d); bad.code != error_code::ok) return bad;
  if (d.storage_type == "i") return refuse(error_code::delta_descriptor, 0);
  if (const error bad = check_version(file); bad.code != error_code::ok) return bad;
  const std::int64_t signed_offset = d.offset.value_or(first_offset);
  const auto offset = static_cast<std::uint64_t>(std::max<std::int64_t>(signed_offset, 0));
  if (offset < first_offset || offset > file.size() || file.size() - offset < size_field) {
    return refuse(error_code::delta_offset, offset, file.size(), offset);
  }
  const std::uint64_t stored = bytes::load_be32(file.data() + offset);
  const auto size = static_cast<std::uint64_t>(d.size_in_bytes);
  const std::uint64_t room = file.size() - offset;
  if (stored != size || size < least_size || room < frame_bytes || size > room - frame_bytes) {
    return refuse(error_code::delta_size, offset, size, stored);
  }
  open_options with_cardinality = options;
  const auto cardinality = static_cast<std::uint64_t>(d.cardinality);
  if (options.expected_cardinality.value_or(cardinality) != cardinality) {
    return refuse(error_code::cardinality_mismatch, offset + frame_bytes,
                  *options.expected_cardinality, cardinality);
  }
  with_cardinality.expected_cardinality = cardinality;
  return moved(open_record(file.subspan(static_cast<std::size_t>(offset),
                                        static_cast<std::size_t>(size + frame_bytes)),
                           with_cardinality),
               offset);
}

result<std::vector<vector_place>> list_vectors(std::span<const std::byte> file) noexcept {
  return detail::guard_memory([&]() -> result<std::vector<vector_place>> {
    if (const error bad = check_version(file); bad.code != error_code::ok) return bad;
    std::vector<vector_place> out;
    for (std::uint64_t at = first_offset; at < file.size();) {
      const std::uint64_t room = file.size() - at;
      if (room < size_field) return refuse(error_code::truncated, at);
      const std::uint64_t size = bytes::load_be32(file.data() + at);
      if (size < least_size || room < frame_bytes || size > room - frame_bytes) {
        return refuse(error_code::delta_size, at, size, room);
      }
      out.push_back({.offset = at, .size_in_bytes = size});
      at += size + frame_bytes;
    }
    return out;
  });
}

result<std::vector<std::byte>> decode_inline(const descriptor& d,
                                             const inline_options& options) noexcept {
  if (const error bad = check(d); bad.code != error_code::ok) return bad;
  if (d.storage_type != "i") return refuse(error_code::delta_descriptor, 0);
  if (d.size_in_bytes < static_cast<std::int64_t>(least_size)) {
    return refuse(error_code::delta_size, 0, least_size,
                  static_cast<std::uint64_t>(d.size_in_bytes));
  }
  return z85_decode(d.path_or_inline_dv, static_cast<std::size_t>(d.size_in_bytes), options);
}

result<deletion_vector> open_inline(std::span<const std::byte> bytes,
                                    const open_options& options) noexcept {
  if (bytes.size() < least_size) return refuse(error_code::delta_size, 0, least_size, bytes.size());
  const std::uint32_t magic = bytes::load_le32(bytes.data());
  if (magic == native_magic) return refuse_native(0);
  if (magic != portable_magic) return refuse(error_code::blob_magic, 0, portable_magic, magic);
  return moved(deletion_vector::open_bitmap(bytes.subspan(size_field), options), size_field);
}

result<descriptor> make_inline(std::span<const std::byte> bitmap,
                               std::uint64_t cardinality) noexcept {
  const auto opened = deletion_vector::open_bitmap(bitmap, {.expected_cardinality = cardinality});
  if (!opened) return opened.error();
  return detail::guard_memory([&]() -> result<descriptor> {
    std::vector<std::byte> whole(size_field + bitmap.size());
    bytes::store_le(whole.data(), portable_magic);
    std::copy(bitmap.begin(), bitmap.end(), whole.begin() + size_field);
    auto text = z85_encode(whole);
    if (!text) return text.error();
    return descriptor{.storage_type = "i",
                      .path_or_inline_dv = std::move(text).value(),
                      .offset = std::nullopt,
                      .size_in_bytes = static_cast<std::int64_t>(whole.size()),
                      .cardinality = static_cast<std::int64_t>(cardinality)};
  });
}

result<written_file> write_file(std::span<const std::span<const std::byte>> blobs) noexcept {
  std::uint64_t size = first_offset;
  for (const auto blob : blobs) {
    if (size > largest_int32) return refuse(error_code::limit_exceeded, 0, largest_int32, size);
    if (const auto opened = open_record(blob); !opened) return opened.error();
    size += blob.size();
  }
  return detail::guard_memory([&]() -> result<written_file> {
    written_file out;
    out.bytes.reserve(static_cast<std::size_t>(size));
    out.vectors.reserve(blobs.size());
    out.bytes.push_back(version);
    for (const auto blob : blobs) {
      out.vectors.push_back(
          {.offset = out.bytes.size(), .size_in_bytes = blob.size() - frame_bytes});
      out.bytes.insert(out.bytes.end(), blob.begin(), blob.end());
    }
    return out;
  });
}

}  // namespace dvk::inline v0::delta
