#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""analyse.py: one recording to rows, whatever it is. Needs nothing but Python.

usage: test_analyse.py ROS2_LATENCY PROJECT
"""
import collections
import csv
import gzip
import os
import tempfile
import unittest
from pathlib import Path

import fleet
from fleet import COMMAND, FLEET, KINDS, run, trace

import analyse

RECORDINGS = 25


def read(folder):
    rows = []
    for path in sorted(Path(folder).iterdir()):
        with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file, strict=True)
    return rows


class Analyse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="ros2bt-fleet-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        cls.manifest = fleet.make_fleet(cls.root, RECORDINGS)
        cls.problems = cls.analyse(cls, "rows").stderr
        cls.rows = read(cls.root / "rows")

    def analyse(self, rows, *options, command=COMMAND, manifest=None):
        return run(FLEET / "analyse.py", f"--manifest={manifest or self.manifest}", f"--rows={self.root / rows}",
                   f"--command={command}", *options)

    def program(self, text):
        path = Path(tempfile.mkdtemp(dir=self.root)) / "ros2-latency"
        path.write_text(f"#!/bin/sh\ncase $1 in merge) exec {COMMAND} \"$@\";; esac\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def only_row(self, recording, **options):
        rows = analyse.analyse(str(recording), options.pop("command", COMMAND), analyse.read_columns(COMMAND), **options)
        self.assertEqual(len(rows), 1)
        return rows[0]

    def test_sums_and_extremes_of_the_rows_are_those_of_a_merge(self):
        expected = fleet.expected_series(fleet.merge_one_by_one(self.root, RECORDINGS))
        sums, least, largest, counts = (collections.defaultdict(int) for _ in range(4))
        buckets = collections.Counter()
        for row in self.rows:
            key = row["version"], row["tab"], row["series"], row["statistic"]
            if row["kind"] == "totals":
                sums[key] += int(row["sum_ns"])
                counts[key] += int(row["n"])
                least[key] = min(least.get(key, int(row["min_ns"])), int(row["min_ns"]))
                largest[key] = max(largest.get(key, int(row["max_ns"])), int(row["max_ns"]))
            elif row["kind"] == "bucket":
                buckets[key] += int(row["n"])
        self.assertEqual({key: [sums[key], least[key], largest[key]] for key in sums},
                         {key: [cells[0], cells[1], cells[-1]] for key, cells in expected.items()})
        self.assertEqual(buckets, counts)

    def test_a_recording_that_cannot_be_read_is_a_row_that_says_why(self):
        listed = [row for row in self.rows if row["kind"] == "recording"]
        self.assertEqual(len(listed), RECORDINGS)
        failed = {os.path.basename(row["recording"]): row["problem"] for row in listed if row["statistic"] == "failed"}
        self.assertEqual(set(failed), {"missing", "empty", "garbage", "cut.tar.gz", "text.tar"})
        self.assertEqual({row["statistic"] for row in listed}, {"complete", "failed"})
        self.assertTrue(all(failed.values()))
        self.assertEqual(failed["missing"], "no such recording")
        self.assertIn("tar", failed["cut.tar.gz"])
        for name in failed:
            self.assertEqual(len([row for row in self.rows if os.path.basename(row["recording"]) == name]), 1)
            self.assertIn(name, self.problems)

    def test_what_is_done_is_not_done_again(self):
        before = {path.name: path.stat().st_mtime_ns for path in (self.root / "rows").iterdir()}
        self.assertEqual(self.analyse("rows", command=self.program("exit 1")).stderr, "")
        self.assertEqual({path.name: path.stat().st_mtime_ns for path in (self.root / "rows").iterdir()}, before)

    def test_shares_are_the_whole(self):
        for index in range(3):
            self.analyse("shares", f"--share={index}/3")
        self.assertEqual(read(self.root / "shares"), self.rows)

    def test_single_recordings_are_those_of_the_manifest(self):
        self.analyse("single", self.root / "r001")
        self.assertEqual({row["recording"] for row in read(self.root / "single")}, {str(self.root / "r001")})
        result = run(FLEET / "analyse.py", f"--manifest={self.manifest}", f"--rows={self.root / 'single'}", f"--command={COMMAND}",
                     "/nothing", status=1)
        self.assertIn("not in the manifest: /nothing", result.stderr)

    def test_a_program_that_dies_or_never_ends_is_a_row(self):
        recording = trace(KINDS[0])
        self.assertIn("killed by signal 11", self.only_row(recording, command=self.program("kill -SEGV $$")).problem)
        self.assertIn("more than 0.2 s", self.only_row(recording, command=self.program("exec sleep 60"), timeout=0.2).problem)
        self.assertIn("bad luck", self.only_row(recording, command=self.program("echo bad luck >&2; exit 3")).problem)
        self.assertIn("cannot be run", self.only_row(recording, command="/nothing").problem)

    def test_what_is_read_in_part_says_so(self):
        rows = analyse.analyse(str(trace(KINDS[0])), self.program(f"{COMMAND} \"$@\"; echo cut >&2; exit 1"), analyse.read_columns(COMMAND))
        self.assertEqual((rows[0].statistic, rows[0].problem), ("partial", "cut"))
        self.assertGreater(len(rows), 10)

    def test_recordings_are_fetched(self):
        rows = analyse.analyse(f"store:{trace(KINDS[0])}", COMMAND, analyse.read_columns(COMMAND), fetch='cp -r "${1#store:}" "$2"')
        self.assertEqual(rows[0].statistic, "complete")
        self.assertEqual(self.only_row("store:/nothing", fetch='cp -r "${1#store:}" "$2"').statistic, "failed")

    def test_a_manifest_without_recordings_is_refused(self):
        path = self.root / "other.csv"
        path.write_text("robot,day\nx,y\n", encoding="utf-8")
        result = run(FLEET / "analyse.py", f"--manifest={path}", "--rows=rows", status=1)
        self.assertIn("no column recording", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=["test_analyse"])
