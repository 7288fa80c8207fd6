#!/usr/bin/env python3
"""Writes the hostile and edge cases and manifest.json, after checking every stated verdict.

    generate.py OUTDIR              write case files and the manifest
    generate.py --check             build all cases and run the decoder over them, write nothing
    generate.py --list              one line a case
    generate.py --only PATTERN ...  only cases whose kind/name matches the shell pattern
"""

import argparse
import fnmatch
import hashlib
import json
import sys
from pathlib import Path

import cases_bitmap
import cases_blob
import cases_containers
import cases_headers
import decoder
from casebook import LEVELS

MODULES = (cases_headers, cases_containers, cases_bitmap, cases_blob)


def all_cases(pattern="*"):
    cases = []
    seen = set()
    for module in MODULES:
        for case in module.build().cases:
            name = f"{case.kind}/{case.name}"
            if name in seen:
                raise SystemExit(f"two cases are called {name}")
            seen.add(name)
            if fnmatch.fnmatch(name, pattern):
                cases.append(case)
    return cases


def outcome(case, level, interleaved=False):
    """What the decoder says: ((code, offset) or None, what it read)."""
    try:
        return None, decoder.decode(case.kind, case.data, level, case.options, interleaved)
    except decoder.Fault as fault:
        return (fault.code, fault.offset), None


def check(case):
    """Differences between what the author stated and what the decoder finds."""
    complaints = []
    for level in LEVELS:
        found, ranges = outcome(case, level)
        stated = case.faults[level]
        if found != stated:
            complaints.append(f"{level}: stated {stated}, decoder says {found}")
        elif stated is None:
            expected = None if level in case.undefined else case.ranges
            if ranges != expected:
                complaints.append(f"{level}: positions differ: {str(ranges)[:200]}")
    return complaints


def describe(ranges):
    lines = "".join(f"{first}-{last}\n" for first, last in ranges)
    return {
        "cardinality": sum(last - first + 1 for first, last in ranges),
        "min": ranges[0][0] if ranges else None,
        "max": ranges[-1][1] if ranges else None,
        "range_count": len(ranges),
        "ranges_sha256": hashlib.sha256(lines.encode()).hexdigest(),
    }


def verdicts(faults, undefined, ranges):
    result = {}
    for level in LEVELS:
        if faults[level] is not None:
            code, offset = faults[level]
            result[level] = {"verdict": "reject", "code": code, "offset": offset}
        elif level in undefined:
            result[level] = {"verdict": "accept", "content": "undefined"}
        else:
            result[level] = {"verdict": "accept"}
            if ranges is not None:
                result[level].update(describe(ranges))
    return result


def order_matters(case):
    """Whether a reader that checks contents while it walks would report another fault."""
    return any(outcome(case, level, True)[0] != case.faults[level] for level in LEVELS)


def entry(case):
    result = {"file": f"{case.kind}/{case.name}{case.suffix}", "kind": case.kind, "why": case.why}
    if case.quirk:
        result["quirk"] = case.quirk
    if case.options:
        result["options"] = case.options
    if case.kind in ("bitmap64", "blob") and order_matters(case):
        result["order_matters"] = True
    result["verdicts"] = verdicts(case.faults, case.undefined, case.ranges)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("outdir", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true", help="run the decoder only")
    parser.add_argument("--list", action="store_true", help="one line a case")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="kind/name, as in a shell")
    args = parser.parse_args()
    if not (args.outdir or args.check or args.list):
        parser.error("OUTDIR, --check or --list is needed")
    cases = all_cases(args.only)

    if args.list:
        for case in cases:
            fault = case.faults["standard"]
            verdict = f"{fault[0]} at {fault[1]}" if fault else "accept"
            print(f"{case.kind}/{case.name}: {verdict}: {case.why}")
        return 0

    failed = 0
    for case in cases:
        for complaint in check(case):
            print(f"{case.kind}/{case.name}: {complaint}", file=sys.stderr)
            failed += 1
    if failed:
        print(f"{failed} stated verdicts disagree with the decoder", file=sys.stderr)
        return 1
    print(f"{len(cases)} cases, every verdict confirmed by the decoder")
    if not args.outdir:
        return 0

    for case in cases:
        path = args.outdir / case.kind / (case.name + case.suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.data)
    manifest = {"cases": [entry(case) for case in cases]}
    text = json.dumps(manifest, indent=1, ensure_ascii=True)
    (args.outdir / "manifest.json").write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
