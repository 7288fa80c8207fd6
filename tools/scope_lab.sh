#!/bin/sh
# A deletion vector and its scope, on a data file of six rows: what it deletes, to which files it
# applies, and what happens when one row more is deleted.
#
#   tools/scope_lab.sh [DVK]        DVK: the program, build/tools/dvk by default
set -eu

dvk=${1:-$(dirname "$0")/../build/tools/dvk}
dvk=$(realpath "$dvk")
lab=$(mktemp -d)
trap 'rm -rf "$lab"' EXIT
cd "$lab"

say() { printf '\n== %s\n' "$*"; }

say 'Six rows, 0 to 5, in data/1.parquet. Positions 1 and 4 are deleted'
echo '1 4' | "$dvk" create --data-file data/1.parquet -o dv-1.puffin

say 'The live rows'
"$dvk" select dv-1.puffin --rows 0:6

say 'The vector (sequence 4) and three data files: its own, another, and a newer one of its own name'
cat >table.json <<'JSON'
{"data_files": [
   {"file_path": "data/1.parquet", "data_sequence_number": 3},
   {"file_path": "data/2.parquet", "data_sequence_number": 3},
   {"file_path": "data/1.parquet", "data_sequence_number": 5}],
 "delete_entries": [
   {"content": "deletion_vector", "data_sequence_number": 4, "record_count": 2,
    "referenced_data_file": "data/1.parquet", "file_path": "dv-1.puffin"}]}
JSON
"$dvk" explain table.json

say 'Position 5 is deleted too: the new vector holds what the old one held'
echo '5' | "$dvk" create --data-file data/1.parquet -o new-rows.puffin
"$dvk" merge dv-1.puffin new-rows.puffin -o dv-2.puffin
"$dvk" positions dv-2.puffin
"$dvk" diff dv-1.puffin dv-2.puffin
"$dvk" select dv-2.puffin --rows 0:6

say 'The commit removes the old vector: a data file has one. With both in the table'
cat >both.json <<'JSON'
{"data_files": [{"file_path": "data/1.parquet", "data_sequence_number": 3}],
 "delete_entries": [
   {"content": "deletion_vector", "data_sequence_number": 4, "record_count": 2,
    "referenced_data_file": "data/1.parquet", "file_path": "dv-1.puffin"},
   {"content": "deletion_vector", "data_sequence_number": 5, "record_count": 3,
    "referenced_data_file": "data/1.parquet", "file_path": "dv-2.puffin"}]}
JSON
if "$dvk" explain both.json 2>&1; then
  echo 'two vectors of one data file were accepted'
  exit 1
fi

say 'With the new one alone'
cat >after.json <<'JSON'
{"data_files": [{"file_path": "data/1.parquet", "data_sequence_number": 3}],
 "delete_entries": [
   {"content": "deletion_vector", "data_sequence_number": 5, "record_count": 3,
    "referenced_data_file": "data/1.parquet", "file_path": "dv-2.puffin"}]}
JSON
"$dvk" explain after.json
