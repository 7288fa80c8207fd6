"""Slow decoder of Puffin files: container, footer, and each blob on its own.

Container and footer faults refuse the file. Faults of one blob are kept beside those of the others;
the file is then refused with the first of them in footer order, where a blob that is no deletion
vector counts only by its range.
"""

import json
import re
import struct

import decode_codecs
import decoder
from decoder import Fault

MAGIC = b"PFA1"
FOOTER_LIMIT = 16 << 20
DEPTH_LIMIT = 64
INT64 = range(-(1 << 63), 1 << 63)
INT32 = range(-(1 << 31), 1 << 31)
DV = "deletion-vector-v1"


class BlobResult:
    def __init__(self, meta):
        self.meta = meta
        self.fault = None
        self.ranges = None  # of a deletion vector
        self.content = None  # of any other blob, decompressed


class FileFault(Fault):
    """The first fault of a blob, with all results."""

    def __init__(self, fault, results):
        super().__init__(fault.code, fault.offset, fault.blob)
        self.results = results


def decode_puffin(data, level, options=None):
    """One BlobResult a blob; raises Fault for the container and FileFault for a blob."""
    footer, payload, text = read_footer(data)
    lenient = "velox_footer" in (options or {}).get("reading", ())
    metas = parse_footer(text, payload, lenient)
    results = [BlobResult(meta) for meta in metas]
    overlapping = find_overlaps(metas, footer)
    references = set()
    for i, result in enumerate(results):
        try:
            check_range(result.meta, footer, payload, i in overlapping)
            if result.meta["type"] == DV:
                read_dv(data, level, result, payload, references, options or {})
            else:
                read_other(data, result, payload, options or {})
        except Fault as fault:
            fault.blob = i
            result.fault = fault
    for result in results:
        container = result.fault and result.fault.code in ("blob_range", "blob_overlap")
        if result.fault and (container or result.meta["type"] == DV):
            raise FileFault(result.fault, results)
    return results


def read_footer(data):
    """(offset of the footer, offset of its payload, decompressed payload)"""
    size = len(data)
    if size < 20:
        raise Fault("file_too_small", 0)
    if data[-4:] != MAGIC:
        raise Fault("tail_magic", size - 4)
    if data[-8] & 0xFE or data[-7:-4] != b"\0\0\0":
        raise Fault("footer_flags", size - 8)
    (length,) = struct.unpack_from("<i", data, size - 12)
    if not 0 <= length <= size - 20:
        raise Fault("footer_size", size - 12)
    if length > FOOTER_LIMIT:
        raise Fault("footer_too_large", size - 12)
    payload = size - 12 - length
    if data[payload - 4 : payload] != MAGIC:
        raise Fault("footer_magic", payload - 4)
    if data[:4] != MAGIC:
        raise Fault("head_magic", 0)
    text = data[payload : payload + length]
    if data[-8] & 1:
        try:
            text = decode_codecs.lz4(text, FOOTER_LIMIT)
        except decode_codecs.Broken as broken:
            codes = {"frame": "footer_lz4", "limit": "footer_too_large"}
            raise Fault(codes.get(broken.what, broken.what), payload) from None
    return payload - 4, payload, text


def parse_footer(text, payload, lenient=False):
    """The blobs' metadata, type-checked."""
    try:
        text = text.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault("footer_utf8", payload) from None
    wrong = Fault("footer_json", payload)
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text, re.DOTALL):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
        if depth > DEPTH_LIMIT:
            raise wrong

    def unique(pairs):
        members = dict(pairs)
        if len(members) != len(pairs):
            raise wrong
        return members

    def refuse(_):
        raise wrong

    try:
        root = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except ValueError:
        raise wrong from None
    if has_lone_surrogate(root):
        raise wrong
    if lenient:
        forgive_velox(root)
    return check_shape(root, Fault("footer_shape", payload))


def forgive_velox(root):
    """Makes of an early Velox footer, if it is one, what it should have been."""
    blobs = root.get("blobs") if isinstance(root, dict) else None
    for meta in blobs if isinstance(blobs, list) else []:
        if not isinstance(meta, dict):
            continue
        fields = meta.get("fields")
        if isinstance(fields, list) and any(isinstance(f, dict) for f in fields):
            meta["fields"] = [
                f.get("source-field-id") if isinstance(f, dict) else f for f in fields
            ]
            meta.setdefault("snapshot-id", -1)
            meta.setdefault("sequence-number", -1)
        if meta.get("type") == DV and meta.get("compression-codec") == "none":
            del meta["compression-codec"]


def has_lone_surrogate(value):
    if isinstance(value, dict):
        return any(has_lone_surrogate(k) or has_lone_surrogate(v) for k, v in value.items())
    if isinstance(value, list):
        return any(map(has_lone_surrogate, value))
    return isinstance(value, str) and re.search("[\ud800-\udfff]", value) is not None


def check_shape(root, wrong):
    def ensure(condition):
        if not condition:
            raise wrong

    def integer(value, bounds):
        return type(value) is int and value in bounds

    def strings(value):
        return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())

    ensure(isinstance(root, dict))
    ensure(isinstance(root.get("blobs"), list))
    ensure(strings(root.get("properties", {})))
    for meta in root["blobs"]:
        ensure(isinstance(meta, dict))
        ensure(isinstance(meta.get("type"), str))
        ensure(isinstance(meta.get("fields"), list))
        ensure(all(integer(field, INT32) for field in meta["fields"]))
        for name in ("snapshot-id", "sequence-number", "offset", "length"):
            ensure(integer(meta.get(name), INT64))
        ensure(isinstance(meta.get("compression-codec"), (str, type(None))))
        ensure(strings(meta.get("properties", {})))
    return root["blobs"]


def in_range(meta, footer):
    return 4 <= meta["offset"] <= footer and 0 <= meta["length"] <= footer - meta["offset"]


def find_overlaps(metas, footer):
    """Blobs that start, in file order, before the end of an earlier one."""
    sound = [i for i, m in enumerate(metas) if in_range(m, footer) and m["length"] > 0]
    overlapping = set()
    end = 0
    for i in sorted(sound, key=lambda i: (metas[i]["offset"], i)):
        if metas[i]["offset"] < end:
            overlapping.add(i)
        end = max(end, metas[i]["offset"] + metas[i]["length"])
    return overlapping


def check_range(meta, footer, payload, overlaps):
    if not in_range(meta, footer):
        raise Fault("blob_range", payload)
    if overlaps:
        raise Fault("blob_overlap", payload)


def read_dv(data, level, result, payload, references, options):
    meta = result.meta
    if meta.get("compression-codec") is not None:
        raise Fault("dv_codec", payload)
    properties = meta.get("properties", {})
    reference = properties.get("referenced-data-file", "")
    cardinality = properties.get("cardinality", "")
    if reference == "" or not re.fullmatch("0|[1-9][0-9]*", cardinality):
        raise Fault("dv_properties", payload)
    if int(cardinality) not in INT64:
        raise Fault("dv_properties", payload)
    if reference in references:
        raise Fault("dv_duplicate_reference", payload)
    references.add(reference)
    end = meta["offset"] + meta["length"]
    known = dict(options, cardinality=int(cardinality))
    result.ranges = decoder.decode_blob(data, level, meta["offset"], end, known)
    if level == "strict":
        real_ids = meta["snapshot-id"] != -1 or meta["sequence-number"] != -1
        if real_ids or "compression-codec" in meta:
            result.ranges = None
            raise Fault("not_canonical", payload)


def read_other(data, result, payload, options):
    meta = result.meta
    stored = data[meta["offset"] : meta["offset"] + meta["length"]]
    codec = meta.get("compression-codec")
    if codec is None:
        result.content = stored
        return
    if codec not in ("lz4", "zstd"):
        raise Fault("unknown_codec", payload)
    decode = decode_codecs.lz4 if codec == "lz4" else decode_codecs.zstd
    try:
        result.content = decode(stored, options.get("max_bytes", 1 << 62))
    except decode_codecs.Broken as broken:
        codes = {"frame": f"blob_{codec}", "limit": "limit_exceeded"}
        raise Fault(codes.get(broken.what, broken.what), meta["offset"]) from None
