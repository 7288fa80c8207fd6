#!/usr/bin/env python3
"""Counts the instructions of one pass of benchmarks, by tier: the figure that noise does not touch.

    count_instructions.py BUILD_DIR [--filter REGEX] [--output FILE] [--against FILE] [--limit PERCENT]

One run under valgrind's callgrind, which counts inside dvk_bench::timed_pass only and writes a total at each return from it.
Tiers are those that valgrind can run: scalar, sse42, avx2 (its 3.x know no AVX-512). A count repeats to the digit with one
compiler, hence the compiler's name in results/counts/<architecture>-<compiler>.json. With --against, exits 1 if a count grew
by more than the limit.
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIERS = "scalar|sse42|avx2|neon"
# Every kernel once, on a dataset of each kind of container.
DATASETS = "rand1pct|rand50pct|shortruns5pct"
DEFAULT = (rf"^(select/(u16|u32|u64|bits|bytes|runs|count)/({DATASETS})/n2048"
           rf"|refine/u32_half/({DATASETS})/n2048"
           rf"|probe/(single|unsorted|sorted)/({DATASETS})"
           rf"|validate/(array/rand1pct|bitset/rand50pct|run/shortruns5pct)"
           rf"|open/(standard|trusted)/({DATASETS})"
           rf"|crc32/(64B|4KiB|64KiB))/({TIERS})$")
# In full: callgrind takes patterns for the first of its two options that name it, but not for the second.
FUNCTION = "dvk_bench::timed_pass(dvk_bench::job const&)"
FLOOR = 20  # instructions: a smaller change says nothing


def measure(program, pattern):
    """Name -> instructions of one pass; and the context of the run."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--collect-atstart=no",
             f"--toggle-collect={FUNCTION}", f"--dump-after={FUNCTION}",
             program, f"--benchmark_filter={pattern}", "--benchmark_min_time=0", "--benchmark_format=json"],
            capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stderr[-2000:])
        report = json.loads(run.stdout)
        rows = report["benchmarks"]
        # No minimum time means one iteration each, in the order of the report.
        if any(row["iterations"] != 1 for row in rows):
            sys.exit("a benchmark ran more than once")
        counts = {}
        for i, row in enumerate(rows, 1):
            text = Path(f"{folder}/out.{i}").read_text()
            counts[row["name"]] = int(re.search(r"^(?:totals|summary): (\d+)", text, re.M).group(1))
        return counts, report["context"]


def grown(counts, path, limit):
    before = json.loads(Path(path).read_text())["counts"]
    return [(name, before[name], now) for name, now in counts.items()
            if name in before and now - before[name] > max(FLOOR, before[name] * limit / 100)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--filter", default=DEFAULT)
    parser.add_argument("--output")
    parser.add_argument("--against")
    parser.add_argument("--limit", type=float, default=1.0, help="percent")
    args = parser.parse_args()
    counts, context = measure(str(Path(args.build) / "bench" / "dvk_bench"), args.filter)
    failed = grown(counts, args.against, args.limit) if args.against else []
    for name, before, now in failed:
        print(f"{name}: {before:,} -> {now:,} ({100 * (now / before - 1):+.1f} %)")
    compiler = re.sub(r"[^a-z0-9.]+", "-", context["dvk_compiler"].lower())
    output = Path(args.output or ROOT / "results" / "counts" / f"{platform.machine()}-{compiler}.json")
    output.parent.mkdir(parents=True, exist_ok=True)
    kept = {key: context[key] for key in ("dvk_commit", "dvk_dirty", "dvk_compiler", "dvk_flags", "dataset_hash")}
    output.write_text(json.dumps({"context": kept, "counts": counts}, indent=1) + "\n")
    print(f"{len(counts)} counts in {output}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
