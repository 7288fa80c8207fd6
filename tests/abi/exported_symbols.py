#!/usr/bin/env python3
"""Checks what the shared libraries export: names in namespace dvk and the C interface, nothing else.

Given static libraries, each is first linked into a shared one from the same objects with the export map, so that the
Release tree is enough. Also checked: what one library takes from another is exported there (the objects of a static
build never ask), and the C interface exports the functions that its headers
declare, no more and no fewer.

usage: exported_symbols.py --compiler CXX LIBRARY...   (all libraries of one build)
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OURS = re.compile(r"^(dvk::|(vtable|typeinfo|typeinfo name) for dvk::|dvk_\w+$)")
# A template's symbol starts with its return type.
TEMPLATE = re.compile(r"^[\w: ]+ (dvk::\S+<)")


def symbols(path, *options):
    out = subprocess.run(["nm", "--demangle", "--format=posix", *options, path], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        match = re.match(r"(.*?) ([A-Za-z])( [0-9a-f]+)*\s*$", line)
        if match:
            yield match[2], match[1]


def shared(path, compiler, folder):
    if path.suffix != ".a":
        return path
    result = folder / (path.stem + ".so")
    subprocess.run([compiler, "-shared", "-o", result, f"-Wl,--version-script={ROOT / 'tools/cmake/exports.map'}",
                    "-Wl,--whole-archive", path, "-Wl,--no-whole-archive"], check=True)
    return result


def declared_in_c():
    headers = "".join((ROOT / "include/dvk" / name).read_text() for name in ("dvk.h", "dvk_files.h"))
    return set(re.findall(r"^DVK_EXPORT [^;(]*?\b(dvk_\w+)\(", headers, re.M))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("libraries", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    faults, exported, wanted = [], set(), {}
    with tempfile.TemporaryDirectory() as folder:
        for library in options.libraries:
            path = shared(library, options.compiler, pathlib.Path(folder))
            own = {name for _, name in symbols(path, "--dynamic", "--defined-only")}
            if not own:
                faults.append(f"{library.name} exports nothing")
            faults += [f"{library.name} exports {name}" for name in own if not (OURS.match(name) or TEMPLATE.match(name))]
            exported |= own
            for kind, name in symbols(path, "--dynamic", "--undefined-only"):
                if kind == "U" and OURS.match(name):
                    wanted.setdefault(name, library.name)
    faults += [f"{library} takes {name} from a library that hides it" for name, library in wanted.items() if name not in exported]
    in_c, declared = {name for name in exported if name.startswith("dvk_")}, declared_in_c()
    if in_c:
        faults += [f"{name} is exported, but not declared for C" for name in in_c - declared]
        faults += [f"{name} is declared for C, but not exported" for name in declared - in_c]
    for fault in sorted(faults):
        print("FAULT", fault)
    print(f"{len(options.libraries)} libraries export {len(exported)} symbols, {len(in_c)} of them for C; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
