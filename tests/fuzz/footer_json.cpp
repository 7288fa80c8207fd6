// The input is the JSON of a Puffin footer, for a file with 64 bytes for blobs. Promised:
// - the same verdict and content whether the footer is plain or compressed;
// - what the footer says is consistent (footer_checks.hpp);
// - bytes that are not UTF-8 are refused as such, and nothing else is;
// - all texts that the reader shows are UTF-8, and no property is named twice.
#include "puffin/codec.hpp"
#include "tests/fuzz/footer_checks.hpp"
#include "tests/fuzz/mutate_puffin.hpp"

using namespace dvk_fuzz;
using dvk::puffin::reader;

namespace {

// By the table of well-formed byte sequences in the Unicode standard.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto at = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    const unsigned lead = at(0);
    const std::size_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      const unsigned low = k != 1 ? 0x80 : lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
      const unsigned high = k != 1 ? 0xbf : lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
      if (at(k) < low || at(k) > high) return false;
    }
    i += more + 1;
  }
  return true;
}

void check_texts(std::span<const dvk::puffin::property> properties) {
  std::vector<std::string_view> names;
  for (const auto& p : properties) {
    PROMISE(is_utf8(p.name) && is_utf8(p.value));
    names.push_back(p.name);
  }
  std::sort(names.begin(), names.end());
  PROMISE(std::adjacent_find(names.begin(), names.end()) == names.end());
}

byte_vector file_around(std::span<const std::byte> payload, std::uint32_t flags) {
  puffin_model m{.body = byte_vector(64, 0x55)};
  m.footer.assign(reinterpret_cast<const char*>(payload.data()), payload.size());
  return put_together(m, flags);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto payload = bytes_of(data, size);
  const byte_vector plain_file = file_around(payload, 0);
  const dvk::memory_source plain_source(std::as_bytes(std::span(plain_file)));
  const auto plain = reader::open(plain_source);
  const std::string_view text(reinterpret_cast<const char*>(payload.data()), size);
  PROMISE((plain.error().code == dvk::error_code::footer_utf8) == !is_utf8(text));
  if (plain) {
    check_footer(*plain);
    check_texts(plain->properties());
    for (const auto& blob : plain->blobs()) {
      PROMISE(is_utf8(blob.type) && is_utf8(blob.codec_name));
      check_texts(blob.properties);
    }
  } else {
    check_error_text(plain.error(), plain_file.size());
  }
  const auto frame = dvk::puffin::encode_lz4(payload);
  PROMISE(frame.has_value());
  const byte_vector packed_file = file_around(frame->bytes(), 1);
  const dvk::memory_source packed_source(std::as_bytes(std::span(packed_file)));
  const auto packed = reader::open(packed_source);
  PROMISE(packed.has_value() == plain.has_value());
  if (plain) {
    PROMISE(packed->footer_compressed());
    check_same_footer(*plain, *packed);
  } else {
    PROMISE(same_fault(plain.error(), packed.error()));
  }
  return 0;
}

#ifdef DVK_LIBFUZZER
static byte_vector mutate_footer(byte_vector bytes, std::size_t max, chooser& pick) {
  const std::string out = mutate_json({bytes.begin(), bytes.end()}, max, pick);
  return {out.begin(), out.end()};
}
#endif
DVK_MUTATE_AS(mutate_footer)
