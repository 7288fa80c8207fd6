// The input is a Puffin file. Promised, for any bytes, of every blob of a file that opens:
// - reading gives its content or a fault that lies in the file, never more than the limit allows;
// - reading it alone, by a plan, or decoding bytes that the caller has, gives the same;
// - a deletion vector holds as many rows as its entry says, and opens as open_blob opens its bytes.
#include "tests/fuzz/batch_checks.hpp"
#include "tests/fuzz/footer_checks.hpp"
#include "tests/fuzz/mutate_puffin.hpp"

using namespace dvk_fuzz;
using dvk::puffin::reader;

namespace {

constexpr std::uint64_t limit = std::uint64_t{1} << 20;
constexpr std::size_t most_blobs = 40;

bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::ranges::equal(a, b);
}

void check_vector(const reader& r, std::size_t i, std::span<const std::byte> stored) {
  const auto& entry = r.blobs()[i];
  for (const auto level :
       {dvk::validation::trusted, dvk::validation::standard, dvk::validation::strict}) {
    const auto read = r.read_vector(i, {.level = level});
    const auto opened = dvk::deletion_vector::open_blob(
        stored, {.level = level, .expected_cardinality = entry.cardinality});
    if (!read) {
      check_error_text(read.error(), r.file_size());
      // Strict has rules of its own for entries.
      PROMISE(level == dvk::validation::strict || !opened);
      if (!opened)
        PROMISE(read.error().code == opened.error().code || level == dvk::validation::strict);
      continue;
    }
    PROMISE(opened && read->vector.cardinality() == entry.cardinality);
    if (level != dvk::validation::trusted) PROMISE(ranges_of(read->vector) == ranges_of(*opened));
  }
}

void check_blob(const reader& r, std::size_t i, std::span<const std::byte> file) {
  const auto& entry = r.blobs()[i];
  const auto content = r.read_blob(i);
  if (!content) check_error_text(content.error(), r.file_size());
  if (entry.fault.code != dvk::error_code::ok) {
    PROMISE(!content && content.error().code == entry.fault.code);
    return;
  }
  const auto stored =
      file.subspan(static_cast<std::size_t>(entry.offset), static_cast<std::size_t>(entry.length));
  const auto decoded = r.decode_blob(i, stored);
  PROMISE(decoded.has_value() == content.has_value());
  if (content) {
    PROMISE(content->size() <= limit);
    PROMISE(same_bytes(content->bytes(), decoded->bytes()));
    PROMISE(entry.compression != dvk::puffin::codec::none || same_bytes(content->bytes(), stored));
  } else {
    PROMISE(same_fault(content.error(), decoded.error()));
  }
  if (entry.is_deletion_vector()) {
    check_vector(r, i, stored);
  } else {
    PROMISE(r.read_vector(i).error().code == dvk::error_code::invalid_argument);
  }
}

void check_plan(const reader& r, std::span<const std::size_t> sound,
                std::span<const std::byte> file) {
  const auto plan = r.plan(sound);
  PROMISE(plan.has_value());
  for (const dvk::puffin::read_range& range : *plan) {
    const auto got = r.read(range);
    PROMISE(got && same_bytes(got->bytes(), file.subspan(range.offset, range.length)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = bytes_of(data, size);
  const dvk::memory_source source(file);
  const auto r = reader::open(source, {.max_footer_bytes = limit, .max_blob_bytes = limit});
  if (!r) {
    check_error_text(r.error(), size);
    return 0;
  }
  std::vector<std::size_t> sound;
  for (std::size_t i = 0; i < std::min(r->blobs().size(), most_blobs); ++i) {
    check_blob(*r, i, file);
    if (r->blobs()[i].fault.code == dvk::error_code::ok) sound.push_back(i);
  }
  check_plan(*r, sound, file);
  return 0;
}

DVK_MUTATE_AS(mutate_puffin)
