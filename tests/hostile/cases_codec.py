"""Cases on compression: LZ4 frames around the footer, LZ4 and Zstandard frames around blobs."""

import struct

import lz4_frame as lz4
import zstd_frame as zstd
from casebook import PartsBook, everywhere
from cases_puffin import A, file_of
from lz4_frame import block, compress, sequence
from puffin import dv, puffin, sketch

MIB = 1 << 20
# A footer whose text is written as literals, one match, literals: what is falsified stays small.
LEFT, RIGHT = b'{"blobs":[],"properties":{"pad":"a', b'","created-by":"hostile"}}'
PADDED = LEFT + b"a" * 99 + RIGHT


def build():
    book = PartsBook("puffin", ".puffin")
    sound(book)
    content_sizes(book)
    headers(book)
    frames(book)
    cuts(book)
    blocks(book)
    bombs(book)
    lz4_blobs(book)
    zstd_blobs(book)
    return book


def footer(payload):
    return puffin([], text=PADDED, pack=lambda _: payload)


def refuse(book, name, payload, why, code="footer_lz4"):
    book.reject(f"lz4_{name}", footer(payload), f"{why}.", code, "payload")


def padded(offset=1, match=99, left=LEFT, right=RIGHT):
    return block(sequence(left, offset, match) + sequence(right))


def sound(book):
    def accept(name, why, pack):
        file_of(book, f"lz4_{name}", [dv(A, 1, 3, 5)], f"{why}.", pack=pack)

    accept("compressed", "A compressed footer, one block", lz4.frame)
    accept("stored", "A stored block", lambda t: lz4.frame(t, [block(t, stored=True)]))
    accept("literals_only", "A block without a match", lambda t: lz4.frame(t, [block(sequence(t))]))
    accept("block_checksum", "Block checksums", lambda t: lz4.frame(t, block_checksum=True))
    accept("content_checksum", "A content checksum", lambda t: lz4.frame(t, content_checksum=True))
    accept("both_checksums", "Both kinds of checksum",
           lambda t: lz4.frame(t, block_checksum=True, content_checksum=True))
    for bd in (0x50, 0x60, 0x70):
        accept(f"block_max_{bd >> 4}", "A larger block size", lambda t, bd=bd: lz4.frame(t, bd=bd))
    accept("blocks", "Many independent blocks, stored and compressed", lambda t: lz4.frame(
        t, [block(sequence(t[:50])), block(t[50:51], stored=True),
            block(compress(t[51:]))]))
    accept("linked", "Linked blocks without a reference across", lambda t: lz4.frame(
        t, [block(compress(t[:90])), block(compress(t[90:]))], independent=False))
    first = LEFT + b"a" * 20
    linked = [block(sequence(first)), block(sequence(b"", 1, 79) + sequence(RIGHT))]
    book.parts("lz4_linked_backref", footer(lz4.frame(PADDED, linked, independent=False)),
               "A linked block refers to the block before it.", [])
    book.parts("lz4_match", footer(lz4.frame(PADDED, [padded()])),
               "A match that overlaps itself: 99 bytes from one.", [])


def content_sizes(book):
    n = len(PADDED)
    refuse(book, "no_content_size", lz4.frame(PADDED, content_size=None),
           "The frame does not state its content size", "content_size")
    for name, size, why in (
        ("plus_1", n + 1, "one too large"),
        ("minus_1", n - 1, "one too small"),
        ("0", 0, "zero, which some decoders take for unknown"),
        ("half", n // 2, "half of the true one"),
        ("16_mib", 16 * MIB, "the most that is allowed, and false"),
    ):
        refuse(book, f"content_size_{name}", lz4.frame(PADDED, content_size=size),
               f"The content size is {why}", "content_size")
    for name, size in (("16_mib_plus_1", 16 * MIB + 1), ("2_32", (1 << 32) + n), ("2_40", 1 << 40),
                       ("2_63", 1 << 63), ("max", (1 << 64) - 1)):
        refuse(book, f"content_size_{name}", lz4.frame(PADDED, content_size=size),
               "The content size is above the limit, and must be refused before anything is "
               "allocated",
               "footer_too_large")
    refuse(book, "match_past_content_size", lz4.frame(PADDED, [padded(match=5000)]),
           "A match yields more than the content size", "content_size")
    refuse(book, "two_blocks_past_content_size", lz4.frame(PADDED, [padded(), padded()]),
           "The second block yields more than the content size", "content_size")
    refuse(book, "empty_size_0", lz4.frame(b"", []), "A sound frame of nothing, which is no JSON",
           "footer_json")
    refuse(book, "empty_no_size", lz4.frame(b"", [], content_size=None),
           "A frame of nothing without a content size", "content_size")


def headers(book):
    sound_frame = lz4.frame(PADDED)
    refuse(book, "header_checksum", lz4.frame(PADDED, header_checksum=sound_frame[14] ^ 1),
           "The header checksum is wrong")
    for version in (0, 2, 3):
        refuse(book, f"version_{version}", lz4.frame(PADDED, version=version),
               f"Version bits {version}")
    refuse(book, "reserved_flag", lz4.frame(PADDED, reserved=True), "The reserved flag is set")
    refuse(book, "dict_id", lz4.frame(PADDED, dict_id=7), "A dictionary id")
    refuse(book, "dict_id_0", lz4.frame(PADDED, dict_id=0), "A dictionary id of zero")
    for bd in (0x00, 0x30):
        refuse(book, f"bd_small_{bd >> 4}", lz4.frame(PADDED, bd=bd), "An undefined block size")
    for bd in (0x41, 0x48, 0xC0):
        refuse(book, f"bd_reserved_{bd:02x}", lz4.frame(PADDED, bd=bd),
               "A reserved block bit is set")
    for name, magic in (("zero", 0), ("next", lz4.MAGIC + 1), ("big_endian", 0x04224D18),
                        ("legacy", 0x184C2102), ("skippable", 0x184D2A50)):
        refuse(book, f"magic_{name}", lz4.frame(PADDED, magic=magic), "The magic is another")


def frames(book):
    n = len(PADDED)
    half = n // 2
    whole = lz4.frame(PADDED)
    refuse(book, "two_frames", lz4.frame(PADDED[:half]) + lz4.frame(PADDED[half:]),
           "Two frames that together hold the footer")
    refuse(book, "second_empty_frame", whole + lz4.frame(b"", []),
           "An empty frame after the footer's")
    refuse(book, "trailing_byte", whole + b"\0", "A byte after the frame")
    refuse(book, "trailing_json", whole + PADDED, "Plain JSON after the frame")
    skippable = struct.pack("<II", 0x184D2A50, 4) + b"skip"
    refuse(book, "skippable_first", skippable + whole, "A skippable frame first")
    refuse(book, "skippable_last", whole + skippable, "A skippable frame last")
    body = compress(PADDED)
    refuse(book, "legacy", struct.pack("<II", 0x184C2102, len(body)) + body, "A legacy frame")
    refuse(book, "raw_block", body, "A block without a frame")
    refuse(book, "size_and_block", struct.pack("<I", n) + body,
           "A block behind its size, as some libraries do")
    refuse(book, "zstd_instead", zstd.frame(PADDED), "A Zstandard frame")
    refuse(book, "gzip_instead", bytes.fromhex("1f8b08000000000000") + PADDED, "A gzip header")
    refuse(book, "no_end_mark", lz4.frame(PADDED, end_mark=b""), "The end mark is missing")
    refuse(book, "cut_end_mark", lz4.frame(PADDED, end_mark=b"\0\0\0"), "The end mark is cut")
    refuse(book, "content_checksum_wrong", lz4.frame(PADDED, content_checksum=0x12345678),
           "The content checksum is wrong")
    refuse(book, "content_checksum_missing", lz4.frame(PADDED, content_checksum=True)[:-4],
           "The content checksum is announced and missing")
    refuse(book, "content_checksum_cut", lz4.frame(PADDED, content_checksum=True)[:-1],
           "The content checksum is cut")
    refuse(book, "content_checksum_unannounced", whole + bytes(4), "Four bytes after the end mark")
    checked = [block(compress(PADDED), checksum=0x12345678)]
    refuse(book, "block_checksum_wrong", lz4.frame(PADDED, checked, block_checksum=True),
           "The block checksum is wrong")
    refuse(book, "block_checksum_missing", lz4.frame(PADDED, [block(body)], block_checksum=True),
           "The block checksum is announced and missing")


def cuts(book):
    whole = lz4.frame(PADDED, content_checksum=True)
    for n in (0, 3, 4, 5, 6, 13, 14, 15, 18, 19, 40, len(whole) - 9, len(whole) - 5):
        refuse(book, f"cut_{n}", whole[:n], f"The frame ends after {n} of {len(whole)} bytes")


def blocks(book):
    def bad(name, why, *blocks, code="footer_lz4", **knobs):
        refuse(book, f"block_{name}", lz4.frame(PADDED, list(blocks), **knobs), why, code)

    bad("offset_0", "A match at offset 0, which some decoders fill with stale memory",
        padded(offset=0))
    bad("offset_before_start", "A match one byte before the start", padded(offset=len(LEFT) + 1))
    bad("offset_65535_early", "A match 65535 bytes before the start", padded(offset=65535))
    bad("offset_at_start", "A match in the first sequence, before any byte",
        padded(left=b"", offset=1))
    first = sequence(LEFT + b"a" * 20)
    second = sequence(b"", 1, 79) + sequence(RIGHT)
    bad("independent_backref", "An independent block refers to the one before it",
        block(first), block(second))
    far = sequence(b"", len(LEFT) + 21, 79) + sequence(RIGHT)
    bad("linked_before_start", "A linked block refers to before the first", block(first),
        block(far),
        independent=False)
    bad("literal_overrun", "More literals announced than the block has",
        block(sequence(PADDED)[:-1]), block(b"}", stored=True))
    bad("literal_length_cut", "The block ends within a literal length", block(b"\xf0"))
    bad("literal_length_endless", "A literal length of 2000 bytes 255",
        block(b"\xf0" + b"\xff" * 2000))
    bad("match_length_cut", "The block ends within a match length",
        block(sequence(LEFT, 1, 19)[:-1]))
    bad("match_length_endless", "A match length of 2000 bytes 255",
        block(sequence(LEFT, 1, 19)[:-1] + b"\xff" * 2000))
    bad("match_length_huge", "A match length of 65025 and more",
        block(sequence(LEFT, 1, 65100) + sequence(RIGHT)), code="content_size")
    bad("offset_cut", "The block ends within an offset", block(sequence(LEFT, 1, 10)[:-1]))
    bad("offset_missing", "The block ends before an offset", block(b"\x1fa" + b"\x01"))
    bad("ends_with_match", "The block ends with a match",
        block(sequence(LEFT, 1, 99)), block(RIGHT, stored=True))
    bad("size_huge", "A block of 2 GiB is announced", block(compress(PADDED), size=0x7FFFFFFF))
    bad("size_plus_1", "A block is announced one byte too long", block(compress(PADDED), size=len(
        compress(PADDED)) + 1))
    bad("size_stored_huge", "A stored block of 2 GiB is announced",
        block(PADDED, stored=True, size=0x7FFFFFFF))
    text = LEFT + b"a" * 65536 + RIGHT
    over = lz4.frame(text, [block(text, stored=True)])
    refuse(book, "block_stored_over_max", over, "A stored block above the block size of 64 KiB")
    over = lz4.frame(text, [block(sequence(LEFT, 1, 65536) + sequence(RIGHT))])
    refuse(book, "block_yields_over_max", over, "A block yields more than the block size of 64 KiB")
    over = lz4.frame(text, [block(sequence(text))])
    refuse(book, "block_literals_over_max", over,
           "A block of literals above the block size of 64 KiB")


def bombs(book):
    full = [block(lz4.zeros_like(b" ", 4 * MIB))]
    book.reject("lz4_bomb_64_mib", puffin([], text=b"", pack=lambda _: lz4.frame(
        b"", full * 16, content_size=64 * MIB, bd=0x70)),
        "265 KB inflate to 64 MiB, and say so.", "footer_too_large", "payload")
    book.reject("lz4_bomb_lying", puffin([], text=b"", pack=lambda _: lz4.frame(
        b"", full * 16, content_size=100, bd=0x70)),
        "265 KB inflate to 64 MiB, and say 100 bytes.", "content_size", "payload")
    blank = 16 * MIB - len(PADDED)
    filled = [block(lz4.zeros_like(b" ", 4 * MIB))] * 3
    filled += [block(lz4.zeros_like(b" ", blank - 12 * MIB)), block(compress(PADDED))]
    book.parts("lz4_16_mib", footer(lz4.frame(PADDED, filled, content_size=16 * MIB, bd=0x70)),
               "The largest footer that is allowed, most of it blanks.", [])


def lz4_blobs(book):
    text = b"sketch " * 30

    def blob(name, data, why, code=None, content=None, place="blob0"):
        entry = sketch(data, content, codec="lz4")
        if code is not None:
            entry.part.faults = everywhere(code, place)
        file_of(book, f"blob_lz4_{name}", [entry, dv(A, 1)],
                f"{why}; the deletion vector is sound.")

    blob("sound", lz4.frame(text), "A compressed blob of another type", content=text)
    blob("empty", lz4.frame(b"", []), "A sound frame of nothing", content=b"")
    blob("no_content_size", lz4.frame(text, content_size=None), "No content size", "content_size")
    blob("content_size_minus_1", lz4.frame(text, content_size=len(text) - 1),
         "A false content size",
         "content_size")
    blob("offset_0", lz4.frame(text, [block(sequence(text[:7], 0, 190) + sequence(text[:13]))]),
         "A match at offset 0", "blob_lz4")
    blob("two_frames", lz4.frame(text) * 2, "Two frames", "blob_lz4")
    blob("plain", text, "No frame at all", "blob_lz4")
    blob("zero_length", b"", "No byte at all", "blob_lz4")


def zstd_blobs(book):
    text = b"sketch " * 30
    long = b"\0" * 100000

    def blob(name, data, why, code=None, content=None, options=None, place="blob0"):
        entry = sketch(data, content, codec="zstd")
        if code is not None:
            entry.part.faults = everywhere(code, place)
        file_of(book, f"blob_zstd_{name}", [entry, dv(A, 1)],
                f"{why}; the deletion vector is sound.",
                options=options)

    blob("raw", zstd.frame(text), "A raw block", content=text)
    blob("checksum", zstd.frame(text, checksum=True), "A checksum", content=text)
    window = b"s" * 300
    blob("windowed", zstd.frame(window, single_segment=False), "A window descriptor",
         content=window)
    blob("rle", zstd.frame(long, [zstd.block(zstd.RLE, b"\0", 100000, True)]), "An RLE block",
         content=long)
    pieces = [zstd.block(zstd.RAW, text[:9]), zstd.block(zstd.RLE, b"x", 5),
              zstd.block(zstd.RAW, b"", last=True)]
    mixed = text[:9] + b"xxxxx"
    blob("blocks", zstd.frame(mixed, pieces, checksum=True), "Three blocks", content=mixed)
    blob("empty", zstd.frame(b""), "A sound frame of nothing", content=b"")
    blob("dict_id_0", zstd.frame(text, dict_id=0), "A dictionary id of zero, which means none",
         content=text)
    blob("no_content_size", zstd.frame(text, content_size=None, single_segment=False),
         "No content size",
         "content_size")
    blob("content_size_minus_1", zstd.frame(text, content_size=len(text) - 1),
         "A content size one too small", "content_size")
    blob("content_size_plus_1", zstd.frame(text, content_size=len(text) + 1),
         "A content size one too large, which looks like damage", "blob_zstd")
    blob("content_size_0", zstd.frame(text, content_size=0), "A content size of zero",
         "content_size")
    blob("content_size_2_40", zstd.frame(text, content_size=1 << 40),
         "A content size of 1 TiB, above what the caller allows", "limit_exceeded",
         options={"max_bytes": 1 << 20})
    for name, data, why in (
        ("magic", zstd.frame(text, magic=zstd.MAGIC + 1), "Another magic"),
        ("plain", text, "No frame at all"),
        ("zero_length", b"", "No byte at all"),
        ("lz4_instead", lz4.frame(text), "An LZ4 frame"),
        ("skippable_first", struct.pack("<II", 0x184D2A50, 1) + b"x" + zstd.frame(text),
         "A skippable frame first"),
        ("two_frames", zstd.frame(text) * 2, "Two frames"),
        ("trailing_byte", zstd.frame(text, tail=b"\0"), "A byte after the frame"),
        ("checksum_wrong", zstd.frame(text, checksum=1), "A false checksum"),
        ("checksum_missing", zstd.frame(text, checksum=True)[:-4], "The checksum is missing"),
        ("no_last_block", zstd.frame(text, [zstd.block(zstd.RAW, text)]), "No last block"),
        ("reserved_block", zstd.frame(text, [zstd.block(zstd.RESERVED, text, last=True)]),
         "A block of the reserved type"),
        ("reserved_bit", zstd.frame(text, reserved=True), "The reserved bit of the header is set"),
        ("garbage_block", zstd.frame(text, [zstd.block(zstd.COMPRESSED, b"\xff" * 40, last=True)]),
         "A compressed block of garbage"),
        ("dict_id", zstd.frame(text, dict_id=9), "A dictionary id"),
        ("cut", zstd.frame(text)[:50], "A raw block is cut"),
        ("cut_header", zstd.frame(text)[:5], "The frame header is cut"),
    ):
        blob(name, data, why, "blob_zstd")
    unknown = everywhere("unknown_codec", "payload")
    for name, codec in (("none", "none"), ("empty", ""), ("upper", "LZ4"), ("snappy", "snappy"),
                        ("blank", "zstd ")):
        entry = sketch(text, codec=codec, faults=unknown)
        file_of(book, f"codec_unknown_{name}", [entry, dv(A, 1)],
                "An unknown codec matters only to who reads that blob.")
