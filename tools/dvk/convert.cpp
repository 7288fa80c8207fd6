// dvk convert: a vector from Iceberg's files into Delta's and back, byte for byte the same.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <random>

#include "dvk/delta.hpp"
#include "dvk/io.hpp"
#include "dvk/puffin.hpp"
#include "input.hpp"
#include "writing.hpp"

namespace dvk::cli {
namespace {

struct convert_options {
  input_options file;
  output_options to_file;
  std::string to;
  std::string form = "puffin";
  std::string created_by = "dvk";
  std::string table_root;
  std::string prefix;
  bool is_inline = false;
};

using bytes_view = std::span<const std::byte>;

void check(const std::string& file, const error& fault) {
  if (fault.code != error_code::ok) throw failure(file, fault);
}

template <class T>
T checked(const std::string& file, result<T> outcome) {
  check(file, outcome.error());
  return std::move(*outcome);
}

bool is_inline(const input_options& file) {
  return file.descriptor && file.descriptor->storage_type == "i";
}

// The file that a `u` or `p` descriptor names, unless one is given.
void find_file(const convert_options& options, input_options& file) {
  if (!file.file.empty() || !file.descriptor || is_inline(file)) return;
  if (file.descriptor->storage_type == "u" && options.table_root.empty())
    throw failure(usage, {}, "a descriptor of type u needs --table-root, or the file itself");
  file.file = checked("descriptor", delta::resolve_path(*file.descriptor, options.table_root));
}

// The vector as a framed blob: as it stands, or framed into `storage` where it stands bare.
bytes_view framed(const input& file, const input_options& how, const opened_vector& opened,
                  byte_buffer& storage) {
  bytes_view bitmap = opened.vector.bytes();
  if (is_inline(how)) {
    bitmap = opened.storage->bytes().subspan(4);  // behind the magic
  } else if (file.what() != kind::bitmap64 && file.what() != kind::bitmap32) {
    return bitmap;
  }
  storage = checked(file.name(), byte_buffer::allocate(puffin::frame_size(bitmap.size())));
  check(file.name(), puffin::frame(bitmap, storage.bytes()));
  return storage.bytes();
}

void save(const std::string& path, bytes_view bytes) {
  file_sink sink = checked(path, file_sink::create(path.c_str()));
  check(path, sink.write(bytes));
  check(path, sink.commit());
}

void print_manifest(const vector_manifest_entry& entry) {
  standard_output() << checked(entry.file_path, manifest_json({&entry, 1})) << '\n';
}

void write_iceberg(const convert_options& options, const part& where, bytes_view blob,
                   std::uint64_t cardinality) {
  const std::string& path = options.to_file.out;
  if (path.empty()) throw failure(usage, {}, "--to iceberg needs -o");
  check_output(options.to_file);
  vector_manifest_entry entry{
      .file_path = path,
      .content_size_in_bytes = blob.size(),
      .referenced_data_file = options.file.data_file.value_or(std::string(where.data_file)),
      .record_count = cardinality};
  if (entry.referenced_data_file.empty()) {
    throw failure(
        usage, {},
        "--data-file says whose rows they are: Iceberg's metadata need it, Delta's files do "
        "not hold it");
  }
  if (options.form == "blob") {
    save(path, blob);
    entry.file_size_in_bytes = blob.size();
  } else {
    file_sink sink = checked(path, file_sink::create(path.c_str()));
    puffin::writer writer(sink, {.created_by = options.created_by});
    const auto written =
        checked(path, writer.write_vector(blob, entry.referenced_data_file, cardinality));
    entry.content_offset = written.offset;
    entry.file_size_in_bytes = checked(path, writer.finish()).file_size;
  }
  print_manifest(entry);
}

void print_descriptor(const delta::descriptor& d) {
  json j(standard_output());
  j.begin('{').member("storageType", d.storage_type);
  j.member("pathOrInlineDv", d.path_or_inline_dv);
  if (d.offset) j.member("offset", *d.offset);
  j.member("sizeInBytes", d.size_in_bytes).member("cardinality", d.cardinality).end('}');
  standard_output() << '\n';
}

// Version 4 of RFC 4122: random but for six bits.
delta::uuid random_uuid() {
  std::random_device random;
  delta::uuid id{};
  for (auto& byte : id)
    byte = static_cast<std::uint8_t>(random());
  id[6] = static_cast<std::uint8_t>((id[6] & 0x0F) | 0x40);
  id[8] = static_cast<std::uint8_t>((id[8] & 0x3F) | 0x80);
  return id;
}

void write_delta(const convert_options& options, bytes_view blob, std::uint64_t cardinality) {
  const bool to_path = !options.to_file.out.empty();
  const bool to_table = !to_path && !options.is_inline && !options.table_root.empty();
  if (static_cast<int>(to_path) + static_cast<int>(options.is_inline) +
          static_cast<int>(to_table) !=
      1) {
    throw failure(usage, {},
                  "--to delta needs one of -o (descriptor p), --table-root (u) and --inline (i)");
  }
  if (options.is_inline) {
    print_descriptor(
        checked("vector", delta::make_inline(blob.subspan(8, blob.size() - 12), cardinality)));
    return;
  }
  const bytes_view blobs[] = {blob};
  const delta::written_file file = checked("vector", delta::write_file(blobs));
  delta::descriptor d{.storage_type = to_path ? "p" : "u",
                      .path_or_inline_dv = {},
                      .offset = static_cast<std::int64_t>(file.vectors[0].offset),
                      .size_in_bytes = static_cast<std::int64_t>(file.vectors[0].size_in_bytes),
                      .cardinality = static_cast<std::int64_t>(cardinality)};
  output_options target = options.to_file;
  if (to_path) {
    d.path_or_inline_dv = std::filesystem::absolute(target.out).lexically_normal().string();
  } else {
    d.path_or_inline_dv =
        checked(options.prefix, delta::encode_path(random_uuid(), options.prefix));
    target.out = checked(options.table_root, delta::resolve_path(d, options.table_root));
    std::error_code fault;
    if (!options.prefix.empty())
      std::filesystem::create_directory(std::filesystem::path(options.table_root) / options.prefix,
                                        fault);  // what fails shows when the file is made
  }
  check_output(target);
  save(target.out, file.bytes);
  print_descriptor(d);
}

int run_convert(const convert_options& options) {
  if (options.to == "iceberg" && (options.is_inline || !options.prefix.empty()))
    throw failure(usage, {}, "--inline and --prefix go with --to delta");
  if (!options.prefix.empty() && (options.is_inline || !options.to_file.out.empty()))
    throw failure(usage, {}, "--prefix goes with --table-root alone: only type u has one");
  input_options how = options.file;
  find_file(options, how);
  input file(how);
  const opened_vector opened = file.open_chosen();
  byte_buffer storage;
  const bytes_view blob = framed(file, how, opened, storage);
  if (options.to == "iceberg") {
    write_iceberg(options, opened.where, blob, opened.vector.cardinality());
  } else {
    write_delta(options, blob, opened.vector.cardinality());
  }
  return ok;
}

}  // namespace

void add_convert(registry& commands) {
  auto options = std::make_shared<convert_options>();
  CLI::App& c = commands.add(
      "convert", "Bring a vector from Delta's files into Iceberg's, or back",
      "  dvk convert --to iceberg deletion_vector_x.bin --data-file 1.parquet -o dv.puffin\n"
      "  dvk convert --to iceberg --descriptor dv.json --table-root /data/t --data-file 1.parquet "
      "-o dv.puffin\n"
      "  dvk convert --to delta dv.puffin -o dv.bin             # descriptor p\n"
      "  dvk convert --to delta dv.puffin --table-root /data/t  # descriptor u, a new file there\n"
      "  dvk convert --to delta dv.puffin --inline              # descriptor i, no file\n"
      "The vector's bytes stay as they are. Prints what the new metadata say of it: a manifest's\n"
      "fields, or a descriptor, whose sizeInBytes is 8 less than content_size_in_bytes.",
      [options] { return run_convert(*options); });
  add_file(c, options->file);
  c.add_option("--to", options->to, "delta or iceberg")
      ->check(CLI::IsMember({"delta", "iceberg"}))
      ->required();
  add_output(c, options->to_file, "The file to write");
  c.add_option("--form", options->form, "To iceberg: a Puffin file, or only the blob")
      ->check(CLI::IsMember({"puffin", "blob"}))
      ->capture_default_str();
  c.add_option("--created-by", options->created_by, "The Puffin file's created-by property")
      ->capture_default_str();
  c.add_option("--table-root", options->table_root, "Folder that descriptors of type u refer to")
      ->type_name("DIR");
  c.add_option("--prefix", options->prefix, "To delta: the subfolder of a descriptor u");
  c.add_flag("--inline", options->is_inline, "To delta: print the vector within a descriptor");
  add_choice(c, options->file);
  add_checks(c, options->file);
}

}  // namespace dvk::cli
