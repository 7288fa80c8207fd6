"""Brings every Delta vector that real writers wrote into Iceberg's form and back.

    python3 tests/format/delta_convert.py DVK

The files are read where DVK_GOLDEN (default: ../shared/golden beside the sources) has them; without
them the exit status is 77, a skip. For each vector of each .bin file, and each descriptor: the
Iceberg blob is the Delta file's own bytes, the manifest fields follow from the descriptor, and the
descriptor made of the Puffin file leads to the same bytes again.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


def main():
    program = Path(sys.argv[1]).resolve()
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("DVK_GOLDEN", root.parent / "shared/golden")) / "delta"
    if not folder.is_dir():
        print(f"skipped: no folder {folder}")
        sys.exit(SKIPPED)
    manifest = json.loads((folder / "manifest.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        check = Check(program, folder, Path(scratch))
        for entry in manifest["files"]:
            check.file(entry)
        for entry in manifest["descriptors"]:
            check.descriptor(entry)
    print(f"{check.vectors} vectors; {check.descriptors} descriptors, {check.resolved} of them from the"
          f" table's root; {check.without} without a file")
    if not check.vectors or not check.descriptors or not check.resolved:
        sys.exit("nothing was checked")


class Check:
    def __init__(self, program, folder, scratch):
        self.program, self.folder, self.scratch = program, folder, scratch
        self.vectors = self.descriptors = self.resolved = self.without = 0

    def convert(self, to, *arguments):
        command = [self.program, "convert", "--force", "--to", to, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        notes = [line for line in done.stderr.splitlines() if not line.endswith(": tolerated: z85_hash_tail")]
        if done.returncode != 0 or notes:
            sys.exit(f"{arguments}: {done.stderr}")
        return json.loads(done.stdout)

    def file(self, entry):
        path = self.folder / entry["file"]
        for i, vector in enumerate(entry["vectors"]):
            blob = path.read_bytes()[vector["offset"] :][: vector["sizeInBytes"] + 8]
            self.there_and_back([path, "--as", "delta", "--blob", i], blob, vector["positions"])
            self.vectors += 1

    def descriptor(self, entry):
        d = entry["descriptor"]
        if "file" in entry:
            path = self.folder / entry["file"]
            blob = path.read_bytes()[entry["blob_offset"] :][: entry["blob_length"]]
            source = ["--descriptor", json.dumps(d), *self.place(d, path)]
        elif d["storageType"] == "i":
            blob = None  # no bytes of a file to compare; the rows decide
            source = ["--descriptor", json.dumps(d), "--tolerate", "z85_hash_tail"]
        else:
            self.without += 1
            return
        self.there_and_back(source, blob, entry["positions"], d)
        self.descriptors += 1

    def place(self, d, path):
        """The table's root, or the file itself where its name has what Delta's own tests put before it."""
        if path.name.startswith("deletion_vector_") and len(d["pathOrInlineDv"]) == 20:
            self.resolved += 1
            return ["--table-root", path.parent]
        return [path]

    def there_and_back(self, source, blob, positions, descriptor=None):
        puffin, delta, again = (self.scratch / name for name in ("x.puffin", "x.bin", "y.puffin"))
        (there,) = self.convert("iceberg", *source, "--data-file", "f", "-o", puffin)
        size = there["content_size_in_bytes"]
        found = puffin.read_bytes()[there["content_offset"] :][:size]
        if blob is not None and found != blob:
            sys.exit(f"{source}: the blob differs from Delta's bytes")
        if descriptor and (size != descriptor["sizeInBytes"] + 8
                           or there["record_count"] != descriptor["cardinality"]):
            sys.exit(f"{source}: {there} does not follow from {descriptor}")
        if there["record_count"] != positions["cardinality"]:
            sys.exit(f"{source}: {there['record_count']} rows, not {positions['cardinality']}")
        self.rows(puffin, positions)
        back = self.convert("delta", puffin, "-o", delta)
        if delta.read_bytes() != b"\1" + found or back["sizeInBytes"] != size - 8:
            sys.exit(f"{source}: came back changed: {back}")
        self.convert("iceberg", "--descriptor", json.dumps(back), "--data-file", "f", "-o", again)
        if again.read_bytes() != puffin.read_bytes():
            sys.exit(f"{source}: {back} leads elsewhere")
        if size < 100_000:  # an argument holds 128 KiB
            inside = self.convert("delta", puffin, "--inline")
            self.convert("iceberg", "--descriptor", json.dumps(inside), "--data-file", "f", "-o", again)
            if again.read_bytes() != puffin.read_bytes():
                sys.exit(f"{source}: inline vector differs")

    def rows(self, puffin, positions):
        done = subprocess.run([self.program, "positions", puffin], capture_output=True, check=True, text=True)
        rows = list(map(int, done.stdout.split()))
        first, last = positions["first"], positions["last"]
        if rows[: len(first)] != first or rows[len(rows) - len(last) :] != last:
            sys.exit(f"{puffin}: other rows than {positions}")


if __name__ == "__main__":
    main()
