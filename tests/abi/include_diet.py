#!/usr/bin/env python3
"""Checks who includes whom: the diet of tier files, and the direction of dependencies between folders.

Tier files, and the headers of their family that they include, may use fixed-width integers, intrinsics, xsimd, bytes/, and the
container's layout; a standard header brings inline functions that would be compiled with the tier's flags. Families
never include one another. Installed headers include nothing but themselves and the standard library.

usage: include_diet.py SOURCE_ROOT
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
TIERS = ("scalar", "sse42", "avx2", "avx512", "neon")
FAMILIES = ("crc32", "validate", "probe", "selection", "setops")
TIER_DIET = {"cstdint", "cstddef", "bit", "type_traits", "immintrin.h", "arm_neon.h", "arm_acle.h", "nmmintrin.h", "wmmintrin.h",
             "emmintrin.h", "smmintrin.h", "tmmintrin.h", "xsimd/xsimd.hpp", "roaring/container.hpp", "roaring/directory.hpp",
             "dispatch/tiers.def",
             "dvk/export.hpp"}  # nothing but macros
# Folder of kernels/ -> folders it may include (its own always).
MAY = {
    "dispatch": set(), "bytes": set(), "roaring": {"bytes", "dispatch", "validate", "probe"},
    "crc32": {"bytes", "dispatch"},
    "validate": {"bytes", "dispatch", "roaring"}, "probe": {"bytes", "dispatch", "roaring"},
    "selection": {"bytes", "dispatch", "roaring"}, "setops": {"bytes", "dispatch", "roaring"},
    "puffin": {"bytes", "roaring"}, "delta": {"bytes", "roaring"}, "scope": {"bytes"},
    "builder": {"bytes", "roaring", "setops", "dispatch"}, "c": set(),
}


def includes(path):
    return INCLUDE.findall(path.read_text())


def main():
    root = pathlib.Path(sys.argv[1])
    kernels, public, faults, files = root / "kernels", root / "include", [], 0

    for path in sorted(public.rglob("*.h*")):
        files += 1
        for name in includes(path):
            if not (name.startswith("dvk/") or re.fullmatch(r"[a-z_0-9]+(\.h)?", name)):
                faults.append(f"{path.relative_to(root)} includes {name}: installed headers use themselves and the standard library only")

    for folder, allowed in MAY.items():
        for path in sorted((kernels / folder).glob("*.[ch]pp")):
            files += 1
            for name in includes(path):
                first = name.split("/")[0]
                if first in MAY and first not in allowed | {folder} and not name.startswith("dvk/"):
                    faults.append(f"{path.relative_to(root)} includes {name}: {folder} may not depend on {first}")

    for family in FAMILIES:
        queue = [p for p in (kernels / family).glob("*.cpp") if p.stem.split("_")[0] in TIERS]
        seen = set(queue)
        while queue:
            path = queue.pop()
            for name in includes(path):
                target = kernels / name
                if name.startswith((f"{family}/", "bytes/")) and target.exists():
                    if target not in seen:
                        seen.add(target)
                        queue.append(target)
                elif name not in TIER_DIET:
                    faults.append(f"{path.relative_to(root)} includes {name}: not in the diet of tier files")

    for fault in faults:
        print("FAULT", fault)
    print(f"{files} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
