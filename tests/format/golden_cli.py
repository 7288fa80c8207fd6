"""Holds dvk against files that real writers wrote, through its command line.

    python3 tests/format/golden_cli.py DVK [--seed N]

tests/data/iceberg is ours; the files of other projects are read where DVK_GOLDEN (default:
../shared/golden beside the sources) has them. Without those the exit status is 77, a skip, when all
else is well. For each deletion vector: verify's cardinality and bounds, positions, ranges, count, and
all forms of select over random batches against the complement of the positions. For each damaged
file: a rejection. The tier is the one that DVK_MAX_ISA names.
"""

import argparse
import bisect
import hashlib
import json
import os
import random
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
FORMS = ("indices", "bits", "bytes", "runs")
MOST = 12  # vectors of one file that are read row by row; verify looks at all of them


@dataclass
class Vector:
    """What a manifest promises of one deletion vector."""

    file: Path
    options: list  # for dvk: the kind of the file, and which vector
    content: dict  # cardinality, and ranges_inclusive or ranges_sha256
    blob: int = 0


@dataclass
class Golden:
    vectors: list = field(default_factory=list)
    valid: list = field(default_factory=list)  # (file, kind): without a vector, yet to be accepted
    damaged: list = field(default_factory=list)  # (file, kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dvk", type=Path)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    wanted = os.environ.get("DVK_MAX_ISA")
    active = json.loads(run([args.dvk, "cpu", "--json"]))["active"]
    if wanted and active != wanted:
        print(f"skipped: tier {wanted} cannot run here")
        sys.exit(SKIPPED)
    print(f"tier {active}, seed {args.seed}")

    golden = Golden()
    read_own(ROOT / "tests/data/iceberg", golden)
    folder = Path(os.environ.get("DVK_GOLDEN", ROOT.parent / "shared/golden"))
    complete = folder.is_dir()
    if complete:
        for manifest in sorted(folder.glob("*/manifest.json")):
            read_others(manifest, golden)
    check = Check(args.dvk, random.Random(args.seed))
    check.verdicts(golden)
    for vector in sample(golden.vectors, check.random):
        check.vector(vector)
    for fault in check.faults[:40]:
        print(fault)
    print(
        f"{len(golden.vectors)} vectors, {len(golden.valid)} other valid files, {len(golden.damaged)}"
        f" damaged ones, {check.batches} batches: {len(check.faults)} differences"
    )
    if not golden.vectors or check.faults:
        sys.exit(1)
    if not complete:
        print(f"skipped: files of other projects, no folder {folder}")
        sys.exit(SKIPPED)


def sample(vectors, randomness):
    by_file = {}
    for vector in vectors:
        by_file.setdefault(vector.file, []).append(vector)
    for of_file in by_file.values():
        yield from randomness.sample(of_file, min(MOST, len(of_file)))


def run(command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def read_own(folder, golden):
    for entry in json.loads((folder / "manifest.json").read_text())["files"]:
        path = folder / entry["file"]
        if entry["kind"] == "puffin":
            golden.valid.append((path, "puffin"))
            for i, blob in enumerate(entry["blobs"]):
                if "dv" in blob:
                    how = ["--data-file", blob["referenced_data_file"]]
                    golden.vectors.append(Vector(path, how, blob["dv"], i))
        else:
            kind = {"dv-blob": "blob"}.get(entry["kind"], entry["kind"])
            golden.vectors.append(Vector(path, ["--as", kind], entry["dv"]))


def read_others(manifest, golden):
    """The manifests of other projects' files differ in shape, not in what they say."""
    folder = manifest.parent
    content = json.loads(manifest.read_text())
    if folder.name == "theta":  # sketches, no file that dvk reads
        return
    for entry in content.get("entries") or content["files"]:
        path = folder / entry["file"]
        kind = entry.get("kind", "")
        expect = entry.get("expect") or entry.get("strict_decoder") or entry.get("observed") or {}
        records = entry.get("vectors") or entry.get("records")
        if records:
            read_records(path, records, golden)
        elif "roaring64" in kind:
            # CRoaring's own test of high keys: sound, but no position of a row.
            high = any(key >= 1 << 31 for key in expect.get("keys", []))
            if "must_reject" in entry or "REJECTED" in kind or high:
                golden.damaged.append((path, "bitmap64"))
            else:
                golden.vectors.append(Vector(path, ["--as", "bitmap64"], expect))
        elif "mislabelled" in kind:
            golden.damaged.append((path, "puffin"))
            golden.vectors.append(Vector(path, ["--offset", "0", "--length", "42"], expect))
            golden.vectors.append(Vector(path, [], expect))
        elif path.suffix == ".puffin" or kind == "puffin":
            golden.valid.append((path, "puffin"))
            for i, dv in enumerate(expect.get("dv", [])):
                place = ["--offset", str(dv["offset"]), "--length", str(dv["length"])]
                golden.vectors.append(Vector(path, place, dv, i))
                golden.vectors.append(Vector(path, ["--blob", str(i)], dv, i))
        else:
            golden.vectors.append(Vector(path, ["--as", "blob"], expect))


def read_records(path, records, golden):
    golden.valid.append((path, "delta"))
    for i, record in enumerate(records):
        size = record.get("sizeInBytes", record.get("size_in_bytes"))
        content = record.get("positions") or record
        as_delta = ["--as", "delta", "--offset", str(record["offset"]), "--size", str(size)]
        as_iceberg = ["--offset", str(record["offset"]), "--length", str(size + 8)]
        golden.vectors.append(Vector(path, as_delta, content, i))
        golden.vectors.append(Vector(path, as_iceberg, content, i))


class Check:
    def __init__(self, dvk, randomness):
        self.dvk = dvk
        self.random = randomness
        self.faults = []
        self.batches = 0
        self.seen = set()

    def require(self, condition, text):
        if not condition:
            self.faults.append(text)

    def verdicts(self, golden):
        """Whole files at once: accepted, and each of their vectors as its manifest says."""
        kinds = {path: kind for path, kind in golden.valid}
        answers = self.verify(list(kinds.items()))
        for path in kinds:
            self.require(answers[path]["verdict"] == "accept", f"{path}: {answers[path]}")
        for vector in golden.vectors:
            if vector.file in kinds and answers[vector.file]["verdict"] == "accept":
                found = answers[vector.file]["blobs"][vector.blob]["cardinality"]
                wanted = vector.content["cardinality"]
                self.require(found == wanted, f"{vector.file} blob {vector.blob}: {found} rows")
        answers = self.verify(golden.damaged)
        for path, _ in golden.damaged:
            self.require(answers[path]["verdict"] == "reject", f"{path}: accepted, yet damaged")

    def verify(self, files):
        lines = [json.dumps({"file": str(path), "kind": kind}) for path, kind in files]
        command = [self.dvk, "verify", "--json", "--entries", "-"]
        done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        return {path: answer for (path, _), answer in zip(files, answers, strict=True)}

    def vector(self, vector):
        name = " ".join(map(str, [vector.file.name, *vector.options]))
        of = [str(vector.file), *vector.options]
        try:
            self.rows(name, of, vector.content)
        except subprocess.CalledProcessError as error:
            self.faults.append(f"{name}: exit status {error.returncode}: {error.stderr.strip()}")

    def rows(self, name, of, content):
        text = run([self.dvk, "positions", *of, "--ranges"])
        ranges = [tuple(map(int, line.split("-"))) for line in text.splitlines()]
        if "ranges_inclusive" in content:
            wanted = joined(content["ranges_inclusive"])
            self.require(ranges == wanted, f"{name}: ranges")
        elif "ranges_sha256" in content:
            digests = {hashlib.sha256(form).hexdigest() for form in hashed_forms(text, ranges)}
            self.require(content["ranges_sha256"] in digests, f"{name}: ranges_sha256")
        cardinality = content["cardinality"]
        self.require(sum(b - a + 1 for a, b in ranges) == cardinality, f"{name}: rows of ranges")
        self.require(int(run([self.dvk, "count", *of])) == cardinality, f"{name}: count")
        answer = json.loads(run([self.dvk, "verify", "--json", *of]))
        bounds = (ranges[0][0], ranges[-1][1]) if ranges else (None, None)
        found = (answer["cardinality"], answer["min"], answer["max"])
        if len(answer.get("blobs", [])) < 2 or "--offset" in of:
            self.require(found == (cardinality, *bounds), f"{name}: verify says {found}")
        if text in self.seen:  # the same rows in another file: the forms have been compared
            return
        self.seen.add(text)
        if cardinality <= 1 << 20:
            lines = map(int, run([self.dvk, "positions", *of]).split())
            listed = [row for a, b in ranges for row in range(a, b + 1)]
            self.require(list(lines) == listed, f"{name}: positions")
        for start, count in self.choose_batches(ranges):
            for form in FORMS:
                self.batch(name, of, ranges, start, count, form)

    def choose_batches(self, ranges):
        """Batches that begin and end near borders of ranges, in a long stretch, and anywhere."""
        borders = [border for pair in ranges for border in pair] or [0]
        batches = []
        for longest in (3, 300, self.random.choice((2000, 70000, 200000))):
            start = max(0, self.random.choice(borders) - self.random.randrange(longest))
            batches.append((start, self.random.randrange(1, longest)))
        return batches

    def batch(self, name, of, ranges, start, count, form):
        deleted = self.random.random() < 0.4
        absolute = self.random.random() < 0.4
        command = [self.dvk, "select", *of, "--rows", f"{start}:{count}", "--form", form]
        command += ["--deleted"] * deleted + ["--absolute"] * absolute
        mask = mask_of(ranges, start, count, deleted)
        wanted = as_text(mask, form, start if absolute else 0)
        self.batches += 1
        options = " ".join(command[len(of) + 2 :])
        self.require(run(command) == wanted, f"{name}: select {options}")


def joined(ranges):
    """Some manifests split ranges where a 32-bit bitmap ends."""
    out = []
    for first, last in ranges:
        if out and first == out[-1][1] + 1:
            first = out.pop()[0]
        out.append((first, last))
    return out


def hashed_forms(text, ranges):
    """What the manifests hash: lines first-last, a JSON list, or pairs of u64."""
    yield text.encode()
    yield json.dumps(ranges).encode()
    yield b"".join(struct.pack("<QQ", *pair) for pair in ranges)


def mask_of(ranges, start, count, deleted):
    """A 1 for each row of the batch that is selected: the deleted rows, or their complement."""
    mask = bytearray([not deleted]) * count
    first = bisect.bisect_left(ranges, start, key=lambda pair: pair[1])
    for a, b in ranges[first:]:
        if a >= start + count:
            break
        a, b = max(a, start) - start, min(b, start + count - 1) - start
        mask[a : b + 1] = bytes([deleted]) * (b + 1 - a)
    return mask


def as_text(mask, form, base):
    lines = []
    if form == "indices":
        lines = [str(base + i) for i, bit in enumerate(mask) if bit]
    elif form == "runs":
        at = 0
        while (begin := mask.find(1, at)) >= 0:
            at = mask.find(0, begin)
            at = len(mask) if at < 0 else at
            lines.append(f"{base + begin}-{base + at - 1}")
    for i in range(0, len(mask), 64):
        piece = "".join(map(str, mask[i : i + 64]))
        if form == "bytes":
            lines.append(piece)
        elif form == "bits":
            lines.append(f"{int(piece[::-1], 2):016x}")
    return "".join(line + "\n" for line in lines)


if __name__ == "__main__":
    main()
