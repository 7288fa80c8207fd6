#include "builder/bitmap_writer.hpp"

#include <algorithm>
#include <bit>

#include "bytes/load.hpp"
#include "dvk/crc32.hpp"
#include "roaring/container.hpp"

namespace dvk::inline v0::detail {
namespace {

constexpr std::uint32_t cookie_plain = 12346;
constexpr std::uint32_t cookie_runs = 12347;
constexpr std::uint32_t min_containers_with_offsets =
    4;  // only with the run cookie; without, offsets always stand
constexpr std::uint32_t empty_bitmap_bytes = 12;  // key, plain cookie, 0 containers
constexpr std::uint32_t max_runs = 2047;          // 2 + 4r < 8192
constexpr std::size_t frame_head = 8, frame_tail = 4;
constexpr std::uint8_t magic[4] = {0xD1, 0xD3, 0x39, 0x64};

std::size_t header_bytes(std::size_t n, bool runs) {
  return 4 + (runs ? (n + 7) / 8 : 4) + 4 * n +
         (!runs || n >= min_containers_with_offsets ? 4 * n : 0);
}

constexpr std::uint32_t run_bytes(std::uint32_t runs) {
  return 2 + 4 * runs;
}
constexpr std::uint32_t plain_bytes(std::uint32_t cardinality) {
  return cardinality <= max_array_cardinality ? 2 * cardinality : bitset_bytes;
}

}  // namespace

bitmap_writer::bitmap_writer(output_form form, const serialize_options& options,
                             std::uint64_t reserve)
    : kernels_(active_setops()), form_(form), options_(options) {
  if (form == output_form::blob) {
    frame_ = frame_head;
    options_.max_bytes =
        std::min<std::uint64_t>(options_.max_bytes, 0xffffffff);  // the frame's length is a u32
  }
  bytes_.reserve(std::min(reserve, options.max_bytes) + frame_head + frame_tail + 8);
  bytes_.resize(frame_ + 8);
}

bool bitmap_writer::has_room(std::uint64_t more) {
  const std::uint64_t size = bytes_.size() + more + (form_ == output_form::blob ? frame_tail : 0);
  // Room left for an open bitmap's header may be more than it takes in the end: that much is
  // forgiven until then.
  const std::uint64_t guess = open_ ? header_room_ : 0;
  if (size > options_.max_bytes && size - options_.max_bytes > guess && !failed()) {
    failure_ = {.code = error_code::limit_exceeded, .expected = options_.max_bytes, .found = size};
  }
  return !failed();
}

void bitmap_writer::write_gaps(std::uint32_t key) {
  const std::uint64_t more = (key - next_key_) * empty_bitmap_bytes;
  gap_bytes_ += more;
  if (gap_bytes_ > options_.max_gap_bytes) {
    failure_ = {.code = error_code::limit_exceeded,
                .expected = options_.max_gap_bytes,
                .found = gap_bytes_};
  }
  if (!has_room(more)) return;
  auto at = bytes_.size();
  bytes_.resize(at + more);
  for (; next_key_ < key; ++next_key_, ++count_, at += empty_bitmap_bytes) {
    bytes::store_le(&bytes_[at], static_cast<std::uint32_t>(next_key_));
    bytes::store_le(&bytes_[at + 4], cookie_plain);
  }
}

void bitmap_writer::begin(std::uint32_t key, std::size_t containers, bool runs_likely) {
  end();
  if (failed()) return;
  key_ = key;
  header_room_ = 4 + header_bytes(containers, runs_likely);
  bitmap_start_ = bytes_.size();
  entries_.clear();
  entries_.reserve(containers);
  run_flags_.clear();
  any_run_ = false;
  open_ = true;
}

bool bitmap_writer::begin_container(std::uint16_t key, std::uint32_t cardinality,
                                    std::uint32_t bytes) {
  if (entries_.empty()) {
    // Only now: a bitmap without containers is a gap, or nothing.
    if (options_.keys == key_mode::iceberg_java) write_gaps(key_);
    bitmap_start_ = bytes_.size();
    if (!has_room(header_room_)) return false;
    bytes_.resize(bitmap_start_ + header_room_);
  }
  if (!has_room(bytes)) return false;
  if (entries_.size() % 8 == 0) run_flags_.push_back(0);
  entries_.push_back({bytes, key, static_cast<std::uint16_t>(cardinality - 1)});
  return true;
}

void bitmap_writer::append(const std::uint8_t* payload, std::uint32_t bytes) {
  const auto* from = reinterpret_cast<const std::byte*>(payload);
  bytes_.insert(bytes_.end(), from, from + bytes);
}

void bitmap_writer::append_plain(std::uint16_t key, std::uint32_t cardinality,
                                 const std::uint8_t* payload, std::uint32_t bytes) {
  if (begin_container(key, cardinality, bytes)) append(payload, bytes);
}

void bitmap_writer::append_runs(std::uint16_t key, std::uint32_t cardinality,
                                const std::uint8_t* runs, std::uint32_t n) {
  if (!begin_container(key, cardinality, run_bytes(n))) return;
  std::uint8_t count[2];
  bytes::store_le(count, static_cast<std::uint16_t>(n));
  append(count, sizeof count);
  append(runs, 4 * n);
  const auto i = entries_.size() - 1;
  run_flags_[i / 8] = static_cast<std::uint8_t>(run_flags_[i / 8] | 1u << i % 8);
  any_run_ = true;
}

void bitmap_writer::put_array(std::uint16_t key, const std::uint8_t* values, std::uint32_t n) {
  if (n == 0 || failed()) return;
  const std::uint32_t runs = kernels_.array_runs(values, n);
  if (run_bytes(runs) < plain_bytes(n)) {
    std::uint8_t scratch[4 * max_runs];
    kernels_.array_to_runs(values, n, scratch);
    append_runs(key, n, scratch, runs);
  } else if (n > max_array_cardinality) {
    std::uint8_t words[bitset_bytes] = {};
    kernels_.set_values(words, values, n);
    put_bitset(key, words, kernels_.bitset_count(words));  // counted anew: repeats do no harm
  } else {
    append_plain(key, n, values, 2 * n);
  }
}

void bitmap_writer::put_bitset(std::uint16_t key, const std::uint8_t* words, bitset_facts facts) {
  if (facts.cardinality == 0 || failed()) return;
  const bool as_runs = run_bytes(facts.runs) < plain_bytes(facts.cardinality);
  if (as_runs && facts.runs == 1) {
    // Full containers above all. The first row and the cardinality tell the run.
    std::uint32_t start = 0;
    while (bytes::load_le64(words + start / 8) == 0)
      start += 64;
    start += static_cast<std::uint32_t>(std::countr_zero(bytes::load_le64(words + start / 8)));
    std::uint8_t run[4];
    bytes::store_le(run, static_cast<std::uint16_t>(start));
    bytes::store_le(run + 2, static_cast<std::uint16_t>(facts.cardinality - 1));
    append_runs(key, facts.cardinality, run, 1);
  } else if (as_runs) {
    std::uint8_t runs[4 * max_runs + 2 * setops_slack];
    kernels_.bitset_to_runs(words, runs);
    append_runs(key, facts.cardinality, runs, facts.runs);
  } else if (facts.cardinality <= max_array_cardinality) {
    std::uint8_t values[2 * (max_array_cardinality + setops_slack)];
    kernels_.bitset_to_array(words, values);
    append_plain(key, facts.cardinality, values, 2 * facts.cardinality);
  } else {
    append_plain(key, facts.cardinality, words, bitset_bytes);
  }
}

void bitmap_writer::put_runs(std::uint16_t key, const std::uint8_t* runs, std::uint32_t n,
                             std::uint32_t cardinality, bool sticky) {
  if (n == 0 || failed()) return;
  const bool keep = sticky ? run_bytes(n) <= std::min(bitset_bytes, 2 * cardinality + 2)
                           : run_bytes(n) < plain_bytes(cardinality);
  if (keep && n <= max_runs) return append_runs(key, cardinality, runs, n);
  std::uint8_t words[bitset_bytes];
  kernels_.runs_to_bitset(runs, n, words);
  put_bitset(key, words, kernels_.bitset_count(words));  // counted anew: runs that lie do no harm
}

void bitmap_writer::end() {
  if (!open_ || failed()) return;
  open_ = false;
  if (entries_.empty()) return;
  const auto n = entries_.size();
  // The header is as long as guessed, or the payloads move once.
  const std::size_t room = 4 + header_bytes(n, any_run_);
  const auto payloads = bytes_.begin() + static_cast<std::ptrdiff_t>(bitmap_start_ + header_room_);
  if (room < header_room_) {
    bytes_.erase(payloads - static_cast<std::ptrdiff_t>(header_room_ - room), payloads);
  } else if (room > header_room_) {
    bytes_.insert(payloads, room - header_room_, std::byte{0});
  }
  std::byte* out = bytes_.data() + bitmap_start_;
  const auto put = [&out](auto v) {
    bytes::store_le(out, v);
    out += sizeof v;
  };
  put(key_);
  if (any_run_) {
    put(cookie_runs | static_cast<std::uint32_t>(n - 1) << 16);
    out = std::transform(run_flags_.begin(), run_flags_.end(), out,
                         [](std::uint8_t f) { return std::byte{f}; });
  } else {
    put(cookie_plain);
    put(static_cast<std::uint32_t>(n));
  }
  for (const entry& e : entries_) {
    put(e.key);
    put(e.last);
  }
  if (!any_run_ || n >= min_containers_with_offsets) {
    auto offset = static_cast<std::uint32_t>(room - 4);
    for (const entry& e : entries_) {
      put(offset);
      offset += e.bytes;
    }
  }
  next_key_ = std::uint64_t{key_} + 1;
  ++count_;
}

result<std::vector<std::byte>> bitmap_writer::finish() {
  end();
  if (!has_room(0)) return failure_;
  bytes::store_le(&bytes_[frame_], count_);
  if (form_ == output_form::blob) {
    std::copy_n(reinterpret_cast<const std::byte*>(magic), 4, bytes_.begin() + 4);
    bytes::store_be32(bytes_.data(), static_cast<std::uint32_t>(bytes_.size() - 4));
    const std::uint32_t crc = crc32(std::span<const std::byte>(bytes_).subspan(4));
    bytes_.resize(bytes_.size() + frame_tail);
    bytes::store_be32(&bytes_[bytes_.size() - frame_tail], crc);
  }
  return std::move(bytes_);
}

}  // namespace dvk::inline v0::detail
