#include <cstdio>
#include <cstdlib>
#include <map>

#include "bench/peers/peers.hpp"

namespace dvk_bench {

void register_peers() {
  peers::register_lists();
  peers::register_velox();
  peers::register_masks();
  peers::register_open();
  peers::register_probe();
  peers::register_refine();
}

namespace peers {
namespace {

template <class Bitmap, class Read>
const Bitmap* cached(const dataset& d, Read read) {
  static std::map<const dataset*, Bitmap*> made;
  Bitmap*& bitmap = made[&d];
  if (bitmap == nullptr) bitmap = read();
  if (bitmap == nullptr) {
    std::fprintf(stderr, "CRoaring does not read dataset %s\n", d.name.c_str());
    std::exit(1);
  }
  return bitmap;
}

const char* chars(std::span<const std::byte> bytes) {
  return reinterpret_cast<const char*>(bytes.data());
}

}  // namespace

const roaring_bitmap_t* roaring32(const dataset& d) {
  return cached<roaring_bitmap_t>(d, [&] {
    const auto bytes = d.bitmap32();
    return bytes.empty() ? roaring_bitmap_create()
                         : roaring_bitmap_portable_deserialize_safe(chars(bytes), bytes.size());
  });
}

const roaring64_bitmap_t* roaring64(const dataset& d) {
  return cached<roaring64_bitmap_t>(d, [&] {
    return roaring64_bitmap_portable_deserialize_safe(chars(d.bitmap()), d.bitmap().size());
  });
}

}  // namespace peers
}  // namespace dvk_bench
