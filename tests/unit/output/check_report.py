#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_report.py DIRECTORY: the files that test_report.c wrote there, read by Python's own csv and json."""
import csv
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "page"))
import page

directory = sys.argv[1]
names = ["plain", 'a "quoted", name', "two\nlines\r\n", "bad \ufffd\ufffd bytes \u00e4", "tab\tand\x01control", "</script><script>alert(1)</script><!--", "x" * 65536]

# newline="": line ends inside of quotes as they are; errors are fatal: the file must be valid UTF-8
with open(os.path.join(directory, "things.csv"), newline="", encoding="utf-8") as file:
    rows = list(csv.reader(file, strict=True))
assert rows[0] == ["thing_id", "name", "address", "big", "mean", "nothing"], rows[0]
assert [row[1] for row in rows[1:]] == names
assert all(row[2:] == ["0xffffffffffffffff", "-9223372036854775808", "0.125", ""] for row in rows[1:])
with open(os.path.join(directory, "things.csv"), "rb") as file:
    assert b"0.125,\n" in file.read()

with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
    report = json.load(file, parse_constant=lambda name: sys.exit("not JSON: " + name))
assert list(report) == ["schema_version", "trace", "things", "parts", "thing_instances"], list(report)
assert report["schema_version"] == 1
assert report["trace"] == {"hosts": ['h"1', "h2"], "tracetools": [], "nodes": 0, "topics": 0, "traces": 2, "processes": 3, "begin_ns": -5, "end_ns": 1700000000000000001,
                           "is_complete": True}
assert [row["name"] for row in report["things"]] == names
assert report["things"][0] == {"thing_id": 0, "name": "plain", "address": "0xffffffffffffffff",
                               "big": -9223372036854775808, "mean": 0.125, "nothing": None}
assert report["parts"] == []
assert [row["time_ns"] for row in report["thing_instances"]] == list(range(20000))
data = page.read(os.path.join(directory, "report.html"))
assert data["trace"] == report["trace"]
for table in data["tables"]:
    assert page.rows(table) == report[table["name"]], table["name"]
assert [table["name"] for table in data["tables"]] == ["things", "parts"]
assert sum(count for *_, count, _, _, _ in page.pieces(data["series"][0]["rows"][0])) == 20000
assert data["series"][0]["rows"][0]["worst"] == [[19999, 19999], [19998, 19998], [19997, 19997], [19996, 19996], [19995, 19995]]
assert sorted(os.listdir(directory)) == ["parts.csv", "report.html", "report.json", "thing_instances.csv", "things.csv"]
