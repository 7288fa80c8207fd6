"""What a case is, and how its author states the verdict.

A verdict is stated per level, as acceptance or as an error code with the byte offset of the fault.
Most cases follow one of four patterns, each a method of `Book`:

    accept      sound at every level (or refused only by `strict`)
    reject      a structural fault, refused by every level with the same code and offset
    content     a payload that lies: `trusted` does not read it, so what it then says is undefined
    checksum    a false CRC over sound bytes: `trusted` does not check it and reads them
"""

from dataclasses import dataclass, field

from roaring import Layout

LEVELS = ("strict", "standard", "trusted")


@dataclass
class Case:
    kind: str
    name: str
    data: bytes
    why: str
    faults: dict  # level -> None (accept) or (code, offset)
    ranges: list = None  # what the positions are, for kinds and cases that have one set
    undefined: set = field(default_factory=set)  # levels that accept without knowing the content
    quirk: str = None  # of DVK_QUIRKS: the writer's fault that a refusal names; a dict if levels differ
    # What is read where that quirk is tolerated: positions, or those of each part.
    tolerant: list = None
    tolerated: set = None  # the quirks that takes, if it is more than the one
    tolerant_fault: tuple = None  # why such bytes are refused nevertheless
    options: dict = field(default_factory=dict)  # what the caller knows: cardinality, row_count...
    blobs: list = None  # Puffin and Delta: the parts, each a Part
    blob: dict = field(default_factory=dict)  # level -> the part at fault, where there is one
    suffix: str = ".bin"


@dataclass
class Part:
    """Expectation for one blob of a Puffin file or one vector of a Delta file."""

    faults: dict  # as in Case; offsets may be names of places until the part is added to a case
    ranges: list = None
    undefined: set = field(default_factory=set)
    content: bytes = None  # decompressed bytes of a blob that is no deletion vector
    type: str = None

    def settle(self, layout):
        self.faults = {
            level: fault and (fault[0], layout.at(fault[1])) for level, fault in self.faults.items()
        }

    def fails_file(self, level):
        fault = self.faults[level]
        dv = self.type in (None, "deletion-vector-v1")
        return fault is not None and (dv or fault[0] in ("blob_range", "blob_overlap"))


SOUND = dict.fromkeys(LEVELS)


def everywhere(code, offset):
    return dict.fromkeys(LEVELS, (code, offset))


def above_trusted(code, offset):
    return {"strict": (code, offset), "standard": (code, offset), "trusted": None}


class Book:
    """Collects the cases of one kind and refuses to hold two of one name."""

    def __init__(self, kind, suffix=".bin"):
        self.kind = kind
        self.suffix = suffix
        self.cases = []
        self.names = set()

    def add(self, name, data, why, faults, **more):
        if name in self.names:
            raise ValueError(f"two cases are called {self.kind}/{name}")
        self.names.add(name)
        more.setdefault("suffix", self.suffix)
        data = bytes(data.data if isinstance(data, Layout) else data)
        self.cases.append(Case(self.kind, name, data, why, faults, **more))

    def accept(self, name, layout, why, ranges, strict=None, **more):
        """`strict` is (code, place) where that level refuses what the others accept."""
        faults = dict(SOUND)
        if strict is not None:
            faults["strict"] = (strict[0], layout.at(strict[1]))
        self.add(name, layout, why, faults, ranges=ranges, **more)

    def reject(self, name, layout, why, code, place, **more):
        self.add(name, layout, why, everywhere(code, _at(layout, place)), **more)

    def content(self, name, layout, why, code, place, **more):
        faults = above_trusted(code, _at(layout, place))
        self.add(name, layout, why, faults, undefined={"trusted"}, **more)

    def checksum(self, name, layout, why, place, ranges, **more):
        faults = above_trusted("bad_crc", _at(layout, place))
        self.add(name, layout, why, faults, ranges=ranges, **more)


class PartsBook(Book):
    """For kinds of several parts: a file is refused with the fault of the first part that fails."""

    def parts(self, name, layout, why, parts, **more):
        faults = dict(SOUND)
        blob = {}
        for part in parts:
            part.settle(layout)
        for level in LEVELS:
            for i, part in enumerate(parts):
                if faults[level] is None and part.fails_file(level):
                    faults[level] = part.faults[level]
                    blob[level] = i
        self.add(name, layout, why, faults, blobs=parts, blob=blob, **more)


def _at(layout, place):
    return layout.at(place) if isinstance(layout, Layout) else place
