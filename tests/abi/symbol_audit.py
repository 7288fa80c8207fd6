#!/usr/bin/env python3
"""Checks the objects of tier files: each exports one symbol, its table, and shares no weak symbol with another tier.

A function that a tier file defines with linkage can be picked by the linker for everyone; compiled with AVX-512
flags, it then kills the program on an older CPU. So tier files keep all but their table in unnamed namespaces, and this
test reads the objects to see that they do.

usage: symbol_audit.py FOLDER...   (folders that hold the objects of the kernel library)
"""
import pathlib
import re
import subprocess
import sys

TIER = re.compile(r"^(scalar|sse42|avx2|avx512|neon)[a-z0-9_]*\.cpp\.o$")
# Strong: text, data, read-only data, bss. Weak: templates and inline functions (W, V, u).
STRONG, WEAK = set("TDRB"), set("WVu")
# Emitted by the compiler itself in every object that has frames to unwind; a pointer, not code.
ALLOWED_WEAK = {"DW.ref.__gxx_personality_v0"}


def symbols(path):
    out = subprocess.run(["nm", "--defined-only", "--demangle", path], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        kind, name = line[17:18], line[19:]
        yield kind, name


def main():
    objects = [p for folder in sys.argv[1:] for p in sorted(pathlib.Path(folder).rglob("*.cpp.o")) if TIER.match(p.name)]
    if not objects:
        print("no tier objects found")
        return 1
    faults, weak = [], {}
    for path in objects:
        label = f"{path.parent.name}/{path.name[:-6]}"
        exported = [n for k, n in symbols(path) if k in STRONG and not n.startswith(("__asan", "__odr_asan", "__tsan", "asan.", "tsan."))]
        if len(exported) != 1:
            faults.append(f"{label} exports {len(exported)} symbols, not one: {', '.join(exported) or 'none'}")
        for kind, name in symbols(path):
            if kind in WEAK and name not in ALLOWED_WEAK:
                weak.setdefault(name, []).append(label)
    for name, owners in weak.items():
        if len({o.rsplit("/", 1)[1] for o in owners}) > 1:
            faults.append(f"weak symbol {name} is defined by {', '.join(owners)}")
    for fault in faults:
        print("FAULT", fault)
    print(f"{len(objects)} tier objects, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
