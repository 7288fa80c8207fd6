"""Cases on the deletion-vector-v1 frame: size, length, magic, CRC, foreign framings, metadata."""

import struct
import zlib

import cases_bitmap
import cases_containers
import cases_headers
from blob import DV_MAGIC, NATIVE_MAGIC, blob_of, crc32c, frame
from casebook import Book
from roaring import Bitmap, Layout, array, bitset, of, ranges_of, run, single, vector

ROWS = (1, 3, 5, 7, 9)

# Vectors whose fault must be found, and be placed rightly, inside a frame with a good CRC.
WRAPPED = """
    cookie_zero count_65537 count_65536_no_body run_count_65536_no_body cut_run_desc_1
    cut_run_c1_4096 cut_run_c3_1 keys_duplicate keys_signed_order offset_swapped offset_aliased
    offset_missing_norun_1 offset_missing_tiny run_cookie_no_runs run_flag_padding_9_ff03
    run_flag_on_array_payload array_dup_1 array_swap_16 array_signed_order
    array_sign_boundary array_declared_3_has_4 array_oversized_4097 bitset_card_minus_1 bitset_zero
    bitset_undersized_4096 bitset_undersized_2048 bitset_ones_65535 run_overlap_at_7 run_touching
    run_overflow_wrap run_overflow_then_next run_empty run_declared_less run_declared_more
    run_size_2048_runs vector_count_2_63 vector_count_7fffffff_empty_body vector_count_one_more
    vector_count_one_fewer vector_trailing_1 vector_trailing_8 vector_keys_duplicate
    vector_keys_descending_to_0 vector_key_msb vector_key_7fffffff vector_key_7ffffffe
    vector_count_12346 vector_norun_cookie_then_run vector_gap_filled vector_range_across_key
    second_array_order second_offset mixed_four
""".split()


def build():
    book = Book("blob")
    sizes(book)
    lengths(book)
    magics(book)
    checksums(book)
    flips(book)
    framings(book)
    metadata(book)
    sound(book)
    wrapped(book)
    return book


def sizes(book):
    blob = blob_of(*ROWS)
    empty = frame(vector([]))
    for n in (0, 1, 3, 4, 7, 8, 11, 12, 15, 16, 19):
        book.reject(f"size_{n}", empty.cut(n), f"{n} bytes, where a blob has at least 20.",
                    "blob_too_small", 0)
    book.reject("size_12_sound_envelope", frame(b""),
                "Length, magic and CRC around no vector at all: a reader of the count runs over "
                "the end.",
                "blob_too_small", 0)
    book.reject("size_19_sound_envelope", frame(bytes(7)), "An envelope around 7 bytes of a count.",
                "blob_too_small", 0)
    for name, cut in (("half", 25), ("crc_1", "crc+1"), ("crc_3", "crc+3"), ("no_crc", "crc")):
        book.reject(f"cut_{name}", blob.cut(cut),
                    "The blob is cut; the length field gives it away.",
                    "blob_length", "length")
    book.reject("appended_1", blob.with_data(blob.data + b"\0"), "A byte follows the blob.",
                "blob_length", "length")
    book.reject("appended_blob", blob.with_data(blob.data * 2), "A second blob follows the blob.",
                "blob_length", "length")


def lengths(book):
    vector_size = len(of(*ROWS).data)
    true = vector_size + 4
    for name, value, why in (
        ("zero", 0, "is zero"),
        ("minus_1", true - 1, "is one too small"),
        ("plus_1", true + 1, "is one too large"),
        ("without_magic", true - 4, "does not count the magic"),
        ("with_crc", true + 4, "counts the CRC"),
        ("whole_blob", true + 8, "counts the whole blob"),
        ("little_endian", int.from_bytes(struct.pack("<I", true), "big"), "is little-endian"),
        ("ffffffff", 0xFFFFFFFF, "is -1"),
        ("80000000", 0x80000000, "is the smallest signed number"),
        ("7fffffff", 0x7FFFFFFF, "is the largest signed number"),
        ("fffffff8", 0xFFFFFFF8, "wraps to zero when 8 is added"),
        ("wraps_to_size", (true + 8) - (1 << 32), "is the blob size minus 2^32"),
        ("upper_half", true << 16, "stands in the upper half"),
        ("sign_bit", true | 1 << 31, "has its top bit set"),
    ):
        book.reject(f"length_{name}", frame(of(*ROWS), length=value), f"The length field {why}.",
                    "blob_length", "length")
    short = of(*ROWS)
    covered = DV_MAGIC + bytes(short.data[:12])
    inner = frame(short, length=16, crc=lambda _: zlib.crc32(covered))
    book.reject("length_of_a_prefix", inner, "The length and the CRC fit a prefix of the vector.",
                "blob_length", "length")


def magics(book):
    for name, magic, why in (
        ("zero", bytes(4), "The magic is zero"),
        ("ones", b"\xff" * 4, "The magic has all bits set"),
        ("big_endian", DV_MAGIC[::-1], "The magic is byte-swapped"),
        ("first_bit", b"\xd0" + DV_MAGIC[1:3] + b"\x65",
         "The magic differs in its first and last byte"),
        ("last_byte", DV_MAGIC[:3] + b"\x65", "The magic differs in its last byte"),
        ("second_byte", b"\xd1\xd2\x39\x64", "The magic differs in its second byte"),
        ("puffin", b"PFA1", "The magic is that of a Puffin file"),
        ("roaring_cookie", struct.pack("<I", 12346),
         "A Roaring cookie stands in place of the magic"),
    ):
        book.reject(f"magic_{name}", frame(of(*ROWS), magic=magic), f"{why}; the CRC covers it.",
                    "blob_magic", "magic")
    book.reject("magic_delta_native", frame(of(*ROWS), magic=NATIVE_MAGIC),
                "The magic of Delta's older native format, under an otherwise sound frame.",
                "blob_magic", "magic", quirk="delta_native")


def checksums(book):
    positions = ranges_of(ROWS)

    def false(name, why, crc=None, order=">", **more):
        layout = frame(of(*ROWS), crc=crc, crc_order=order)
        book.checksum(f"crc_{name}", layout, why, "crc", positions, **more)

    false("zero", "The CRC is zero.", 0)
    false("ones", "The CRC has all bits set.", 0xFFFFFFFF)
    false("first_bit", "The first bit of the CRC is flipped.", lambda c: zlib.crc32(c) ^ 1 << 31)
    false("last_bit", "The last bit of the CRC is flipped.", lambda c: zlib.crc32(c) ^ 1)
    false("little_endian", "The CRC is little-endian.", order="<")
    false("crc32c", "The CRC has the Castagnoli polynomial.", crc32c)
    false("adler32", "An Adler-32 stands in place of the CRC.", zlib.adler32)
    false("not_inverted", "The CRC lacks its final inversion.", lambda c: ~zlib.crc32(c),
          quirk="crc_not_inverted", tolerant=positions)
    false("zero_start", "The CRC starts from zero instead of ones.",
          lambda c: zlib.crc32(c, 0xFFFFFFFF) ^ 0xFFFFFFFF)
    false("vector_only", "The CRC does not cover the magic.", lambda c: zlib.crc32(c[4:]))
    false("with_length", "The CRC covers the length field too.",
          lambda c: zlib.crc32(struct.pack(">I", len(c)) + c))
    false("one_byte_short", "The CRC does not cover the last byte.", lambda c: zlib.crc32(c[:-1]))
    false("other_blob", "The CRC belongs to another vector.",
          lambda c: zlib.crc32(DV_MAGIC + bytes(of(2, 4).data)))
    lies = frame(single(array(0, [3, 3])), crc=0)
    book.add("crc_zero_and_unsorted", lies,
             "A false CRC over an unsorted array: the CRC goes first.",
             {"strict": ("bad_crc", lies.at("crc")), "standard": ("bad_crc", lies.at("crc")),
              "trusted": None}, undefined={"trusted"})
    bad = frame(single(array(0, [1, 5]), cookie=12345), crc=0)
    crc, cookie = ("bad_crc", bad.at("crc")), ("bad_cookie", bad.at("b0.cookie"))
    book.add("crc_zero_and_cookie", bad,
             "A false CRC over a bad cookie: without the CRC it is the cookie.",
             {"strict": crc, "standard": crc, "trusted": cookie})


def flips(book):
    """Single bits flipped under the old CRC."""
    values = list(range(0, 64, 2))
    blob = frame(of(*values))
    for name, place, mask, seen in (
        ("value_low_bit", "b0.c0.payload", 1, values[:0] + [1] + values[1:]),
        ("value_high_bit", "b0.c0.payload+63", 0x80, values[:-1] + [62 | 0x8000]),
        ("key", "b0.key", 4, [v | 4 << 32 for v in values]),
        ("container_key", "b0.c0.key", 2, [v | 2 << 16 for v in values]),
    ):
        bad = blob.patched(place, bytes([blob.data[blob.at(place)] ^ mask]))
        book.checksum(f"flip_{name}", bad,
                      f"One bit of the field {name} is flipped; the CRC is old.",
                      "crc", ranges_of(seen))
    for name, place, mask, code, at in (
        ("count", "count+7", 0x80, "bitmap_count_too_large", "count"),
        ("cookie", "b0.cookie", 2, "bad_cookie", "b0.cookie"),
        ("offset", "b0.c0.offset", 1, "offset_mismatch", "b0.c0.offset"),
        ("cardinality", "b0.c0.card", 1, "trailing_bytes", "b0.c0.payload+62"),
    ):
        bad = blob.patched(place, bytes([blob.data[blob.at(place)] ^ mask]))
        crc = ("bad_crc", bad.at("crc"))
        book.add(f"flip_{name}", bad, f"One bit of the field {name} is flipped; the CRC is old.",
                 {"strict": crc, "standard": crc, "trusted": (code, bad.at(at))})
    bad = blob.patched("length+3", bytes([blob.data[3] ^ 1]))
    book.reject("flip_length", bad, "One bit of the length is flipped.", "blob_length", "length")
    bad = blob.patched("magic+2", bytes([blob.data[6] ^ 16]))
    book.reject("flip_magic", bad, "One bit of the magic is flipped.", "blob_magic", "magic")


def framings(book):
    plain = of(*ROWS)
    inner = Layout().put(plain.data[12:])
    book.reject("roaring32_inside", frame(inner),
                "The frame holds a 32-bit bitmap instead of a vector.",
                "bitmap_count_too_large", "vector", quirk="roaring32")
    book.reject("bare_vector", plain, "A vector without its frame.", "blob_length", 0,
                quirk="bare_bitmap", tolerant=ranges_of(ROWS))
    book.reject("bare_roaring32", inner, "A 32-bit bitmap without a frame.", "blob_length", 0,
                quirk="roaring32")
    book.reject("bare_with_magic", Layout().put(DV_MAGIC + bytes(plain.data)),
                "Magic and vector without length and CRC, as Delta's inline form.", "blob_length",
                0)
    sized = struct.pack("<I", len(inner.data)) + bytes(inner.data)
    native = frame(struct.pack("<I", 1) + sized, magic=NATIVE_MAGIC)
    book.reject("delta_native_format", native,
                "Delta's older native format: sizes instead of keys.",
                "blob_magic", "magic", quirk="delta_native")
    prefixed = Layout().put(b"\x01" + bytes(blob_of(*ROWS).data))
    book.reject("delta_file_prefix", prefixed, "The version byte of a Delta file stands in front.",
                "blob_length", 0, quirk="delta_file")
    book.reject("puffin_prefix", Layout().put(b"PFA1" + bytes(blob_of(*ROWS).data)),
                "The magic of a Puffin file stands in front.", "blob_length", 0)
    book.reject("double_frame", frame(blob_of(*ROWS)), "A frame within a frame.",
                "bitmap_count_too_large", 8)
    book.reject("empty_bytes_inside", frame(bytes(9)), "A count of zero and one byte more.",
                "trailing_bytes", "vector+8")


def metadata(book):
    positions = ranges_of(ROWS)
    blob = blob_of(*ROWS)
    book.accept("cardinality_5_vs_5", blob, "The manifest's cardinality is right.", positions,
                options={"cardinality": 5, "row_count": 10})
    for n in (0, 4, 6, 5 + (1 << 32), (1 << 63) - 1):
        book.reject(f"cardinality_{n}_vs_5", blob, f"The manifest says {n} rows, the blob has 5.",
                    "cardinality_mismatch", "vector", options={"cardinality": n})
    lying = frame(single(bitset(0, [(0, 4999)], 5001)))
    code = ("bitset_cardinality", lying.at("b0.c0.payload"))
    mismatch = ("cardinality_mismatch", lying.at("vector"))
    book.add("cardinality_as_header_lies", lying,
             "The header of a bitset lies as the manifest does: readers that compare the two are "
             "content.",
             {"strict": code, "standard": code, "trusted": None},
             undefined={"trusted"}, options={"cardinality": 5001})
    book.add("cardinality_true_header_lies", lying,
             "The manifest is right, the header of a bitset lies.",
             {"strict": code, "standard": code, "trusted": mismatch}, options={"cardinality": 5000})
    book.reject("row_count_9", blob, "Row 9 of a file with 9 rows.", "position_out_of_range",
                "vector",
                options={"row_count": 9})
    book.reject("row_count_in_key_0", blob_of(1, 1 << 32),
                "A position past a short file, in key 1.",
                "position_out_of_range", "vector", options={"row_count": 1000})
    book.reject("cardinality_above_row_count", blob, "Five rows of a file with three.",
                "position_out_of_range", "vector", options={"cardinality": 5, "row_count": 3})
    book.reject("max_bytes", blob, "The blob is larger than the caller allows.", "limit_exceeded",
                0,
                options={"max_bytes": len(blob.data) - 1})


def sound(book):
    book.accept("empty", frame(vector([])), "No bitmap: the smallest blob.", [])
    book.accept("empty_bitmap", frame(vector([(0, Bitmap())])), "One empty bitmap.", [])
    book.accept("few", blob_of(*ROWS), "Five rows.", ranges_of(ROWS))
    book.accept("one_row", blob_of(0), "The first row alone.", [(0, 0)])
    far = 0x7FFFFFFE80000000
    book.accept("far", blob_of(0, far), "The first row and the farthest Java can write.",
                [(0, 0), (far, far)])
    odd = vector([(0, Bitmap([run(0, [(0, 999)]), array(1, [4, 5, 6]), bitset(2, [(0, 9999)])]))])
    book.accept("odd_addresses", frame(odd), "Every container lies at an odd address.",
                [(0, 999), (65540, 65542), (131072, 141071)])


def wrapped(book):
    sources = [b for module in (cases_headers, cases_containers, cases_bitmap)
               for b in module.build().cases]
    by_name = {case.name: case for case in sources}
    for name in WRAPPED:
        case = by_name[name]
        faults = {level: fault and (fault[0], fault[1] + 8) for level, fault in case.faults.items()}
        book.add(f"in_frame_{name}", frame(case.data), case.why, faults, ranges=case.ranges,
                 undefined=case.undefined, quirk=case.quirk, tolerant=case.tolerant)
