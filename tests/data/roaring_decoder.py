"""A slow, strict decoder of deletion vectors and Puffin files, for checking test data.

Written from the format texts alone (Puffin, deletion-vector-v1, the portable Roaring format) and
sharing nothing with dvk or with Iceberg: where all three agree, the fixture is right. It accepts
the canonical form only, so it also says that a writer is well-behaved.
"""

import json
import struct
import zlib

DV_MAGIC = 1681511377
DV_TYPE = "deletion-vector-v1"
RUN_COOKIE = 12347
NO_RUN_COOKIE = 12346


class Malformed(Exception):
    """The bytes break a rule of the format."""


def require(condition, message):
    if not condition:
        raise Malformed(message)


class Bytes:
    """A read position in a byte string; reading past the end is an error, never a short read."""

    def __init__(self, data, start=0, end=None):
        self.data = data
        self.at = start
        self.end = len(data) if end is None else end

    def take(self, layout):
        size = struct.calcsize(layout)
        require(self.at + size <= self.end, f"truncated at byte {self.at}")
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += size
        return values

    def one(self, layout):
        return self.take(layout)[0]


class Content:
    """Positions as inclusive ranges, and how the bytes hold them."""

    def __init__(self):
        self.ranges = []
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def add(self, first, last):
        if self.ranges and self.ranges[-1][1] + 1 == first:
            self.ranges[-1][1] = last
        else:
            require(not self.ranges or self.ranges[-1][1] < first, "positions do not ascend")
            self.ranges.append([first, last])

    def cardinality(self):
        return sum(last - first + 1 for first, last in self.ranges)


def decode_bitset(source, base, cardinality, content):
    words = source.take("<1024Q")
    require(sum(bin(word).count("1") for word in words) == cardinality, "bitset cardinality")
    require(cardinality > 4096, "a bitset of at most 4096 values must be an array")
    for index, word in enumerate(words):
        while word:
            bit = (word & -word).bit_length() - 1
            content.add(base + index * 64 + bit, base + index * 64 + bit)
            word &= word - 1


def decode_runs(source, base, cardinality, content):
    total = 0
    end_before = -2
    for _ in range(source.one("<H")):
        first, extra = source.take("<HH")
        require(first > end_before + 1, "runs overlap, touch or do not ascend")
        require(first + extra <= 0xFFFF, "a run leaves its container")
        content.add(base + first, base + first + extra)
        end_before = first + extra
        total += extra + 1
    require(total == cardinality, "run cardinality")


def decode_bitmap32(source, high, content):
    start = source.at
    cookie = source.one("<I")
    if cookie & 0xFFFF == RUN_COOKIE:
        number = (cookie >> 16) + 1
        flags = source.take(f"<{(number + 7) // 8}B")
        require(any(flags), "run cookie without a run container")
    else:
        require(cookie == NO_RUN_COOKIE, f"cookie {cookie}")
        number = source.one("<I")
        flags = None
    require(number <= 1 << 16, "more than 65536 containers")
    headers = [source.take("<HH") for _ in range(number)]
    keys = [key for key, _ in headers]
    require(keys == sorted(set(keys)), "container keys do not ascend")
    has_offsets = flags is None or number >= 4
    offsets = source.take(f"<{number}I") if has_offsets else None
    for i, (key, card_minus_1) in enumerate(headers):
        if offsets:
            require(offsets[i] == source.at - start, f"offset of container {i}")
        base = high << 32 | key << 16
        cardinality = card_minus_1 + 1
        if flags and flags[i // 8] >> i % 8 & 1:
            content.count("run")
            decode_runs(source, base, cardinality, content)
        elif cardinality > 4096:
            content.count("bitset")
            decode_bitset(source, base, cardinality, content)
        else:
            content.count("array")
            for value in source.take(f"<{cardinality}H"):
                content.add(base + value, base + value)


def decode_bitmap64(data, start=0, end=None):
    source = Bytes(data, start, end)
    content = Content()
    previous = -1
    for _ in range(source.one("<Q")):
        key = source.one("<I")
        require(previous < key < 1 << 31, "keys do not ascend or exceed 31 bits")
        previous = key
        content.count("keys")
        decode_bitmap32(source, key, content)
    require(source.at == source.end, "bytes left after the last bitmap")
    return content


def decode_dv_blob(blob):
    require(len(blob) >= 20, "shorter than an empty deletion vector")
    (length,) = struct.unpack_from(">I", blob, 0)
    require(length == len(blob) - 8, f"length field {length} in a blob of {len(blob)}")
    (magic,) = struct.unpack_from("<I", blob, 4)
    require(magic == DV_MAGIC, f"magic {magic}")
    (crc,) = struct.unpack_from(">I", blob, len(blob) - 4)
    require(crc == zlib.crc32(blob[4:-4]), "CRC")
    return decode_bitmap64(blob, 8, len(blob) - 4)


def decode_puffin(file):
    """The parsed footer and its size."""
    require(len(file) >= 32 and file[:4] == b"PFA1" and file[-4:] == b"PFA1", "magic at an end")
    size, flags = struct.unpack_from("<iI", file, len(file) - 12)
    require(flags == 0, f"flags {flags:#x}")
    start = len(file) - 16 - size
    require(size >= 0 and start >= 4 and file[start : start + 4] == b"PFA1", "footer magic")
    return json.loads(file[start + 4 : start + 4 + size].decode("utf-8")), size + 16
