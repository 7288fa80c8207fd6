// The input is a Delta deletion-vector file. Promised, for any bytes:
// - listing gives places that fill the file, or a fault that lies in it;
// - the vector at a place opens by descriptor, by record, and as Iceberg blob with the same answer,
//   faults counted from the file's start or the record's;
// - a descriptor whose size, offset or cardinality is another one is refused;
// - vectors without fault, written to a file again, give the same bytes; and each survives as
// inline
//   text.
#include "dvk/delta.hpp"

#include "tests/fuzz/batch_checks.hpp"
#include "tests/fuzz/mutate_delta.hpp"

using namespace dvk_fuzz;
using namespace dvk::delta;
using dvk::deletion_vector;
using dvk::error_code;

namespace {

descriptor descriptor_of(const vector_place& place, std::uint64_t cardinality) {
  return {.storage_type = "p",
          .path_or_inline_dv = "file:/table/deletion_vector.bin",
          .offset = static_cast<std::int64_t>(place.offset),
          .size_in_bytes = static_cast<std::int64_t>(place.size_in_bytes),
          .cardinality = static_cast<std::int64_t>(cardinality)};
}

void check_wrong_descriptors(std::span<const std::byte> file, const descriptor& right) {
  descriptor d = right;
  ++d.size_in_bytes;
  PROMISE(open_in_file(file, d).error().code == error_code::delta_size);
  d = right;
  ++d.cardinality;
  PROMISE(open_in_file(file, d).error().code == error_code::cardinality_mismatch);
  d = right;
  d.offset = 0;
  PROMISE(!open_in_file(file, d));
}

void check_inline(std::span<const std::byte> record, const deletion_vector& dv) {
  const auto bitmap = record.subspan(8, record.size() - 12);
  const auto d = make_inline(bitmap, dv.cardinality());
  PROMISE(d.has_value());
  const auto bytes = decode_inline(*d, {.canonical_padding = true});
  PROMISE(bytes && std::ranges::equal(std::span(*bytes).subspan(4), bitmap));
  const auto again = open_inline(*bytes, {.expected_cardinality = dv.cardinality()});
  PROMISE(again && again->cardinality() == dv.cardinality());
}

// Whether the vector at `place` is sound.
bool check_vector(std::span<const std::byte> file, const vector_place& place) {
  const auto record = file.subspan(static_cast<std::size_t>(place.offset),
                                   static_cast<std::size_t>(place.blob_bytes()));
  const auto alone = open_record(record);
  const auto blob = deletion_vector::open_blob(record);
  PROMISE(alone.has_value() == blob.has_value());
  const descriptor d = descriptor_of(place, alone ? alone->cardinality() : 0);
  PROMISE(check(d).code == error_code::ok);
  const auto in_file = open_in_file(file, d);
  PROMISE(in_file.has_value() == alone.has_value());
  if (!alone) {
    check_error_text(alone.error(), record.size());
    PROMISE(alone.error().code == error_code::delta_native_magic ||
            same_fault(alone.error(), blob.error()));
    dvk::error moved = alone.error();
    moved.offset += place.offset;
    PROMISE(same_fault(in_file.error(), moved));
    return false;
  }
  PROMISE(ranges_of(*in_file) == check_view(*alone));
  check_wrong_descriptors(file, d);
  check_inline(record, *alone);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = bytes_of(data, size);
  const auto places = list_vectors(file);
  if (!places) {
    check_error_text(places.error(), size);
    // Bytes that are no file may still be a record.
    if (const auto record = open_record(file); !record) check_error_text(record.error(), size);
    if (const auto text = open_inline(file); !text) check_error_text(text.error(), size);
    return 0;
  }
  std::uint64_t at = 1;
  bool sound = true;
  std::vector<std::span<const std::byte>> blobs;
  for (const vector_place& place : *places) {
    PROMISE(place.offset == at);
    at += place.blob_bytes();
    PROMISE(at <= size);
    blobs.push_back(file.subspan(static_cast<std::size_t>(place.offset),
                                 static_cast<std::size_t>(place.blob_bytes())));
    if (blobs.size() <= 32) sound = check_vector(file, place) && sound;
  }
  PROMISE(at == size);
  const auto written = write_file(blobs);
  if (blobs.size() <= 32) PROMISE(written.has_value() == sound);
  if (written) {
    PROMISE(std::ranges::equal(written->bytes, file));
    PROMISE(written->vectors == *places);
  }
  return 0;
}

DVK_MUTATE_AS(mutate_delta)
