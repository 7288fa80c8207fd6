// The input describes a Puffin file: blobs, fields, properties, codecs, deletion vectors. Promised:
// - what the writer refuses leaves no trace, and with options that it refuses it writes nothing;
// - what it writes opens without a fault, and reads back as it was described;
// - what was read, written again, gives the same bytes.
#include <algorithm>
#include <deque>

#include "tests/fuzz/footer_checks.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/support/bitmap_builder.hpp"

using namespace dvk_fuzz;
using namespace dvk::puffin;
using dvk::error_code;

namespace {

struct described {
  std::string type;
  std::vector<std::int32_t> fields;
  std::vector<std::pair<std::string, std::string>> properties;
  std::int64_t snapshot_id = -1;
  std::int64_t sequence_number = -1;
  codec compression = codec::none;
  dvk_test::byte_vector content;
  bool is_vector = false;
  std::uint64_t cardinality = 0;

  [[nodiscard]] std::vector<property> views() const {
    std::vector<property> out;
    for (const auto& [name, value] : properties)
      out.push_back({name, value});
    return out;
  }
};

described describe(input& in, std::size_t number) {
  described d;
  if ((d.is_vector = in.flag())) {
    std::uint64_t row = std::uint64_t{in.byte()} << (in.byte() % 40);
    dvk_test::bitmap_writer rows;
    for (std::size_t n = in.byte() % 20; n != 0; --n) {
      const std::uint64_t count = 1 + in.byte() * std::uint64_t{in.byte()};
      rows.add_range(row, count);
      d.cardinality += count;
      row += count + 1 + in.number<std::uint16_t>();
    }
    d.content = rows.blob();
    d.type = deletion_vector_type;
    d.properties = {{"referenced-data-file", std::to_string(number) + in.text(in.byte() % 16)},
                    {"cardinality", std::to_string(d.cardinality)}};
    d.fields = {row_position_field};
    return d;
  }
  d.type = in.text(in.byte() % 24);
  for (std::size_t n = in.byte() % 4; n != 0; --n)
    d.fields.push_back(in.number<std::int32_t>());
  for (std::size_t n = in.byte() % 4; n != 0; --n) {
    std::string name = in.text(in.byte() % 8);
    d.properties.emplace_back(std::move(name), in.text(in.byte() % 16));
  }
  d.snapshot_id = in.number<std::int64_t>();
  d.sequence_number = in.number<std::int64_t>();
  d.compression = static_cast<codec>(in.byte() % 3);
  const std::size_t size = in.byte();
  const std::size_t repeats = 1 + in.byte() % 8;
  const auto piece = in.take(size);
  for (std::size_t n = repeats; n != 0; --n)
    d.content.insert(d.content.end(), piece.begin(), piece.end());
  return d;
}

dvk::result<written_blob> write(writer& out, const described& d) {
  if (d.is_vector) return out.write_vector(d.content, d.properties[0].second, d.cardinality);
  const auto properties = d.views();
  return out.write_blob({.type = d.type,
                         .fields = d.fields,
                         .snapshot_id = d.snapshot_id,
                         .sequence_number = d.sequence_number,
                         .compression = d.compression,
                         .properties = properties},
                        d.content);
}

void check_read(const reader& r, std::size_t i, const described& d, const written_blob& where) {
  const blob_metadata& m = r.blobs()[i];
  PROMISE(m.type == d.type && std::ranges::equal(m.fields, d.fields));
  PROMISE(m.snapshot_id == d.snapshot_id && m.sequence_number == d.sequence_number);
  PROMISE(m.compression == d.compression && std::ranges::equal(m.properties, d.views()));
  PROMISE(static_cast<std::uint64_t>(m.offset) == where.offset);
  PROMISE(static_cast<std::uint64_t>(m.length) == where.length);
  const auto content = r.read_blob(i);
  PROMISE(content && std::ranges::equal(content->bytes(), d.content));
  if (!d.is_vector) return;
  const auto dv = r.read_vector(i, {.level = dvk::validation::strict});
  PROMISE(dv && dv->vector.cardinality() == d.cardinality);
  PROMISE(r.find(m.referenced_data_file).has_value());
}

// Writes again what the reader shows.
void check_copy(const reader& r, std::span<const std::byte> file) {
  dvk::memory_sink sink;
  writer out(
      sink,
      {.created_by = "", .properties = r.properties(), .compress_footer = r.footer_compressed()});
  for (std::size_t i = 0; i < r.blobs().size(); ++i) {
    const blob_metadata& m = r.blobs()[i];
    const auto content = r.read_blob(i);
    const auto written =
        m.is_deletion_vector()
            ? out.write_vector(content->bytes(), m.referenced_data_file, m.cardinality)
            : out.write_blob({.type = m.type,
                              .fields = m.fields,
                              .snapshot_id = m.snapshot_id,
                              .sequence_number = m.sequence_number,
                              .compression = m.compression,
                              .properties = m.properties},
                             content->bytes());
    PROMISE(written.has_value());
  }
  PROMISE(out.finish().has_value());
  PROMISE(std::ranges::equal(sink.bytes(), file));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  input in(bytes_of(data, size));
  const std::string created_by = in.text(in.byte() % 16);
  const std::string value = in.text(in.byte() % 16);
  const property properties[] = {{"a property", value}};
  dvk::memory_sink sink;
  writer out(sink, {.created_by = created_by,
                    .properties = std::span(properties).first(in.byte() % 2),
                    .compress_footer = in.flag()});
  std::vector<described> blobs;
  std::vector<written_blob> places;
  dvk::error refused;
  while (!in.empty() && blobs.size() < 16) {
    described d = describe(in, blobs.size());
    const std::size_t before = sink.bytes().size();
    const auto written = write(out, d);
    if (written) {
      places.push_back(*written);
      blobs.push_back(std::move(d));
    } else {
      refused = written.error();
      PROMISE(sink.bytes().size() == before);
    }
  }
  const auto finished = out.finish();
  if (!finished) {
    PROMISE(finished.error().code == error_code::invalid_argument && blobs.empty());
    PROMISE(refused.code == error_code::ok || refused.code == error_code::invalid_argument);
    PROMISE(sink.bytes().empty());
    return 0;
  }
  const auto file = sink.bytes();
  PROMISE(finished->file_size == file.size());
  const dvk::memory_source source(file);
  const auto r = reader::open(source);
  PROMISE(r && r->check().code == error_code::ok && r->blobs().size() == blobs.size());
  PROMISE(r->footer_size() == finished->footer_size);
  check_footer(*r);
  for (std::size_t i = 0; i < blobs.size(); ++i)
    check_read(*r, i, blobs[i], places[i]);
  check_copy(*r, file);
  return 0;
}
