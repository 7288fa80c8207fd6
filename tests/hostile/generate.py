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
import itertools
import json
import sys
from pathlib import Path

import cases_bitmap
import cases_blob
import cases_codec
import cases_containers
import cases_delta
import cases_dv
import cases_headers
import cases_json
import cases_puffin
import cases_quirks
import decode_delta
import decode_puffin
import decoder
from casebook import LEVELS

MODULES = (
    cases_headers,
    cases_containers,
    cases_bitmap,
    cases_blob,
    cases_puffin,
    cases_json,
    cases_codec,
    cases_dv,
    cases_delta,
    cases_quirks,
)


# Quirks that have a safe reading, by the kinds whose files can have them.
VECTOR_QUIRKS = ("keys_in_hash_order", "missing_offset_header", "undersized_bitset")
BLOB_QUIRKS = VECTOR_QUIRKS + ("bare_bitmap", "crc_not_inverted")
TOLERABLE = {
    "bitmap64": VECTOR_QUIRKS,
    "blob": BLOB_QUIRKS,
    "puffin": BLOB_QUIRKS + ("velox_footer",),
    "delta": BLOB_QUIRKS + ("z85_hash_tail",),
}


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


def outcome(case, level, interleaved=False, options=None):
    """What the decoder says: (fault, part at fault, positions, results of the parts)."""
    try:
        found = decode(case, level, interleaved, options or case.options)
        parts = case.kind == "puffin" or (case.kind == "delta" and "descriptor" not in case.options)
        return (None, None, None, found) if parts else (None, None, found, None)
    except decode_puffin.FileFault as fault:
        return (fault.code, fault.offset), fault.blob, None, fault.results
    except decoder.Fault as fault:
        return (fault.code, fault.offset), None, None, None


def decode(case, level, interleaved, options):
    if case.kind == "bitmap64":
        return decoder.decode_bitmap64(case.data, level, 0, None, options, interleaved)
    if case.kind == "blob":
        return decoder.decode_blob(case.data, level, 0, None, options, interleaved)
    if case.kind == "puffin":
        return decode_puffin.decode_puffin(case.data, level, options)
    return decode_delta.decode_delta(case.data, level, options)


def read_tolerantly(case, level):
    """The fewest quirks under which the case can be read, and its positions; None if there are none."""
    quirks = TOLERABLE[case.kind]
    for n in range(len(quirks) + 1):
        for reading in itertools.combinations(quirks, n):
            options = case.options | {"reading": frozenset(reading)}
            fault, _, ranges, results = outcome(case, level, options=options)
            if fault is None and results is not None:
                ranges = [result.ranges for result in results]
            if fault is None and ranges is not None:
                return sorted(reading), ranges
    return None


def check_tolerance(case):
    """As check: of the readings that writers' faults ask for."""
    if case.tolerant_fault is not None:
        reading = frozenset(case.tolerated or {case.quirk})
        found = outcome(case, "standard", options=case.options | {"reading": reading})[0]
        if found != case.tolerant_fault or read_tolerantly(case, "standard"):
            yield f"tolerantly stated {case.tolerant_fault}, decoder says {found}"
    elif case.tolerant is None:
        # Footers take long, and there are many; faults of vectors are the same in all kinds.
        if case.kind != "puffin" and case.faults["standard"] and read_tolerantly(case, "standard"):
            yield f"can be read, with {read_tolerantly(case, 'standard')[0]}, but no author says so"
    for level in LEVELS if case.tolerant is not None else ():
        found = read_tolerantly(case, level)
        if found is None or found[1] != case.tolerant:
            yield f"{level}: tolerantly stated {case.tolerant}, decoder says {found}"
        elif level == "standard" and set(found[0]) != (case.tolerated or {case.quirk}):
            yield f"stated quirk {case.quirk}, decoder needs {found[0]}"


def check(case):
    """Differences between what the author stated and what the decoder finds."""
    complaints = []
    for level in LEVELS:
        stated = case.faults[level]
        found, blob, ranges, results = outcome(case, level)
        if found != stated or blob != case.blob.get(level):
            complaints.append(f"{level}: stated {stated}, decoder says {found} in {blob}")
        elif results is not None:
            for i, (part, result) in enumerate(zip(case.blobs, results, strict=True)):
                complaints += [f"{level}: blob {i}: {c}" for c in check_part(part, level, result)]
        elif stated is None and ranges != (None if level in case.undefined else case.ranges):
            complaints.append(f"{level}: positions differ: {str(ranges)[:200]}")
    return complaints + list(check_tolerance(case))


def check_part(part, level, result):
    found = result.fault and (result.fault.code, result.fault.offset)
    if found != part.faults[level]:
        yield f"stated {part.faults[level]}, decoder says {found}"
    elif found is None and part.content is not None and part.content != result.content:
        yield f"content differs: {str(result.content)[:80]}"
    elif found is None and part.content is None:
        if result.ranges != (None if level in part.undefined else part.ranges):
            yield f"positions differ: {str(result.ranges)[:200]}"


def describe(ranges):
    lines = "".join(f"{first}-{last}\n" for first, last in ranges)
    return {
        "cardinality": sum(last - first + 1 for first, last in ranges),
        "min": ranges[0][0] if ranges else None,
        "max": ranges[-1][1] if ranges else None,
        "range_count": len(ranges),
        "ranges_sha256": hashlib.sha256(lines.encode()).hexdigest(),
    }


def verdicts(faults, undefined, describe_accepted, blob=()):
    result = {}
    for level in LEVELS:
        if faults[level] is not None:
            code, offset = faults[level]
            result[level] = {"verdict": "reject", "code": code, "offset": offset}
            if level in blob:
                result[level]["blob"] = blob[level]
        elif level in undefined:
            result[level] = {"verdict": "accept", "content": "undefined"}
        else:
            result[level] = {"verdict": "accept"} | describe_accepted
    return result


def part_entry(part):
    if part.content is not None:
        sha256 = hashlib.sha256(part.content).hexdigest()
        described = {"size": len(part.content), "sha256": sha256}
    else:
        described = {} if part.ranges is None else describe(part.ranges)
    result = {} if part.type is None else {"type": part.type}
    return result | {"verdicts": verdicts(part.faults, part.undefined, described)}


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
    described = {} if case.ranges is None else describe(case.ranges)
    result["verdicts"] = verdicts(case.faults, case.undefined, described, case.blob)
    if case.blobs is not None:
        result["blobs"] = [part_entry(part) for part in case.blobs]
    if case.tolerant is not None:
        result["tolerant"] = {level: tolerant_entry(case, level) for level in LEVELS}
    if case.tolerant_fault is not None:
        code, offset = case.tolerant_fault
        fault = {"verdict": "reject", "code": code, "offset": offset}
        result["tolerant"] = dict.fromkeys(set(LEVELS) - case.undefined, fault)
    return result


def tolerant_entry(case, level):
    reading, ranges = read_tolerantly(case, level)
    if case.kind == "puffin":
        parts = [describe(part) for part in ranges]
        return {"verdict": "accept", "tolerated": reading, "blobs": parts}
    return {"verdict": "accept", "tolerated": reading} | describe(ranges)


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
