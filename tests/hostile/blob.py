"""Writer of deletion-vector-v1 frames with knobs, and checksums written out.

Marks added to those of the vector: length, magic, vector, crc, blob_end.
"""

import struct
import zlib

from roaring import Layout, of

DV_MAGIC = b"\xd1\xd3\x39\x64"
NATIVE_MAGIC = b"\xd0\xd3\x39\x64"


def frame(vector, length=None, magic=DV_MAGIC, crc=None, crc_order=">"):
    """`vector` is a Layout or bytes; `crc` is a number or a function of magic + vector."""
    if not isinstance(vector, Layout):
        vector = Layout().put(vector)
    covered = magic + bytes(vector.data)
    out = Layout()
    out.put(struct.pack(">I", len(covered) if length is None else length & 0xFFFFFFFF), "length")
    out.put(magic, "magic")
    out.mark("vector")
    out.embed(vector)
    if crc is None:
        crc = zlib.crc32(covered)
    elif callable(crc):
        crc = crc(covered)
    out.put(struct.pack(crc_order + "I", crc & 0xFFFFFFFF), "crc")
    out.mark("blob_end")
    return out


def blob_of(*values):
    """A sound blob of a few positions."""
    return frame(of(*values))


def crc32c(data):
    """CRC-32 with the Castagnoli polynomial, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF
