#!/usr/bin/env python3
"""Writes seeds for the fuzz targets: the fixtures that Iceberg wrote, the hostile cases, and golden
files of other projects where they lie beside the source tree, each in the form that a target reads.

    seeds.py OUTDIR [--hostile DIR]     OUTDIR/TARGET/ for each target; DIR: cases already generated

A file has the hash of its content as its name, so that equal ones are kept once.
"""

import argparse
import hashlib
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
LARGEST = 40_000  # what is longer slows a fuzzer down more than it teaches
DV_MAGIC = b"\xd1\xd3\x39\x64"
LZ4_MAGIC, ZSTD_MAGIC = b"\x04\x22\x4d\x18", b"\x28\xb5\x2f\xfd"
STORAGE_TYPES = ("u", "p", "i", "r", "", "up")  # as delta_descriptor.cpp numbers them


class Seeds:
    def __init__(self, folder):
        self.folder = folder
        self.previous_bitmap = b""
        self.counts = {}

    def add(self, target, data):
        if len(data) > LARGEST:
            return
        folder = self.folder / target
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / hashlib.sha256(data).hexdigest()[:16]
        if not path.exists():
            path.write_bytes(data)
            self.counts[target] = self.counts.get(target, 0) + 1

    def bitmap(self, data):
        for target in ("bitmap64", "tiers", "croaring"):
            self.add(target, data)
        if len(data) < 20_000:
            if len(self.previous_bitmap) + len(data) < 20_000:
                self.add("setops", struct.pack("<H", len(data)) + data + self.previous_bitmap)
            self.previous_bitmap = data

    def blob(self, data):
        self.add("blob", data)
        if len(data) >= 12:
            self.bitmap(data[8:-4])
            self.add("delta", b"\x01" + data)

    def puffin(self, data):
        self.add("puffin_open", data)
        self.add("puffin_read_all", data)
        if len(data) < 28:
            return
        size = struct.unpack("<I", data[-12:-8])[0]
        payload = data[-12 - size:-12] if size <= len(data) - 20 else b""
        if payload.startswith(LZ4_MAGIC):
            self.add("codec", payload)
        else:
            self.add("footer_json", payload)
        for blob in blobs_of(data, payload):
            if blob[4:8] == DV_MAGIC:
                self.blob(blob)
            elif blob[:4] in (LZ4_MAGIC, ZSTD_MAGIC):
                self.add("codec", blob)

    def descriptor(self, d):
        kind, text = d.get("storageType"), d.get("pathOrInlineDv")
        if kind not in STORAGE_TYPES or not isinstance(text, str):
            return
        numbers = [d.get("offset"), d.get("sizeInBytes", 0), d.get("cardinality", 0)]
        if not all(n is None or isinstance(n, int) and -(1 << 63) <= n < 1 << 63 for n in numbers):
            return
        offset, size, cardinality = numbers
        out = bytes([STORAGE_TYPES.index(kind), offset is not None])
        if offset is not None:
            out += b"\x00" + struct.pack("<q", offset)
        for number in (size or 0, cardinality or 0):
            out += b"\x00" + struct.pack("<q", number)
        out += bytes([(size or 0) & 255, 0]) + text.encode("utf-8", "surrogatepass")
        self.add("delta_descriptor", out)


def blobs_of(file, payload):
    try:
        entries = json.loads(payload)["blobs"]
        ranges = [(e["offset"], e["length"]) for e in entries]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return [file[o:o + n] for o, n in ranges
            if type(o) is int and type(n) is int and 4 <= o <= len(file) and 0 <= n <= len(file)]


def fixtures(seeds, folder):
    for path in sorted(folder.glob("*.bin")):
        (seeds.bitmap if "bitmap64" in path.name else seeds.blob)(path.read_bytes())
    for path in sorted(folder.glob("*.puffin")):
        seeds.puffin(path.read_bytes())


def hostile(seeds, folder):
    for case in json.loads((folder / "manifest.json").read_text())["cases"]:
        data = (folder / case["file"]).read_bytes()
        descriptor = case.get("options", {}).get("descriptor")
        if descriptor is not None:
            seeds.descriptor({**descriptor, "pathOrInlineDv": data.decode("latin-1")}
                             if descriptor.get("storageType") == "i" else descriptor)
        if case["kind"] == "delta":
            seeds.add("delta", data)
        else:
            {"bitmap64": seeds.bitmap, "blob": seeds.blob, "puffin": seeds.puffin}[case["kind"]](data)


def golden(seeds, folder):
    """Told apart by their content: the folders of other projects follow no rule."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        data = path.read_bytes()
        if data.startswith(b"PFA1"):
            seeds.puffin(data)
        elif data[4:8] == DV_MAGIC:
            seeds.blob(data)
        elif data[5:9] == DV_MAGIC:
            seeds.add("delta", data)
        elif path.suffix == ".bin" and "croaring" in path.parts:
            seeds.bitmap(data)
        elif path.name == "descriptors.json":
            for found in objects_with(json.loads(data), "storageType"):
                seeds.descriptor(found)


def objects_with(value, name):
    if isinstance(value, dict):
        if name in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from objects_with(item, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--hostile", type=Path, help="folder that tests/hostile/generate.py has filled")
    args = parser.parse_args()
    seeds = Seeds(args.out)
    fixtures(seeds, TESTS / "data" / "iceberg")
    if args.hostile:
        hostile(seeds, args.hostile)
    else:
        with tempfile.TemporaryDirectory() as work:
            subprocess.run([sys.executable, TESTS / "hostile" / "generate.py", work], check=True,
                           stdout=subprocess.DEVNULL)
            hostile(seeds, Path(work))
    beside = TESTS.parent.parent / "shared" / "golden"
    if beside.is_dir():
        golden(seeds, beside)
    print(", ".join(f"{target} {n}" for target, n in sorted(seeds.counts.items())) or "nothing new")


if __name__ == "__main__":
    main()
