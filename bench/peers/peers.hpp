// What engines do today, re-enacted: own code written from the described algorithms, over the same
// bytes, with the same answers checked. Locks, allocation per batch and virtual calls that a real
// engine adds are left out, in the peers' favour.
#pragma once

#include <roaring/roaring.h>
#include <roaring/roaring64.h>

#include <string>

#include "bench/datasets.hpp"
#include "bench/suite.hpp"

namespace dvk_bench::peers {

// The dataset as CRoaring reads it; made at first use and kept. Row numbers fit 32 bits.
const roaring_bitmap_t* roaring32(const dataset& d);
const roaring64_bitmap_t* roaring64(const dataset& d);

void register_lists();
void register_velox();
void register_masks();
void register_open();
void register_probe();
void register_refine();

// peer/<op>/<dataset>/n<batch> for each dataset, at the batch sizes that claims are made for.
template <class Make>
void add_batched(const std::string& op, Make make) {
  for (const std::string_view dataset : dataset_names) {
    for (const std::size_t n : {usual_batch, std::size_t{65536}}) {
      const std::string name(dataset);
      add("peer/" + op + "/" + name + "/n" + std::to_string(n), std::nullopt,
          [=] { return make(get_dataset(name), n); });
    }
  }
}

}  // namespace dvk_bench::peers
