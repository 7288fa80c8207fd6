"""Cases on deletion vectors in Puffin files: codec, properties, references, bad blobs."""

from blob import blob_of, frame
from casebook import SOUND, Part, PartsBook, above_trusted, everywhere
from cases_puffin import A, B, file_of
from puffin import DROP, dv, sketch
from roaring import Bitmap, array, bitset, of, ranges_of, run, single, vector

ROWS = (1, 3, 5)


def build():
    book = PartsBook("puffin", ".puffin")
    codecs(book)
    properties(book)
    cardinalities(book)
    references(book)
    bad_blobs(book)
    options(book)
    return book


def refused(code, place="payload"):
    return Part(everywhere(code, place))


def codecs(book):
    for codec in ("lz4", "zstd", "none", "", "LZ4", "gzip"):
        file_of(book, f"dv_codec_{codec or 'empty'}",
                [dv(A, *ROWS, codec=codec, part=refused("dv_codec"))],
                "A deletion vector must not state a codec, not even one that means none.",
                **({} if codec != "none" else
                   {"quirk": "velox_footer", "tolerant": [ranges_of(ROWS)]}))
    null = Part({**SOUND, "strict": ("not_canonical", "payload")}, ranges_of(ROWS))
    file_of(book, "dv_codec_null", [dv(A, *ROWS, change={"compression-codec": None}, part=null)],
            "A null codec is as good as none.")


def properties(book):
    def props(name, value, why, **more):
        entry = dv(A, *ROWS, change={"properties": value}, part=refused("dv_properties"))
        file_of(book, f"dv_{name}", [entry], f"{why}.", **more)

    props("no_properties", DROP, "A deletion vector without properties")
    props("empty_properties", {}, "A deletion vector with empty properties")
    props("no_reference", {"cardinality": "3"}, "No data file is named")
    props("empty_reference", {"referenced-data-file": "", "cardinality": "3"},
          "An empty data file name")
    props("no_cardinality", {"referenced-data-file": A}, "No cardinality")
    props("misspelt_reference", {"referenced_data_file": A, "cardinality": "3"}, "Underscores")
    props("case_variant_cardinality", {"referenced-data-file": A, "Cardinality": "3"},
          "Property names are compared exactly")
    more = {"referenced-data-file": A, "cardinality": "3", "future": "x"}
    file_of(book, "dv_unknown_property", [dv(A, *ROWS, change={"properties": more})],
            "A property that a later version may add.")


def cardinalities(book):
    for name, text in (
        ("empty", ""), ("leading_space", " 3"), ("trailing_space", "3 "), ("plus", "+3"),
        ("minus", "-3"),
        ("leading_zero", "03"), ("float", "3.0"), ("exponent", "3e0"), ("hex", "0x3"),
        ("word", "three"),
        ("nul", "3\0"), ("newline", "3\n"), ("arabic", "\u0663"), ("full_width", "\uff13"),
        ("superscript", "\u00b3"), ("underscore", "1_0"), ("comma", "1,000"), ("nan", "NaN"),
        ("minus_zero", "-0"), ("two_zeros", "00"), ("2_63", str(1 << 63)),
        ("2_64_plus_3", str((1 << 64) + 3)),
        ("30_digits", "3" * 30), ("3000_digits", "0" * 2999 + "3"),
    ):
        file_of(book, f"dv_cardinality_{name}",
                [dv(A, *ROWS, cardinality=text, part=refused("dv_properties"))],
                "The cardinality is not a 63-bit number in plain digits.")
    for n in (0, 2, 4, 3 + (1 << 32), (1 << 63) - 1):
        part = refused("cardinality_mismatch", "blob0+8")
        file_of(book, f"dv_cardinality_{n}_vs_3", [dv(A, *ROWS, cardinality=str(n), part=part)],
                f"The footer says {n} rows, the blob has 3.")
    file_of(book, "dv_cardinality_of_empty", [dv(A, part=refused("cardinality_mismatch", "blob0+8"),
                                                 cardinality="1")],
            "The footer says one row, the blob has none.")


def references(book):
    second = dv(A, 2, part=refused("dv_duplicate_reference"))
    file_of(book, "dv_reference_twice", [dv(A, *ROWS), second],
            "Two deletion vectors for one data file.")
    third = dv(A, *ROWS, part=refused("dv_duplicate_reference"))
    file_of(book, "dv_reference_twice_apart", [dv(A, *ROWS), dv(B, 2), sketch(b"x"), third],
            "The fourth blob repeats the data file of the first.")
    bad = dv(A, *ROWS, blob=frame(of(*ROWS), magic=b"\0\0\0\0"),
             part=refused("blob_magic", "blob0+4"))
    file_of(book, "dv_reference_of_bad_blob",
            [bad, dv(A, 2, part=refused("dv_duplicate_reference"))],
            "The data file of a bad blob counts as taken.")
    for name, other in (("case", A.upper()), ("slash", A + "/"),
                        ("scheme", A.replace("s3:", "s3a:")),
                        ("escape", A.replace("a.parquet", "%61.parquet")),
                        ("dot", A.replace("/data/", "/./data/")),
                        ("composed", A + "\u00e9")):
        entries = [dv(A, *ROWS), dv(other, 2)]
        if name == "composed":
            entries[0] = dv(A + "e\u0301", *ROWS)
        file_of(book, f"dv_reference_similar_{name}", entries,
                "Data file names are compared byte for byte; these two differ.")
    a, b = dv(A, *ROWS), dv(B, 2, 4, 6, 8)
    swapped = [
        dv(A, *ROWS, part=refused("cardinality_mismatch", "blob1+8"),
           change={"offset": 4 + len(a.data), "length": len(b.data)}),
        dv(B, 2, 4, 6, 8, part=refused("cardinality_mismatch", "blob0+8"),
           change={"offset": 4, "length": len(a.data)}),
    ]
    file_of(book, "dv_swapped_ranges", swapped, "The ranges of two blobs are swapped.")


def bad_blobs(book):
    """Bad blobs in a sound container, each between two sound ones."""

    def bad(name, blob, cardinality, why, part, **more):
        entry = dv(B, blob=blob, cardinality=str(cardinality), part=part)
        file_of(book, f"dv_blob_{name}", [dv(A, 1), entry, dv(A + "2", 2)], why, **more)

    def content(code, place, **more):
        return Part(above_trusted(code, place), undefined={"trusted"}, **more)

    bad("magic", frame(of(*ROWS), magic=b"PFA1"), 3, "The blob's magic is wrong.",
        refused("blob_magic", "blob1+4"))
    bad("length", frame(of(*ROWS), length=999), 3, "The blob's length field is wrong.",
        refused("blob_length", "blob1"))
    blob = frame(of(*ROWS), crc=0)
    at = f"blob1+{blob.at('crc')}"
    bad("crc", blob, 3, "The blob's CRC is wrong.",
        Part(above_trusted("bad_crc", at), ranges_of(ROWS)))
    blob = frame(vector([(0, Bitmap([array(0, ROWS)]))], count=1 << 40))
    bad("count", blob, 3, "The blob counts 2^40 bitmaps.",
        refused("bitmap_count_too_large", "blob1+8"))
    for name, layout, cardinality, code, place in (
        ("trailing", vector([(0, Bitmap([array(0, ROWS)]))], tail=bytes(4)), 3, "trailing_bytes",
         "end"),
        ("offset", single(array(0, ROWS), array(1, ROWS), offsets=lambda t: t[::-1]), 6,
         "offset_mismatch", "b0.c0.offset"),
        ("keys", vector([(1, Bitmap([array(0, ROWS)])), (0, Bitmap())]), 3, "key_order", "b1.key"),
        ("cookie", single(array(0, ROWS), cookie=12345), 3, "bad_cookie", "b0.cookie"),
    ):
        blob = frame(layout)
        bad(name, blob, cardinality, f"The blob has the fault {code}.",
            refused(code, f"blob1+{blob.at(place)}"),
            **({} if name != "keys" else
               {"quirk": "keys_in_hash_order", "tolerant": [
                   ranges_of((1,)), ranges_of([1 << 32 | row for row in ROWS]), ranges_of((2,))]}))
    for name, layout, cardinality, code, place in (
        ("unsorted", single(array(0, [3, 1, 5])), 3, "array_order", "b0.c0.payload+2"),
        ("bitset", single(bitset(0, [(0, 4999)], 5001)), 5001, "bitset_cardinality",
         "b0.c0.payload"),
        ("run_order", single(run(0, [(5, 9), (0, 4)])), 10, "run_order", "b0.c0.payload+6"),
        ("run_overflow", single(run(0, [(65535, 65536)])), 2, "run_overflow", "b0.c0.payload+2"),
        ("run_cardinality", single(run(0, [(0, 9)], 11)), 11, "run_cardinality", "b0.c0.payload"),
        ("run_empty", single(run(0, [], 1)), 1, "run_empty", "b0.c0.payload"),
    ):
        blob = frame(layout)
        bad(name, blob, cardinality,
            f"The blob has the fault {code}, and the footer agrees with its headers.",
            content(code, f"blob1+{blob.at(place)}"))
    blob = frame(single(array(0, ROWS), run_cookie=True))
    part = Part({**SOUND, "strict": ("not_canonical", f"blob1+{blob.at('b0.cookie')}")},
                ranges_of(ROWS))
    bad("not_canonical", blob, 3, "The blob has a run cookie without runs.", part)
    two = [dv(A, blob=frame(of(*ROWS), length=0), part=refused("blob_length", "blob0")),
           dv(B, blob=frame(of(*ROWS), magic=bytes(4)), part=refused("blob_magic", "blob1+4"))]
    file_of(book, "dv_blob_two_bad", two,
            "Both blobs are bad; the first in the footer names the file's fault.")
    two = [dv(A, blob=frame(of(*ROWS), length=0), part=refused("blob_length", "blob0")),
           dv(B, 2, part=refused("blob_magic", "blob1+4"), blob=frame(of(2), magic=bytes(4)))]
    file_of(book, "dv_blob_two_bad_other_order", two,
            "Both blobs are bad, listed in the other order.",
            order=[1, 0])
    other = sketch(b"anything", codec="snappy", faults=everywhere("unknown_codec", "payload"))
    bad_dv = dv(A, blob=frame(of(*ROWS), magic=bytes(4)), part=refused("blob_magic", "blob1+4"))
    file_of(book, "dv_blob_bad_after_other", [other, bad_dv],
            "A blob of another type cannot be read either, but that is not the file's fault.")


def options(book):
    entry = dv(A, *ROWS, part=refused("position_out_of_range", "blob0+8"))
    file_of(book, "dv_row_count", [entry], "Row 5 of a data file with 5 rows.",
            options={"row_count": 5})
    file_of(book, "dv_row_count_enough", [dv(A, *ROWS)], "Row 5 of a data file with 6 rows.",
            options={"row_count": 6})
    big = dv(A, *ROWS, part=refused("limit_exceeded", "blob0"))
    file_of(book, "dv_max_bytes", [big], "The blob is larger than the caller allows.",
            options={"max_bytes": len(blob_of(*ROWS).data) - 1})
