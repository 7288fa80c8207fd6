"""Writer of Puffin files with knobs.

Marks: head, blob0, blob1..., footer, payload, psize, flags, tail. Members of the footer are written
in the order of Iceberg Java, compact; `Raw` puts JSON text in place of a value, `DROP` leaves a
member out, and `more` appends members, repeated ones included.
"""

import json
import struct
from dataclasses import dataclass, field

from blob import blob_of
from casebook import SOUND, Part
from roaring import Layout, ranges_of

MAGIC = b"PFA1"
DV = "deletion-vector-v1"
DROP = object()


class Raw(str):
    """JSON text to be written as it is."""


def dump(value):
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{dump(k)}:{dump(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@dataclass
class Entry:
    """A blob and what the footer says of it."""

    data: bytes
    type: str
    fields: object
    ids: object = -1
    properties: object = DROP
    codec: object = DROP
    change: dict = field(default_factory=dict)  # member -> value, Raw or DROP
    more: str = ""  # text after the last member
    gap: int = 0  # zero bytes in front of the blob
    part: Part = None

    def meta(self, offset):
        members = {
            "type": self.type,
            "fields": self.fields,
            "snapshot-id": self.ids,
            "sequence-number": self.ids,
            "offset": offset,
            "length": len(self.data),
            "compression-codec": self.codec,
            "properties": self.properties,
        }
        for name, value in self.change.items():
            members[name] = value(members[name]) if callable(value) else value
        members = {name: value for name, value in members.items() if value is not DROP}
        return dump(members)[:-1] + self.more + "}"


def dv(path, *rows, blob=None, cardinality=None, part=None, **more):
    """A deletion vector of `rows` for the data file `path`, as Iceberg Java describes it."""
    data = bytes((blob_of(*rows) if blob is None else blob).data)
    cardinality = str(len(rows)) if cardinality is None else cardinality
    properties = {"referenced-data-file": path, "cardinality": cardinality}
    part = part or Part(dict(SOUND), ranges_of(rows))
    return Entry(data, DV, [2147483645], properties=properties, part=part, **more)


def sketch(data, content=None, type="apache-datasketches-theta-v1", faults=None, **more):
    """A blob of another type; `content` is what decompression yields, where it is compressed."""
    part = Part(faults or dict(SOUND), content=data if content is None else content)
    return Entry(data, type, [1], 7, part=part, **more)


def puffin(
    entries,
    properties=None,
    text=None,
    edit=None,
    pack=None,
    head=MAGIC,
    footer_magic=MAGIC,
    psize=None,
    flags=None,
    tail=MAGIC,
    footer_gap=0,
    order=None,
):
    """A file of `entries`. `text` replaces the footer's JSON (str or bytes), `edit` is a function
    from the sound text to the one written, `pack` one from its bytes to the stored payload, which
    sets the flag; `order` permutes the footer's entries."""
    out = Layout().put(head, "head")
    metas = []
    for i, entry in enumerate(entries):
        out.put(bytes(entry.gap))
        metas.append(Raw(entry.meta(len(out.data))))
        out.put(entry.data, f"blob{i}")
    out.put(bytes(footer_gap))
    out.put(footer_magic, "footer")
    if text is None:
        metas = metas if order is None else [metas[i] for i in order]
        root = {"blobs": metas}
        properties = {"created-by": "hostile"} if properties is None else properties
        if properties is not DROP:
            root["properties"] = properties
        text = dump(root)
    if edit is not None:
        text = edit(text)
    payload = text.encode() if isinstance(text, str) else text
    if pack is not None:
        payload = pack(payload)
        flags = b"\1\0\0\0" if flags is None else flags
    out.put(payload, "payload")
    size = len(payload) if psize is None else psize(len(payload), len(out.data) + 12)
    out.put(struct.pack("<I", size & 0xFFFFFFFF), "psize")
    out.put(bytes(4) if flags is None else flags, "flags")
    out.put(tail, "tail")
    return out


def one_edit(old, new):
    """An edit that replaces `old`, which must occur once."""

    def edit(text):
        if text.count(old) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old)} times")
        return text.replace(old, new)

    return edit
