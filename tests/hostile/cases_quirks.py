"""Cases on blobs with the faults of known writers, as these wrote them: several at once, and limits."""

import zlib

from blob import frame
from casebook import Book
from roaring import Bitmap, array, bitset, ranges_of, run, single, vector

FEW = (1, 5, 9)
EVEN = [(v, v) for v in range(0, 65536, 2)]


def build():
    book = Book("blob")
    hash_order(book)
    undersized(book)
    without_offsets(book)
    together(book)
    return book


def rows(key, container_key, values):
    return ranges_of([key << 32 | container_key << 16 | v for v in values])


def hash_order(book):
    def reject(name, entries, at, why, **more):
        book.reject(f"hash_order_{name}", frame(vector(entries)), f"{why}.", "key_order",
                    f"b{at}.key", quirk="keys_in_hash_order", **more)

    def few():
        return Bitmap([array(0, FEW)])

    kinds = Bitmap([array(0, FEW), bitset(1, EVEN[:5000]), run(2, [(0, 9), (20, 99)]),
                    run(7, [(5, 65535)])])
    reject("all_kinds", [(9, few()), (2, kinds), (0, few()), (5, few())], 1,
           "Containers of all kinds under keys in hash order",
           tolerant=rows(0, 0, FEW) + rows(2, 0, FEW)
           + [(2 << 32 | 1 << 16 | a, 2 << 32 | 1 << 16 | b) for a, b in EVEN[:5000]]
           + [(2 << 32 | 2 << 16 | a, 2 << 32 | 2 << 16 | b) for a, b in ((0, 9), (20, 99))]
           + [(2 << 32 | 7 << 16 | 5, 2 << 32 | 7 << 16 | 65535)]
           + rows(5, 0, FEW) + rows(9, 0, FEW))
    many = [key * 7 % 101 for key in range(101)]
    reject("many", [(key, few()) for key in many], 15, "A hundred keys in the order of a hash table",
           tolerant=[r for key in range(101) for r in rows(key, 0, FEW)])
    empties = [(4, Bitmap()), (3, few()), (4, few()), (0, Bitmap())]
    reject("empty_again", empties, 1, "A key stands twice, but once without rows",
           tolerant=rows(3, 0, FEW) + rows(4, 0, FEW))
    twice = vector([(5, few()), (0, few()), (5, Bitmap([array(3, FEW)]))])
    reject("repeated", [(5, few()), (0, few()), (5, Bitmap([array(3, FEW)]))], 1,
           "A key stands twice, with rows in different containers",
           tolerant_fault=("key_order", frame(twice).at("b2.key")))
    side_by_side = [(5, few()), (0, few()), (0, Bitmap([array(3, FEW)]))]
    reject("repeated_next", side_by_side, 1, "A key stands twice, side by side",
           tolerant_fault=("key_order", frame(vector(side_by_side)).at("b2.key")))


def undersized(book):
    quirk = {"quirk": "undersized_bitset"}
    three = [bitset(0, EVEN[:2000], 2000), array(1, FEW), run(2, [(0, 99)]),
             bitset(3, EVEN[:4096], 4096)]
    layout = single(*three)
    positions = (EVEN[:2000] + rows(0, 1, FEW) + [(2 << 16, (2 << 16) + 99)]
                 + [(3 << 16 | a, 3 << 16 | b) for a, b in EVEN[:4096]])
    book.reject("undersized_among_runs", frame(layout),
                "A run cookie has offsets from four containers on; two of them are bitsets of few "
                "rows.", "offset_mismatch", "b0.c1.offset", tolerant=positions, **quirk)
    one = single(bitset(0, EVEN[:1], 1))
    book.reject("undersized_one_row", frame(one), "A bitset of one row.", "trailing_bytes",
                "b0.c0.payload+2", tolerant=[(0, 0)], **quirk)
    lies = frame(single(bitset(0, EVEN[:2001], 2000)))
    book.reject("undersized_lies", lies, "A bitset of few rows, and of one more than it says.",
                "trailing_bytes", "b0.c0.payload+4000", undefined={"trusted"},
                tolerant_fault=("bitset_cardinality", lies.at("b0.c0.payload")), **quirk)
    full = list(range(0, 8192, 2))
    book.accept("array_of_4096", frame(single(array(0, full))),
                "An array as large as a bitset, which no mode takes for one.", ranges_of(full))
    followed = vector([(0, Bitmap([bitset(0, EVEN[:2000], 2000)])), (1, Bitmap([array(0, FEW)]))])
    book.reject("undersized_then_bitmap", frame(followed),
                "A bitset of few rows ends a bitmap that another follows: its size is nowhere "
                "stated.", "key_order", "b0.c0.payload+4000")


def without_offsets(book):
    quirk = {"quirk": "missing_offset_header"}

    def bare(key, n):
        return key, Bitmap([array(k, FEW) for k in range(n)], offsets=False)

    def positions(key, n):
        return [r for k in range(n) for r in rows(key, k, FEW)]

    two = frame(vector([bare(0, 2), bare(1, 3)]))
    book.reject("offset_missing_twice", two, "Two bitmaps without offset headers.",
                "offset_mismatch", "b0.c0.payload", tolerant=positions(0, 2) + positions(1, 3),
                **quirk)
    mixed = frame(vector([bare(0, 3), (1, Bitmap([array(k, FEW) for k in range(4)]))]))
    book.reject("offset_missing_then_present", mixed,
                "The second bitmap has four containers, and its offset header.",
                "offset_mismatch", "b0.c0.payload", tolerant=positions(0, 3) + positions(1, 4),
                **quirk)
    half = frame(vector([bare(0, 2), (1, Bitmap([array(k, FEW) for k in range(2)]))]))
    book.reject("offset_missing_once", half,
                "Only one of two small bitmaps lacks the offset header: no writer's.",
                "offset_mismatch", "b0.c0.payload")


def together(book):
    plain = vector([(0, Bitmap([array(0, FEW)], offsets=False))])
    book.reject("bare_without_offsets", plain, "A vector without frame and without offset header.",
                "blob_length", 0, quirk="bare_bitmap", tolerant=rows(0, 0, FEW),
                tolerated={"bare_bitmap", "missing_offset_header"})
    order = frame(vector([(1, Bitmap([array(0, FEW)])), (0, Bitmap([array(0, FEW)]))]),
                  crc=lambda c: ~zlib.crc32(c))
    book.add("crc_not_inverted_hash_order", order,
             "A CRC without its inversion over keys in hash order: the CRC goes first.",
             {"strict": ("bad_crc", order.at("crc")), "standard": ("bad_crc", order.at("crc")),
              "trusted": ("key_order", order.at("b1.key"))},
             quirk={"strict": "crc_not_inverted", "standard": "crc_not_inverted",
                    "trusted": "keys_in_hash_order"},
             tolerant=rows(0, 0, FEW) + rows(1, 0, FEW),
             tolerated={"crc_not_inverted", "keys_in_hash_order"})
