#!/usr/bin/env python3
"""Decodes the fixtures with a decoder of its own and compares them with their manifest.

usage: check_manifest.py [DIRECTORY]      (iceberg/ beside this file by default)

The last line is "N passed, N failed"; the exit code is 1 if anything failed.
"""

import ctypes
import ctypes.util
import hashlib
import json
import pathlib
import sys

import roaring_decoder as decoder
from roaring_decoder import require

# What Iceberg puts in the footer for every deletion vector; the manifest does not repeat it.
DV_FIELDS = [2147483645]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def same(what, found, stated):
    require(found == stated, f"{what}: found {found!r:.200}, stated {stated!r:.200}")


def check_content(content, stated):
    ranges = content.ranges
    same("cardinality", content.cardinality(), stated["cardinality"])
    same("min", ranges[0][0] if ranges else None, stated["min"])
    same("max", ranges[-1][1] if ranges else None, stated["max"])
    same("containers", content.counts, stated["containers"])
    if len(ranges) <= 200:
        same("ranges", ranges, stated["ranges_inclusive"])
        return
    same("number of ranges", len(ranges), stated["range_count"])
    lines = "".join(f"{first}-{last}\n" for first, last in ranges)
    same("hash of ranges", sha256(lines.encode("ascii")), stated["ranges_sha256"])
    same("first ranges", ranges[:3], stated["first_ranges"])
    same("last ranges", ranges[-3:], stated["last_ranges"])


def check_within(content, rows):
    if rows is not None and content.ranges:
        require(content.ranges[-1][1] < rows, "a position past the rows of the data file")


def zstd_decompress(data, size):
    """The data, or None where the machine has no zstd library: Python 3.11 brings none itself."""
    name = ctypes.util.find_library("zstd")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(size + 1)
    same("decompressed size", library.ZSTD_decompress(out, size, data, len(data)), size)
    return out.raw[:size]


def check_dv_entry(blob, footer, stated, rows):
    same("fields", footer["fields"], DV_FIELDS)
    same("ids", (footer["snapshot-id"], footer["sequence-number"]), (-1, -1))
    require("compression-codec" not in footer, "a deletion vector must not name a codec")
    same("properties", list(footer["properties"].items()), [
        ("referenced-data-file", stated["referenced_data_file"]),
        ("cardinality", str(stated["cardinality"]))])
    content = decoder.decode_dv_blob(blob)
    same("cardinality property", stated["cardinality"], content.cardinality())
    check_content(content, stated["dv"])
    check_within(content, rows)


def check_other_entry(blob, footer, stated, skipped):
    for ours, theirs in [("fields", "fields"), ("snapshot_id", "snapshot-id"),
                         ("sequence_number", "sequence-number")]:
        same(theirs, footer[theirs], stated[ours])
    same("codec", footer.get("compression-codec"), stated["compression_codec"])
    same("properties", footer.get("properties", {}), stated["properties"])
    if stated["compression_codec"] == "zstd":
        blob = zstd_decompress(blob, stated["data_size"])
        if blob is None:
            skipped.append("zstd data not looked at: no zstd library")
            return
    same("data size", len(blob), stated["data_size"])
    same("data hash", sha256(blob), stated["data_sha256"])


def check_puffin(data, stated, skipped):
    footer, footer_size = decoder.decode_puffin(data)
    same("footer size", footer_size, stated["footer_size"])
    same("file properties", list(footer.get("properties", {}).items()),
         list(stated["properties"].items()))
    # Iceberg's JSON is compact, keeps the order and leaves non-ASCII text as it is.
    text = json.dumps(footer, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    same("footer text", text, data[4 - footer_size:-12])
    same("number of blobs", len(footer["blobs"]), len(stated["blobs"]))
    expected_offset = 4
    for entry, blob in zip(footer["blobs"], stated["blobs"]):
        same("type", entry["type"], blob["type"])
        same("length", entry["length"], blob["length"])
        same("offset", (entry["offset"], expected_offset), (blob["offset"], entry["offset"]))
        expected_offset += entry["length"]
        payload = data[entry["offset"]:expected_offset]
        if entry["type"] == decoder.DV_TYPE:
            check_dv_entry(payload, entry, blob, stated.get("rows"))
        else:
            check_other_entry(payload, entry, blob, skipped)
    same("end of blobs", expected_offset, len(data) - footer_size)


def check_file(directory, stated, skipped):
    data = (directory / stated["file"]).read_bytes()
    same("size", len(data), stated["size"])
    same("sha256", sha256(data), stated["sha256"])
    kind = stated["kind"]
    if kind == "puffin":
        check_puffin(data, stated, skipped)
        return
    require(kind in ("dv-blob", "bitmap64"), f"unknown kind {kind}")
    is_blob = kind == "dv-blob"
    content = decoder.decode_dv_blob(data) if is_blob else decoder.decode_bitmap64(data)
    check_content(content, stated["dv"])
    check_within(content, stated.get("rows"))


def main():
    here = pathlib.Path(__file__).resolve().parent
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "iceberg"
    files = json.loads((directory / "manifest.json").read_text("utf-8"))["files"]
    failures = []
    skipped = []
    passed = 0
    for stated in files:
        try:
            check_file(directory, stated, skipped)
            passed += 1
        except (decoder.Malformed, KeyError, OSError, ValueError) as error:
            failures.append(f"{stated['file']}: {type(error).__name__}: {error}")
    listed = {stated["file"] for stated in files}
    present = {path.name for path in directory.iterdir() if path.suffix in (".bin", ".puffin")}
    failures += [f"{name}: not in the manifest" for name in sorted(present - listed)]
    for line in skipped:
        print("skipped:", line)
    for line in failures:
        print("FAILED:", line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
