#!/usr/bin/env python3
"""Builds and runs a small project on an installed dvk, in each way that its users have.

usage: run.py STAGE --build DIR --cmake CMAKE --generator NAME --cc CC --cxx CXX --deps DIR

Stages: prefix (installs the build tree and moves the result, so that a path baked in would show; the
others need it), find_package, pkg_config, embedding (dvk as a subproject). With DVK_INSTALL_FULL=1 in
the environment the embedded dvk is compiled as a whole, and a shared one is built and audited too.
Exit code 77: the machine lacks a tool that the stage is about.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BLOB = ROOT / "tests/data/iceberg/mixed-array-bitset-run-3.dv.bin"
FULL = os.environ.get("DVK_INSTALL_FULL") == "1"


class Failure(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


def call(*command, environment=None, fails=False):
    """Standard output; or, with `fails`, all output of a command that has to fail."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          env={**os.environ, **(environment or {})})
    everything = done.stdout + done.stderr
    check((done.returncode != 0) == fails, f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{everything}")
    return everything if fails else done.stdout


class Stages:
    def __init__(self, options):
        self.o = options
        self.build_tree = pathlib.Path(options.build).resolve()
        self.work = self.build_tree / "install-test"
        self.prefix = self.work / "prefix"

    def configure(self, source, name, *definitions, fails=False):
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        output = call(self.o.cmake, "-S", source, "-B", folder, "-G", self.o.generator, f"-DCMAKE_C_COMPILER={self.o.cc}",
                      f"-DCMAKE_CXX_COMPILER={self.o.cxx}", *definitions, fails=fails)
        return output if fails else folder

    def build(self, folder, *targets):
        call(self.o.cmake, "--build", folder, "--parallel", "2", *(["--target", *targets] if targets else []))

    def run(self, program, environment=None):
        output = call(program, BLOB, environment=environment)
        version = re.search(r'DVK_VERSION_STRING "(.*)"', (ROOT / "include/dvk/version.hpp").read_text())[1]
        check(output == f"dvk {version}: {expected()}\n", f"{program} printed: {output}")

    def stage_prefix(self):
        shutil.rmtree(self.work, ignore_errors=True)
        before = self.work / "before"
        call(self.o.cmake, "--install", self.build_tree, "--prefix", before)
        before.rename(self.prefix)
        for path in self.prefix.rglob("*"):
            if path.suffix in (".cmake", ".pc", ".h", ".hpp"):
                text = path.read_text()
                for folder in (str(before), str(ROOT), str(self.build_tree)):
                    check(folder not in text, f"{path} names {folder}")

    def stage_find_package(self):
        here = [f"-DCMAKE_PREFIX_PATH={self.prefix}"]
        deps = f"-DDVK_DEPS_DIR={self.o.deps}"
        folder = self.configure(HERE / "consumer", "find_package", *here, deps)
        self.build(folder)
        for program in programs():
            self.run(folder / program)
        folder = self.configure(HERE / "consumer", "c_alone", *here, deps, "-DDVK_LANGUAGES=C", "-DDVK_COMPONENTS=c")
        self.build(folder)
        self.run(folder / "scan_c")
        # One component needs nothing but itself; one that does not exist is refused by name.
        self.configure(HERE / "consumer", "components", *here, "-DDVK_COMPONENTS=kernels", "-DDVK_DEPS_DIR=/nonexistent")
        output = self.configure(HERE / "consumer", "absent", *here, "-DDVK_COMPONENTS=theremin", fails=True)
        check("built without theremin" in output, output)

    def stage_pkg_config(self):
        tool = shutil.which("pkg-config")
        if tool is None:
            print("skipped: no pkg-config")
            sys.exit(77)
        paths = [next(self.prefix.rglob("pkgconfig")), *pathlib.Path(self.o.deps).rglob("pkgconfig")]
        environment = {"PKG_CONFIG_PATH": ":".join(map(str, paths))}
        static = [] if list(self.prefix.rglob("libdvk_kernels.so")) else ["--static"]

        def flags(package, *what):
            return call(tool, *what, *static, package, environment=environment).split()

        libraries = {"LD_LIBRARY_PATH": ":".join(str(p.parent) for p in paths)}
        folder = self.work / "pkg_config"
        folder.mkdir(exist_ok=True)
        for program, (compiler, source, package) in programs().items():
            compiler = [self.o.cxx, "-std=c++20"] if compiler == "cxx" else [self.o.cc, "-std=c99"]
            call(*compiler, HERE / "consumer" / source, "-o", folder / program, *flags(package, "--cflags", "--libs"))
            self.run(folder / program, libraries)
        version = call(tool, "--modversion", "dvk", environment=environment).strip()
        for package in sorted(p.stem for p in paths[0].glob("dvk*.pc")):
            call(tool, "--print-errors", "--exact-version=" + version, package, environment=environment)

    def stage_embedding(self):
        folder = self.configure(HERE / "embedding", "embedding", f"-DDVK_SOURCE_DIR={ROOT}", f"-DDVK_DEPS_DIR={self.o.deps}")
        foreign = []
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            path = pathlib.Path(entry["file"]).relative_to(ROOT)
            check("-Werror" not in entry["command"], f"{path} is compiled with -Werror")
            if path.parts[0] == "kernels":
                continue
            foreign.append(path.name)
            check(not re.search(r" -(W|m|f(?!PI))", entry["command"]), f"{path} has flags of dvk: {entry['command']}")
        check(sorted(foreign) == sorted(p[1] for p in programs().values()), f"more than libraries is built: {foreign}")
        if FULL:
            self.build(folder)
            for program in programs():
                self.run(folder / program)
            self.build(self.configure(ROOT, "shared", "-DBUILD_SHARED_LIBS=ON", f"-DDVK_DEPS_DIR={self.o.deps}",
                                      "-DCMAKE_BUILD_TYPE=Release"))
            shared = Stages(argparse.Namespace(**{**vars(self.o), "build": self.work / "shared"}))
            shared.stage_prefix()
            shared.stage_find_package()
            shared.stage_pkg_config()
            call(sys.executable, ROOT / "tests/abi/exported_symbols.py", "--compiler", self.o.cxx,
                 *shared.prefix.rglob("libdvk_*.so"))


def programs():
    """Programs of the consumer: compiler, source, pkg-config package."""
    return {"scan_cpp": ("cxx", "scan.cpp", "dvk-kernels"), "scan_c": ("cc", "scan.c", "dvk-c")}


def expected():
    """What the programs print after the version, found by reading the blob in the plainest way."""
    sys.path.insert(0, str(ROOT / "tests/data"))
    import roaring_decoder
    ranges = roaring_decoder.decode_dv_blob(BLOB.read_bytes()).ranges
    rows = ranges[-1][1] + 1
    deleted = sum(last - first + 1 for first, last in ranges)
    total = rows * (rows - 1) // 2 - sum(sum(range(first, last + 1)) for first, last in ranges)
    return f"{deleted} deleted, {rows - deleted} live, sum of live rows {total}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stage")
    for name in ("build", "cmake", "generator", "cc", "cxx", "deps"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    try:
        getattr(Stages(options), f"stage_{options.stage}")()
    except Failure as failure:
        print(f"FAILED {options.stage}: {failure}")
        return 1
    print(f"ok {options.stage}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
