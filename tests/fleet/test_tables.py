#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of DuckDB: attributes of any name, recordings that are listed twice, files of rows that are cut or of another version.

usage: test_tables.py ROS2_LATENCY PROJECT
"""
import gzip
import sys
import tempfile
import unittest
from pathlib import Path

from fleet import COMMAND, FLEET, run, skip, trace, write_csv

try:
    import duckdb
except ImportError:
    skip("no duckdb; scripts/test-fleet installs it")

NAMES = ["n", "kind", "order", "select", "a b", 'say "hi"', "N", "statistic", "robot", "version"]


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def analyse(self, names, *recordings):
        write_csv(self.root / "manifest.csv", [["recording", *names], *recordings])
        return run(sys.executable, FLEET / "analyse.py", f"--manifest={self.root / 'manifest.csv'}", f"--rows={self.root / 'rows'}",
                   f"--command={COMMAND}")

    def tables(self, *options):
        return run(sys.executable, FLEET / "run_duckdb.py", f"--rows={self.root / 'rows'}", f"--output={self.root / 'tables'}", *options)

    def select(self, what, table):
        return duckdb.sql(f"SELECT {what} FROM '{self.root / 'tables'}/{table}.parquet'").fetchall()

    def test_attributes_may_have_any_name(self):
        first, second = ([str(i) for i in range(len(NAMES) - 1)] + [version] for version in ("1.9", "1.10"))
        self.analyse(NAMES, [trace("jazzy/pubsub"), *first], [trace("humble/pubsub"), *second])
        self.tables("--by=" + ",".join(name for name in NAMES if name not in ("robot", "version")))
        self.assertEqual(self.select('DISTINCT manifest_n, manifest_kind, "order", "select", "a b", "say ""hi"""', "series"),
                         [("0", "1", "2", "3", "4", "5")])
        self.assertEqual(self.select("DISTINCT manifest_statistic", "series"), [("7",)])
        named = self.select("sum(n)", "series")
        self.tables("--by=")
        self.assertEqual(self.select("sum(n)", "series"), named)
        self.assertGreater(named[0][0], 100)
        self.assertGreater(self.select("count(*)", "changes")[0][0], 0)

    def test_a_recording_that_is_listed_twice_counts_once(self):
        one = trace("jazzy/pubsub")
        result = self.analyse(["robot"], [one, "a"], [one.parent / ".." / one.parent.name / one.name, "a"])
        self.assertIn("given twice, and counted once", result.stderr)
        self.tables()
        self.assertEqual(self.select("count(*)", "recordings"), [(1,)])

    def test_a_file_of_rows_that_is_cut_or_older_is_named_and_left_out(self):
        self.analyse(["version"], [trace("jazzy/pubsub"), "1"])
        self.tables()
        whole = self.select("count(*), sum(n)", "series")
        rows = next((self.root / "rows").glob("*.csv.gz"))
        (self.root / "rows/cut.csv.gz").write_bytes(rows.read_bytes()[:600])
        (self.root / "rows/old.csv.gz").write_bytes(gzip.compress(b"recording,kind\nx,totals\n"))
        (self.root / "rows/empty.csv.gz").write_bytes(b"")
        result = self.tables()
        for name in "cut", "old", "empty":
            self.assertIn(f"{name}.csv.gz", result.stderr)
        self.assertEqual(self.select("count(*), sum(n)", "series"), whole)


if __name__ == "__main__":
    unittest.main(argv=["test_tables"])
