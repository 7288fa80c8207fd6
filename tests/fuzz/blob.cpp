// The input is a framed deletion-vector-v1 blob. Promised, for any bytes:
// - the frame is refused exactly if size, length field, magic or CRC are wrong, in this order, by a
//   CRC computed elsewhere; trusted alone leaves out the CRC;
// - behind a sound frame the answer is what open_bitmap says of the bytes in it, 8 bytes further
// on;
// - and so are the rows;
// - where all quirks are tolerated, what was accepted is read the same, and what was refused either
//   is again, or is a vector that keeps all promises.
#include "tests/fuzz/batch_checks.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/mutate_blob.hpp"

namespace {

using namespace dvk_fuzz;
using dvk::error_code;
using dvk::validation;

std::uint64_t big_endian(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (const std::byte b : bytes.first(4))
    value = value << 8 | static_cast<std::uint64_t>(b);
  return value;
}

dvk::error frame_fault(std::span<const std::byte> blob, validation level) {
  if (blob.size() < 20) return {.code = error_code::blob_too_small};
  const std::size_t sealed = blob.size() - 8;
  if (big_endian(blob) != sealed) return {.code = error_code::blob_length};
  if (big_endian(blob.subspan(4)) != 0xd1d33964) {
    return {.code = error_code::blob_magic, .offset = 4};
  }
  const auto end = blob.subspan(blob.size() - 4);
  if (level != validation::trusted &&
      dvk_test::plain_crc32(blob.subspan(4, sealed)) != big_endian(end)) {
    return {.code = error_code::bad_crc, .offset = blob.size() - 4};
  }
  return {};
}

void check_level(std::span<const std::byte> blob, validation level) {
  const auto framed = dvk::deletion_vector::open_blob(blob, {.level = level});
  if (!framed) check_error(framed.error(), blob.size());
  if (const dvk::error fault = frame_fault(blob, level); fault.code != error_code::ok) {
    PROMISE(!framed && same_fault(framed.error(), fault));
    return;
  }
  const auto bare =
      dvk::deletion_vector::open_bitmap(blob.subspan(8, blob.size() - 12), {.level = level});
  PROMISE(framed.has_value() == bare.has_value());
  if (!framed) {
    dvk::error moved = bare.error();
    moved.offset += 8;
    PROMISE(same_fault(framed.error(), moved));
    return;
  }
  PROMISE(framed->bytes().data() == blob.data() && framed->bytes().size() == blob.size());
  PROMISE(framed->cardinality() == bare->cardinality());
  PROMISE(framed->container_count() == bare->container_count());
  if (level == validation::trusted) return;
  const auto ranges = check_view(*framed);
  PROMISE(ranges_of(*bare) == ranges);
  check_batches(*framed, ranges, digest(blob));
}

void check_tolerant(std::span<const std::byte> blob, validation level) {
  const auto plain = dvk::deletion_vector::open_blob(blob, {.level = level});
  const auto dv = dvk::deletion_vector::open_blob(blob, {.level = level, .tolerate = all_quirks()});
  if (!dv) {
    check_error(dv.error(), blob.size());
    PROMISE(!plain && plain.error().code != error_code::ok);
    return;
  }
  PROMISE(!plain || level == validation::trusted || dv->tolerated().empty());
  PROMISE(plain || !dv->tolerated().empty());
  if (level == validation::trusted) return;
  const auto ranges = check_view(*dv);
  PROMISE(!plain || ranges == ranges_of(*plain));
  if (!plain) check_batches(*dv, ranges, digest(blob));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const validation level : {validation::trusted, validation::standard, validation::strict})
    check_level(bytes_of(data, size), level);
  for (const validation level : {validation::trusted, validation::standard, validation::strict})
    check_tolerant(bytes_of(data, size), level);
  return 0;
}

DVK_MUTATE_AS(mutate_blob)
