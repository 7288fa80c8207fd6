// The folding checksum, written once for every vector width. The tier files give it `Lanes`, which
// says how one plane (16, 32 or 64 message bytes) is loaded, aligned and multiplied. README.md has
// the mathematics.
//
// Lanes provides
//   plane, size               the vector and its bytes
//   zero, load, store, exclusive_or of two and of three planes, first(word): a plane that starts
//   with the word weight(p), broadcast(p)   constants for a whole plane; one pair for each of its
//   16-byte units low(v, k), high(v, k)     carry-less products of the first and of the second
//   qword of each unit with those of k align_right(v, r)         the first r bytes moved to the
//   end, zeros before them finish(sum, init)         the 96-bit sums of all units and `init` added
//   up and reduced; none(): an init of zero multiply(c, a, b)         the product of three
//   registers mod P
// and for messages that are no longer than a plane either
//   load_right(p, n)          align_right of n <= size bytes from memory, of which no others are
//   read initial(crc, n)           crc * x^(8n) as a 96-bit sum
// or  serial_limit, serial(crc, p, n): a checksum by other means up to that length;
//   copy_short(out, p, n)     copies a message of such a length.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bytes/attributes.hpp"
#include "crc32/constants.hpp"
#include "crc32/crc32.hpp"

namespace dvk::inline v0::detail::crc {
namespace {

template <class Lanes, bool copying>
DVK_INLINE typename Lanes::plane take(const std::uint8_t* p, std::uint8_t* out) {
  const auto v = Lanes::load(p);
  if constexpr (copying) Lanes::store(out, v);
  return v;
}

// Weights of the plane that begins `planes` planes before the end of the message.
template <class Lanes>
DVK_INLINE const std::uint64_t* weights(std::size_t planes) {
  return constants.direct + 2 * direct_units - planes * (Lanes::size / 8);
}

// The pair that moves a plane by that many bytes.
template <std::size_t distance>
DVK_INLINE const std::uint64_t* fold_pair() {
  static_assert(distance % 64 == 0 && distance <= 512);
  return constants.fold + distance / 64 * 2 - 2;
}

// Planes multiplied by the weights of their place, in two chains of additions. Nothing depends on
// anything but the running sums, so the multiplier is busy from the first plane to the last.
template <class Lanes>
struct weighted_sum {
  typename Lanes::plane even = Lanes::zero(), odd = Lanes::zero();
};

template <class Lanes>
DVK_INLINE typename Lanes::plane add(typename Lanes::plane sum, typename Lanes::plane v,
                                     const std::uint64_t* w) {
  const auto k = Lanes::weight(w);
  return Lanes::exclusive_or(sum, Lanes::low(v, k), Lanes::high(v, k));
}
template <class Lanes>
DVK_INLINE void add(weighted_sum<Lanes>& sum, typename Lanes::plane v0, typename Lanes::plane v1,
                    const std::uint64_t* w) {
  sum.even = add<Lanes>(sum.even, v0, w);
  sum.odd = add<Lanes>(sum.odd, v1, w + Lanes::size / 8);
}
template <class Lanes>
DVK_INLINE typename Lanes::plane total(const weighted_sum<Lanes>& sum) {
  return Lanes::exclusive_or(sum.even, sum.odd);
}

// The last `m` planes of the message, at p.
template <class Lanes, bool copying>
DVK_INLINE void add_tail(weighted_sum<Lanes>& sum, const std::uint8_t* p, std::uint8_t* out,
                         std::size_t m) {
  const std::uint64_t* w = weights<Lanes>(m);
  for (; m >= 2; m -= 2) {
    const auto v0 = take<Lanes, copying>(p, out);
    const auto v1 = take<Lanes, copying>(p + Lanes::size, out + Lanes::size);
    add(sum, v0, v1, w);
    p += 2 * Lanes::size, out += 2 * Lanes::size, w += Lanes::size / 4;
  }
  if (m != 0) sum.even = add<Lanes>(sum.even, take<Lanes, copying>(p, out), w);
}

// Long streams: the lines of the next step but 8 KiB further on, where the hardware prefetcher has
// not been yet. An address past the message does no harm.
DVK_INLINE void prefetch(const std::uint8_t* p, std::size_t bytes) {
  const auto ahead = reinterpret_cast<std::uintptr_t>(p) + 8192;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < bytes; i += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + i));
}

// Folds a long message with `count` accumulators: each is multiplied forward by that many planes
// and takes in the plane it lands on. Messages of fewer than `from` planes take the direct sum.
template <std::size_t count, std::size_t from>
struct fold_by_multiplication {
  static constexpr std::size_t shortest = from;
  // The second-level cache of Sapphire Rapids; measured, see README.md.
  static constexpr std::size_t prefetch_from = std::size_t{2} << 20;

  // The planes z0, z1 and then the `m` at p, reduced to one plane of 96-bit sums.
  template <class Lanes, bool copying>
  DVK_INLINE typename Lanes::plane run(typename Lanes::plane z0, typename Lanes::plane z1,
                                       const std::uint8_t* p, std::uint8_t* out, std::size_t m) {
    static_assert(from >= count && from * Lanes::size <= 16 * direct_units);
    constexpr std::size_t size = Lanes::size;
    typename Lanes::plane acc[count] = {z0, z1};
    for (std::size_t i = 2; i < count; ++i) {
      acc[i] = take<Lanes, copying>(p + size * (i - 2), out + size * (i - 2));
    }
    p += (count - 2) * size, out += (count - 2) * size, m -= count - 2;
    const auto k = Lanes::broadcast(fold_pair<count * size>());
    const bool far = m * size >= prefetch_from;
    for (; m >= count; m -= count) {
      if (far) [[unlikely]]
        prefetch(p, count * size);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < count; ++i) {
        acc[i] = Lanes::exclusive_or(Lanes::low(acc[i], k), Lanes::high(acc[i], k),
                                     take<Lanes, copying>(p + size * i, out + size * i));
      }
      p += count * size, out += count * size;
    }
    weighted_sum<Lanes> sum;
    const std::uint64_t* w = weights<Lanes>(m + count);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; i += 2)
      add(sum, acc[i], acc[i + 1], w + i * (size / 8));
    add_tail<Lanes, copying>(sum, p, out, m);
    return total(sum);
  }
};

template <class Lanes, class Long, bool copying>
DVK_INLINE std::uint32_t checksum(std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                                  std::size_t n) {
  constexpr std::size_t size = Lanes::size;
  crc = ~crc;
  if constexpr (requires { Lanes::serial_limit; }) {
    if (n <= Lanes::serial_limit) {
      if constexpr (copying) Lanes::copy_short(out, p, n);
      return ~Lanes::serial(crc, p, n);
    }
  } else if (n <= size) {
    if (n == 0) return ~crc;
    const auto v = Lanes::load_right(p, n);
    if constexpr (copying) Lanes::copy_short(out, p, n);
    return ~Lanes::finish(add<Lanes>(Lanes::zero(), v, weights<Lanes>(1)), Lanes::initial(crc, n));
  }
  if constexpr (requires { Lanes::medium; } && !copying) {
    if (n <= Lanes::medium && Lanes::medium_is_safe(p)) [[likely]] {
      return ~Lanes::finish(Lanes::medium_sum(p, n), Lanes::initial(crc, n));
    }
  }
  // The first plane is the partial one: the message is aligned to its end, and has no tail. The
  // register is added to the first four bytes; where the first plane holds fewer, the rest belongs
  // to the second plane.
  const std::size_t r = (n - 1) % size + 1;
  std::size_t m = (n - 1) / size - 1;
  const auto z0 =
      Lanes::align_right(Lanes::exclusive_or(take<Lanes, copying>(p, out), Lanes::first(crc)), r);
  p += r, out += r;
  const std::uint32_t rest = r < 4 ? crc >> (8 * r) : 0;
  const auto z1 = Lanes::exclusive_or(take<Lanes, copying>(p, out), Lanes::first(rest));
  p += size, out += size;
  if (m + 2 >= Long::shortest) {
    return ~Lanes::finish(Long::template run<Lanes, copying>(z0, z1, p, out, m), Lanes::none());
  }
  weighted_sum<Lanes> sum;
  add(sum, z0, z1, weights<Lanes>(m + 2));
  add_tail<Lanes, copying>(sum, p, out, m);
  return ~Lanes::finish(total(sum), Lanes::none());
}

// Beyond the first-level cache, loads of 64 bytes that straddle lines run at little more than half
// the speed. A long message is worth a second call that lets the first end, and so every plane
// begin, on a line.
inline constexpr std::size_t worth_aligning = 32768;

template <class Lanes, class Long>
std::uint32_t extend(std::uint32_t crc, const std::uint8_t* p, std::size_t n) noexcept {
  if constexpr (Lanes::size == 64) {
    const std::size_t past_line = (reinterpret_cast<std::uintptr_t>(p) + n) % 64;
    if (n >= worth_aligning && past_line != 0) [[unlikely]] {
      crc = extend<Lanes, Long>(crc, p, n - past_line);
      p += n - past_line, n = past_line;
    }
  }
  // `out` is not written to, but moves along with p.
  return checksum<Lanes, Long, false>(crc, const_cast<std::uint8_t*>(p), p, n);
}

template <class Lanes, class Long>
std::uint32_t copy(std::uint32_t crc, std::uint8_t* out, const std::uint8_t* p,
                   std::size_t n) noexcept {
  return checksum<Lanes, Long, true>(crc, out, p, n);
}

// crc * x^(8n): x has the order 2^32 - 1, so n counts modulo that, and 32 bits of it are left. Each
// byte of n is two factors from the table; register and both factors make one 96-bit sum, reduced
// once.
template <class Lanes>
std::uint32_t shift(std::uint32_t crc, std::uint64_t n) noexcept {
  n = (n & 0xffffffff) + (n >> 32);
  n = (n & 0xffffffff) + (n >> 32);
  for (const std::uint32_t* table = constants.nibble_powers; n != 0; n >>= 8, table += 32) {
    if ((n & 0xff) != 0) crc = Lanes::multiply(crc, table[n & 15], table[16 + ((n >> 4) & 15)]);
  }
  return crc;
}

}  // namespace
}  // namespace dvk::inline v0::detail::crc
