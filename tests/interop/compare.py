#!/usr/bin/env python3
"""Lets dvk and Iceberg Java write the same sets, and each read what the other wrote.

usage: compare.py ICEBERG_DV PEER WORK_DIRECTORY

ICEBERG_DV is java/iceberg-dv, PEER the program of peer.cpp. DVK_TEST_SEED sets the seed, DVK_TEST_CASES
scales the number of sets. Prints "ok NAME" or "FAILED NAME" for each check; the exit code is 1 if
one failed.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

import position_sets
from position_sets import parse, ranges_hash, rows_of

CREATED_BY = "dvk interop"  # as in peer.cpp


class Difference(Exception):
    pass


def require(holds, message):
    if not holds:
        raise Difference(message)


class Comparison:
    def __init__(self, iceberg_dv, peer, work):
        self.iceberg_dv, self.peer, self.work = iceberg_dv, peer, work
        seed = int(os.environ.get("DVK_TEST_SEED", "20"), 0)
        count = max(20, int(2000 * float(os.environ.get("DVK_TEST_CASES", "1"))))
        self.sets = position_sets.make(seed, count)
        self.note = f"{count} sets, seed {seed}"
        # Several data files in most of the files: 1, 2, 3, 4, 1, ...
        self.files, at = [], 0
        while at < len(self.sets):
            size = 1 + len(self.files) % 4
            self.files.append(self.sets[at:at + size])
            at += size
        self.file_lines = [";".join(file) for file in self.files]

    def lines(self, command, lines):
        """One process answers all lines; in the order given."""
        run = subprocess.run(command, input="".join(line + "\n" for line in lines), text=True,
                             stdout=subprocess.PIPE, check=True)
        answers = run.stdout.splitlines()
        require(len(answers) == len(lines), f"{command}: {len(answers)} answers to {len(lines)} lines")
        return answers

    def java(self, *command, lines):
        return self.lines([self.iceberg_dv, *command], lines)

    def dvk(self, command, lines):
        return self.lines([self.peer, command], lines)

    def same(self, ours, theirs, inputs):
        """All lines are equal, and none says that a side refused the input."""
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if a != b or a.startswith("error"):
                at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                raise Difference(f"case {i}, byte {at // 2}: dvk ...{a[at:at + 40]} ({len(a) // 2} bytes), "
                                 f"Iceberg ...{b[at:at + 40]} ({len(b) // 2} bytes) for {inputs[i][:200]}")

    def store(self, name, answers):
        folder = self.work / name
        folder.mkdir()
        paths = []
        for i, answer in enumerate(answers):
            require(not answer.startswith("error"), f"{name} {i}: {answer}")
            paths.append(str(folder / f"{i}"))
            pathlib.Path(paths[-1]).write_bytes(bytes.fromhex(answer))
        return paths

    def iceberg_reads(self, arguments, paths, expected, status=0):
        """`expected`: for each line of the answer, the path and a script of the rows."""
        run = subprocess.run([self.iceberg_dv, "read", *arguments, *paths], text=True, stdout=subprocess.PIPE)
        require(run.returncode == status, f"iceberg-dv read: exit code {run.returncode}: {run.stdout[:400]}")
        found = [json.loads(line) for line in run.stdout.splitlines()]
        require(len(found) == len(expected), f"{len(found)} vectors read, {len(expected)} written")
        for line, (path, script) in zip(found, expected, strict=True):
            require(line["file"] == path, f"{line['file']} in place of {path}")
            ranges = rows_of(script)
            require(line["cardinality"] == sum(b - a + 1 for a, b in ranges), f"{path}: cardinality: {line}")
            if "ranges_inclusive" in line:
                require(line["ranges_inclusive"] == [list(r) for r in ranges], f"{path}: rows differ")
            else:
                require(line["ranges_sha256"] == ranges_hash(ranges), f"{path}: rows differ")
        return found

    def puffins_are_read(self, name, answers, files):
        paths = self.store(name, answers)
        expected = [(path, script) for path, file in zip(paths, files) for script in file]
        found = self.iceberg_reads(["--puffin"], paths, expected)
        names = [f"{i}.parquet" for file in files for i in range(len(file))]
        require([line["referenced_data_file"] for line in found] == names, "data files differ")

    # The checks; each returns what it counted.

    def blobs(self):
        sets = ["", *self.sets]
        self.java_blobs = self.java("serialize", lines=sets)
        self.same(self.dvk("serialize", sets), self.java_blobs, sets)
        return f"{len(sets)} blobs, {sum(map(len, self.java_blobs)) // 2} bytes"

    def whole_files(self):
        theirs = self.java("puffins", CREATED_BY, lines=self.sets)
        self.same(self.dvk("puffins", self.sets), theirs, self.sets)
        several = self.java("puffins", CREATED_BY, lines=self.file_lines)
        self.dvk_files = self.dvk("puffins", self.file_lines)
        self.same(self.dvk_files, several, self.file_lines)
        return f"{len(theirs)} files of one vector, {len(several)} of 1 to 4"

    def reads_java_keys(self):
        self.puffins_are_read("java-keys", self.dvk_files, self.files)
        return f"{len(self.sets)} vectors in {len(self.files)} files"

    def reads_present_keys(self):
        answers = self.dvk("puffins-present", self.file_lines)
        self.puffins_are_read("present-keys", answers, self.files)
        shorter = sum(len(a) < len(b) for a, b in zip(answers, self.dvk_files))
        require(shorter > 0, "no set has a gap between its keys")
        return f"{len(self.sets)} vectors in {len(answers)} files, {shorter} of them without gap bitmaps"

    def dvk_reads(self):
        ranges = self.dvk("ranges", self.java_blobs)
        self.expect_ranges(ranges, ["", *self.sets])
        return f"{len(ranges)} blobs"

    def expect_ranges(self, found, scripts):
        for i, (line, script) in enumerate(zip(found, scripts, strict=True)):
            require(not line.startswith("error") and parse(line) == rows_of(script),
                    f"case {i}: {line[:200]} for {script[:200]}")

    def merges(self):
        pairs = position_sets.merge_pairs(self.sets)
        blob_of = dict(zip(self.sets, self.java_blobs[1:]))
        lines = [f"{blob_of[old]} {added}" for old, added in pairs]
        union = [f"{old} {added}" for old, added in pairs]
        theirs, ours = self.java("merge", lines=lines), self.dvk("merge", lines)
        paths = self.store("merged-by-dvk", ours)
        self.iceberg_reads(["--blob"], paths, list(zip(paths, union)))
        self.expect_ranges(self.dvk("ranges", theirs), union)
        equal = sum(a == b for a, b in zip(ours, theirs))
        return f"{len(pairs)} merges of equal rows, {equal} of equal bytes"

    def other_blobs(self):
        content = [bytes(range(256)) * n + b"x" * n for n in (0, 1, 7, 300)]
        lines = [c.hex() for c in content]
        for codec in ("none", "zstd"):
            paths = self.store(f"other-{codec}", self.dvk(f"other-{codec}", lines))
            run = subprocess.run([self.iceberg_dv, "read", "--all", *paths], text=True, stdout=subprocess.PIPE)
            found = [json.loads(line) for line in run.stdout.splitlines()]
            hashes = [position_sets.sha256(c) for c in content]
            require([line.get("data_sha256") for line in found] == hashes, f"{codec}: {run.stdout[:400]}")
        return f"{len(content)} contents, plain and zstd"

    def refuses_lz4(self):
        """Legal by the format, and why dvk writes neither unless asked: Iceberg 1.12 cannot read them."""
        paths = self.store("lz4-footer", self.dvk("puffins-lz4-footer", ["1 2 3"]))
        paths += self.store("other-lz4", self.dvk("other-lz4", ["00" * 100]))
        run = subprocess.run([self.iceberg_dv, "read", "--all", *paths], text=True, stdout=subprocess.PIPE)
        found = [json.loads(line) for line in run.stdout.splitlines()]
        require(len(found) == 2 and all("UnsupportedOperation" in line.get("error", "") for line in found),
                f"expected two refusals: {run.stdout[:600]}")
        return "footer and blob"


def main():
    comparison = Comparison(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]))
    print(f"# {comparison.note}")
    failed = 0
    for name, check in [
        ("dvk's blobs are Iceberg's to the byte", comparison.blobs),
        ("dvk's Puffin files are Iceberg's to the byte", comparison.whole_files),
        ("Iceberg reads dvk's vectors, every key written", comparison.reads_java_keys),
        ("Iceberg reads dvk's vectors, present keys only", comparison.reads_present_keys),
        ("dvk reads Iceberg's blobs", comparison.dvk_reads),
        ("merges by dvk and Iceberg delete the same rows", comparison.merges),
        ("Iceberg reads dvk's other blobs", comparison.other_blobs),
        ("Iceberg still refuses lz4", comparison.refuses_lz4),
    ]:
        start = time.monotonic()
        try:
            counted = check()
            print(f"ok      {name}: {counted} ({time.monotonic() - start:.1f} s)", flush=True)
        except (Difference, subprocess.CalledProcessError, AttributeError, json.JSONDecodeError) as e:
            failed += 1
            print(f"FAILED  {name}\n        {e}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
