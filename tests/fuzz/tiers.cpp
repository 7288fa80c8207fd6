// The input is a bare 64-bit Roaring bitmap. Promised: every tier that this CPU can run gives the
// same answers as the scalar one. Verdict, code and offset at each level; the rows; every form of
// some batches, refine and gather; and no tier reads past the bytes, which end at a guard page.
#include <string_view>

#include "dvk/dispatch.hpp"
#include "tests/fuzz/batch_checks.hpp"
#include "tests/fuzz/fenced_bytes.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/mutate_bitmap.hpp"

namespace {

using namespace dvk_fuzz;
using dvk::validation;

// What a tier says of the input.
struct answers {
  std::array<dvk::error, 6> verdicts = {};  // as bytes are, and with all quirks tolerated
  std::uint64_t cardinality = 0;
  std::vector<dvk::row_range> ranges = {};
  std::uint64_t forms = 0;  // a digest of all that the batches wrote

  friend bool operator==(const answers&, const answers&) = default;
};

class form_digest {
 public:
  explicit form_digest(const dvk::deletion_vector& dv) : scan_(dv) {}
  [[nodiscard]] std::uint64_t value() const { return value_; }

  void batch(dvk::row_range rows, dvk::polarity p, std::size_t first_bit) {
    list<std::uint16_t>(rows, p, 0);
    list<std::uint32_t>(rows, p, 5);
    list<std::int32_t>(rows, p, 5);
    list<std::uint64_t>(rows, p, rows.start);
    for (const auto how : {dvk::combine::replace, dvk::combine::and_with, dvk::combine::or_with}) {
      bytes_.assign(static_cast<std::size_t>(rows.count), stale);
      answer(scan_.bytes(rows, bytes_, {p, how, true}));
      add(std::span<const std::uint8_t>(bytes_));
      words_.assign(static_cast<std::size_t>((first_bit + rows.count + 63) / 64),
                    0x5a5a5a5a5a5a5a5au);
      answer(scan_.bits(rows, words_, first_bit, {p, how, true}));
      // The bits after the last row's are nobody's business with and_with and or_with.
      if (const std::size_t over = (first_bit + rows.count) % 64; over != 0)
        words_.back() &= (std::uint64_t{1} << over) - 1;
      add(std::span<const std::uint64_t>(words_));
    }
    runs_.assign(9, {});
    const auto runs = scan_.runs(rows, runs_, {p, 3, true});
    answer({runs.live, runs.kind});
    add(std::span<const dvk::row_run>(runs_).first(runs.written));
    lengths_.assign(16, 0);
    const auto lengths = scan_.alternating(rows, lengths_, {p, 0, true});
    answer({lengths.live, lengths.kind});
    add(std::span<const std::uint32_t>(lengths_).first(lengths.written));
    gather(rows, p);
  }

 private:
  template <class T>
  void add(std::span<const T> values) {
    value_ = digest(std::as_bytes(values), value_);
  }
  void answer(const dvk::batch_result& r) {
    value_ = (value_ ^ r.live ^ static_cast<std::uint64_t>(r.kind) << 60) * 0x100000001b3u;
  }
  template <class T>
  void list(dvk::row_range rows, dvk::polarity p, std::uint64_t base) {
    std::vector<T> out(static_cast<std::size_t>(rows.count));
    const auto got = scan_.indices<T>(rows, out, {p, base, true});
    answer(got);
    const std::uint64_t n = p == dvk::polarity::live ? got.live : rows.count - got.live;
    add(std::span<const T>(out).first(static_cast<std::size_t>(n)));
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<T>(p == dvk::polarity::live ? i : i * 29 % out.size());
    add(std::span<const T>(out).first(scan_.refine<T>(rows.start, out, p)));
  }
  void gather(dvk::row_range rows, dvk::polarity p) {
    std::vector<std::uint64_t> column(static_cast<std::size_t>(rows.count));
    for (std::size_t i = 0; i < column.size(); ++i)
      column[i] = rows.start + (i % 5 == 4 ? rows.count - i : i);
    const std::span<const std::uint64_t> positions(column);
    bytes_.assign(column.size(), stale);
    answer(scan_.gather_bytes(positions, bytes_, {p, dvk::combine::replace, true}));
    add(std::span<const std::uint8_t>(bytes_));
    words_.assign(column.size() / 64 + 1, 0);
    answer(scan_.gather_bits(positions, words_, 0, {p, dvk::combine::or_with, true}));
    add(std::span<const std::uint64_t>(words_));
    std::vector<std::uint32_t> out(column.size());
    const auto got = scan_.gather_indices<std::uint32_t>(positions, out, {p, 0, true});
    answer(got);
    add(std::span<const std::uint32_t>(out).first(
        static_cast<std::size_t>(p == dvk::polarity::live ? got.live : column.size() - got.live)));
  }

  dvk::scanner scan_;
  std::uint64_t value_ = 1;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> words_;
  std::vector<dvk::row_run> runs_;
  std::vector<std::uint32_t> lengths_;
};

answers ask(std::span<const std::byte> bytes) {
  answers out;
  for (const auto level : {validation::trusted, validation::standard, validation::strict}) {
    const auto plain = dvk::deletion_vector::open_bitmap(bytes, {.level = level});
    const auto tolerant =
        dvk::deletion_vector::open_bitmap(bytes, {.level = level, .tolerate = all_quirks()});
    out.verdicts[static_cast<std::size_t>(level)] = plain.error();
    out.verdicts[3 + static_cast<std::size_t>(level)] = tolerant.error();
    if (level == validation::trusted && tolerant) visit(*tolerant);
    if (level == validation::trusted && plain) visit(*plain);
    const auto& dv = plain ? plain : tolerant;
    if (level != validation::standard || !dv) continue;
    out.cardinality = dv->cardinality();
    out.ranges = ranges_of(*dv);
    form_digest forms(*dv);
    std::uint64_t choice = digest(bytes);
    for (const dvk::row_range& rows : batches_of(out.ranges, choice, 4)) {
      choice = choice * 0x9e3779b97f4a7c15u + 1;
      forms.batch(rows, (choice >> 40 & 1) != 0 ? dvk::polarity::live : dvk::polarity::deleted,
                  choice >> 41 & 63);
    }
    out.forms = forms.value();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fenced(bytes_of(data, size));
  answers expected;
  for (const dvk::tier t : dvk::supported_tiers()) {
    PROMISE(dvk::set_max_isa(t) && dvk::active_tier() == t);
    if (t == dvk::tier::scalar) {
      expected = ask(bytes);
    } else {
      PROMISE(ask(bytes) == expected);
    }
  }
  dvk::reset_max_isa();
  return 0;
}

DVK_MUTATE_AS(mutate_bitmap)
