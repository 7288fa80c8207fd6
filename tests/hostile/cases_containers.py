"""Cases on the payload of containers: arrays, bitsets and runs that are not what they claim."""

import functools
import struct

from casebook import Book
from roaring import array, bitset, ranges_of, run, single

SEAMS = (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 127, 128, 255, 256)
RUN_SEAMS = (1, 2, 3, 4, 7, 8, 15, 16, 31, 32)
EVEN = [(v, v) for v in range(0, 65536, 2)]
PAYLOAD = "b0.c0.payload"


@functools.cache
def build():
    book = Book("bitmap64")
    array_order(book)
    array_sizes(book)
    bitsets(book)
    run_order(book)
    run_bounds(book)
    run_sizes(book)
    return book


def value_at(index, container=0):
    return f"b0.c{container}.payload+{2 * index}"


def run_at(index, container=0):
    return f"b0.c{container}.payload+{2 + 4 * index}"


def array_order(book):
    base = [11 * i for i in range(300)]
    for k in SEAMS:
        values = base[:]
        values[k] = values[k - 1]
        book.content(f"array_dup_{k}", single(array(0, values)),
                     f"Value {k} of an array repeats value {k - 1}.", "array_order", value_at(k))
        values = base[:]
        values[k - 1], values[k] = values[k], values[k - 1]
        book.content(f"array_swap_{k}", single(array(0, values)),
                     f"Values {k - 1} and {k} of an array are swapped.", "array_order", value_at(k))
    for name, values, at, why in (
        ("swap_last", base[:298] + [base[299], base[298]], 299, "The last two values are swapped"),
        ("all_zero", [0] * 20, 1, "All values are zero"),
        ("wrap_last", base[:20] + [65535, 0], 21, "The last value wraps to zero"),
        ("signed_order", [0x8000, 0x0001], 1, "Values rise only when read as signed"),
        ("signed_order_wide", list(range(0x8000, 0x8020)) + list(range(32)), 32,
         "A block of values rises only when read as signed"),
        ("big_endian", [int.from_bytes(struct.pack("<H", v), "big") for v in (1, 255, 256, 300)], 2,
         "Values are big-endian"),
        ("dup_pair", [9, 9], 1, "An array of two equal values"),
        ("descending", list(range(64, 0, -1)), 1, "Values descend"),
        ("order_4096", list(range(4095)) + [4094], 4095, "The last of 4096 values repeats"),
    ):
        book.content(f"array_{name}", single(array(0, values)), f"{why}.", "array_order",
                     value_at(at))
    book.content("array_dup_in_second", single(array(0, [1]), array(1, [1, 2, 2])),
                 "The fault is in the second container; the first has an odd number of values.",
                 "array_order", value_at(2, 1))
    book.content("array_dup_run_cookie", single(run(0, [(0, 99)]), array(1, [1, 2, 3, 3])),
                 "The fault is in an array at an odd address, behind a run container.",
                 "array_order", value_at(3, 1))
    book.accept("array_sign_boundary", single(array(0, [0x7FFF, 0x8000])),
                "Values cross the sign bit in rising order.", [(0x7FFF, 0x8000)])
    wide = list(range(0x7FE0, 0x8020, 2))
    book.accept("array_sign_boundary_wide", single(array(0, wide)),
                "A block of values crosses the sign bit.", ranges_of(wide))
    book.accept("array_bounds", single(array(0, [0, 65535])), "The smallest and largest value.",
                [(0, 0), (65535, 65535)])


def array_sizes(book):
    book.reject("array_declared_5_has_4", single(array(0, [1, 2, 3, 4], card=5)),
                "The header counts one value more than there is.", "truncated", PAYLOAD)
    book.reject("array_declared_3_has_4", single(array(0, [1, 2, 3, 4], card=3)),
                "The header counts one value less than there is: two bytes are left over.",
                "trailing_bytes", value_at(3))
    book.reject("array_declared_less_mid", single(array(0, [1, 2, 3, 4], card=3), array(1, [1])),
                "The first of two arrays is declared too small; the second is not where it should "
                "be.",
                "offset_mismatch", "b0.c1.offset")
    book.reject("array_oversized_4097", single(array(0, list(range(0, 8194, 2)))),
                "An array of 4097 values: from 4097 on the payload is a bitset of 8192 bytes.",
                "trailing_bytes", f"{PAYLOAD}+8192")
    book.reject("array_oversized_mid", single(array(0, list(range(0, 8194, 2))), array(1, [1])),
                "An array of 4097 values before another container.",
                "offset_mismatch", "b0.c1.offset")
    book.accept("array_4096", single(array(0, list(range(0, 8192, 2)))), "The largest array.",
                ranges_of(range(0, 8192, 2)))
    book.accept("array_as_dense_values", single(array(0, list(range(500, 1500)))),
                "An array where a run is smaller, as writers emit that never optimise.",
                [(500, 1499)])


def bitsets(book):
    dense = [(1000, 5999)]  # 5000 rows

    def lying(name, ranges, card, why):
        book.content(f"bitset_{name}", single(bitset(0, ranges, card)), why,
                     "bitset_cardinality", PAYLOAD)

    lying("card_plus_1", dense, 5001, "The header counts one row more than the bits.")
    lying("card_minus_1", dense, 4999, "The header counts one row less than the bits.")
    lying("card_65536", dense, 65536, "The header says all rows, the bits say 5000.")
    lying("zero", [], 5000, "The header says 5000 rows, no bit is set.")
    lying("extra_bit_mid", [(1, 5000), (7000, 7000)], 5000,
          "One bit too many, far behind the others.")
    lying("first_bit", [(0, 0)] + dense, 5000, "One bit too many, the first.")
    lying("last_bit", dense + [(65535, 65535)], 5000, "One bit too many, the last.")
    lying("ones_65535", [(0, 65535)], 65535, "All bits are set, the header says one less.")
    lying("almost_full", [(0, 65534)], 65536, "The last bit is not set, the header says all are.")
    lying("one_bit", [(40000, 40000)], 4097, "One bit is set, the header says 4097.")
    lying("4096_bits_card_4097", EVEN[:4096], 4097, "4096 bits are set, the header says 4097.")
    book.content("bitset_second", single(bitset(0, dense), bitset(1, dense, 5001)),
                 "The second of two bitsets is declared too large.",
                 "bitset_cardinality", "b0.c1.payload")
    book.content("bitset_run_cookie", single(run(0, [(0, 99)]), bitset(1, dense, 4999)),
                 "A bitset at an odd address is declared too small.",
                 "bitset_cardinality", "b0.c1.payload")
    quirk = {"quirk": "undersized_bitset"}
    book.content("bitset_undersized_4096", single(bitset(0, EVEN[:4096], 4096)),
                 "A bitset of 4096 rows must be an array; its 8192 bytes read as one are not "
                 "sorted.",
                 "array_order", value_at(1), tolerant=EVEN[:4096], **quirk)
    book.reject("bitset_undersized_2048", single(bitset(0, EVEN[:2048], 2048)),
                "A bitset of 2048 rows must be an array; 4096 bytes are left over.",
                "trailing_bytes", f"{PAYLOAD}+4096", tolerant=EVEN[:2048], **quirk)
    book.reject("bitset_undersized_mid", single(bitset(0, EVEN[:2048], 2048), array(1, [1])),
                "A bitset of 2048 rows before another container, whose offset gives it away.",
                "offset_mismatch", "b0.c1.offset", tolerant=EVEN[:2048] + [(65537, 65537)],
                **quirk)
    book.reject("bitset_undersized_before_run", single(bitset(0, EVEN, 2048), run(1, [(0, 99)])),
                "A bitset declared with 2048 rows, without offsets: a run count is read out of "
                "its bits.",
                "truncated", f"{PAYLOAD}+4096")  # nothing gives the writer away
    for name, ranges, why in (
        ("4097", EVEN[:4097], "The smallest bitset."),
        ("full", [(0, 65535)], "A bitset with every bit set."),
        ("all_but_one", [(0, 41), (43, 65535)], "A bitset with one bit clear."),
        ("as_dense_values", [(100, 60000)], "A bitset where a run is smaller."),
    ):
        book.accept(f"bitset_{name}", single(bitset(0, ranges)), why, ranges)


def run_order(book):
    def seam(k, change):
        runs = [(20 * i, 20 * i + 4) for i in range(40)]
        runs[k] = change(runs[k - 1], runs[k])
        return single(run(0, runs))

    for k in RUN_SEAMS:
        book.content(f"run_overlap_at_{k}", seam(k, lambda p, r: (p[1] - 1, r[1])),
                     f"Run {k} starts inside the run before it.", "run_order", run_at(k))
    for k in (1, 4, 16):
        book.content(f"run_equal_end_at_{k}", seam(k, lambda p, r: (p[1], r[1])),
                     f"Run {k} starts at the last row of the run before it.", "run_order",
                     run_at(k))
    for name, runs, at, why in (
        ("duplicate", [(5, 9), (5, 9)], 1, "A run stands twice"),
        ("unsorted", [(50, 59), (5, 9)], 1, "Runs descend"),
        ("nested", [(0, 99), (10, 20)], 1, "A run lies within the one before it"),
        ("signed_order", [(0x8000, 0x8009), (1, 9)], 1, "Runs rise only when read as signed"),
        ("last_descends", [(20 * i, 20 * i + 4) for i in range(33)] + [(3, 4)], 33,
         "The last of 34 runs descends"),
        ("overlap_full", [(0, 65535), (65535, 65535)], 1,
         "A run follows one that covers everything"),
    ):
        card = min(sum(b - a + 1 for a, b in runs), 65536)
        book.content(f"run_{name}", single(run(0, runs, card)), f"{why}.", "run_order", run_at(at))
    book.accept("run_sign_boundary", single(run(0, [(0x7FF0, 0x7FFA), (0x8000, 0x8009)])),
                "Runs cross the sign bit in rising order.", [(0x7FF0, 0x7FFA), (0x8000, 0x8009)])
    book.accept("run_touching", single(run(0, [(0, 4), (5, 9)])),
                "Two runs touch and could be one.", [(0, 9)], strict=("not_canonical", run_at(1)))
    for k in (3, 15, 31):
        ranges = [(20 * i, 20 * i + 4) for i in range(40)]
        ranges[k - 1 : k + 1] = [(20 * k - 20, 20 * k + 4)]
        book.accept(f"run_touching_at_{k}", seam(k, lambda p, r: (p[1] + 1, r[1])),
                    f"Run {k} touches the one before it.", ranges,
                    strict=("not_canonical", run_at(k)))


def run_bounds(book):
    for name, runs, at, why in (
        ("by_one", [(65535, 65536)], 0, "A run ends at 65536"),
        ("wrap", [(65000, 66000)], 0, "A run reaches past the container"),
        ("full", [(1, 65536)], 0, "A run of 65536 rows starts at 1"),
        ("longest", [(65535, 131070)], 0, "The largest start with the largest length"),
        ("last_of_three", [(0, 9), (20, 29), (65530, 65540)], 2,
         "The last of three runs is too long"),
        ("then_next", [(60000, 70000), (5000, 5009)], 0,
         "A run wraps in 16 bits, and the next start looks larger than its end"),
        ("at_16", [(20 * i, 20 * i + 4) for i in range(16)] + [(65000, 65536)], 16,
         "The 17th run ends at 65536"),
    ):
        card = min(sum(b - a + 1 for a, b in runs), 65536)
        book.content(f"run_overflow_{name}", single(run(0, runs, card)), f"{why}.",
                     "run_overflow", run_at(at))
    book.content("run_overflow_mid", single(run(0, [(65500, 65600)]), run(1, [(0, 9)])),
                 "A run leaks into the next container.", "run_overflow", run_at(0))
    book.content("run_empty", single(run(0, [], 1)),
                 "A run container with no run: containers are never empty.", "run_empty", PAYLOAD)
    book.content("run_empty_mid", single(run(0, [(0, 9)]), run(1, [], 5), run(2, [(0, 9)])),
                 "The second of three run containers has no run.", "run_empty", "b0.c1.payload")
    for name, count in (("2", 2), ("65535", 65535)):
        book.reject(f"run_count_past_end_{name}", single(run(0, [(0, 9)], count=count)),
                    f"One run is present, {count} are announced.", "truncated", PAYLOAD)
    book.reject("run_count_too_small", single(run(0, [(0, 9), (20, 29)], count=1)),
                "Two runs are present, one is announced.", "trailing_bytes", f"{PAYLOAD}+6")
    for name, card in (("less", 19), ("more", 21), ("1", 1), ("65536", 65536)):
        book.content(f"run_declared_{name}", single(run(0, [(0, 9), (20, 29)], card)),
                     f"The runs hold 20 rows, the header says {card}.", "run_cardinality", PAYLOAD)
    book.content("run_declared_1_full", single(run(0, [(0, 65535)], 1)),
                 "A full container declared with one row: outputs sized by the header overflow.",
                 "run_cardinality", PAYLOAD)
    book.content("run_declared_second", single(run(0, [(0, 9)]), run(1, [(0, 9)], 9)),
                 "The second run container is declared too small.", "run_cardinality",
                 "b0.c1.payload")
    for name, runs, why in (
        ("full", [(0, 65535)], "One run over the whole container."),
        ("ends_at_65535", [(0, 9), (65000, 65535)], "The last run ends at the last row."),
    ):
        book.accept(f"run_{name}", single(run(0, runs)), why, runs)


def run_sizes(book):
    """Run form against array and bitset form: 2+4r bytes against 2c or 8192."""

    def sized(name, runs, why, canonical):
        strict = None if canonical else ("not_canonical", PAYLOAD)
        book.accept(f"run_size_{name}", single(run(0, runs)), why, runs, strict=strict)

    sized("one_row", [(7, 7)], "One row as a run takes 6 bytes, as an array 2.", False)
    sized("two_rows", [(7, 8)],
          "Two rows as a run take 6 bytes, as an array 4: within the two bytes "
          "that Java allows a container which already is a run.", True)
    sized("three_rows", [(7, 9)], "Three rows as a run take as much as the array: a tie.", True)
    sized("four_rows", [(7, 10)], "Four rows as a run are the smaller form.", True)
    sized("pairs", [(0, 0), (2, 2), (4, 4)], "Three single rows as runs take 14 bytes, not 6.",
          False)
    sized("java_tie", [(0, 2), (10, 10)],
          "Two runs of four rows: 10 bytes against 8, which Java keeps "
          "after a range and a single row were added.", True)
    sized("past_java_tie", [(0, 1), (10, 10)], "Two runs of three rows: 10 bytes against 6.", False)
    sized("2047_runs", [(30 * i, 30 * i + 2) for i in range(2047)],
          "2047 runs take 8190 bytes: the most that is smaller than a bitset.", True)
    sized("2048_runs", [(30 * i, 30 * i + 2) for i in range(2048)],
          "2048 runs take 8194 bytes: two more than a bitset.", False)
    sized("32768_runs", EVEN, "Every other row as 32768 runs: the most runs there can be.", False)
