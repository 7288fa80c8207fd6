"""Slow decoder of deletion vectors in plain Python: the second opinion on every case.

It shares no code with the writers. Positions are ranges: lists of inclusive (first, last) pairs.
Checks run in three passes over the whole vector, and a level adds passes to those of the level
below, so what `trusted` refuses every level refuses with the same code and offset:

    structure   trusted    counts, cookies, keys, sizes, offsets, nothing left over
    content     standard   order in arrays and runs, cardinalities
    form        strict     only what a writer of canonical form emits

`interleaved` is the other plausible order (each container's content right after its structure);
it serves to find out in which cases the order matters.

`options["reading"]` is a set of quirks: the bytes are read as a writer with these faults meant them.
"""

import struct
import zlib

DV_MAGIC = b"\xd1\xd3\x39\x64"
NATIVE_MAGIC = b"\xd0\xd3\x39\x64"
MAX_KEY = 0x7FFFFFFF
RANK = {"trusted": 0, "standard": 1, "strict": 2}


class Fault(Exception):
    """Why bytes are refused: an error code and the offset of the field at fault."""

    def __init__(self, code, offset, blob=None):
        super().__init__(f"{code} at {offset}")
        self.code = code
        self.offset = offset
        self.blob = blob


class Vector:
    """A walked vector: facts from its headers, and its positions once they are read."""

    def __init__(self):
        self.bitmaps = []  # dicts: key, key_at, cookie_at, flags_at, n, containers
        self.declared = 0  # sum of the cardinalities in the headers

    def containers(self):
        for bitmap in self.bitmaps:
            yield from bitmap["containers"]


def need(data, at, size, end, fault_at=None):
    if size > end - at:
        raise Fault("truncated", at if fault_at is None else fault_at)


def walk_vector(data, start, end, interleaved=False, reading=frozenset()):
    """The structural pass."""
    need(data, start, 8, end)
    (count,) = struct.unpack_from("<Q", data, start)
    at = start + 8
    if count > MAX_KEY + 1 or count * 12 > end - at:
        raise Fault("bitmap_count_too_large", start)
    vector = Vector()
    previous = -1
    for i in range(count):
        need(data, at, 4, end)
        (key,) = struct.unpack_from("<I", data, at)
        if key > MAX_KEY:
            raise Fault("key_out_of_range", at)
        if key == previous or key < previous and "keys_in_hash_order" not in reading:
            raise Fault("key_order", at)
        previous = key
        bitmap = {"key": key, "key_at": at, "containers": [], "last": i == count - 1}
        vector.bitmaps.append(bitmap)
        at = walk_bitmap(data, at + 4, end, bitmap, interleaved, reading)
    if at != end:
        raise Fault("trailing_bytes", at)
    if "keys_in_hash_order" in reading:
        vector.bitmaps.sort(key=lambda b: (b["key"], b["key_at"]))
        filled = [b for b in vector.bitmaps if b["containers"]]
        for before, bitmap in zip(filled, filled[1:]):
            if before["key"] == bitmap["key"]:
                raise Fault("key_order", bitmap["key_at"])
    vector.declared = sum(c["card"] for c in vector.containers())
    return vector


def walk_bitmap(data, start, end, bitmap, interleaved, reading):
    need(data, start, 4, end)
    (cookie,) = struct.unpack_from("<I", data, start)
    at = start + 4
    bitmap["cookie_at"] = start
    bitmap["flags_at"] = None
    flags = None
    if cookie == 12346:
        need(data, at, 4, end)
        (n,) = struct.unpack_from("<I", data, at)
        if n > 65536:
            raise Fault("too_many_containers", at)
        at += 4
    elif cookie & 0xFFFF == 12347:
        n = (cookie >> 16) + 1
        flag_bytes = (n + 7) // 8
        need(data, at, flag_bytes, end)
        bitmap["flags_at"] = at
        flags = data[at : at + flag_bytes]
        at += flag_bytes
    else:
        raise Fault("bad_cookie", start)
    bitmap["n"] = n

    need(data, at, 4 * n, end)
    heads = []
    previous = -1
    for i in range(n):
        key, card = struct.unpack_from("<HH", data, at)
        if key <= previous:
            raise Fault("container_key_order", at)
        previous = key
        heads.append((key, card + 1, flags is not None and flags[i // 8] >> (i % 8) & 1 == 1))
        at += 4

    offsets_at = None
    if n >= 4 or flags is None and "missing_offset_header" not in reading:
        need(data, at, 4 * n, end)
        offsets_at = at
        at += 4 * n

    for i, (key, card, is_run) in enumerate(heads):
        if offsets_at is not None:
            (offset,) = struct.unpack_from("<I", data, offsets_at + 4 * i)
            if offset != at - start:
                raise Fault("offset_mismatch", offsets_at + 4 * i)
        if is_run:
            need(data, at, 2, end)
            (run_count,) = struct.unpack_from("<H", data, at)
            kind, size = "run", 2 + 4 * run_count
        else:
            kind, size = ("array", 2 * card) if card <= 4096 else ("bitset", 8192)
            if kind == "array" and "undersized_bitset" in reading:
                if card == 4096:
                    holds_bits = bits_of(data[at : at + 8192]).count("1") == card
                elif offsets_at is None:
                    holds_bits = False
                elif i + 1 < n:
                    (following,) = struct.unpack_from("<I", data, offsets_at + 4 * i + 4)
                    holds_bits = following == at + 8192 - start
                else:
                    holds_bits = bitmap["last"] and end - at == 8192
                if holds_bits and end - at >= 8192:
                    kind, size = "bitset", 8192
        need(data, at, size, end)
        base = bitmap["key"] << 32 | key << 16
        container = {"kind": kind, "card": card, "at": at, "size": size, "base": base}
        bitmap["containers"].append(container)
        if interleaved:
            read_container(data, container)
        at += size
    return at


def read_container(data, container):
    """The content pass over one container: its positions as ranges within the container."""
    at, card = container["at"], container["card"]
    if container["kind"] == "array":
        values = struct.unpack_from(f"<{card}H", data, at)
        for i in range(1, card):
            if values[i] <= values[i - 1]:
                raise Fault("array_order", at + 2 * i)
        return join((v, v) for v in values)
    if container["kind"] == "bitset":
        text = bits_of(data[at : at + 8192])[::-1]
        if text.count("1") != card:
            raise Fault("bitset_cardinality", at)
        return join((i, i) for i, digit in enumerate(text) if digit == "1")
    run_count = (container["size"] - 2) // 4
    if run_count == 0:
        raise Fault("run_empty", at)
    runs = []
    for i in range(run_count):
        first, length = struct.unpack_from("<HH", data, at + 2 + 4 * i)
        if runs and first <= runs[-1][1]:
            raise Fault("run_order", at + 2 + 4 * i)
        if first + length > 65535:
            raise Fault("run_overflow", at + 2 + 4 * i)
        runs.append((first, first + length))
    if sum(last - first + 1 for first, last in runs) != card:
        raise Fault("run_cardinality", at)
    container["runs"] = runs
    return join(runs)


def bits_of(data):
    """The digits of a bitset, last row first."""
    return bin(int.from_bytes(data, "little"))[2:]


def join(ranges):
    """Ascending ranges with the touching ones made one."""
    joined = []
    for first, last in ranges:
        if joined and joined[-1][1] + 1 == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def read_positions(data, vector):
    """The content pass: all positions."""
    ranges = []
    for container in vector.containers():
        base = container["base"]
        ranges += [(base + first, base + last) for first, last in read_container(data, container)]
    return join(ranges)


def check_form(vector, data):
    """The form pass: what no canonical writer emits."""
    for bitmap in vector.bitmaps:
        if bitmap["key"] == MAX_KEY:
            raise Fault("key_out_of_range", bitmap["key_at"])
        if bitmap["flags_at"] is not None:
            if not any(c["kind"] == "run" for c in bitmap["containers"]):
                raise Fault("not_canonical", bitmap["cookie_at"])
            last = bitmap["flags_at"] + (bitmap["n"] + 7) // 8 - 1
            used = bitmap["n"] - 8 * ((bitmap["n"] - 1) // 8)
            if data[last] >> used:
                raise Fault("not_canonical", last)
        for container in bitmap["containers"]:
            if container["kind"] == "run":
                check_run_form(container)


def check_run_form(container):
    at, runs = container["at"], container["runs"]
    if container["size"] > min(8192, 2 * container["card"] + 2):
        raise Fault("not_canonical", at)
    for i in range(1, len(runs)):
        if runs[i][0] == runs[i - 1][1] + 1:
            raise Fault("not_canonical", at + 2 + 4 * i)


def decode_bitmap64(data, level, start=0, end=None, options=None, interleaved=False):
    """Positions of a bare 64-bit bitmap; None where `trusted` accepts without knowing them."""
    end = len(data) if end is None else end
    options = options or {}
    if end - start > options.get("max_bytes", end - start):
        raise Fault("limit_exceeded", start)
    reading = options.get("reading", frozenset())
    vector = walk_vector(data, start, end, interleaved and RANK[level] >= 1, reading)
    try:
        ranges = read_positions(data, vector)
    except Fault:
        if level != "trusted":
            raise
        ranges = None
    if ranges is None or level == "trusted":
        cardinality = vector.declared
    else:
        cardinality = sum(last - first + 1 for first, last in ranges)
    if options.get("cardinality", cardinality) != cardinality:
        raise Fault("cardinality_mismatch", start)
    if ranges and ranges[-1][1] >= options.get("row_count", 1 << 64):
        raise Fault("position_out_of_range", start)
    if level == "strict":
        check_form(vector, data)
    return ranges


def decode_blob(data, level, start=0, end=None, options=None, interleaved=False):
    """Positions of a framed deletion-vector-v1 blob."""
    end = len(data) if end is None else end
    options = dict(options or {})
    if end - start > options.pop("max_bytes", end - start):
        raise Fault("limit_exceeded", start)
    reading = options.get("reading", frozenset())
    if "bare_bitmap" in reading:
        return decode_bitmap64(data, level, start, end, options, interleaved)
    if end - start < 20:
        raise Fault("blob_too_small", start)
    (length,) = struct.unpack_from(">I", data, start)
    if length != end - start - 8:
        raise Fault("blob_length", start)
    if data[start + 4 : start + 8] != DV_MAGIC:
        raise Fault("blob_magic", start + 4)
    (crc,) = struct.unpack_from(">I", data, end - 4)
    right = zlib.crc32(data[start + 4 : end - 4])
    inverted = crc == right ^ 0xFFFFFFFF and "crc_not_inverted" in reading
    if level != "trusted" and crc != right and not inverted:
        raise Fault("bad_crc", end - 4)
    return decode_bitmap64(data, level, start + 8, end - 4, options, interleaved)
