#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ros2-latency merge: which reports count, and once; merges of merges; attributes of any name.

usage: test_reports.py ROS2_LATENCY DATA
"""
import contextlib
import csv
import json
import os
import shutil
import sqlite3
import tempfile
import unittest
from pathlib import Path

from reports import RECORDINGS, report, rows, run

TABLES = "callbacks", "callback_histograms", "communications", "communication_histograms", "paths", "path_histograms", "diagnostics"


def merge(folder, *reports, status=0):
    result = run("merge", "--format=csv", "--histograms", f"--output={folder}", *reports, status=status)
    return folder, result


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = Path(cls.folder.name)
        cls.reports = [report(cls.at / str(i), recording) for i, recording in enumerate(RECORDINGS)]
        cls.one = merge(cls.at / "one", cls.reports[0])[0]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def assert_same(self, left, right):
        """But for the last digits of standard deviations, which reports round."""
        for table in TABLES:
            self.assertEqual(len(rows(left, table)), len(rows(right, table)), table)
            for one, other in zip(rows(left, table), rows(right, table)):
                self.assertEqual(one.keys(), other.keys())
                for column, cell in one.items():
                    if column.endswith("_stddev_ns") and cell:
                        self.assertLessEqual(abs(float(cell) - float(other[column])), 0.01 * float(cell) + 1, (table, column))
                    else:
                        self.assertEqual(cell, other[column], (table, column))

    def broken(self, file, change):
        """A copy of a report whose file is changed, by its rows; None: there is no such file any more."""
        folder = self.at / "broken"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.reports[1], folder)
        path = folder / file
        with open(path, newline="", encoding="utf-8") as stream:
            content = change(list(csv.reader(stream)))
        path.unlink()
        if content is not None:
            with open(path, "w", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerows(content)
        return folder

    def test_merges_of_merges_are_the_merge_of_all(self):
        days = merge(self.at / "monday", *self.reports[:2])[0], merge(self.at / "tuesday", *self.reports[2:])[0]
        week = merge(self.at / "week", *days)[0]
        self.assert_same(week, merge(self.at / "all", *self.reports)[0])
        self.assertEqual(max(int(row["recordings"]) for row in rows(week, "callbacks")), 2)

    def test_merges_by_attributes_are_merged(self):
        manifest = self.at / "robots.csv"
        manifest.write_text("report,robot\n0,a\n1,b\n2,a\n", encoding="utf-8")
        by_robot = merge(self.at / "by_robot", f"--manifest={manifest}")[0]
        self.assert_same(merge(self.at / "of_robots", by_robot)[0], merge(self.at / "three", *self.reports[:3])[0])

    def test_a_report_counts_once_by_whatever_path(self):
        os.symlink(self.reports[0], self.at / "again")
        shutil.copytree(self.reports[0], self.at / "copy")
        for again in self.reports[0], self.at / "again", self.at / "copy", f"{self.at}/1/../0":
            folder, result = merge(self.at / "twice", self.reports[0], again)
            self.assert_same(folder, self.one)
            self.assertIn("and counted once", result.stderr)
            self.assertEqual([row["problem"] != "" for row in rows(folder, "reports")].count(True), 1)

    def test_a_doubled_row_of_a_manifest_counts_once(self):
        manifest = self.at / "doubled.csv"
        manifest.write_text("report\n0\n./0\n", encoding="utf-8")
        self.assert_same(merge(self.at / "doubled", f"--manifest={manifest}")[0], self.one)

    def test_a_partial_report_is_named(self):
        folder = self.at / "partial"
        shutil.copytree(self.reports[1], folder)
        with open(folder / "diagnostics.csv", "a", encoding="utf-8") as stream:
            stream.write("trace read in part,1,ch_0\n" if stream.tell() else "what,count,detail\ntrace read in part,1,ch_0\n")
        merged, result = merge(self.at / "with_partial", self.reports[0], folder)
        problems = [row["problem"] for row in rows(merged, "reports")]
        self.assertEqual(len([problem for problem in problems if "partial: trace read in part: ch_0" in problem]), 1, problems)
        self.assertIn("partial: trace read in part", result.stderr)
        self.assertIn("2 of 2 reports, 1 of them partial", run("merge", self.reports[0], folder).stdout)

    def test_what_contradicts_itself_is_left_out_and_named(self):
        def last_row_gone(content):
            sums = [index for index, row in enumerate(content) if row[content[0].index("duration_sum_ns")]]
            return content[:sums[-1]]

        def header_only(content):
            return content[:1]

        def count_edited(content):
            column = content[0].index("count")
            row = next(row for row in content[1:] if row[content[0].index("duration_sum_ns")])
            row[column] = str(int(row[column]) + 1)
            return content

        def bucket_edited(content):
            content[1][-1] = str(int(content[1][-1]) + 6)
            return content

        def bucket_gone(content):
            return content[:1] + content[2:]

        def sum_edited(content):
            column = content[0].index("duration_sum_ns")
            row = next(row for row in content[1:] if row[column])
            row[column] = str(int(row[column]) + 100000)
            return content

        changes = [("callbacks.csv", change) for change in (last_row_gone, header_only, count_edited, sum_edited, lambda content: None)]
        changes += [("callback_histograms.csv", change) for change in (bucket_edited, bucket_gone, lambda content: None)]
        for file, change in changes:
            folder = self.broken(file, change)
            merged, result = merge(self.at / "without", self.reports[0], folder, status=1)
            self.assertIn(str(folder), result.stderr, change)
            self.assert_same(merged, self.one)
            shutil.rmtree(merged)

    def test_a_report_without_a_column_that_is_added_up_is_left_out_and_named(self):
        """As one of another version: its executions would count for nothing."""
        for file, column in ("callbacks.csv", "count"), ("callbacks.csv", "doubtful"), ("communications.csv", "lost"), ("paths.csv", "count"):
            def renamed(content, column=column):
                return [[f"old_{name}" if name == column else name for name in content[0]], *content[1:]]

            def gone(content, column=column):
                at = content[0].index(column)
                return [[*row[:at], *row[at + 1:]] for row in content]

            for change in renamed, gone:
                folder = self.broken(file, change)
                merged, result = merge(self.at / "without", self.reports[0], folder, status=1)
                self.assertIn(f"{folder}/{file}:1: no column `{column}`", result.stderr)
                self.assert_same(merged, self.one)
                shutil.rmtree(merged)

    def test_attributes_may_have_any_name(self):
        names = ["n", "kind", "order", "count", "node", "Duration_sum_ns", "select", "a b", "count", "recordings", "robots"]
        manifest = self.at / "names.csv"
        with open(manifest, "w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([["report", *names], ["0", *map(str, range(len(names)))], ["1", *map(str, range(len(names)))]])
        plain = merge(self.at / "plain", *self.reports[:2])[0]
        merged = merge(self.at / "named", f"--manifest={manifest}")[0]
        for table in "callbacks", "callback_outliers", "reports", "paths":
            with open(merged / f"{table}.csv", newline="", encoding="utf-8") as stream:
                header = next(csv.reader(stream))
            self.assertEqual(len(header), len({name.lower() for name in header}), header)
        self.assertEqual([row["count"] for row in rows(merged, "callbacks")], [row["count"] for row in rows(plain, "callbacks")])
        self.assertEqual({row["manifest_count"] for row in rows(merged, "callbacks")}, {"3"})
        run("merge", f"--manifest={manifest}", "--format=sqlite", f"--output={self.at / 'database'}")
        with contextlib.closing(sqlite3.connect(next((self.at / "database").iterdir()))) as connection:
            self.assertEqual(connection.execute("SELECT sum(count) FROM callbacks WHERE manifest_kind = '1'").fetchone()[0],
                             sum(int(row["count"]) for row in rows(plain, "callbacks")))
        text = run("merge", f"--manifest={manifest}", "--format=json").stdout
        json.loads(text, object_pairs_hook=self.unique)
        by_node = merge(self.at / "by", f"--manifest={manifest}", "--by=node", "--robot=n")[0]
        self.assertEqual({row["manifest_node"] for row in rows(by_node, "callbacks")}, {"4"})

    def unique(self, pairs):
        keys = [key for key, _ in pairs]
        self.assertEqual(len(keys), len(set(keys)), keys)
        return dict(pairs)


if __name__ == "__main__":
    unittest.main(argv=["test_reports"])
