"""How dvk's commands behave: exit status, messages, files written, pipes that close.

    python3 tests/cli/commands.py DVK [unittest argument...]

What they say of real and of hostile files is tested by tests/format/golden_cli.py and
tests/hostile/run_verify.py.
"""

import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "iceberg"
DVK = None
OK, INVALID, USAGE = 0, 1, 2


def dvk(*arguments, stdin="", **environment):
    command = [DVK, *map(str, arguments)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment)


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def run_ok(self, *arguments, **how):
        done = dvk(*arguments, **how)
        self.assertEqual((done.returncode, done.stderr), (OK, ""), arguments)
        return done.stdout

    def create(self, rows, name="dv.puffin", *options, data_file="data/1.parquet"):
        path = self.folder / name
        self.run_ok("create", "--data-file", data_file, "-o", path, *options, stdin=rows)
        return path


class Verdicts(Folder):
    def test_exit_status(self):
        good = DATA / "one-dv.puffin"
        bad = self.write("bad.bin", (DATA / "one-position-0.dv.bin").read_bytes()[:-1] + b"\0")
        for arguments, status in (
            (["verify", good], OK),
            (["verify", good, bad], INVALID),
            (["positions", bad], INVALID),
            (["verify", good, self.folder / "missing"], USAGE),
            (["verify", good, "--level", "lax"], USAGE),
            (["verify"], USAGE),
            (["positions", good, "--blob", 7], USAGE),
            (["positions", good, "--data-file", "other"], USAGE),
            (["positions", DATA / "three-dvs.puffin"], USAGE),
            (["select", good, "--rows", "5"], USAGE),
            (["select", good, "--rows", f"{1 << 63}:1"], USAGE),
            (["count", good, "--rows", "5:4"], USAGE),
            ([], USAGE),
            (["dance"], USAGE),
            (["--help"], OK),
            (["verify", "--help"], OK),
        ):
            done = dvk(*arguments)
            self.assertEqual(done.returncode, status, arguments)
            if status != OK:
                self.assertTrue(done.stderr, arguments)

    def test_faults_name_file_code_and_byte(self):
        blob = bytearray((DATA / "one-position-0.dv.bin").read_bytes())
        blob[-1] ^= 1
        bad = self.write("bad.bin", blob)
        for command in ("verify", "positions", "count", "stats", "inspect"):
            done = dvk(command, bad)
            self.assertEqual(done.returncode, INVALID)
            self.assertIn(f"{bad}: bad_crc at byte {len(blob) - 4}: ", done.stderr)
        self.assertEqual(dvk("positions", bad).stdout, "")

    def test_any_changed_byte_of_a_vector_is_noticed(self):
        # Magics of a Puffin file too: a broken one must not make it a file of unknown kind.
        whole = (DATA / "one-dv.puffin").read_bytes()
        for at in [*range(4 + 50), *range(len(whole) - 12, len(whole))]:
            changed = bytearray(whole)
            changed[at] ^= 0x10
            done = dvk("verify", "-q", self.write("changed.bin", changed))
            self.assertEqual(done.returncode, INVALID, f"byte {at}: {done.stderr}")

    def test_kind_is_told_by_bytes_or_not_at_all(self):
        blob = (DATA / "array-3-contiguous.dv.bin").read_bytes()
        bitmap = blob[8:-4]
        for content, kind in (
            ((DATA / "one-dv.puffin").read_bytes(), "puffin"),
            (blob, "blob"),
            (b"\1" + blob, "delta"),
        ):
            file = self.write("file", content)
            self.assertEqual(json.loads(self.run_ok("verify", "--json", file))["kind"], kind)
        for content in (bitmap, bitmap[12:], b"", b"\1"):
            done = dvk("verify", self.write("file", content))
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("--as", done.stderr)
        bare = self.write("bare", bitmap)
        self.assertEqual(self.run_ok("positions", bare, "--as", "bitmap64").split(), ["0", "1", "2"])
        bare = self.write("bare", bitmap[12:])
        self.assertEqual(self.run_ok("positions", bare, "--as", "bitmap32").split(), ["0", "1", "2"])

    def test_ranges_need_no_container(self):
        three = DATA / "three-dvs.puffin"
        for blob in json.loads(self.run_ok("inspect", "--json", three))["blobs"]:
            by_index = self.run_ok("positions", three, "--blob", blob["blob"])
            offset, size = blob["content_offset"], blob["content_size_in_bytes"]
            by_range = self.run_ok("positions", three, "--offset", offset, "--length", size)
            self.assertEqual(by_range, by_index)
            name = blob["properties"]["referenced-data-file"]
            self.assertEqual(self.run_ok("positions", three, "--data-file", name), by_index)
            manifest = ["--as", "puffin", "--data-file", name, "--offset", offset, "--length", size]
            entry = ["--cardinality", blob["cardinality"]]
            self.assertEqual(self.run_ok("positions", three, *manifest, *entry), by_index)
            done = dvk("positions", three, *manifest, "--cardinality", blob["cardinality"] + 1)
            self.assertEqual(done.returncode, INVALID)
            self.assertIn("manifest_mismatch", done.stderr)
        done = dvk("positions", three, "--offset", 4, "--length", 1 << 40)
        self.assertEqual(done.returncode, INVALID)
        self.assertIn("blob_range", done.stderr)

    def test_facts_of_the_caller(self):
        file = DATA / "one-dv.puffin"  # rows 1, 3, 5, 7, 9
        self.run_ok("verify", file, "--cardinality", 5, "--rows", 10)
        for wrong, code in ((["--cardinality", 4], "cardinality_mismatch"),
                            (["--rows", 9], "position_out_of_range"),
                            (["--max-bytes", 49], "limit_exceeded")):
            done = dvk("verify", file, *wrong)
            self.assertEqual(done.returncode, INVALID)
            self.assertIn(code, done.stderr)

    def test_a_writers_fault_can_be_tolerated(self):
        sound = (DATA / "one-position-0.dv.bin").read_bytes()
        bad = self.write("bad.bin", sound[:-4] + bytes(byte ^ 255 for byte in sound[-4:]))
        refused = dvk("verify", bad)
        self.assertEqual(refused.returncode, INVALID)
        self.assertIn("without inversion", refused.stderr)
        self.assertEqual(dvk("verify", bad, "--tolerate", "bare_bitmap,velox_footer").returncode, INVALID)
        for quirks in ("crc_not_inverted", "bare_bitmap,crc_not_inverted", "all"):
            self.assertIn("tolerated: crc_not_inverted", self.run_ok("verify", "--tolerate", quirks, bad))
        answer = json.loads(self.run_ok("verify", "--json", "--tolerate", "all", bad))
        self.assertEqual((answer["verdict"], answer["tolerated"]), ("accept", ["crc_not_inverted"]))
        self.assertIn("tolerated", json.loads(self.run_ok("inspect", "--json", "--tolerate", "all", bad))["blobs"][0])
        good = self.folder / "good.puffin"
        made = dvk("merge", "--tolerate", "all", bad, "--data-file", "f", "-o", good)
        self.assertEqual((made.returncode, made.stderr), (OK, f"dvk: {bad}: tolerated: crc_not_inverted\n"))
        self.run_ok("verify", "--level", "strict", good)
        for wrong in ("delta_native", "none", "", "crc_not_inverted;all"):
            self.assertEqual(dvk("verify", bad, "--tolerate", wrong).returncode, USAGE)

    def test_names_cannot_act_on_a_terminal(self):
        done = dvk("verify", self.write("a\x1b[2Jb", b"nothing known"))
        self.assertNotIn("\x1b", done.stderr)
        self.assertIn("a\\u001b[2Jb", done.stderr)

    def test_standard_input(self):
        with open(DATA / "one-dv.puffin", "rb") as file:
            done = subprocess.run([DVK, "count", "-"], stdin=file, capture_output=True, text=True)
        self.assertEqual(done.stdout, "5\n")


class Writing(Folder):
    def test_what_was_written_is_read_again(self):
        seed = random.randrange(1 << 32)
        rows = random.Random(seed)
        listed = {rows.randrange(1 << 34) for _ in range(3000)}
        text = [str(row) for row in listed]
        for _ in range(20):
            first = rows.randrange(1 << 34)
            last = first + rows.randrange(200000)
            text.append(f"{first}-{last}")
            listed.update(range(first, last + 1))
        rows.shuffle(text)
        path = self.create("\n".join(text))
        self.assertEqual(dvk("verify", "--level", "strict", path).returncode, OK, f"seed {seed}")
        found = list(map(int, self.run_ok("positions", path).split()))
        self.assertEqual(found, sorted(listed), f"seed {seed}")

    def test_manifest_fields(self):
        path = self.folder / "dv.puffin"
        listing = "".join(f"s3://b/{name}\t{self.write(name, rows)}\n"
                          for name, rows in (("b", b"1 2 3"), ("a", b"5-9\n7\n")))
        entries = json.loads(self.run_ok("create", "--listing", "-", "-o", path, stdin=listing))
        self.assertEqual(len(entries), 2)
        for entry in entries:
            self.assertEqual(entry["file_path"], str(path))
            self.assertEqual(entry["file_size_in_bytes"], path.stat().st_size)
            place = ["--offset", entry["content_offset"], "--length", entry["content_size_in_bytes"]]
            rows = self.run_ok("positions", path, *place).split()
            wanted = {"s3://b/b": ["1", "2", "3"], "s3://b/a": ["5", "6", "7", "8", "9"]}
            self.assertEqual(rows, wanted[entry["referenced_data_file"]])
            self.assertEqual(entry["record_count"], len(rows))

    def test_csv(self):
        path = self.folder / "dv.puffin"
        self.run_ok("create", "--csv", "-", "-o", path, stdin="x,y,3\nz,1\nx,y,1\n")
        self.assertEqual(self.run_ok("positions", path, "--data-file", "x,y"), "1\n3\n")

    def test_created_by(self):
        path = self.create("1", "dv.puffin", "--created-by", "somebody")
        properties = json.loads(self.run_ok("inspect", "--json", path))["properties"]
        self.assertEqual(properties, {"created-by": "somebody"})

    def test_bad_text_leaves_no_file(self):
        path = self.folder / "dv.puffin"
        for rows in ("1 2 x", "5-4", "-3", "99999999999999999999", str((1 << 63) - 1)):
            done = dvk("create", "--data-file", "f", "-o", path, stdin=rows)
            self.assertEqual(done.returncode, USAGE, rows)
            self.assertIn("line 1", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_merge_and_diff(self):
        old = self.create("1-10 70000", "old.puffin")
        new = self.create("5-20 4294967296", "new.puffin")
        merged = self.folder / "merged.puffin"
        self.run_ok("merge", old, new, "-o", merged)
        ranges = self.run_ok("positions", "--ranges", merged).split()
        self.assertEqual(ranges, ["1-20", "70000-70000", "4294967296-4294967296"])
        self.assertEqual(self.run_ok("diff", old, old), "")
        wanted = {"-1-4", "-70000-70000", "+11-20", "+4294967296-4294967296"}
        self.assertEqual(set(self.run_ok("diff", "--ranges", old, new).split()), wanted)
        signed = self.run_ok("diff", old, new).split()
        self.assertEqual(len(signed), 4 + 1 + 10 + 1)
        self.assertIn("+11", signed)

    def test_cat(self):
        manifest = json.loads((DATA / "manifest.json").read_text())
        entry = next(e for e in manifest["files"] if e["file"] == "other-blobs-zstd.puffin")
        for i, blob in enumerate(entry["blobs"]):
            command = [DVK, "cat", DATA / entry["file"], "--blob", str(i)]
            content = subprocess.run(command, capture_output=True, check=True).stdout
            self.assertEqual(hashlib.sha256(content).hexdigest(), blob["data_sha256"])


class Streams(Folder):
    def setUp(self):
        super().setUp()
        self.whole = self.create(f"0-{(1 << 32) - 1}")

    def test_a_whole_key(self):
        self.assertEqual(self.run_ok("positions", "--ranges", self.whole), f"0-{(1 << 32) - 1}\n")
        self.assertEqual(self.run_ok("count", self.whole), f"{1 << 32}\n")
        rows = self.run_ok("count", self.whole, "--rows", f"{(1 << 32) - 3}:{(1 << 32) + 2}", "--live")
        self.assertEqual(rows, "2\n")

    def test_a_reader_that_has_seen_enough(self):
        for arguments in (["positions", self.whole], ["select", self.whole, "--rows", "0:1000000000",
                                                       "--deleted"]):
            command = [DVK, *map(str, arguments)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
                head = run.stdout.read(1 << 22)
                run.stdout.close()
                self.assertEqual(run.stderr.read(), b"")
                self.assertEqual(run.wait(), OK)
            self.assertTrue(head.startswith(b"0\n1\n2\n"))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 200 << 10)  # KiB

    def test_a_full_disk(self):
        if not Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            run = subprocess.run([DVK, "positions", self.whole], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, USAGE)
        self.assertIn(b"standard output", run.stderr)


class Tiers(unittest.TestCase):
    def test_an_unknown_tier_is_named(self):
        done = dvk("cpu", DVK_MAX_ISA="mmx")
        self.assertEqual(done.returncode, OK)
        self.assertIn("DVK_MAX_ISA=mmx", done.stderr)

    def test_a_cap_is_kept(self):
        state = json.loads(dvk("cpu", "--json", DVK_MAX_ISA="scalar").stdout)
        self.assertEqual(state["active"], "scalar")
        self.assertTrue(all(family["active"] == "scalar" for family in state["families"]))


if __name__ == "__main__":
    DVK = os.path.abspath(sys.argv.pop(1))
    unittest.main()
