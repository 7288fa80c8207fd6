"""Prints lines and branches by file from a summary of llvm-cov; exit status 1 if there are too few.

    python3 tools/test/coverage.py SUMMARY.json LEAST_LINES LEAST_BRANCHES FOLDER...

Folders are relative to the working directory, which is the root of the sources.
"""

import json
import os
import sys
from pathlib import Path

KINDS = ("lines", "branches")


def main():
    summary, *least = sys.argv[1:4]
    folders = tuple(folder + "/" for folder in sys.argv[4:])
    files = {}
    for file in json.loads(Path(summary).read_text())["data"][0]["files"]:
        name = os.path.relpath(os.path.realpath(file["filename"]))
        if name.startswith(folders):
            files[name] = file["summary"]
    totals = {kind: [0, 0] for kind in KINDS}
    for name, counts in sorted(files.items()):
        cells = []
        for kind in KINDS:
            covered, count = counts[kind]["covered"], counts[kind]["count"]
            totals[kind][0] += covered
            totals[kind][1] += count
            cells.append(f"{covered:5} of {count:5} {kind}")
        print(f"{name:36} {'  '.join(cells)}")
    shares = [100 * covered / max(count, 1) for covered, count in totals.values()]
    print("all: " + ", ".join(f"{share:.2f} % of {kind}" for share, kind in zip(shares, KINDS)))
    sys.exit(any(share < float(bound) for share, bound in zip(shares, least)))


if __name__ == "__main__":
    main()
