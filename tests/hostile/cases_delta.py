"""Cases on Delta deletion vectors: files, descriptors, inline text."""

import struct

from blob import DV_MAGIC, NATIVE_MAGIC, blob_of, frame
from casebook import SOUND, Part, PartsBook, above_trusted, everywhere
from delta import ALPHABET, UUID, delta_file, descriptor, inline, z85
from roaring import Bitmap, Layout, array, bitset, of, ranges_of, run, single, vector

ROWS, MORE = (1, 3, 5), (0, 2, 4, 1 << 32)
SIZE = len(of(*ROWS).data) + 4  # sizeInBytes of a vector of ROWS: magic and bitmap


def build():
    book = PartsBook("delta")
    files(book)
    bad_vectors(book)
    offsets(book)
    sizes(book)
    descriptors(book)
    inlines(book)
    texts(book)
    return book


def good(*rows):
    return Part(dict(SOUND), ranges_of(rows))


def refused(code, place):
    return Part(everywhere(code, place))


def files(book):
    one, two = blob_of(*ROWS), blob_of(*MORE)
    book.parts("one", delta_file(one), "One vector.", [good(*ROWS)])
    book.parts("three", delta_file(one, two, frame(vector([]))),
               "Three vectors, the last one empty.",
               [good(*ROWS), good(*MORE), good()])
    book.parts("same_twice", delta_file(one, one), "The same vector twice.",
               [good(*ROWS), good(*ROWS)])
    book.parts("version_only", delta_file(), "A version byte and no vector.", [])
    for version in (0, 2, 0x31, 0xFF):
        book.reject(f"version_{version}", delta_file(one, version=bytes([version])),
                    f"The version byte is {version}.", "delta_version", 0)
    book.reject("empty", b"", "An empty file.", "truncated", 0)
    book.reject("no_version", one, "The file begins with the vector.", "delta_version", 0)
    book.reject("puffin_magic", delta_file(one, version=b"PFA1"),
                "The file begins as a Puffin file.",
                "delta_version", 0)
    for n in (1, 3):
        book.reject(f"trailing_{n}", delta_file(one, tail=bytes(n)),
                    f"{n} bytes after the last vector, too few for a size.", "truncated", "end")
    book.reject("trailing_4", delta_file(one, tail=bytes(4)),
                "A size of zero after the last vector.",
                "delta_size", "end")
    for n in (1, 4, 8, 20):
        whole = delta_file(two, one)
        book.reject(f"cut_{n}", whole.cut(f"end-{n}"),
                    f"The last {n} bytes of the file are missing.",
                    "delta_size", "v1")
    for name, size in (("0", 0), ("3", 3), ("11", 11), ("plus_1", SIZE + 1),
                       ("with_frame", SIZE + 8),
                       ("7fffffff", (1 << 31) - 1), ("minus_1", -1), ("int_min", 1 << 31),
                       ("little_endian", int.from_bytes(struct.pack("<I", SIZE), "big"))):
        book.reject(f"size_field_{name}", delta_file(frame(of(*ROWS), length=size)),
                    "The size field does not fit the file.", "delta_size", "v0")
    short = delta_file(frame(of(*ROWS), length=SIZE - 1))
    book.reject("size_field_less_1", short,
                "The size field is one too small: three bytes of the CRC are left, then one.",
                "truncated", "end-1")


def bad_vectors(book):
    """Bad vectors in a file that is well divided, behind a sound one."""

    def bad(name, record, why, part, quirk=None):
        book.parts(f"vector_{name}", delta_file(blob_of(*MORE), record, blob_of(2)), why,
                   [good(*MORE), part, good(2)], quirk=quirk)

    bad("native_magic", frame(of(*ROWS), magic=NATIVE_MAGIC),
        "The magic of the older native format.",
        refused("delta_native_magic", "v1.magic"), quirk="delta_native")
    bad("magic_big_endian", frame(of(*ROWS), magic=DV_MAGIC[::-1]), "The magic is byte-swapped.",
        refused("blob_magic", "v1.magic"))
    bad("magic_zero", frame(of(*ROWS), magic=bytes(4)), "The magic is zero.",
        refused("blob_magic", "v1.magic"))
    bad("crc_zero", frame(of(*ROWS), crc=0), "The CRC is zero.",
        Part(above_trusted("bad_crc", "v1.crc"), ranges_of(ROWS)))
    bad("crc_little_endian", frame(of(*ROWS), crc_order="<"), "The CRC is little-endian.",
        Part(above_trusted("bad_crc", "v1.crc"), ranges_of(ROWS)))
    for name, layout, code, place in (
        ("count", vector([], count=1 << 50), "bitmap_count_too_large", "count"),
        ("trailing", vector([(0, Bitmap([array(0, ROWS)]))], tail=b"\0\0"), "trailing_bytes",
         "end"),
        ("keys", vector([(1, Bitmap()), (1, Bitmap())]), "key_order", "b1.key"),
        ("key_msb", vector([(1 << 31, Bitmap())]), "key_out_of_range", "b0.key"),
        ("offsets", single(array(0, ROWS), array(1, ROWS), offsets=lambda t: [t[0]] * 2),
         "offset_mismatch", "b0.c1.offset"),
    ):
        bad(name, frame(layout), f"A sound frame around the fault {code}.",
            refused(code, f"v1.{place}"))
    for name, layout, code, place in (
        ("unsorted", single(array(0, [5, 3])), "array_order", "b0.c0.payload+2"),
        ("bitset", single(bitset(0, [(0, 4999)], 5001)), "bitset_cardinality", "b0.c0.payload"),
        ("run_overlap", single(run(0, [(0, 9), (9, 12)])), "run_order", "b0.c0.payload+6"),
    ):
        part = Part(above_trusted(code, f"v1.{place}"), undefined={"trusted"})
        bad(name, frame(layout), f"A sound frame around the fault {code}.", part)
    part = Part({**SOUND, "strict": ("not_canonical", "v1.b0.cookie")}, ranges_of(ROWS))
    bad("not_canonical", frame(single(array(0, ROWS), run_cookie=True)),
        "A run cookie without runs.", part)
    far = 0x7FFFFFFE00000000
    bad("far_row", blob_of(far), "A row far away: 34 bytes must not become a mask up to it.",
        good(far))


def by(book, method, name, layout, why, *verdict, kind="u", size=SIZE, cardinality=3, path=None,
       offset=None, row_count=None, **more):
    options = {"descriptor": descriptor(kind, size, cardinality, path, offset)}
    if row_count is not None:
        options["row_count"] = row_count
    getattr(book, method)(f"descriptor_{name}", layout, why, *verdict, options=options, **more)


def offsets(book):
    file = delta_file(blob_of(*ROWS), blob_of(*MORE))
    second = file.at("v1")
    rows = ranges_of(ROWS)
    by(book, "accept", "first", file, "The first vector, at offset 1.", rows, offset=1)
    by(book, "accept", "no_offset", file, "Without an offset the vector is the first.", rows)
    by(book, "accept", "second", file, "The second vector.", ranges_of(MORE), offset=second,
       size=len(of(*MORE).data) + 4, cardinality=4)
    for offset in (0, -1, -(1 << 31)):
        by(book, "reject", f"offset_{offset}", file, "The offset lies before the first vector.",
           "delta_offset", 0, offset=offset)
    for name, offset in (("end", len(file.data)), ("last_3", len(file.data) - 3), ("past", 5000),
                         ("int_max", (1 << 31) - 1)):
        by(book, "reject", f"offset_{name}", file, "The offset leaves no room for a size field.",
           "delta_offset", offset, offset=offset)
    for name, offset in (("at_magic", 5), ("mid", 20), ("plus_1", 2),
                         ("last_4", len(file.data) - 4)):
        by(book, "reject", f"offset_{name}", file, "The offset lies inside a vector.",
           "delta_size", offset, offset=offset)
    by(book, "reject", "offset_of_other", file, "The offset is that of another, larger vector.",
       "delta_size", second, offset=second)
    twins = delta_file(blob_of(*ROWS), blob_of(2, 4, 6))
    by(book, "accept", "offset_of_twin", twins,
       "The offset is that of another vector of equal size and "
       "cardinality; only the log knows.", ranges_of((2, 4, 6)), offset=twins.at("v1"))
    by(book, "reject", "version_2", delta_file(blob_of(*ROWS), version=b"\2"),
       "The file's version is 2.",
       "delta_version", 0, offset=1)
    by(book, "reject", "empty_file", b"", "The file is empty.", "truncated", 0, offset=1)


def sizes(book):
    file = delta_file(blob_of(*ROWS))
    for name, size in (("0", 0), ("minus_1", -1), ("11", 11), ("less_1", SIZE - 1),
                       ("plus_1", SIZE + 1),
                       ("with_frame", SIZE + 8), ("int_max", (1 << 31) - 1),
                       ("int_min", -(1 << 31))):
        by(book, "reject", f"size_{name}", file, "sizeInBytes differs from the size in the file.",
           "delta_size", 1, size=size, offset=1)
    lying = delta_file(frame(of(*ROWS), length=SIZE + 50))
    by(book, "reject", "size_past_end", lying, "Both sizes agree, and the file is shorter.",
       "delta_size", 1, size=SIZE + 50, offset=1)
    by(book, "reject", "size_crc_cut", file.cut("end-1"), "The last byte of the CRC is missing.",
       "delta_size", 1, offset=1)
    for n in (0, 2, 4, 3 + (1 << 32), (1 << 63) - 1):
        by(book, "reject", f"cardinality_{n}", file, f"The log says {n} rows, the vector has 3.",
           "cardinality_mismatch", 9, cardinality=n, offset=1)
    crc = delta_file(frame(of(*ROWS), crc=1))
    by(book, "checksum", "crc", crc, "The CRC is wrong.", "v0.crc", ranges_of(ROWS), offset=1)
    native = delta_file(frame(of(*ROWS), magic=NATIVE_MAGIC))
    by(book, "reject", "native_magic", native, "The magic of the older native format.",
       "delta_native_magic", "v0.magic", offset=1, quirk="delta_native")
    by(book, "reject", "row_count_5", file, "Row 5 of a data file with 5 rows.",
       "position_out_of_range", 9, offset=1, row_count=5)
    by(book, "accept", "row_count_6", file, "Row 5 of a data file with 6 rows.", ranges_of(ROWS),
       offset=1,
       row_count=6)
    lies = delta_file(frame(single(bitset(0, [(0, 4999)], 5001))))
    by(book, "content", "cardinality_of_header", lies, "The log agrees with a header that lies.",
       "bitset_cardinality", "v0.b0.c0.payload", offset=1, cardinality=5001,
       size=len(lies.data) - 9)


def descriptors(book):
    file, rows = delta_file(blob_of(*ROWS)), ranges_of(ROWS)
    by(book, "accept", "path", file, "An absolute path.", rows, kind="p", offset=1,
       path="s3://bucket/table/deletion_vector_1.bin")
    for name, prefix in (("prefix", "ab"), ("prefix_percent", "test%dv%prefix-"),
                         ("prefix_dots", "a..b")):
        by(book, "accept", f"u_{name}", file, "A prefix in front of the UUID.", rows,
           path=prefix + UUID,
           offset=1)
    for name, prefix in (("parent", "../"), ("parent_inside", "a/../../b"), ("parent_last", "a/.."),
                         ("absolute", "/etc"), ("scheme", "file:/"), ("nul", "a\0b")):
        by(book, "reject", f"u_prefix_{name}", file, "A prefix that leaves the table's folder.",
           "delta_descriptor", 0, path=prefix + UUID, offset=1)
    for name, path, place in (
        ("empty", "", 0), ("19", UUID[1:], 0), ("non_ascii", UUID[:7] + "\u00e9" + UUID[8:], 7),
        ("quote", UUID[:19] + '"', 19), ("space", " " + UUID[1:], 0),
        ("overflow", UUID[:10] + "#####" + UUID[15:], 10),
        ("prefix_and_bad", "ab" + UUID[:3] + "~" + UUID[4:], 5),
    ):
        by(book, "reject", f"u_{name}", file, "The path has no Z85 text of 16 bytes at its end.",
           "z85", place, path=path, offset=1)
    for name, kind in (("empty", ""), ("unknown", "x"), ("upper", "U"), ("long", "uu"),
                       ("relative", "r"),
                       ("blank", "u ")):
        by(book, "reject", f"type_{name}", file, f"Storage type {kind!r} is unknown.",
           "delta_descriptor", 0, kind=kind, offset=1)
    by(book, "reject", "path_empty", file, "An empty path.", "delta_descriptor", 0, kind="p",
       path="", offset=1)
    by(book, "reject", "cardinality_minus_1", file, "A negative cardinality.", "delta_descriptor",
       0,
       cardinality=-1, offset=1)


def inlines(book):
    def inside(method, name, data, why, *verdict, size=None, cardinality=3, text=None, **more):
        text = z85(data) if text is None else text
        size = len(data) if size is None else size
        by(book, method, f"inline_{name}", Layout().put(text.encode()), why, *verdict, kind="i",
           size=size,
           cardinality=cardinality, suffix=".z85", **more)

    rows = ranges_of(ROWS)
    data = inline(of(*ROWS))
    inside("accept", "padded", data, f"{len(data)} bytes, padded to a multiple of four.", rows)
    even = inline(of(1, 2))
    inside("accept", "unpadded", even, f"{len(even)} bytes, no padding.", [(1, 2)], cardinality=2)
    inside("accept", "empty", inline(vector([])), "The smallest inline vector.", [], cardinality=0)
    strict = {"strict": ("not_canonical", len(z85(data)) - 5)}
    dirty = z85(data, pad=b"\xa5")
    book.add("descriptor_inline_dirty_padding", dirty.encode(), "The padding is not zero.",
             {**SOUND, **strict}, ranges=rows, suffix=".z85",
             options={"descriptor": descriptor("i", len(data), 3)})
    inside("reject", "offset", data, "An inline vector has no offset.", "delta_descriptor", 0,
           offset=1)
    inside("reject", "cardinality", data, "The log says 4 rows, the vector has 3.",
           "cardinality_mismatch", 4, cardinality=4)
    inside("reject", "native_magic", inline(of(*ROWS), NATIVE_MAGIC),
           "The older native format's magic.",
           "delta_native_magic", 0, quirk="delta_native")
    inside("reject", "magic_big_endian", inline(of(*ROWS), DV_MAGIC[::-1]),
           "The magic is byte-swapped, as in the protocol's own example.", "blob_magic", 0)
    inside("reject", "framed", bytes(blob_of(*ROWS).data), "A frame, which only files have.",
           "blob_magic", 0)
    for n in (0, 1, 3, 4, 8, 11):
        inside("reject", f"size_{n}", data[:n], f"{n} bytes, where magic and count take 12.",
               "delta_size", 0)
    inside("reject", "trailing", data + bytes(4), "Four bytes after the vector.",
           "trailing_bytes", len(data))
    inside("reject", "cut", data[:-2], "The last row is missing.", "truncated", len(data) - 6)
    unsorted = inline(single(array(0, [5, 3, 9])))
    inside("content", "unsorted", unsorted, "The rows are not sorted.", "array_order",
           len(unsorted) - 4)
    inside("reject", "row_count", data, "Row 5 of a data file with 5 rows.",
           "position_out_of_range", 4, row_count=5)


def texts(book):
    data = inline(of(*ROWS))
    text = z85(data)
    size = len(data)

    def bad(name, text, why, place, size=size, **more):
        book.reject(f"descriptor_z85_{name}", text.encode(), f"{why}.", "z85", place,
                    options={"descriptor": descriptor("i", size, 3)}, suffix=".z85", **more)

    bad("empty", "", "No text for a vector that has bytes", 0)
    bad("short_1", text[:-1], "The text is one character short", 0)
    bad("short_5", text[:-5], "The text is one group short", 0)
    bad("long_1", text + "0", "The text is one character too long", 0)
    bad("long_5", text + "00000", "The text is one group too long", 0)
    bad("newline", text + "\n", "A newline follows the text", 0)
    bad("size_minus_4", text, "The size in the log is four smaller", 0, size - 4)
    bad("size_plus_4", text, "The size in the log is four larger", 0, size + 4)
    bad("size_int_max", text, "The size in the log is the largest 32-bit number", 0, (1 << 31) - 1)
    for at, character in ((0, " "), (7, '"'), (12, "~"), (len(text) - 1, "\\"), (3, "\0"),
                          (4, ",")):
        bad(f"character_{at}", text[:at] + character + text[at + 1 :],
            "A character Z85 does not have", at)
    latin = (text[:8] + "\u00e9" + text[10:]).encode()  # as many bytes as the sound text
    book.reject("descriptor_z85_non_ascii", latin, "A character beyond ASCII.", "z85", 8,
                options={"descriptor": descriptor("i", size, 3)}, suffix=".z85")
    bad("overflow", text[:10] + "#####" + text[15:], "A group above 2^32 - 1", 10)
    bad("overflow_by_1", text[:10] + "%nSc1" + text[15:], "A group of exactly 2^32", 10)
    short = {"quirk": "z85_hash_tail"}
    value = int.from_bytes(data[-2:], "big")
    digits = "".join(ALPHABET[value // 85**i % 85] for i in (2, 1, 0))
    bad("short_tail", text[:-5] + "##" + digits,
        "A last group that starts with `#`, as one library ends short input",
        len(text) - 5, tolerant=ranges_of(ROWS), **short)
    bad("short_tail_too_large", text[:-5] + "##%%%", "A short tail whose value takes three bytes",
        len(text) - 5, tolerant_fault=("z85", len(text) - 5), **short)
    bad("short_tail_too_short", text[:-5] + "###%%", "A short tail of one byte where two are due",
        len(text) - 5, tolerant_fault=("z85", len(text) - 5), **short)
