"""Writer of Delta deletion vector files, descriptors and Z85 text."""

import struct

from blob import DV_MAGIC
from roaring import Layout

ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
)
UUID = "^-aqEH.-t@S}K{vb[*k^"  # the UUID of the example in the Delta protocol


def delta_file(*records, version=b"\x01", tail=b""):
    """A file of records, each a Layout as `blob.frame` makes it; marks v0.length, v0.crc, v1..."""
    out = Layout().put(version)
    for i, record in enumerate(records):
        out.mark(f"v{i}")
        out.embed(record, f"v{i}.")
    out.mark("end")
    return out.put(tail)


def z85(data, pad=b"\0"):
    """Z85 of bytes, padded to a multiple of four."""
    data = bytes(data) + pad * (-len(data) % 4)
    text = ""
    for (value,) in struct.iter_unpack(">I", data):
        group = ""
        for _ in range(5):
            group = ALPHABET[value % 85] + group
            value //= 85
        text += group
    return text


def inline(vector, magic=DV_MAGIC):
    """The bytes of an inline vector: magic and 64-bit bitmap."""
    return magic + bytes(vector.data)


def descriptor(kind, size, cardinality, path=None, offset=None):
    """As in the log; an absent offset is left out, and so is the path of an inline vector."""
    result = {"storageType": kind, "sizeInBytes": size, "cardinality": cardinality}
    if kind != "i" or path is not None:
        result["pathOrInlineDv"] = UUID if path is None else path
    if offset is not None:
        result["offset"] = offset
    return result
