"""dvk explain and convert, what create and merge do with the files they write, and the scope lab.

    python3 tests/cli/metadata.py DVK [unittest argument...]
"""

import json
import os
import random
import subprocess
import sys
import unittest
import uuid
from pathlib import Path

import commands
from commands import INVALID, OK, USAGE, Folder, dvk

ROOT = Path(__file__).resolve().parents[2]


def data_file(path="a", sequence=3, **more):
    return {"file_path": path, "data_sequence_number": sequence, **more}


def vector(reference="a", sequence=4, **more):
    more = {"referenced_data_file": reference, **more} if reference is not None else more
    return {"content": "deletion_vector", "data_sequence_number": sequence, **more}


def deletes(content, sequence, **more):
    return {"content": content, "data_sequence_number": sequence, **more}


def table(files, entries):
    return json.dumps({"data_files": files, "delete_entries": entries})


class Explaining(Folder):
    def explain(self, files, entries, *options):
        out = self.run_ok("explain", "--json", "-", *options, stdin=table(files, entries))
        return json.loads(out)["data_files"]

    def test_every_reason(self):
        here = {"spec_id": 1, "partition": ["x", 7]}
        elsewhere = {"spec_id": 1, "partition": ["x", 8]}
        cases = (
            (vector(**here), "applies_to_file"),
            (vector(sequence=3, **here), "applies_to_file"),
            (deletes("position_deletes", 3, **here), "applies_to_partition"),
            (deletes("equality_deletes", 4), "applies_globally"),
            (vector("b", **here), "other_file"),
            (vector(None, **here), "no_reference"),
            (vector(sequence=2, **here), "older"),
            (deletes("equality_deletes", 3, **here), "not_newer"),
            (deletes("position_deletes", 3, spec_id=2, partition=["x", 7]), "other_spec"),
            (deletes("position_deletes", 3, **elsewhere), "other_partition"),
        )
        text = self.run_ok("explain", "-", stdin=table([data_file(**here)], [cases[0][0]]))
        self.assertIn("[0] deletion_vector (sequence 4, spec 1)\n      applies: it names", text)
        for entry, reason in cases:
            (found,) = self.explain([data_file(**here)], [entry])
            (decision,) = found["decisions"]
            self.assertEqual(decision["reason"], reason, entry)
            self.assertEqual(decision["applies"], reason.startswith("applies"))
            starts = "applies: " if decision["applies"] else "does not apply: "
            self.assertTrue(decision["text"].startswith(starts))

    def test_a_vector_hides_position_deletes(self):
        entries = [vector(), deletes("position_deletes", 4, referenced_data_file="a"),
                   deletes("position_deletes", 4), deletes("equality_deletes", 4)]
        (found,) = self.explain([data_file()], entries)
        self.assertEqual([d["reason"] for d in found["decisions"]],
                         ["applies_to_file", "hidden", "hidden", "applies_globally"])
        self.assertEqual(found["deletion_vector"], 0)
        self.assertEqual(found["replacement"], {"merge": [0], "remove": [0, 1], "leave": [2, 3]})
        (found,) = self.explain([data_file()], entries[1:])
        self.assertIsNone(found["deletion_vector"])
        self.assertEqual(found["replacement"], {"merge": [0, 1], "remove": [0], "leave": [1, 2]})
        text = self.run_ok("explain", "-", stdin=table([data_file()], entries[1:]))
        self.assertIn("would merge [0] [1], remove [0], leave [1] [2]\n", text)

    def test_partition_values(self):
        values = [None, True, 7, -0.5, "x", {"bytes": "00Ff"}, {"float": "NaN"}]
        others = [False, False, 8, 0.5, "y", {"bytes": "00fe"}, {"float": "Infinity"}]
        for i, other in enumerate(others):
            changed = values[:i] + [other] + values[i + 1:]
            for partition, reason in ((values, "applies_to_file"), (changed, "other_partition")):
                (found,) = self.explain([data_file(partition=values)], [vector(partition=partition)])
                self.assertEqual(found["decisions"][0]["reason"], reason, partition)

    def test_two_vectors_of_one_file(self):
        text = table([data_file(), data_file("b")], [vector(), vector("b"), vector(sequence=9)])
        done = dvk("explain", "--json", "-", stdin=text)
        self.assertEqual(done.returncode, INVALID)
        self.assertIn("a: scope_conflict: delete_entries[0] and [2]", done.stderr)
        first, second = json.loads(done.stdout)["data_files"]
        self.assertEqual((first["code"], first["conflict"]), ("scope_conflict", [0, 2]))
        self.assertEqual((second["code"], second["deletion_vector"]), ("ok", 1))

    def test_one_data_file(self):
        found = self.explain([data_file(), data_file("b")], [vector()], "--data-file", "b")
        self.assertEqual([f["file_path"] for f in found], ["b"])
        done = dvk("explain", "-", "--data-file", "c", stdin=table([data_file()], []))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn('no data file "c"', done.stderr)

    def test_bad_members_are_named(self):
        good = data_file()
        for files, entries, where in (
            ([{**good, "data_sequence_number": 1.5}], [], "data_files[0].data_sequence_number: "),
            ([{**good, "data_sequence_number": -1}], [], "data_files[0].data_sequence_number: "),
            ([good, {"file_path": "x"}], [], 'data_files[1]: "data_sequence_number" is missing'),
            ([good, 7], [], "data_files[1]: wants an object"),
            ({}, [], "data_files: wants a list"),
            ([{**good, "spec_id": 1 << 31}], [], "data_files[0].spec_id: "),
            ([{**good, "partition": [1, {"bytes": "0g"}]}], [], "data_files[0].partition[1].bytes: "),
            ([{**good, "partition": [{"bytes": "123"}]}], [], "data_files[0].partition[0].bytes: "),
            ([{**good, "partition": [{}]}], [], "data_files[0].partition[0]: "),
            ([{**good, "partition": [[]]}], [], "data_files[0].partition[0]: "),
            ([{**good, "partition": [{"float": "1x"}]}], [], "data_files[0].partition[0].float: "),
            ([{**good, "partition": [(1 << 63)]}], [], "data_files[0].partition[0]: "),
            ([], [deletes("dv", 1)], "delete_entries[0].content: "),
            ([], [{**vector(), "referenced_datafile": "a"}],
             'delete_entries[0]: "referenced_datafile" is no member'),
            ([], [vector(), vector(record_count=-1)], "delete_entries[1].record_count: "),
        ):
            done = dvk("explain", "-", stdin=table(files, entries))
            self.assertEqual((done.returncode, done.stdout), (USAGE, ""), where)
            self.assertIn(where, done.stderr)
        twice = '{"data_files": [], "delete_entries": [], "data_files": []}'
        self.assertIn('"data_files" stands there twice', dvk("explain", "-", stdin=twice).stderr)

    def test_bad_json_has_a_place(self):
        for text, at in (('{"data_files": [1,2,}', 20), ('{"data_files": [tru]}', 16),
                         ('{"data_files": [1] "x": 2}', 19), ('[1] x', 4), ('[01]', 1)):
            done = dvk("explain", "-", stdin=text)
            self.assertEqual(done.returncode, USAGE, text)
            self.assertIn(f"-: byte {at}: ", done.stderr)
        for text in ("", "{", '"', "[" * 3000):
            done = dvk("explain", "-", stdin=text)
            self.assertEqual(done.returncode, USAGE, text)
            self.assertTrue(done.stderr.startswith("dvk: -: "), done.stderr)
        self.assertEqual(dvk("explain", self.folder / "missing").returncode, USAGE)


class Lab(unittest.TestCase):
    def test_six_rows(self):
        done = subprocess.run([ROOT / "tools/scope_lab.sh", commands.DVK], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        parts = [part.split("\n", 1)[1].strip() for part in done.stdout.split("\n== ")[1:]]
        created, live, scope, merged, both, after = parts
        self.assertEqual(json.loads(created)[0]["record_count"], 2)
        self.assertEqual(live.split(), ["0", "2", "3", "5"])
        wants = ["applies: it names this data file", "does not apply: it names another data file",
                 "does not apply: its data sequence number is below the data file's"]
        self.assertEqual([line.strip() for line in scope.split("\n") if "apply: " in line
                          or "applies: " in line], wants)
        self.assertEqual(scope.count("merge [0], remove [0], leave nothing"), 1)
        self.assertEqual(merged.split("\n")[2:], ["1", "4", "5", "+5", "0", "2", "3"])
        self.assertIn("scope_conflict: delete_entries[0] and [1]", both)
        self.assertIn("dv-2.puffin (sequence 5, spec 0, unpartitioned, 3 rows)\n      applies: ", after)


class Converting(Folder):
    def convert(self, to, *arguments):
        return json.loads(self.run_ok("convert", "--to", to, *arguments))

    def test_there_and_back(self):
        seed = random.randrange(1 << 32)
        rows = random.Random(seed)
        text = " ".join(str(rows.randrange(1 << 20)) for _ in range(500)) + " 4294967296-4295000000"
        dv = self.create(text)
        blob = self.folder / "blob"
        (entry,) = self.convert("iceberg", dv, "--form", "blob", "-o", blob)
        self.assertEqual((entry["content_offset"], entry["content_size_in_bytes"]),
                         (0, blob.stat().st_size))
        prefix = self.folder / "table"
        prefix.mkdir()
        for options in (["-o", self.folder / "x.bin"], ["--table-root", prefix], ["--inline"],
                        ["--table-root", prefix, "--prefix", "ab"]):
            descriptor = self.convert("delta", dv, *options)
            self.assertEqual(descriptor["sizeInBytes"] + 8, entry["content_size_in_bytes"])
            self.assertEqual(descriptor["cardinality"], entry["record_count"])
            back = self.folder / f"{uuid.uuid4()}.puffin"
            (again,) = self.convert("iceberg", "--descriptor", json.dumps(descriptor), "--table-root",
                                    prefix, "--data-file", "data/1.parquet", "-o", back)
            self.assertEqual(back.read_bytes(), dv.read_bytes(), f"seed {seed}")
            self.assertEqual(again["referenced_data_file"], "data/1.parquet")
        names = [path.relative_to(prefix) for path in prefix.rglob("*.bin")]
        self.assertEqual(len(names), 2)
        for name in names:
            self.assertEqual(uuid.UUID(name.stem.removeprefix("deletion_vector_")).version, 4)
        self.assertEqual({str(name.parent) for name in names}, {".", "ab"})

    def test_bare_bitmaps_get_a_frame(self):
        dv = self.create("1 2 3")
        blob = self.folder / "blob"
        self.convert("iceberg", dv, "--form", "blob", "-o", blob)
        bitmap = blob.read_bytes()[8:-4]
        for kind, content in (("bitmap64", bitmap), ("bitmap32", bitmap[12:])):
            again = self.folder / kind
            self.convert("iceberg", self.write("bare", content), "--as", kind, "--form", "blob",
                         "--data-file", "data/1.parquet", "-o", again)
            self.assertEqual(again.read_bytes(), blob.read_bytes(), kind)

    def test_wrong_usage_leaves_no_file(self):
        dv = self.create("1")
        delta = self.folder / "x.bin"
        descriptor = self.convert("delta", dv, "-o", delta)
        type_u = json.dumps({**descriptor, "storageType": "u", "pathOrInlineDv": "^" * 20})
        before = sorted(self.folder.iterdir())
        out = ["-o", self.folder / "out"]
        for arguments, status in (
            (["--to", "delta", dv], USAGE),
            (["--to", "delta", dv, "--inline", *out], USAGE),
            (["--to", "iceberg", dv], USAGE),
            (["--to", "iceberg", delta, *out], USAGE),  # whose rows?
            (["--to", "iceberg", "--data-file", "a", *out], USAGE),  # of what?
            (["--to", "iceberg", "--data-file", "a", "--descriptor", type_u, *out], USAGE),
            (["--to", "hudi", dv, *out], USAGE),
            (["--to", "iceberg", dv, "--inline", *out], USAGE),
            (["--to", "delta", dv, "--inline", "--prefix", "ab"], USAGE),
            (["--to", "delta", dv, "--prefix", "ab", *out], USAGE),
            ([dv, *out], USAGE),
            (["--to", "delta", dv, "--table-root", self.folder, "--prefix", "../x"], INVALID),
            (["--to", "delta", dv, "--table-root", self.folder / "missing"], USAGE),
            (["--to", "delta", dv, "-o", dv], USAGE),  # exists
            (["--to", "delta", dv, "-o", self.folder], USAGE),
            (["--to", "delta", dv, "-o", "-"], USAGE),
            (["--to", "iceberg", delta, "--data-file", "a", "--cardinality", 2, *out], INVALID),
        ):
            done = dvk("convert", *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
            self.assertTrue(done.stderr)
            self.assertEqual(sorted(self.folder.iterdir()), before, arguments)


class Outputs(Folder):
    def test_files_are_replaced_only_on_demand(self):
        path = self.create("1")
        old = path.read_bytes()
        for command in (["create", "--data-file", "f"], ["merge", path]):
            done = dvk(*command, "-o", path, stdin="2")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("exists already; --force replaces it", done.stderr)
            self.assertEqual(path.read_bytes(), old)
        self.create("2", path.name, "--force")
        self.assertEqual(self.run_ok("positions", path), "2\n")

    def test_an_input_may_be_the_output(self):
        path, other = self.create("1"), self.create("2", "other.puffin")
        self.run_ok("merge", path, other, "-o", path, "--force")
        self.assertEqual(self.run_ok("positions", path), "1\n2\n")
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_bare_bitmaps_are_merged(self):
        blob = subprocess.run([commands.DVK, "cat", self.create("1 2")], capture_output=True, check=True)
        bare, path = self.write("bare", blob.stdout[8:-4]), self.folder / "merged.puffin"
        self.run_ok("merge", bare, bare, "--as", "bitmap64", "--data-file", "f", "-o", path)
        self.assertEqual(self.run_ok("positions", path), "1\n2\n")

    def test_nothing_deleted(self):
        path = self.folder / "dv.puffin"
        for arguments in (["--data-file", "f"], ["--csv", "-"]):
            done = dvk("create", *arguments, "-o", path, stdin="\n")
            self.assertEqual((done.returncode, done.stdout), (OK, "[]\n"))
            self.assertIn("not written", done.stderr)
            self.assertFalse(path.exists())

    def names(self, path):
        blobs = json.loads(self.run_ok("inspect", "--json", path))["blobs"]
        return [blob["properties"]["referenced-data-file"] for blob in blobs]

    def test_quoted_csv(self):
        text = 'file_path,pos\r\n"a,""b""",3\r\nz,"1"\r\n"z",2\r\nx,y,5\r\n'
        path = self.folder / "dv.puffin"
        self.run_ok("create", "--csv", "-", "-o", path, "--order", "given", stdin=text)
        self.assertEqual(self.names(path), ['a,"b"', "z", "x,y"])
        self.assertEqual(self.run_ok("positions", path, "--data-file", "z"), "1\n2\n")
        self.assertEqual(self.run_ok("positions", path, "--data-file", 'a,"b"'), "3\n")
        for text, line in (('"a,1', 1), ('"a"b,1', 1), ("a,1\npath,pos", 2), ("a,1\nb,-2", 2),
                           (",1", 1), ("1", 1), ('"",1', 1), ("a,1\n\na,", 3)):
            done = dvk("create", "--csv", "-", "-o", self.folder / "bad", stdin=text)
            self.assertEqual(done.returncode, USAGE, text)
            self.assertIn(f"-: line {line}: ", done.stderr)
        self.assertFalse((self.folder / "bad").exists())

    def test_order_and_duplicates(self):
        rows = [self.write("1", b"1"), self.write("2", b"2")]
        text = f"b\t{rows[0]}\na\t{rows[0]}\nb\t{rows[1]}\n"
        path = self.folder / "dv.puffin"
        for order, names in (("by-path", ["a", "b"]), ("given", ["b", "a"])):
            self.run_ok("create", "--listing", "-", "--order", order, "-o", path, "--force", stdin=text)
            self.assertEqual(self.names(path), names)
            self.assertEqual(self.run_ok("positions", path, "--data-file", "b"), "1\n2\n")
        done = dvk("create", "--listing", "-", "--duplicates", "refuse", "-o", path, "--force", stdin=text)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("line 3: ", done.stderr)
        self.assertEqual(self.names(path), ["b", "a"])

    def test_whose_rows_is_said_once(self):
        for other in ("--csv", "--listing"):
            done = dvk("create", other, "-", "--data-file", "f", "-o", self.folder / "x", stdin="a,1")
            self.assertEqual(done.returncode, USAGE)


if __name__ == "__main__":
    commands.DVK = os.path.abspath(sys.argv.pop(1))
    unittest.main()
