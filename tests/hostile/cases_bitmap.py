"""Cases on the 64-bit vector: count, keys, the seam between bitmaps, and what the caller knows."""

import functools
import struct

from casebook import Book
from roaring import Bitmap, Layout, array, bitset, of, ranges_of, run, vector

FEW = [1, 5, 9]
TOP = 0x7FFFFFFF


def few():
    return Bitmap([array(0, FEW)])


@functools.cache
def build():
    book = Book("bitmap64")
    counts(book)
    left_over(book)
    keys(book)
    gaps(book)
    second_bitmap(book)
    options(book)
    return book


def counts(book):
    sound = vector([(0, few())])
    for name, count in (
        ("2_40", 1 << 40),
        ("2_63", 1 << 63),
        ("minus_1", (1 << 64) - 1),
        ("2_32", 1 << 32),
        ("1_plus_high_garbage", 1 | 1 << 56),
        ("7fffffff", TOP),
        ("80000000", 1 << 31),
        ("80000001", (1 << 31) + 1),
        ("times_12_wraps", (1 << 64) // 12 + 1),
        ("big_endian", 1 << 56),
        ("3_for_1", 3),
    ):
        bad = sound.patched("count", struct.pack("<Q", count))
        why = f"A count of {count} bitmaps of at least 12 bytes each does not fit the bytes."
        book.reject(f"vector_count_{name}", bad, why, "bitmap_count_too_large", "count")
    for name, count in (("7fffffff", TOP), ("1", 1)):
        bad = Layout().put(struct.pack("<Q", count), "count")
        book.reject(f"vector_count_{name}_empty_body", bad,
                    f"A count of {count} with nothing behind it.", "bitmap_count_too_large",
                    "count")
    bad = vector([(0, few())], count=2)
    why = "Two bitmaps are counted, one is there, long enough for the first check to pass."
    book.reject("vector_count_one_more", bad, why, "truncated", "end")
    bad = Layout().put(struct.pack("<I", 1), "count").put(sound.data[8:])
    why = "The count is written in 32 bits; with key 0 it reads as 1, and the cookie as a key."
    book.reject("vector_count_32_bit", bad, why, "bad_cookie", 12)
    bad = Layout().put(struct.pack("<I", 1), "count").put(vector([(7, few())]).data[8:])
    why = "The count is written in 32 bits, and the key becomes its upper half."
    book.reject("vector_count_32_bit_key_7", bad, why, "bitmap_count_too_large", 0)
    for n in (0, 1, 4, 7):
        book.reject(f"vector_cut_count_{n}", sound.cut(n), f"{n} bytes of the 64-bit count.",
                    "truncated", "count")
    for n in (8, 12, 19):
        book.reject(f"vector_cut_first_{n}", sound.cut(n),
                    f"One bitmap in {n - 8} bytes, where 12 are the least.",
                    "bitmap_count_too_large", "count")
    book.reject("vector_bare_roaring32", Layout().put(sound.data[12:]),
                "A bare 32-bit bitmap: its cookie and container count are read as a count.",
                "bitmap_count_too_large", 0, quirk="roaring32")
    for count in (12346, 12347):
        filled = vector([(key, Bitmap()) for key in range(count)])
        book.accept(f"vector_count_{count}", filled,
                    "The count equals a 32-bit cookie; a reader that sniffs takes it for one.", [])
    book.accept("vector_count_0", vector([]), "No bitmap at all.", [])


def left_over(book):
    sound = vector([(0, few())])
    book.reject("vector_count_one_fewer", vector([(0, few()), (1, few())], count=1),
                "One bitmap is counted, two are there.", "trailing_bytes", "b1.key")
    book.reject("vector_zero_with_body", vector([(0, few())], count=0),
                "No bitmap is counted, one is there.", "trailing_bytes", "b0.key")
    for name, tail, why in (
        ("1", b"\0", "One zero byte follows the vector"),
        ("4", bytes(4), "Zero bytes up to the next multiple of four follow"),
        ("8", bytes(8), "Eight zero bytes follow"),
        ("garbage", b"\xa5" * 13, "Garbage follows"),
        ("empty_bitmap", struct.pack("<II", 12346, 0), "An empty 32-bit bitmap follows"),
        ("key_and_bitmap", struct.pack("<III", 1, 12346, 0), "An uncounted entry follows"),
        ("copy", bytes(sound.data), "A copy of the vector follows"),
    ):
        book.reject(f"vector_trailing_{name}", vector([(0, few())], tail=tail), f"{why}.",
                    "trailing_bytes", "end")


def keys(book):
    def keyed(*numbers):
        return vector([(k, few()) for k in numbers])

    def rows(*numbers):
        return ranges_of([k << 32 | v for k in numbers for v in FEW])

    for name, numbers, at, why in (
        ("duplicate", (1, 1), 1, "The same key stands twice, and a map keeps only one of them"),
        ("duplicate_zero", (0, 0), 1, "Key 0 stands twice"),
        ("descending", (0, 5, 4), 2, "The third key descends"),
    ):
        book.reject(f"vector_keys_{name}", keyed(*numbers), f"{why}.", "key_order", f"b{at}.key",
                    **({} if name != "descending" else
                       {"quirk": "keys_in_hash_order", "tolerant": rows(*numbers)}))
    book.reject("vector_keys_descending_to_0", keyed(1, 0),
                "Keys stand in hash order.", "key_order", "b1.key", quirk="keys_in_hash_order",
                tolerant=rows(0, 1))
    for name, numbers, at, why in (
        ("msb", (1 << 31,), 0, "The top bit of the key is set"),
        ("ffffffff", (0xFFFFFFFF,), 0, "The key is -1"),
        ("msb_second", (0, 1 << 31), 1, "The top bit of the second key is set"),
        ("minus_one_first", (0xFFFFFFFF, 0), 0, "The first key is -1, the second 0"),
        ("msb_only_differs", (3, 3 | 1 << 31), 1,
         "The second key is the first with the top bit set"),
    ):
        book.reject(f"vector_key_{name}", keyed(*numbers),
                    f"{why}; positions are signed 64-bit numbers.", "key_out_of_range",
                    f"b{at}.key")
    book.accept("vector_key_7fffffff", keyed(TOP),
                "The largest 31-bit key, which Iceberg's own reader refuses.", rows(TOP),
                strict=("key_out_of_range", "b0.key"))
    book.accept("vector_key_7ffffffe", keyed(TOP - 1),
                "A far key: memory must follow the bytes, not the key.", rows(TOP - 1))
    top = 0x7FFFFFFE80000000
    book.accept("vector_java_max_position", of(top), "The largest position Java can write.",
                [(top, top)])
    book.accept("vector_key_0_and_7ffffffe", keyed(0, TOP - 1), "The nearest and the farthest key.",
                rows(0, TOP - 1))
    book.accept("vector_key_big_endian", keyed(0x01000000),
                "Key 1 written big-endian is another legal key.", rows(0x01000000))
    book.accept("vector_max_int64", of((1 << 63) - 1), "The largest signed 64-bit position.",
                [((1 << 63) - 1,) * 2], strict=("key_out_of_range", "b0.key"))


def gaps(book):
    def filled(*present, upto):
        return vector([(k, few() if k in present else Bitmap()) for k in range(upto)])

    def rows(*numbers):
        return ranges_of([k << 32 | v for k in numbers for v in FEW])

    book.accept("vector_gap_filled", filled(0, 4, upto=5), "Gaps filled with empty bitmaps.",
                rows(0, 4))
    book.accept("vector_leading_empty", filled(3, upto=4), "Empty bitmaps first.", rows(3))
    book.accept("vector_trailing_empty", filled(0, upto=4), "Empty bitmaps last.", rows(0))
    book.accept("vector_all_empty_3", filled(upto=3), "Nothing but empty bitmaps.", [])
    book.accept("vector_sparse_keys", vector([(k, few()) for k in (0, 7, 1000)]),
                "Gaps without entries.", rows(0, 7, 1000))
    book.accept("vector_pos_2_32", of(1 << 32), "The first position of the second key.",
                [(1 << 32,) * 2])
    across = vector([(0, Bitmap([run(65535, [(65000, 65535)])])), (1, Bitmap([run(0, [(0, 99)])]))])
    book.accept("vector_range_across_key", across, "One range crosses from key 0 to key 1.",
                [((1 << 32) - 536, (1 << 32) + 99)])
    mixed = [(0, Bitmap([array(0, FEW)], run_cookie=True)), (1, Bitmap([run(0, [(0, 99)])]))]
    book.accept("vector_norun_cookie_then_run", vector(mixed),
                "A run cookie without runs and then another bitmap: a reader must advance by the "
                "bytes it consumed.", ranges_of(FEW) + [(1 << 32, (1 << 32) + 99)],
                strict=("not_canonical", "b0.cookie"))
    both = [(0, Bitmap([run(0, [(0, 4), (5, 9)])])), (1, Bitmap([array(0, FEW)], run_cookie=True))]
    book.accept("vector_two_forms_not_canonical", vector(both),
                "Both bitmaps deviate from the canonical form; the first is reported.",
                [(0, 9)] + rows(1), strict=("not_canonical", "b0.c0.payload+6"))


def second_bitmap(book):
    sound = (0, Bitmap([array(0, FEW), run(1, [(0, 99)])]))

    def with_second(*containers, **knobs):
        return vector([sound, (1, Bitmap(list(containers), **knobs))])

    first = "b1.c0.payload"
    book.content("second_array_order", with_second(array(0, [1, 3, 2])),
                 "Only the second bitmap has an unsorted array.", "array_order", f"{first}+4")
    book.content("second_bitset_cardinality", with_second(bitset(0, [(0, 4999)], 5001)),
                 "Only the second bitmap has a false bitset.", "bitset_cardinality", first)
    book.content("second_run_order", with_second(run(0, [(0, 9), (9, 19)])),
                 "Only the second bitmap has overlapping runs.", "run_order", f"{first}+6")
    book.content("second_run_overflow", with_second(run(0, [(65535, 65536)])),
                 "Only the second bitmap has a run past its container.", "run_overflow",
                 f"{first}+2")
    book.content("second_run_cardinality", with_second(run(0, [(0, 9)], 11)),
                 "Only the second bitmap has a false run cardinality.", "run_cardinality", first)
    book.reject("second_offset",
                with_second(array(0, FEW), array(1, FEW), offsets=lambda t: t[::-1]),
                "Only the second bitmap has swapped offsets.", "offset_mismatch", "b1.c0.offset")
    book.reject("second_cookie", with_second(array(0, FEW), cookie=12345),
                "Only the second bitmap has a bad cookie.", "bad_cookie", "b1.cookie")
    book.reject("second_container_keys", with_second(array(2, FEW), array(2, FEW)),
                "Only the second bitmap has a repeated container key.",
                "container_key_order", "b1.c1.key")
    book.reject("second_count", with_second(size=70000, tail=bytes(8)),
                "Only the second bitmap counts too many containers.", "too_many_containers",
                "b1.size")
    two = vector([(0, Bitmap([array(0, [3, 3])])), (0, few())])
    book.reject("second_key_after_unsorted", two,
                "The first bitmap has an unsorted array, the second repeats its key: structure "
                "goes first.", "key_order", "b1.key")


def options(book):
    sound = of(1, 2, 3, 1 << 32)
    rows = [(1, 3), (1 << 32, 1 << 32)]
    book.accept("option_cardinality_4", sound, "The cardinality the caller expects.", rows,
                options={"cardinality": 4})
    for n in (0, 3, 5, 4 + (1 << 32), (1 << 63) - 1):
        book.reject(f"option_cardinality_{n}", sound, f"The caller expects {n} rows, 4 are there.",
                    "cardinality_mismatch", "count", options={"cardinality": n})
    for n in ((1 << 32) + 1, (1 << 63) - 1):
        book.accept(f"option_row_count_{n}", sound, "The last position is below the row count.",
                    rows,
                    options={"row_count": n})
    for n in (0, 1, 3, 1 << 32):
        book.reject(f"option_row_count_{n}", sound, f"A position is not below the row count {n}.",
                    "position_out_of_range", "count", options={"row_count": n})
    book.accept("option_row_count_0_empty", vector([]), "No position in a file without rows.", [],
                options={"row_count": 0})
    size = len(sound.data)
    book.accept("option_max_bytes_exact", sound, "As many bytes as the caller allows.", rows,
                options={"max_bytes": size})
    book.reject("option_max_bytes_one_less", sound, "One byte more than the caller allows.",
                "limit_exceeded", 0, options={"max_bytes": size - 1})
