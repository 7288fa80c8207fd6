"""Runs `dvk verify --json` over all hostile cases and compares verdicts, codes, quirks and rows.

    python3 tests/hostile/run_verify.py DVK WORKDIR [--only 'blob/*']

The tier is the one that DVK_MAX_ISA names; ctest has an entry for each. Exit status 77: this machine
cannot run that tier. One process a level reads all cases from one listing, so that a case that
disturbs the next one is seen. It has a time limit, and a memory limit that any case may use up alone:
the largest footer takes 20 times 16 MiB, and the rest is for the program and four copies of a file.
"""

import argparse
import fnmatch
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

LEVELS = ("strict", "standard", "trusted")
SKIPPED = 77
MEMORY_LIMIT = 20 * 16 * 2**20 + 2**27
TIME_LIMIT = 300  # seconds a level; it takes one, and under a sanitizer ten


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dvk", type=Path)
    parser.add_argument("work", type=Path, help="where the cases are, or are to be generated")
    parser.add_argument("--only", default="*", help="cases whose file matches this pattern")
    args = parser.parse_args()

    check_tier(args.dvk)
    args.limit = memory_limit(args.dvk)
    generate(args.work)
    cases = json.loads((args.work / "manifest.json").read_text())["cases"]
    cases = [case for case in cases if fnmatch.fnmatch(case["file"], args.only)]
    if not cases:
        sys.exit(f"no case matches {args.only}")
    faults = [fault for level in LEVELS for fault in check_level(args, cases, level)]
    faults += [fault for level in LEVELS for fault in check_level(args, cases, level, True)]
    for fault in faults[:40]:
        print(fault)
    print(f"{len(cases)} cases at {len(LEVELS)} levels, plain and tolerant: {len(faults)} differences")
    sys.exit(1 if faults else 0)


def check_tier(dvk):
    wanted = os.environ.get("DVK_MAX_ISA")
    state = json.loads(subprocess.run([dvk, "cpu", "--json"], capture_output=True, check=True).stdout)
    if wanted and state["active"] != wanted:
        print(f"skipped: tier {wanted} cannot run here (can: {', '.join(state['supported'])})")
        sys.exit(SKIPPED)


def memory_limit(dvk):
    """What to call in the child; nothing where a sanitizer's shadow memory needs terabytes."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    works = subprocess.run([dvk, "cpu"], capture_output=True, preexec_fn=limit).returncode == 0
    if not works:
        print(f"no memory limit: {dvk} does not start within {MEMORY_LIMIT} bytes")
    return limit if works else None


def generate(work):
    # ctest does this once, before all tiers.
    if not (work / "manifest.json").exists():
        generator = Path(__file__).with_name("generate.py")
        subprocess.run([sys.executable, generator, work], check=True)


def check_level(args, cases, level, tolerant=False):
    lines = [json.dumps(entry(args.work, case)) for case in cases]
    command = [args.dvk, "verify", "--json", "--level", level, "--entries", "-"]
    compare = compare_case
    if tolerant:
        command += ["--tolerate", "all"]
        compare = compare_tolerant
    try:
        run = subprocess.run(
            command,
            input="\n".join(lines).encode(),
            capture_output=True,
            timeout=TIME_LIMIT,
            preexec_fn=args.limit,
        )
    except subprocess.TimeoutExpired:
        return [f"{level}: not done in {TIME_LIMIT} s"]
    if run.returncode not in (0, 1):
        return [f"{level}: exit status {run.returncode}: {run.stderr.decode(errors='replace')[:500]}"]
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(cases):
        return [f"{level}: {len(answers)} answers to {len(cases)} cases"]
    faults = []
    for case, answer in zip(cases, answers):
        faults += [f"{' '.join(command[4:])} {case['file']}: {text}"
                   for text in compare(case, answer, level)]
    rejected = any(answer["verdict"] == "reject" for answer in answers)
    if run.returncode != int(rejected):
        faults.append(f"{level}: exit status {run.returncode}")
    return faults


def entry(work, case):
    """What the caller of a reader would know, as a line of the listing."""
    options = dict(case.get("options", {}))
    if "cardinality" in options:
        options["record_count"] = options.pop("cardinality")
    return {"file": str((work / case["file"]).resolve()), "kind": case["kind"], **options}


def compare_case(case, answer, level):
    expected = case["verdicts"][level]
    found = list(differences(expected, answer))
    if expected["verdict"] == "reject":
        if "blob" in expected and expected["blob"] != answer.get("blob"):
            found.append(f"blob is {answer.get('blob')}, not {expected['blob']}")
        if not answer["message"]:
            found.append("no message")
        quirk = case.get("quirk")
        if isinstance(quirk, dict):
            quirk = quirk[level]
        if answer.get("quirk") != quirk:
            found.append(f"quirk is {answer.get('quirk')}, not {quirk}")
    parts = case.get("blobs")
    if parts is not None:
        if len(parts) != len(answer["blobs"]):
            return found + [f"{len(answer['blobs'])} blobs, not {len(parts)}"]
        for i, (part, verdict) in enumerate(zip(parts, answer["blobs"])):
            if part.get("type") != verdict.get("type"):
                found.append(f"blob {i}: type {verdict.get('type')}, not {part.get('type')}")
            found += [f"blob {i}: {text}" for text in differences(part["verdicts"][level], verdict)]
    return found


def compare_tolerant(case, answer, level):
    """As compare_case, with all quirks tolerated: where no writer's fault is named, nothing changes."""
    expected = case.get("tolerant", {}).get(level)
    if "tolerant" not in case:
        return compare_case(case, answer, level)
    if expected is None:
        return []
    found = list(differences(expected, answer))
    if sorted(answer.get("tolerated", [])) != expected.get("tolerated", []):
        found.append(f"tolerated is {answer.get('tolerated')}, not {expected.get('tolerated')}")
    for i, part in enumerate(expected.get("blobs", [])):
        verdict = {"verdict": "accept"} | part
        found += [f"blob {i}: {text}" for text in differences(verdict, answer["blobs"][i])]
    return found


def differences(expected, answer):
    names = ["verdict"]
    if expected["verdict"] == "reject":
        names += ["code", "offset"]
    else:
        names += [name for name in ("cardinality", "min", "max") if name in expected]
    for name in names:
        if answer[name] != expected[name]:
            yield f"{name} is {answer[name]}, not {expected[name]}"


if __name__ == "__main__":
    main()
