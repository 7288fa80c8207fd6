// The input is a Puffin file. Promised, for any bytes:
// - opening gives a footer or a fault that lies in the file;
// - how the file is read changes neither: the footer's size known, small and large tail reads;
// without
//   the look at the head it differs in nothing but that;
// - what the footer says is consistent, and faults of single entries are kept to them;
// - memory is at most 20 times that of the JSON, refused or not, besides the first read; a
// compressed
//   footer's JSON may be as long as the limit allows, and liblz4 takes two blocks of up to 4 MiB.
#include "tests/fuzz/footer_checks.hpp"
#include "tests/fuzz/memory_meter.hpp"
#include "tests/fuzz/mutate_puffin.hpp"

using namespace dvk_fuzz;
using dvk::puffin::reader;

namespace {

constexpr std::uint64_t limit = std::uint64_t{1} << 20;

void check_other_ways(const dvk::memory_source& source, const dvk::result<reader>& first) {
  for (const std::uint64_t tail : {std::uint64_t{12}, std::uint64_t{100}, source.size() + 1}) {
    const auto other = reader::open(source, {.tail_bytes = tail, .max_footer_bytes = limit});
    PROMISE(other.has_value() == first.has_value());
    if (first) {
      check_same_footer(*first, *other);
    } else {
      PROMISE(same_fault(other.error(), first.error()));
    }
  }
  const auto headless = reader::open(source, {.check_head = false, .max_footer_bytes = limit});
  if (first) {
    PROMISE(headless.has_value());
    check_same_footer(*first, *headless);
    const auto known =
        reader::open(source, {.footer_size = first->footer_size(), .max_footer_bytes = limit});
    PROMISE(known.has_value());
    check_same_footer(*first, *known);
    const auto wrong =
        reader::open(source, {.footer_size = first->footer_size() - 1, .max_footer_bytes = limit});
    PROMISE(!wrong);
  } else if (headless) {
    PROMISE(first.error().code == dvk::error_code::head_magic);
  }
}

// The longest JSON that these bytes may hold.
std::uint64_t largest_json(std::span<const std::byte> file) {
  const bool compressed =
      file.size() >= 8 && (file[file.size() - 8] & std::byte{1}) != std::byte{0};
  return compressed ? limit : file.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const dvk::memory_source source(bytes_of(data, size));
  const memory_meter meter;
  const auto opened = reader::open(source, {.max_footer_bytes = limit});
  PROMISE(meter.peak() <= 20 * largest_json(bytes_of(data, size)) + 64 * 1024 +
                              (largest_json(bytes_of(data, size)) == limit ? 9 << 20 : 0));
  if (opened) {
    PROMISE(opened->file_size() == size);
    check_footer(*opened);
  } else {
    check_error_text(opened.error(), size);
  }
  check_other_ways(source, opened);
  return 0;
}

DVK_MUTATE_AS(mutate_puffin)
