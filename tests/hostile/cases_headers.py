"""Cases on the headers of one 32-bit bitmap: cookie, counts, keys, flags, offsets, cut bytes."""

import functools
import struct

from casebook import Book
from roaring import Bitmap, array, bitset, ranges_of, run, single, vector

FEW = [1, 5, 9]
TWENTY = list(range(0, 60, 3))
EVEN = [(v, v) for v in range(0, 65536, 2)]


@functools.cache
def build():
    book = Book("bitmap64")
    cookies(book)
    counts(book)
    cuts(book)
    container_keys(book)
    offsets(book)
    run_flags(book)
    extremes(book)
    return book


def cookies(book):
    sound = single(array(0, FEW))
    for name, value, why in (
        ("zero", 0, "The cookie is zero"),
        ("12345", 12345, "The cookie is one below the smaller known one"),
        ("12348", 12348, "The low half of the cookie is one above the larger known one"),
        ("ones", 0xFFFFFFFF, "The cookie has all bits set"),
        ("12346_high_bits", 12346 | 1 << 16, "Cookie 12346 must have a zero upper half"),
        ("12346_sign_bit", 12346 | 1 << 31, "Cookie 12346 has its highest bit set"),
        ("big_endian", int.from_bytes(struct.pack("<I", 12346), "big"), "The cookie is big-endian"),
        ("64_bit_count", 1, "A second 64-bit vector stands where the cookie belongs"),
    ):
        bad = sound.patched("b0.cookie", struct.pack("<I", value))
        book.reject(f"cookie_{name}", bad, f"{why}.", "bad_cookie", "b0.cookie")
    runs = single(run(0, [(0, 99)]))
    bad = runs.patched("b0.cookie", struct.pack(">I", 12347))
    book.reject("cookie_run_big_endian", bad, "The run cookie is big-endian.", "bad_cookie",
                "b0.cookie")


def counts(book):
    for name, size in (
        ("65537", 65537),
        ("7fffffff", 0x7FFFFFFF),
        ("80000000", 0x80000000),
        ("ffffffff", 0xFFFFFFFF),
    ):
        bad = vector([(0, Bitmap([], size=size, tail=bytes(40)))])
        why = f"A container count of {size} is above 65536, the number of possible keys."
        book.reject(f"count_{name}", bad, why, "too_many_containers", "b0.size")
    bad = vector([(0, Bitmap([], size=65536))])
    why = "The largest legal container count with no byte behind it: allocate nothing for it."
    book.reject("count_65536_no_body", bad, why, "truncated", "b0.desc")
    bad = vector([(0, Bitmap([], cookie=0xFFFF303B, run_cookie=True, flags=bytes(16)))])
    why = "A run cookie that announces 65536 containers, with 16 bytes behind it."
    book.reject("run_count_65536_no_body", bad, why, "truncated", "b0.flags")
    bad = single(array(0, FEW), size=2)
    why = "Two containers announced, one present: offsets are read as a descriptor."
    book.reject("count_too_big_by_one", bad, why, "truncated", "b0.c0.payload")
    bad = single(array(0, TWENTY), array(1, TWENTY), size=1)
    why = "One container announced, two present: the second descriptor is read as an offset."
    book.reject("count_too_small_by_one", bad, why, "offset_mismatch", "b0.c1.key")
    bad = single(run(0, [(0, 99)]), run(1, [(0, 99)]), size=9)
    why = "A run cookie counts nine containers, two are present."
    book.reject("run_count_too_big", bad, why, "truncated", "b0.flags+2")


# (field cut, bytes of it that are left) -> where the fault is reported
CUTS = (
    ("key", (0, 1, 3), "key"),
    ("cookie", (0, 1, 3), "cookie"),
    ("desc", (0, 1, 15), "desc"),
    ("offsets", (0, 3, 15), "offsets"),
    ("c0.payload", (0, 1, 39), "c0.payload"),
    ("c1.payload", (0, 1, 4096, 8191), "c1.payload"),
    ("c2.payload", (0, 1, 2, 5, 9), "c2.payload"),
    ("c3.payload", (0, 1), "c3.payload"),
)


def cuts(book):
    four = [array(0, TWENTY), bitset(1, EVEN), run(2, [(0, 9), (20, 99)]), array(3, [7])]
    plain = [array(0, TWENTY), bitset(1, EVEN), array(2, FEW), array(3, [7])]
    first = (0, Bitmap([array(0, TWENTY)]))
    with_runs = vector([first, (1, Bitmap(four))])
    without = vector([first, (1, Bitmap(plain))])
    fields = [("run", with_runs, cut) for cut in CUTS + (("flags", (0,), "flags"),)]
    fields += [("norun", without, cut) for cut in CUTS[:6] + (("size", (0, 1, 3), "size"),)]
    for form, sound, (cut, left, place) in fields:
        for n in left:
            name = f"cut_{form}_{cut.replace('.payload', '')}_{n}"
            why = f"The second bitmap ends after {n} bytes of its field {cut}."
            book.reject(name, sound.cut(f"b1.{cut}+{n}"), why, "truncated", f"b1.{place}")
    big = single(*[array(k, [1]) for k in range(20)])
    book.reject("cut_desc_of_20", big.cut("b0.c12.key"), "Descriptors end after 12 of 20.",
                "truncated", "b0.desc")
    book.reject("cut_offsets_of_20", big.cut("b0.c12.offset"), "Offsets end after 12 of 20.",
                "truncated", "b0.offsets")
    book.reject("cut_last_byte", big.cut("b0.c19.payload+1"), "The last byte is missing.",
                "truncated", "b0.c19.payload")
    one = single(bitset(0, EVEN))
    book.reject("cut_only_bitset", one.cut("b0.c0.payload+8191"),
                "The only bitset lacks its last byte.", "truncated", "b0.c0.payload")


def container_keys(book):
    def keyed(*keys, kind=array):
        return single(*[kind(k, FEW if kind is array else [(0, 99)]) for k in keys])

    for name, keys, at, why in (
        ("duplicate", (3, 3), 1, "The same container key stands twice"),
        ("descending", (4, 3), 1, "Container keys descend"),
        ("descending_late", (0, 1, 2, 3, 4, 5, 6, 8, 7), 8,
         "The last of nine container keys descends"),
        ("duplicate_seam_16", (*range(16), 15), 16, "The 17th container key repeats the 16th"),
        ("wrap", (65535, 0), 1, "Container keys wrap from 65535 to 0"),
        ("signed_order", (0x8000, 0x0001), 1, "Container keys rise only when read as signed"),
    ):
        book.reject(f"keys_{name}", keyed(*keys), f"{why}.", "container_key_order", f"b0.c{at}.key")
    book.reject("keys_duplicate_run_cookie", keyed(5, 5, kind=run),
                "The same container key stands twice under a run cookie.",
                "container_key_order", "b0.c1.key")
    book.reject("keys_descending_run_cookie", keyed(0, 1, 2, 9, 8, kind=run),
                "The last container key descends under a run cookie with offsets.",
                "container_key_order", "b0.c4.key")
    ranges = ranges_of([k << 16 | v for k in (0x7FFF, 0x8000) for v in FEW])
    book.accept("keys_sign_boundary", keyed(0x7FFF, 0x8000),
                "Container keys cross the sign bit in rising order.", ranges)


def offsets(book):
    def rows(n):
        return ranges_of([k << 16 | v for k in range(n) for v in TWENTY])

    def three(change):
        return single(*[array(k, TWENTY) for k in range(3)], offsets=change)

    def runs(change, n=4):
        return single(*[run(k, [(0, 99), (200, 299)]) for k in range(n)], offsets=change)

    def replaced(index, value):
        return lambda t: [value(t) if i == index else o for i, o in enumerate(t)]

    for name, layout, at, why in (
        ("first_plus_2", three(replaced(0, lambda t: t[0] + 2)), 0,
         "The first offset is 2 too large"),
        ("first_zero", three(replaced(0, lambda t: 0)), 0, "The first offset is zero"),
        ("past_end", three(replaced(1, lambda t: 1 << 20)), 1, "An offset points far past the end"),
        ("all_ones", three(replaced(2, lambda t: 0xFFFFFFFF)), 2, "An offset has all bits set"),
        ("swapped", three(lambda t: [t[0], t[2], t[1]]), 1,
         "Two offsets are swapped: a reader that "
         "follows them and one that does not see other rows"),
        ("aliased", three(lambda t: [t[0], t[0], t[2]]), 1, "Two containers share one payload"),
        ("relative_to_payload", three(lambda t: [o - t[0] for o in t]), 0,
         "Offsets count from the first payload instead of the cookie"),
        ("off_by_header", three(lambda t: [o + 12 for o in t]), 0,
         "Offsets count from the start of the 64-bit vector"),
        ("last_plus_1", three(replaced(2, lambda t: t[2] + 1)), 2,
         "The last offset is 1 too large"),
        ("big_endian", three(lambda t: [int.from_bytes(struct.pack("<I", o), "big") for o in t]), 0,
         "Offsets are big-endian"),
        ("run_cookie_last", runs(replaced(3, lambda t: t[3] - 4)), 3,
         "The last offset under a run cookie is 4 too small"),
        ("run_cookie_zero", runs(lambda t: [0] * 4), 0, "All offsets under a run cookie are zero"),
    ):
        book.reject(f"offset_{name}", layout, f"{why}.", "offset_mismatch", f"b0.c{at}.offset")
    quirk = {"quirk": "missing_offset_header"}
    for n in (1, 2, 3):
        book.reject(f"offset_missing_norun_{n}",
                    single(*[array(k, TWENTY) for k in range(n)], offsets=False),
                    f"Cookie 12346 with {n} containers lacks the offset header it always has.",
                    "offset_mismatch", "b0.c0.payload", tolerant=rows(n), **quirk)
    book.reject("offset_missing_tiny", single(array(0, [7]), offsets=False),
                "Cookie 12346 with one position lacks the offset header, and the bytes run out.",
                "truncated", "b0.c0.payload", tolerant=[(7, 7)], **quirk)
    book.reject("offset_missing_run_4", runs(False),
                "A run cookie with four containers lacks the offset header.",
                "offset_mismatch", "b0.c0.payload")
    book.reject("offset_present_run_3", runs(True, 3),
                "A run cookie with three containers has an offset header: 29 runs are read from "
                "it.",
                "truncated", "b0.offsets")
    book.accept("offset_absent_run_3", runs(None, 3),
                "Below four containers a run cookie has no offset header.",
                [(k << 16 | a, k << 16 | b) for k in range(3) for a, b in ((0, 99), (200, 299))])
    book.accept("offset_three", three(None), "Cookie 12346 with a sound offset header.", rows(3))


def run_flags(book):
    few = ranges_of(FEW)
    book.accept("run_cookie_no_runs", single(array(0, FEW), run_cookie=True),
                "A run cookie without a run container: a legal layout no known writer emits, on "
                "which readers that recompute sizes lose their place.", few,
                strict=("not_canonical", "b0.cookie"))
    five = single(*[array(k, FEW) for k in range(5)], run_cookie=True)
    book.accept("run_cookie_no_runs_5", five,
                "A run cookie without a run container, and with an offset header.",
                ranges_of([k << 16 | v for k in range(5) for v in FEW]),
                strict=("not_canonical", "b0.cookie"))
    for n, flags in ((1, b"\x03"), (1, b"\x81"), (3, b"\x0f"), (9, b"\xff\x03"), (12, b"\xff\xff")):
        layout = single(*[run(k, [(0, 99)]) for k in range(n)], flags=flags)
        book.accept(f"run_flag_padding_{n}_{flags.hex()}", layout,
                    f"A run flag is set past the last of {n} containers.",
                    [(k << 16, k << 16 | 99) for k in range(n)],
                    strict=("not_canonical", f"b0.flags+{len(flags) - 1}"))
    book.accept("run_flags_8", single(*[run(k, [(0, 99)]) for k in range(8)]),
                "Eight run flags fill their byte; there is no padding.",
                [(k << 16, k << 16 | 99) for k in range(8)])
    book.reject("run_flag_missing", single(run(0, [(0, 99)]), run_cookie=False),
                "A run payload under the cookie without runs: 200 bytes of array are not there.",
                "truncated", "b0.c0.payload")
    book.reject("run_flag_cleared", single(run(0, [(0, 99)]), run(1, [(0, 99)]), flags=b"\x02"),
                "The flag of the first run container is not set.", "truncated", "b0.c0.payload")
    book.content("run_flag_on_array_payload", single(array(0, FEW), run_cookie=True, flags=b"\x01"),
                 "A run flag on an array payload makes 5..14 of 1, 5, 9; only the declared "
                 "cardinality gives it away.", "run_cardinality", "b0.c0.payload")


def extremes(book):
    book.accept("empty", single(), "An empty 32-bit bitmap, as gap-filling writers emit.", [])
    book.accept("one_position_zero", single(array(0, [0])), "The position 0 alone.", [(0, 0)])
    book.accept("containers_65536", single(*[array(k, [k]) for k in range(65536)]),
                "The largest possible number of containers.",
                [(k << 16 | k, k << 16 | k) for k in range(65536)])
    book.accept("full_2_32", single(*[run(k, [(0, 65535)]) for k in range(65536)]),
                "Every position of a 32-bit key: 2^32 rows, which are one range.",
                [(0, (1 << 32) - 1)])
    book.accept("last_of_32_bits", single(array(65535, [65535])), "The position 2^32 - 1 alone.",
                [((1 << 32) - 1,) * 2])
    mixed = single(array(0, FEW), bitset(1, EVEN), run(2, [(0, 9999)]), array(9, [65535]))
    ranges = ranges_of(FEW + [1 << 16 | a for a, _ in EVEN]) + [(2 << 16, (2 << 16) + 9999)]
    book.accept("mixed_four", mixed, "All three container types behind an offset header.",
                ranges + [(9 << 16 | 65535,) * 2])
