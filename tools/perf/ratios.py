#!/usr/bin/env python3
"""Checks the claims of bars.py against a run of dvk_bench, and writes them as tables.

    ratios.py RUN.json                           print a table of all bars
    ratios.py RUN.json --group select            one group only
    ratios.py RUN.json --readme README.md        rewrite the blocks between `<!-- generated: NAME -->` and `<!-- end -->`,
                                                 NAME being `ratios` (all), `ratios GROUP` or `summary`
    ratios.py RUN.json --check                   exit 1 if a bar is missed

Times are CPU time, the minimum of a benchmark's repetitions: on a shared machine noise only ever adds.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from bars import bars


class Run:
    """One JSON file of Google Benchmark."""

    def __init__(self, path):
        data = json.loads(Path(path).read_text())
        self.context = data["context"]
        self.best = self.context["dvk_tier_best"]
        self._times = {}
        unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
        for row in data["benchmarks"]:
            if row["run_type"] != "iteration" or row.get("error_occurred"):
                continue
            nanoseconds = row["cpu_time"] * unit[row["time_unit"]]
            # The rates are per CPU second, so that their inverse is the time of one item or byte.
            per = {"pass": nanoseconds, "item": 1e9 / row["items_per_second"]}
            if "bytes_per_second" in row:
                per["byte"] = 1e9 / row["bytes_per_second"]
            self._times.setdefault(row["run_name"], []).append(per)

    def time(self, side, per):
        """Nanoseconds per item (or byte) of a bar's side; None if it was not run."""
        if isinstance(side, (int, float)):
            return side
        names = [side] if isinstance(side, str) else side
        samples = [s[per] for name in names for s in self._times.get(name.format(best=self.best, crc32=self.context["crc32_variant"]), []) if per in s]
        return min(samples, default=None)


def ratio_of(run, bar):
    above, below = run.time(bar.above, bar.per), run.time(bar.below, bar.per)
    return None if above is None or below is None else above / below


def met(ratio, bar, limit):
    return ratio <= limit if bar.sign == "<=" else ratio >= limit


def number(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def table(run, group=None):
    lines = ["| what | ratio | bar | stretch | met? |", "|---|---|---|---|---|"]
    for bar in bars():
        ratio = ratio_of(run, bar)
        if ratio is None or group not in (None, bar.group):
            continue
        sign = {"<=": "≤", ">=": "≥"}[bar.sign]
        stretch = "" if bar.stretch is None else f"{sign} {bar.stretch:g}"
        verdict = "yes" if met(ratio, bar, bar.bar) else "**no**"
        if bar.stretch is not None and met(ratio, bar, bar.stretch):
            verdict = "stretch"
        lines.append(f"| {bar.name} | {number(ratio)} | {sign} {bar.bar:g} | {stretch} | {verdict} |")
    return "\n".join(lines)


def origin(run):
    c = run.context
    return (f"{c['cpu_model']}, {c['dvk_compiler']}, tier {run.best}, commit {c['dvk_commit']}"
            f"{' with changes' if c['dvk_dirty'] == 'yes' else ''}, {c['date'][:10]}. Minimum of repetitions.")


def summary(run):
    """One line per group: bars met, and the one with the least room."""
    lines = ["| group | bars met | tightest |", "|---|---|---|"]
    groups = {}
    for bar in bars():
        ratio = ratio_of(run, bar)
        if ratio is not None:
            room = ratio / bar.bar if bar.sign == "<=" else bar.bar / ratio
            groups.setdefault(bar.group, []).append((room, bar, ratio))
    for group, rows in groups.items():
        room, bar, ratio = max(rows, key=lambda row: row[0])
        ok = sum(met(r, b, b.bar) for _, b, r in rows)
        sign = {"<=": "≤", ">=": "≥"}[bar.sign]
        lines.append(f"| {group} | {ok} of {len(rows)} | {bar.name}: {number(ratio)} (bar {sign} {bar.bar:g}) |")
    return "\n".join(lines)


def block(run, name):
    what, _, group = name.partition(" ")
    if what == "summary":
        body = summary(run)
    elif what == "ratios":
        body = table(run, group or None)
    else:
        return None  # another generator's block
    return f"{body}\n\n{origin(run)}"


def rewrite(path, run):
    text = Path(path).read_text()

    def replace(match):
        body = block(run, match.group(1).strip())
        return match.group(0) if body is None else f"<!-- generated: {match.group(1)} -->\n{body}\n<!-- end -->"

    new = re.sub(r"<!-- generated: ([^>]*?) -->\n.*?<!-- end -->", replace, text, flags=re.S)
    if new != text:
        Path(path).write_text(new)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--group")
    parser.add_argument("--readme", action="append", default=[])
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    run = Run(args.run)
    for readme in args.readme:
        rewrite(readme, run)
    if not args.readme:
        print(table(run, args.group))
        print("\n" + summary(run) + "\n\n" + origin(run))
    absent = [bar for bar in bars() if args.group in (None, bar.group) and ratio_of(run, bar) is None]
    if absent:
        print(f"{len(absent)} bars not in this run, first: {absent[0].name}", file=sys.stderr)
    missed = [bar for bar in bars() if args.group in (None, bar.group)
              and (ratio := ratio_of(run, bar)) is not None and not met(ratio, bar, bar.bar)]
    return 1 if args.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
