"""Slow decoder of Delta deletion vectors: whole files, and single vectors by their descriptor.

A descriptor is the log's struct: storageType, pathOrInlineDv, offset, sizeInBytes, cardinality. For
storage type `i` the data is the inline text itself. Faults of a descriptor or of a path are at 0 or
at a character of the path; faults of a text are at its character; faults of a decoded inline vector
count from its magic.
"""

import re
import struct

import decoder
from decode_puffin import FileFault
from decoder import DV_MAGIC, NATIVE_MAGIC, Fault

ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
)


class VectorResult:
    def __init__(self):
        self.fault = None
        self.ranges = None


def decode_delta(data, level, options=None):
    """Positions by descriptor, or one VectorResult a vector of the file."""
    options = dict(options or {})
    descriptor = options.pop("descriptor", None)
    if descriptor is None:
        return decode_file(data, level, options)
    return decode_descriptor(data, level, descriptor, options)


def decode_file(data, level, options):
    check_version(data)
    spans = []
    at = 1
    while at < len(data):
        decoder.need(data, at, 4, len(data))
        (size,) = struct.unpack_from(">I", data, at)
        if size < 12 or size + 8 > len(data) - at:
            raise Fault("delta_size", at)
        spans.append((at, at + size + 8))
        at += size + 8
    results = []
    for start, end in spans:
        result = VectorResult()
        results.append(result)
        try:
            result.ranges = decode_record(data, level, start, end, options)
        except Fault as fault:
            result.fault = fault
    for i, result in enumerate(results):
        if result.fault:
            result.fault.blob = i
            raise FileFault(result.fault, results)
    return results


def check_version(data):
    if len(data) < 1:
        raise Fault("truncated", 0)
    if data[0] != 1:
        raise Fault("delta_version", 0)


def decode_record(data, level, start, end, options):
    if data[start + 4 : start + 8] == NATIVE_MAGIC:
        raise Fault("delta_native_magic", start + 4)
    return decoder.decode_blob(data, level, start, end, options)


def decode_descriptor(data, level, descriptor, options):
    kind, size = descriptor["storageType"], descriptor["sizeInBytes"]
    offset, cardinality = descriptor.get("offset"), descriptor["cardinality"]
    if kind not in ("u", "p", "i") or cardinality < 0 or (kind == "i" and offset is not None):
        raise Fault("delta_descriptor", 0)
    options["cardinality"] = cardinality
    if kind == "i":
        return decode_inline(data, level, size, options)
    check_path(kind, descriptor["pathOrInlineDv"])
    check_version(data)
    offset = 1 if offset is None else offset
    if not 1 <= offset <= len(data) - 4:
        raise Fault("delta_offset", max(offset, 0))
    (stored,) = struct.unpack_from(">I", data, offset)
    if size < 12 or stored != size or size + 8 > len(data) - offset:
        raise Fault("delta_size", offset)
    return decode_record(data, level, offset, offset + size + 8, options)


def check_path(kind, path):
    if kind == "p":
        if path == "":
            raise Fault("delta_descriptor", 0)
        return
    if len(path) < 20:
        raise Fault("z85", 0)
    prefix = path[:-20]
    parts = prefix.split("/")
    if parts[0] == "" and prefix != "" or ".." in parts or re.search(r"\0|:/", prefix):
        raise Fault("delta_descriptor", 0)
    z85(path[-20:], len(prefix))


def z85(text, base):
    """Decoded groups of five characters; `base` is where the text stands, for faults."""
    out = bytearray()
    for i in range(0, len(text), 5):
        value = 0
        for j, character in enumerate(text[i : i + 5]):
            if character not in ALPHABET:
                raise Fault("z85", base + i + j)
            value = value * 85 + ALPHABET.index(character)
        if value > 0xFFFFFFFF:
            raise Fault("z85", base + i)
        out += struct.pack(">I", value)
    return bytes(out)


def hash_tail(group, base, size):
    """A last group of one `#` for each byte that four lack, and digits for those there are."""
    digits = group.lstrip("#")
    if len(group) - len(digits) != 4 - size:
        raise Fault("z85", base)
    value = 0
    for character in digits:
        value = value * 85 + ALPHABET.index(character)
    if value >> 8 * size:
        raise Fault("z85", base)
    return value.to_bytes(size, "big")


def decode_inline(data, level, size, options):
    if size < 12:
        raise Fault("delta_size", 0)
    if len(data) != (size + 3) // 4 * 5:
        raise Fault("z85", 0)
    text = data.decode("latin-1")
    if "z85_hash_tail" in options.get("reading", ()) and size % 4 and text[-5] == "#":
        padded = z85(text[:-5], 0) + hash_tail(text[-5:], len(text) - 5, size % 4)
    else:
        padded = z85(text, 0)
    bytes_ = padded[:size]
    if bytes_[:4] == NATIVE_MAGIC:
        raise Fault("delta_native_magic", 0)
    if bytes_[:4] != DV_MAGIC:
        raise Fault("blob_magic", 0)
    ranges = decoder.decode_bitmap64(bytes_, level, 4, size, options)
    if level == "strict" and padded[size:].strip(b"\0"):
        raise Fault("not_canonical", len(data) - 5)
    return ranges
