"""Writer of LZ4 frames with knobs, block sequences by hand included."""

import struct

from hashes import xxh32

MAGIC = 0x184D2204


def sequence(literals, offset=None, match=None):
    """One sequence of a block: literals, then a match of `match` bytes `offset` back, or none."""
    lit = len(literals)
    out = bytearray([min(lit, 15) << 4 | (0 if match is None else min(match - 4, 15))])
    out += _more(lit) + literals
    if match is not None:
        out += struct.pack("<H", offset) + _more(match - 4)
    return bytes(out)


def _more(length):
    """The bytes that continue a length which does not fit four bits."""
    if length < 15:
        return b""
    return b"\xff" * ((length - 15) // 255) + bytes([(length - 15) % 255])


def compress(data):
    """A sound block, greedy, with the literals at the end that the format asks for."""
    out = bytearray()
    seen = {}
    at = start = 0
    while at + 12 < len(data):
        here = data[at : at + 4]
        found = seen.get(here, -1)
        seen[here] = at
        if found < 0 or at - found > 65535:
            at += 1
            continue
        length = 4
        while at + length < len(data) - 5 and data[found + length] == data[at + length]:
            length += 1
        out += sequence(data[start:at], at - found, length)
        at += length
        start = at
    return bytes(out + sequence(data[start:]))


def block(data, stored=False, size=None, checksum=None):
    """One block; `checksum` True appends a sound one, a number appends that number."""
    size = len(data) if size is None else size
    out = struct.pack("<I", size | (1 << 31 if stored else 0)) + data
    if checksum is not None:
        out += struct.pack("<I", xxh32(data) if checksum is True else checksum)
    return out


def frame(
    content,
    blocks=None,
    content_size=True,
    magic=MAGIC,
    version=1,
    independent=True,
    block_checksum=False,
    content_checksum=None,
    dict_id=None,
    reserved=False,
    bd=0x40,
    header_checksum=None,
    end_mark=b"\0\0\0\0",
    tail=b"",
):
    """A frame of `content`, in one compressed block unless `blocks` (ready bytes) are given.

    `content_size`: True for the true one, a number to write that, None to leave it out.
    `content_checksum`: None for none, True for the true one, or a number."""
    flags = version << 6 | independent << 5 | block_checksum << 4
    flags |= (content_size is not None) << 3 | (content_checksum is not None) << 2
    flags |= reserved << 1 | (dict_id is not None)
    head = bytes([flags, bd])
    if content_size is not None:
        head += struct.pack("<Q", len(content) if content_size is True else content_size)
    if dict_id is not None:
        head += struct.pack("<I", dict_id)
    check = xxh32(head) >> 8 & 0xFF if header_checksum is None else header_checksum
    if blocks is None:
        blocks = [block(compress(content), checksum=True if block_checksum else None)]
    out = struct.pack("<I", magic) + head + bytes([check]) + b"".join(blocks) + end_mark
    if content_checksum is not None:
        value = xxh32(content) if content_checksum is True else content_checksum
        out += struct.pack("<I", value)
    return out + tail


def zeros_like(byte, length):
    """A block of `length` times one byte: 1 byte literal, a match at offset 1, 12 literals."""
    return sequence(byte, 1, length - 13) + sequence(byte * 12)
