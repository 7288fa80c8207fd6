"""Prints what tools/demo.sh has measured: dvk beside CRoaring and beside the speed of memory.

Reads Google Benchmark's JSON; of each benchmark the fastest repetition counts, for machines are
shared and noise only ever adds. Fails unless dvk and CRoaring were both measured.
"""

import json
import sys


def fastest(path):
    """Rows per second of each benchmark's fastest repetition."""
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    rates = {}
    for run in runs:
        if run.get("run_type") == "aggregate":
            continue
        if run.get("error_occurred"):
            sys.exit(f"demo: {run['name']}: {run.get('error_message', 'failed')}")
        name = run.get("run_name", run["name"])
        rates[name] = max(rates.get(name, 0.0), run["items_per_second"])
    return rates


def main(path):
    rates = fastest(path)
    dvk = {n: r for n, r in rates.items() if n.startswith("select/")}
    peers = {n: r for n, r in rates.items() if n.startswith("peer/")}
    if not dvk or not peers:
        sys.exit(f"demo: nothing to compare in {sorted(rates)}")
    base = max(peers.values())
    print(f"{'':<52}{'million rows/s':>15}{'to CRoaring':>14}")
    for name, rate in sorted(rates.items(), key=lambda item: item[1]):
        print(f"{name:<52}{rate / 1e6:>15.0f}{rate / base:>13.1f}x")
    name, rate = max(dvk.items(), key=lambda item: item[1])
    line = f"{name} is {rate / base:.1f} times as fast as CRoaring asked as DuckDB asks it"
    limits = [r for n, r in rates.items() if n.startswith("limit/")]
    if limits:
        line += f",\nand {100 * rate / max(limits):.0f} % of what the machine can store"
    print(f"\n{line}.")


if __name__ == "__main__":
    main(sys.argv[1])
