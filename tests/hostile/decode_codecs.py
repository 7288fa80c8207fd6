"""Slow decoders of LZ4 and Zstandard frames: exactly one frame, content size stated and true.

Zstandard is decoded as far as the cases go: raw and RLE blocks; compressed ones count as broken.
A Zstandard frame that yields less than it declares counts as damaged, not as false in its content
size, because libzstd does not tell the two apart.
"""

from hashes import xxh32, xxh64


class Broken(Exception):
    """`what` is "frame" (grammar), "content_size" (missing or false) or "limit" (declared size)."""

    def __init__(self, what):
        super().__init__(what)
        self.what = what


class Bytes:
    """A cursor that breaks the frame where bytes are missing."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, n):
        if n > len(self.data) - self.at:
            raise Broken("frame")
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, n):
        return int.from_bytes(self.take(n), "little")


def ensure(condition, what="frame"):
    if not condition:
        raise Broken(what)


def lz4(data, limit):
    source = Bytes(data)
    ensure(source.number(4) == 0x184D2204)
    start = source.at
    flags, bd = source.take(2)
    ensure(flags >> 6 == 1 and not flags & 2)
    ensure(not bd & 0x8F and bd >> 4 >= 4)
    independent, block_checks, has_size = flags >> 5 & 1, flags >> 4 & 1, flags >> 3 & 1
    size = source.number(8) if has_size else None
    ensure(not flags & 1)
    header = data[start : source.at]
    ensure(source.number(1) == xxh32(header) >> 8 & 0xFF)
    ensure(size is not None, "content_size")
    ensure(size <= limit, "limit")
    block_max = 1 << 8 + 2 * (bd >> 4)
    out = bytearray()
    while True:
        word = source.number(4)
        if word == 0:
            break
        ensure(word & 0x7FFFFFFF <= block_max)
        body = source.take(word & 0x7FFFFFFF)
        if block_checks:
            ensure(source.number(4) == xxh32(body))
        if word >> 31:
            out += body
        else:
            floor = len(out) if independent else max(0, len(out) - 65536)
            lz4_block(body, out, floor, len(out) + block_max, size)
        ensure(len(out) <= size, "content_size")
    ensure(len(out) == size, "content_size")
    if flags >> 2 & 1:
        ensure(source.number(4) == xxh32(bytes(out)))
    ensure(source.at == len(data))
    return bytes(out)


def lz4_block(body, out, floor, block_end, size):
    """Appends one block; matches reach back to `floor` at most, output to `block_end`."""
    source = Bytes(body)
    while True:
        (token,) = source.take(1)
        literals = lz4_length(source, token >> 4)
        out += source.take(literals)
        ensure(len(out) <= block_end)
        if source.at == len(body):
            return
        offset = source.number(2)
        length = lz4_length(source, token & 15) + 4
        ensure(0 < offset <= len(out) - floor)
        ensure(len(out) + length <= block_end)
        ensure(len(out) + length <= size, "content_size")
        pattern = bytes(out[len(out) - offset :])
        out += (pattern * (length // offset + 1))[:length]


def lz4_length(source, nibble):
    length = nibble
    if nibble == 15:
        while True:
            (more,) = source.take(1)
            length += more
            if more != 255:
                break
    return length


def zstd(data, limit):
    source = Bytes(data)
    ensure(source.number(4) == 0xFD2FB528)
    descriptor = source.number(1)
    flag, single, check = descriptor >> 6, descriptor >> 5 & 1, descriptor >> 2 & 1
    ensure(not descriptor & 8)
    window = None
    if not single:
        byte = source.number(1)
        base = 1 << 10 + (byte >> 3)
        window = base + base // 8 * (byte & 7)
    dict_id = source.number((0, 1, 2, 4)[descriptor & 3])
    size = None
    if flag or single:
        size = source.number((1, 2, 4, 8)[flag]) + (256 if flag == 1 else 0)
    ensure(dict_id == 0)
    ensure(size is not None, "content_size")
    ensure(size <= limit, "limit")
    block_max = min(128 << 10, window or 128 << 10)
    out = bytearray()
    last = False
    while not last:
        word = source.number(3)
        last, kind, n = word & 1, word >> 1 & 3, word >> 3
        ensure(kind < 2)
        ensure(n <= block_max)
        piece = source.take(n) if kind == 0 else source.take(1) * n
        ensure(len(out) + n <= size, "content_size")
        out += piece
    ensure(len(out) == size)
    if check:
        ensure(source.number(4) == xxh64(bytes(out)) & 0xFFFFFFFF)
    ensure(source.at == len(data))
    return bytes(out)
