// refine/<type>_<share>/<dataset>/n<batch>/<tier>: shrinks an earlier filter's list, in place,
// batch by batch; items are list entries. The list is copied into the buffer before each call,
// inside the timing, for dvk and peers alike.
#include "bench/refine.hpp"

#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/datasets.hpp"
#include "bench/suite.hpp"
#include "dvk/selection.hpp"

namespace dvk_bench {
namespace {

template <class T, class F>
void walk(const dataset& d, std::size_t n, const std::vector<T>& selected, F&& visit) {
  dvk::scanner s(d.view);
  for (std::uint64_t base = 0; base + n <= d.rows; base += n) {
    T* const out = output<T>().data();
    std::memcpy(out, selected.data(), selected.size() * sizeof(T));
    visit(base, s.refine(base, std::span(out, selected.size())));
    benchmark::ClobberMemory();
  }
}

template <class T>
job refine(const dataset& d, std::size_t n, std::uint64_t one_in) {
  const auto selected = selected_rows<T>(n, one_in);
  const auto check = [&d, n, selected] {
    bool right = true;
    walk(d, n, selected, [&](std::uint64_t base, std::size_t kept) {
      right = right && is_refined(d, base, selected, output<T>().data(), kept);
    });
    return right;
  };
  const auto pass = [&d, n, selected] {
    std::uint64_t total = 0;
    walk(d, n, selected, [&](std::uint64_t, std::size_t kept) { total += kept; });
    return total;
  };
  return {check, pass, d.rows / n * selected.size()};
}

}  // namespace

void register_refine() {
  for_each_tier([](dvk::tier tier, const std::string& suffix) {
    for (const std::string_view dataset : dataset_names) {
      for (const std::size_t n : {std::size_t{1024}, usual_batch, std::size_t{16384}}) {
        for (const selected_share& share : selected_shares) {
          const std::string name(dataset);
          const std::string end =
              std::string("_") + share.name + "/" + name + "/n" + std::to_string(n) + "/" + suffix;
          const std::uint64_t one_in = share.one_in;
          add("refine/u32" + end, tier,
              [=] { return refine<std::uint32_t>(get_dataset(name), n, one_in); });
          add("refine/u16" + end, tier,
              [=] { return refine<std::uint16_t>(get_dataset(name), n, one_in); });
        }
      }
    }
  });
}

}  // namespace dvk_bench
