#!/usr/bin/env python3
"""Keeps a raw run of dvk_bench under results/, without what would tell whose machine it was.

    record.py RAW.json [--machine ID] [--output FILE]
    record.py --filter        the regular expression of the benchmarks that bars.py needs
"""

import argparse
import json
import os
import platform
import re
import sys
from pathlib import Path

from bars import bars

ROOT = Path(__file__).resolve().parents[2]
# Context that names the host or its folders, or that changes without meaning.
PRIVATE = ("host_name", "executable", "load_avg")


def claim_filter():
    """Names that bars.py mentions, folded so that the expression stays short."""
    names = {"canary/scalar_loop"}
    for bar in bars():
        for side in (bar.above, bar.below):
            names.update([side] if isinstance(side, str) else side if isinstance(side, list) else [])
    tree = {}
    for name in names:
        head, _, tail = re.sub(r"\{\w+\}", "[a-z0-9_]+", name).partition("/")
        operation, _, rest = tail.partition("/")
        tree.setdefault((head, operation), set()).add(rest)
    parts = []
    for (head, operation), rests in sorted(tree.items()):
        rest = "" if rests == {""} else "/(" + "|".join(sorted(rests)) + ")"
        parts.append(f"{head}/{operation}{rest}")
    return "^(" + "|".join(parts) + ")$"


def machine_id(context):
    """From the CPU's model: "AMD EPYC 9575F 64-Core Processor" becomes amd-epyc-9575f."""
    words = re.sub(r"\((R|TM)\)|\b(CPU|Processor|\d+-Core)\b|@.*", "", context["cpu_model"]).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-") or "unknown"


def cpu_lines():
    try:
        return dict(re.findall(r"^([^\t\n]+?)\s*: (.*)$", Path("/proc/cpuinfo").read_text().split("\n\n")[0], re.M))
    except OSError:
        return {}


def operating_system():
    try:
        text = Path("/etc/os-release").read_text()
        return re.search(r'^PRETTY_NAME="?(.*?)"?$', text, re.M).group(1)
    except (OSError, AttributeError):
        return platform.system()


def describe(context):
    cpu = cpu_lines()
    return {
        "cpu_model": context["cpu_model"],
        "cpu_family_model_stepping": [cpu.get(key, "") for key in ("cpu family", "model", "stepping")],
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "caches": context["caches"],
        "features": context["cpu_features"],
        "microcode": context["microcode"],
        "virtualised": context["virtualised"],
        "kernel": context["kernel"],
        "os": operating_system(),
    }


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n")
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("raw", nargs="?")
    parser.add_argument("--machine", default="")
    parser.add_argument("--output", default="")
    parser.add_argument("--filter", action="store_true")
    args = parser.parse_args()
    if args.filter:
        print(claim_filter())
        return 0
    data = json.loads(Path(args.raw).read_text())
    context = {key: value for key, value in data["context"].items() if key not in PRIVATE}
    machine = args.machine or machine_id(context)
    context["machine_id"] = machine
    # Aggregates can be computed again; the repetitions cannot.
    rows = [row for row in data["benchmarks"] if row["run_type"] == "iteration"]
    record = {"context": context, "benchmarks": rows}
    if args.output:
        write(Path(args.output), record)
        return 0
    name = f"{context['date'][:10]}-{context['dvk_commit']}{'-dirty' if context['dvk_dirty'] == 'yes' else ''}.json"
    write(ROOT / "results" / "runs" / machine / name, record)
    write(ROOT / "results" / "machines" / f"{machine}.json", {"machine_id": machine, **describe(context)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
