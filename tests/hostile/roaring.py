"""Writer of Roaring bitmaps that can lie about every field it writes.

Left alone, it writes sound portable 64-bit bitmaps. Each knob falsifies one field and leaves the
rest as it was. While writing, it notes the position of every field under a name ("marks"), so that
a case can say where its fault lies without counting bytes:

    count                     the u64 number of bitmaps
    b0.key b0.cookie          32-bit key and cookie of the first bitmap
    b0.size                   the u32 container count (cookie 12346 only)
    b0.flags                  run flags (cookie 12347 only)
    b0.desc b0.c2.key b0.c2.card   descriptors: all, and key and cardinality of the third container
    b0.offsets b0.c2.offset   offset header: all, and one entry
    b0.c2.payload             container bytes
    b0.end end                first byte after the bitmap, and after the vector
"""

import re
import struct
from dataclasses import dataclass, field

NO_RUN_COOKIE = 12346
RUN_COOKIE = 12347


class Layout:
    """Bytes in the making, with named positions."""

    def __init__(self):
        self.data = bytearray()
        self.marks = {}

    def mark(self, name):
        self.marks[name] = len(self.data)

    def put(self, data, name=None):
        if name is not None:
            self.mark(name)
        self.data += data
        return self

    def at(self, place):
        """Position of "mark", "mark+3", "mark-1" or of a plain number."""
        if isinstance(place, int):
            return place
        name, distance = re.fullmatch(r"([^+-]+)([+-]\d+)?", place).groups()
        return self.marks[name] + int(distance or 0)

    def embed(self, other, prefix=""):
        """Appends another layout, its marks shifted and prefixed."""
        base = len(self.data)
        for name, position in other.marks.items():
            self.marks[prefix + name] = base + position
        self.data += other.data
        return self

    def cut(self, place):
        """A copy that ends at `place`."""
        return self.with_data(self.data[: self.at(place)])

    def with_data(self, data):
        """A copy with other bytes and the same marks."""
        copy = Layout()
        copy.data = bytearray(data)
        copy.marks = dict(self.marks)
        return copy

    def patched(self, place, data):
        """A copy with the bytes at `place` overwritten."""
        position = self.at(place)
        copy = self.with_data(self.data)
        copy.data[position : position + len(data)] = data
        return copy


@dataclass
class Container:
    key: int
    is_run: bool
    payload: bytes
    card: int


def array(key, values, card=None):
    """An array container; the values are written as given, in whatever order."""
    payload = struct.pack(f"<{len(values)}H", *values)
    return Container(key, False, payload, len(values) if card is None else card)


def bitset(key, ranges, card=None):
    """A bitset container over inclusive ranges."""
    bits = 0
    for first, last in ranges:
        bits |= (1 << (last + 1)) - (1 << first)
    true_card = bin(bits).count("1")
    return Container(key, False, bits.to_bytes(8192, "little"), true_card if card is None else card)


def run(key, runs, card=None, count=None):
    """A run container over inclusive (first, last) pairs; last may lie past 65535."""
    payload = struct.pack("<H", len(runs) if count is None else count)
    payload += b"".join(struct.pack("<HH", first, last - first) for first, last in runs)
    true_card = sum(last - first + 1 for first, last in runs)
    return Container(key, True, payload, true_card if card is None else card)


@dataclass
class Bitmap:
    """A 32-bit bitmap. Knobs: `run_cookie`, `cookie`, `size` override what is derived from the
    containers; `flags` replaces the run flags; `offsets` is True/False to force the header in or
    out, or a function from the true offsets to those written; `tail` follows the last container."""

    containers: list = field(default_factory=list)
    run_cookie: bool = None
    cookie: int = None
    size: int = None
    flags: bytes = None
    offsets: object = None
    tail: bytes = b""

    def write(self, out, name):
        n = len(self.containers)
        runs = [c.is_run for c in self.containers]
        run_cookie = any(runs) if self.run_cookie is None else self.run_cookie
        start = len(out.data)
        if run_cookie:
            size = n if self.size is None else self.size
            cookie = RUN_COOKIE | (size - 1) << 16 if self.cookie is None else self.cookie
            out.put(struct.pack("<I", cookie), f"{name}.cookie")
            flags = bytearray((n + 7) // 8)
            for i, is_run in enumerate(runs):
                flags[i // 8] |= is_run << (i % 8)
            out.put(flags if self.flags is None else self.flags, f"{name}.flags")
        else:
            cookie = NO_RUN_COOKIE if self.cookie is None else self.cookie
            out.put(struct.pack("<I", cookie), f"{name}.cookie")
            out.put(struct.pack("<I", n if self.size is None else self.size), f"{name}.size")
        out.mark(f"{name}.desc")
        for i, c in enumerate(self.containers):
            out.put(struct.pack("<H", c.key), f"{name}.c{i}.key")
            out.put(struct.pack("<H", (c.card - 1) & 0xFFFF), f"{name}.c{i}.card")
        with_offsets = (not run_cookie or n >= 4) if self.offsets in (None, True, False) else True
        if self.offsets in (True, False):
            with_offsets = self.offsets
        out.mark(f"{name}.offsets")
        if with_offsets:
            position = len(out.data) - start + 4 * n
            true_offsets = []
            for c in self.containers:
                true_offsets.append(position)
                position += len(c.payload)
            written = self.offsets(true_offsets) if callable(self.offsets) else true_offsets
            for i, offset in enumerate(written):
                out.put(struct.pack("<I", offset), f"{name}.c{i}.offset")
        for i, c in enumerate(self.containers):
            out.put(c.payload, f"{name}.c{i}.payload")
        out.put(self.tail)
        out.mark(f"{name}.end")


def vector(entries, count=None, tail=b""):
    """A 64-bit bitmap from (key, Bitmap) pairs, written in the order given."""
    out = Layout()
    out.put(struct.pack("<Q", len(entries) if count is None else count), "count")
    for i, (key, bitmap) in enumerate(entries):
        out.put(struct.pack("<I", key), f"b{i}.key")
        bitmap.write(out, f"b{i}")
    out.mark("end")
    out.put(tail)
    return out


def single(*containers, **knobs):
    """A 64-bit bitmap with one 32-bit bitmap under key 0."""
    return vector([(0, Bitmap(list(containers), **knobs))])


def of(*values):
    """A sound 64-bit bitmap of a few positions, in arrays."""
    keys = {}
    for value in sorted(values):
        keys.setdefault(value >> 32, {}).setdefault(value >> 16 & 0xFFFF, []).append(value & 0xFFFF)
    return vector(
        [(key, Bitmap([array(hi, low) for hi, low in parts.items()])) for key,
         parts in keys.items()]
    )


def ranges_of(values):
    """Positions as maximal inclusive ranges."""
    ranges = []
    for value in sorted(values):
        if ranges and ranges[-1][1] + 1 == value:
            ranges[-1] = (ranges[-1][0], value)
        else:
            ranges.append((value, value))
    return ranges
