"""Writer of Zstandard frames with knobs: raw and RLE blocks."""

import struct

from hashes import xxh64

MAGIC = 0xFD2FB528
RAW, RLE, COMPRESSED, RESERVED = range(4)


def block(kind, data, size=None, last=False):
    """One block; for RLE `data` is the byte and `size` how often it stands."""
    size = len(data) if size is None else size
    return struct.pack("<I", size << 3 | kind << 1 | last)[:3] + data


def frame(
    content,
    blocks=None,
    content_size=True,
    checksum=None,
    magic=MAGIC,
    single_segment=True,
    reserved=False,
    dict_id=None,
    window=0x38,
    tail=b"",
):
    """A frame of `content`, in one raw block unless `blocks` (ready bytes) are given.

    `content_size`: True for the true one, a number to write that, None to leave it out (which
    single_segment=False allows). `checksum`: None for none, True for the true one, or a number."""
    size = len(content) if content_size is True else content_size
    if size is None:
        flag, field = 0, b""
    elif single_segment and size < 256:
        flag, field = 0, bytes([size])
    elif 256 <= size < 65792:
        flag, field = 1, struct.pack("<H", size - 256)
    elif size < 1 << 32:
        flag, field = 2, struct.pack("<I", size)
    else:
        flag, field = 3, struct.pack("<Q", size)
    descriptor = flag << 6 | single_segment << 5 | reserved << 3 | (checksum is not None) << 2
    descriptor |= 0 if dict_id is None else 3
    out = struct.pack("<IB", magic, descriptor)
    if not single_segment:
        out += bytes([window])
    if dict_id is not None:
        out += struct.pack("<I", dict_id)
    out += field
    if blocks is None:
        blocks = [block(RAW, content, last=True)]
    out += b"".join(blocks)
    if checksum is not None:
        value = xxh64(content) & 0xFFFFFFFF if checksum is True else checksum
        out += struct.pack("<I", value)
    return out + tail
