// Two ascending lists merged into one, on vectors of any width.
#pragma once

#include "setops/generic.hpp"

namespace dvk::inline v0::detail {
namespace {

enum class end : std::uint8_t { front, back };

// A step of a merge, first half: the smallest (front) or largest (back) two blocks of elements
// among two blocks of each list.
//
// One list's blocks meet the other's backwards: what wins its lane belongs to the two blocks, and
// is bitonic. A count of the lanes that one list won tells where both go on, so that a step waits
// for the one before only through a compare and a count, not through the network that sorts.
template <class vector, end which>
struct winners {
  using block = decltype(vector::load(nullptr));
  block x, y;
  std::uint32_t ordered;  // lanes where a's element is not above b's

  DVK_INLINE_MEMBER winners(const std::uint8_t* a, const std::uint8_t* b) {
    const block p = vector::load(a), p_next = vector::load(a + vector::bytes);
    const block q = vector::load_reversed(b + vector::bytes), q_next = vector::load_reversed(b);
    if constexpr (which == end::front) {
      x = vector::min(p, q);
      y = vector::min(p_next, q_next);
      ordered = vector::count_equal(p, x, p_next, y);
    } else {
      x = vector::max(p, q);
      y = vector::max(p_next, q_next);
      ordered = vector::count_equal(q, x, q_next, y);
    }
  }
  // Second half.
  DVK_INLINE_MEMBER void sort_to(std::uint8_t* out) const {
    vector::sort(vector::min(x, y), vector::max(x, y), out);
  }
};

// What is left of a list. Fewer elements than a step looks at move to where padding follows them.
template <class vector>
struct list_rest {
  static constexpr std::uint32_t step = 2 * vector::lanes;

  const std::uint8_t* at;
  std::uint32_t size;
  bool padded = false;
  std::uint8_t tail[4 * vector::bytes];

  DVK_INLINE_MEMBER list_rest(const std::uint8_t* elements, std::uint32_t n)
      : at(elements), size(n) {}
  DVK_INLINE_MEMBER void pad() {
    if (padded || size >= step) return;
    __builtin_memset(tail, 0xff, sizeof tail);
    vector::copy_part(tail, at, size < vector::lanes ? size : vector::lanes);
    if (size > vector::lanes)
      vector::copy_part(tail + vector::bytes, at + vector::bytes, size - vector::lanes);
    at = tail;
    padded = true;
  }
  DVK_INLINE_MEMBER void advance(std::uint32_t n) {
    n = n < size ? n : size;  // padding may be taken before an element that equals it
    at += n * vector::element_bytes;
    size -= n;
  }
};

// Writes the na + nb elements in ascending order, and up to two blocks but an element of no meaning
// after them. An element begins with the u16 that orders it.
//
// `vector` gives: bytes and lanes of a block, element_bytes; load(p) and load_reversed(p);
// copy_part(to, p, n), which copies n >= 1 elements of a block and fills it up with all ones; min
// and max by lane; count_equal(x, y, x_next, y_next), the equal lanes of two pairs; and sort(low,
// high, out), which stores two bitonic blocks sorted.
//
// The list is made from both ends to the middle at once, so that the processor always has the steps
// of two chains to work on. Elements equal to each other are ordered a before b at both ends, which
// therefore meet.
template <class vector>
DVK_INLINE void merge_lists(const std::uint8_t* a, std::uint32_t na, const std::uint8_t* b,
                            std::uint32_t nb, std::uint8_t* out) {
  constexpr std::size_t bytes = vector::element_bytes;
  constexpr std::uint32_t step = 2 * vector::lanes;
  const auto lesser = [](std::uint32_t m, std::uint32_t n) { return m < n ? m : n; };
  std::uint32_t i = 0, j = 0, i_end = na, j_end = nb;
  for (;;) {
    const std::uint32_t left = i_end + j_end - (i + j);
    std::uint32_t rounds =
        lesser(left / 2, lesser(lesser(na - i, nb - j), lesser(i_end, j_end))) / step;
    if (rounds == 0) break;
    const std::uint8_t *x = a + bytes * i, *y = b + bytes * j;
    const std::uint8_t *x_end = a + bytes * i_end, *y_end = b + bytes * j_end;
    std::uint8_t *to = out + bytes * (i + j), *to_end = out + bytes * (i_end + j_end);
    const auto take_front = [&] {
      const winners<vector, end::front> w(x, y);
      x += bytes * w.ordered;
      y += bytes * (step - w.ordered);
      return w;
    };
    const auto take_back = [&] {
      const winners<vector, end::back> w(x_end - bytes * step, y_end - bytes * step);
      x_end -= bytes * (step - w.ordered);
      y_end -= bytes * w.ordered;
      return w;
    };
    auto head = take_front();
    auto tail = take_back();
    for (; rounds != 0; --rounds) {
      const auto h = head;
      const auto t = tail;
      if (rounds != 1) {
        head = take_front();
        tail = take_back();
      }
      h.sort_to(to);
      to += bytes * step;
      to_end -= bytes * step;
      t.sort_to(to_end);
    }
    i = static_cast<std::uint32_t>(static_cast<std::size_t>(x - a) / bytes);
    j = static_cast<std::uint32_t>(static_cast<std::size_t>(y - b) / bytes);
    i_end = static_cast<std::uint32_t>(static_cast<std::size_t>(x_end - a) / bytes);
    j_end = static_cast<std::uint32_t>(static_cast<std::size_t>(y_end - b) / bytes);
  }
  // The middle from the front. It may write the first elements of the back once more.
  const std::uint32_t places = i_end + j_end;
  list_rest<vector> x(a + bytes * i, na - i), y(b + bytes * j, nb - j);
  for (std::uint32_t place = i + j; place < places; place += step) {
    if (x.size == 0 || y.size == 0) {
      __builtin_memcpy(out + bytes * place, x.size != 0 ? x.at : y.at, bytes * (places - place));
      return;
    }
    x.pad();
    y.pad();
    const winners<vector, end::front> w(x.at, y.at);
    w.sort_to(out + bytes * place);
    x.advance(w.ordered);
    y.advance(step - w.ordered);
  }
}

}  // namespace
}  // namespace dvk::inline v0::detail
