"""Cases on the Puffin container: sizes, magics, footer, flags, ranges of blobs, sound files."""

import functools
import struct

from casebook import Part, PartsBook, SOUND, everywhere
from puffin import DROP, MAGIC, Raw, dv, puffin, sketch

A, B = "s3://bucket/db/table/data/a.parquet", "s3://bucket/db/table/data/b.parquet"
INT64_MAX, INT64_MIN = (1 << 63) - 1, -(1 << 63)


def build():
    book = PartsBook("puffin", ".puffin")
    sizes(book)
    magics(book)
    footer_sizes(book)
    flags(book)
    ranges(book)
    overlaps(book)
    sound(book)
    return book


def file_of(book, name, entries, why, order=None, options=None, quirk=None, tolerant=None, **knobs):
    """A file whose faults, if any, are those of its entries."""
    layout = puffin(entries, order=order, **knobs)
    parts = [entries[i].part for i in order or range(len(entries))]
    for i, part in zip(order or range(len(entries)), parts):
        part.type = entries[i].change.get("type", entries[i].type)
    book.parts(name, layout, why, parts, options=options or {}, quirk=quirk,
               tolerant=tolerant)


def sizes(book):
    for n in (0, 1, 3, 4, 8, 11, 12, 15, 16, 19):
        book.reject(f"size_{n}", (MAGIC * 5)[:n],
                    f"{n} bytes, where three magics and two fields take 20.", "file_too_small", 0)
    book.reject("size_20_no_payload", puffin([], text=b""), "The smallest container has no JSON.",
                "footer_json", "payload")
    book.reject("shared_magic", puffin([], footer_magic=b""),
                "One magic stands for both head and footer start.", "footer_size", "psize")
    book.reject("shared_magic_empty", puffin([], footer_magic=b"", text=b""),
                "One magic stands for both, around no payload.", "file_too_small", 0)


def magics(book):
    entries = [dv(A, 1, 3, 5)]
    sound_file = puffin(entries)
    for name, magic in (("zero", bytes(4)), ("pfa2", b"PFA2"), ("lower", b"pfa1"),
                        ("reversed", b"1AFP")):
        book.reject(f"head_magic_{name}", puffin(entries, head=magic),
                    "The magic at the head is wrong.",
                    "head_magic", 0)
        book.reject(f"footer_magic_{name}", puffin(entries, footer_magic=magic),
                    "The magic in front of the footer is wrong.", "footer_magic", "footer")
        book.reject(f"tail_magic_{name}", puffin(entries, tail=magic),
                    "The magic at the end is wrong.", "tail_magic", "tail")
    book.reject("no_head_magic", puffin(entries, head=b""), "The file begins with a blob.",
                "head_magic", 0)
    book.reject("bare_blob", entries[0].data,
                "A blob without a container, as an early writer left it under this name.",
                "tail_magic", len(entries[0].data) - 4, quirk="bare_blob")
    size = len(sound_file.data)
    for name, data, place, why in (
        ("prepended_1", b"\0" + sound_file.data, 0, "A byte stands in front of the file"),
        ("truncated_1", sound_file.data[:-1], size - 5, "The last byte is missing"),
        ("truncated_half", sound_file.data[: size // 2], size // 2 - 4,
         "The second half is missing"),
        ("appended_1", sound_file.data + b"\0", size - 3, "A byte follows the file"),
        ("appended_newline", sound_file.data + b"\n", size - 3, "A newline follows the file"),
    ):
        code = "head_magic" if place == 0 else "tail_magic"
        book.reject(name, data, f"{why}.", code, place)


def footer_sizes(book):
    entries = [dv(A, 1, 3, 5)]
    for name, psize in (
        ("minus_1", lambda n, size: -1),
        ("minus_12", lambda n, size: -12),
        ("minus_16", lambda n, size: -16),
        ("int_min", lambda n, size: -(1 << 31)),
        ("int_max", lambda n, size: (1 << 31) - 1),
        ("overflow_plus_16", lambda n, size: (1 << 31) - 16),
        ("file", lambda n, size: size),
        ("file_minus_12", lambda n, size: size - 12),
        ("file_minus_16", lambda n, size: size - 16),
        ("file_minus_19", lambda n, size: size - 19),
        ("big_endian", lambda n, size: int.from_bytes(struct.pack("<I", n), "big")),
    ):
        book.reject(f"psize_{name}", puffin(entries, psize=psize),
                    "The payload size is not within the file; at -12 the magic at the end would "
                    "pass for that of the footer.", "footer_size", "psize")
    sound_file = puffin(entries)
    for name, psize, place in (
        ("zero", lambda n, size: 0, "psize-4"),
        ("plus_1", lambda n, size: n + 1, "footer-1"),
        ("minus_one_byte", lambda n, size: n - 1, "footer+1"),
        ("plus_4", lambda n, size: n + 4, "footer-4"),
        ("with_magics", lambda n, size: n + 16, "footer-16"),
        ("file_minus_20", lambda n, size: size - 20, 4),
    ):
        book.reject(f"psize_{name}", puffin(entries, psize=psize),
                    "The payload size leads to a place without the footer's magic.",
                    "footer_magic", place)
    inside = [sketch(b"xxxxPFA1yyyy")]
    at = puffin(inside).at("blob0+8")
    book.reject("psize_covers_blob", puffin(inside, psize=lambda n, size: size - 12 - at),
                "The size leads to a magic inside a blob, and the blob's bytes are read as JSON.",
                "footer_json", at)
    cut = sound_file.data[: sound_file.at("payload+9")] + sound_file.data[sound_file.at("psize") :]
    book.reject("footer_hole", cut, "Most of the payload is missing.", "footer_size", len(cut) - 12)


def flags(book):
    entries = [dv(A, 1, 3, 5)]
    for name, value in (
        ("bit_1", b"\2\0\0\0"),
        ("bit_7", b"\x80\0\0\0"),
        ("compressed_and_bit_1", b"\3\0\0\0"),
        ("byte_1", b"\0\1\0\0"),
        ("byte_2", b"\0\0\1\0"),
        ("byte_3", b"\0\0\0\x80"),
        ("big_endian", b"\0\0\0\1"),
        ("ones", b"\xff" * 4),
    ):
        book.reject(f"flags_{name}", puffin(entries, flags=value), "An unknown flag is set.",
                    "footer_flags", "flags")
    book.reject("flags_compressed_plain", puffin(entries, flags=b"\1\0\0\0"),
                "The payload is marked as compressed, but is plain JSON.", "footer_lz4", "payload")


def ranges(book):
    def changed(name, why, **change):
        bad = dv(A, 1, 3, 5, change=change, part=Part(everywhere("blob_range", "payload")))
        file_of(book, f"range_{name}", [bad, dv(B, 2)], why)

    for value in (0, 3, -1, INT64_MIN, INT64_MAX, (1 << 32) + 4, (1 << 31) - 1):
        changed(f"offset_{value}", f"Offset {value} is outside the space of blobs.", offset=value)
    changed("offset_minus_zero", "Offset -0 is an integer, and outside.", offset=Raw("-0"))
    changed("offset_at_footer", "The blob begins where the footer does.", offset=lambda n: n + 92)
    for value in (-1, INT64_MIN, 1 << 31, INT64_MAX, INT64_MAX - 3, (1 << 32) + 46):
        changed(f"length_{value}", f"Length {value} is outside the space of blobs.", length=value)
    changed("sum_overflow", "Offset plus length overflows.", offset=INT64_MAX, length=INT64_MAX)
    changed("sum_wraps", "Offset plus length wraps in 64 bits to a sound end.",
            offset=INT64_MAX, length=INT64_MIN)
    changed("negative_pair", "Offset and length are both negative.", offset=-50, length=-50)
    changed("head_magic", "The blob begins with the magic of the file.", offset=0,
            length=lambda n: n + 4)
    last = dv(B, 2, change={"length": lambda n: n + 1},
              part=Part(everywhere("blob_range", "payload")))
    file_of(book, "range_length_plus_1", [dv(A, 1), last], "The last blob reaches into the footer.")
    for name, change, why in (
        ("past_eof", {"length": lambda n: n + 400}, "The last blob ends past the file"),
        ("over_footer_magic", {"length": lambda n: n + 4},
         "The last blob covers the footer's magic"),
        ("in_footer", {"offset": lambda n: n + 60}, "The blob lies in the footer"),
        ("at_eof", {"offset": lambda n: n + 100000, "length": 0}, "An empty range past the file"),
    ):
        last = dv(B, 2, change=change, part=Part(everywhere("blob_range", "payload")))
        file_of(book, f"range_{name}", [dv(A, 1), last], f"{why}.")
    empty = dv(A, 1, change={"length": 0}, part=Part(everywhere("blob_too_small", "blob0")))
    file_of(book, "range_length_0", [empty], "A deletion vector of zero bytes.")
    short = dv(A, 1, change={"length": 19}, part=Part(everywhere("blob_too_small", "blob0")))
    file_of(book, "range_length_19", [short], "A deletion vector of 19 bytes.")
    short = dv(A, 1, change={"length": lambda n: n - 1},
               part=Part(everywhere("blob_length", "blob0")))
    file_of(book, "range_length_minus_1", [short], "The range is one byte shorter than the blob.")
    late = dv(A, 1, change={"offset": 5, "length": lambda n: n - 1},
              part=Part(everywhere("blob_length", 5)))
    file_of(book, "range_offset_plus_1", [late], "The range begins one byte late.")
    other = sketch(b"12345678", change={"length": 1 << 40},
                   faults=everywhere("blob_range", "payload"))
    file_of(book, "range_other_type", [dv(A, 1), other],
            "The range of a blob of another type is false; ranges are the container's affair.")


def overlaps(book):
    def overlap():
        return Part(everywhere("blob_overlap", "payload"))

    size = len(dv(A, 1, 3, 5).data)
    second = dv(B, 1, 3, 5, change={"offset": 4}, part=overlap())
    file_of(book, "overlap_same", [dv(A, 1, 3, 5), second], "Two data files claim the same blob.")
    second = dv(B, 2, change={"offset": lambda n: n - 1, "length": lambda n: n + 1}, part=overlap())
    file_of(book, "overlap_by_1", [dv(A, 1, 3, 5), second],
            "A blob begins in the last byte of another.")
    inner = sketch(b"x" * 8, change={"offset": 8}, faults=everywhere("blob_overlap", "payload"))
    file_of(book, "overlap_nested", [dv(A, 1, 3, 5), inner], "A blob lies within another.")
    blamed = dv(A, 1, 3, 5, part=overlap())
    outer = sketch(b"xxxx", b"xxxx" + blamed.data, change={"length": 4 + size})
    file_of(book, "overlap_outer", [outer, blamed],
            "A blob of another type covers a deletion vector; the one that starts later is blamed.")
    inner = dv(B, 2, change={"offset": 4, "length": 20}, part=overlap())
    file_of(book, "overlap_footer_order", [dv(A, 1, 3, 5), inner],
            "Two blobs start at one place; the later in the footer is blamed.")
    many = [dv(A, 1, 3, 5)]
    for i in range(63):
        many.append(dv(f"{A}.{i}", change={"offset": 4, "length": size}, part=overlap()))
        many[-1].data = b""
    file_of(book, "overlap_many", many, "64 entries share one blob: little space, much work.")


def sound(book):
    book_file = functools.partial(file_of, book)
    book_file("empty", [], "No blob, as an unused writer leaves it.", properties=DROP)
    book_file("empty_properties", [], "No blob, empty file properties.", properties={})
    book_file("one_dv", [dv(A, 1, 3, 5)], "One deletion vector, as Iceberg Java writes it.")
    book_file("two_dvs", [dv(A, 1, 3, 5), dv(B, 2)], "Two deletion vectors.")
    book_file("dv_empty", [dv(A)], "A deletion vector without rows.")
    book_file("footer_order", [dv(A, 1), dv(B, 2, 3), sketch(b"t" * 40)],
              "The footer lists the blobs in another order than the file.", order=[2, 0, 1])
    book_file("gap_between", [dv(A, 1), dv(B, 2, gap=13)], "Unused bytes between blobs.")
    book_file("gap_first", [dv(A, 1, gap=1)], "Unused bytes before the first blob.")
    book_file("gap_footer", [dv(A, 1)], "Unused bytes before the footer.", footer_gap=7)
    book_file("unused_blob", [sketch(b"PFA1" * 4)], "A blob full of magics.")
    book_file("unknown_type", [sketch(b"?", type="some-future-blob-v9"), dv(A, 1)],
              "A blob of an unknown type is skipped.")
    book_file("type_is_case_sensitive", [sketch(b"?", type="Deletion-Vector-v1")],
              "Types are compared exactly; this one is unknown.")
    book_file("type_empty", [sketch(b"?", type="")], "An empty type is an unknown one.")
    book_file("zero_length_other", [dv(A, 1), sketch(b"")], "A blob of another type may be empty.")
    same = sketch(b"", change={"offset": 6})
    book_file("zero_length_inside", [dv(A, 1), same], "An empty blob overlaps nothing.")
    book_file("fields_empty", [dv(A, 1, change={"fields": []})],
              "A deletion vector without fields.")
    book_file("fields_other", [dv(A, 1, change={"fields": [1, -5, 2147483647]})],
              "A deletion vector with other fields.")
    ids = Part({**SOUND, "strict": ("not_canonical", "payload")}, [(1, 1)])
    book_file("ids_real", [dv(A, 1, ids=77, part=ids)],
              "The ids of a deletion vector are not -1; they do not matter.")
    ids = Part({**SOUND, "strict": ("not_canonical", "payload")}, [(1, 1)])
    book_file("sequence_number_real", [dv(A, 1, change={"sequence-number": 0}, part=ids)],
              "The sequence number of a deletion vector is not -1.")
    book_file("ids_int64_bounds", [sketch(b"x", change={"snapshot-id": INT64_MAX,
              "sequence-number": INT64_MIN})], "The largest and smallest 64-bit ids.")
    book_file("path_of_4_byte_characters", [dv("s3://b/\U0001f9ca/\u00e9.parquet", 1)],
              "A path beyond ASCII, raw in the footer.")
    book_file("path_is_json", [dv('{"blobs":[]}\\"\n\t\u0001', 1)], "A path that needs escapes.")
    tail = MAGIC + b"{}" + struct.pack("<I", 2) + bytes(4) + MAGIC
    book_file("footer_in_blob", [sketch(tail)], "A blob that looks like a footer.")
