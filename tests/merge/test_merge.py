#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ros2-latency merge: parts add up to the whole, whatever the order; attributes; outliers; reports that are broken.

usage: test_merge.py ROS2_LATENCY DATA
"""
import collections
import csv
import io
import json
import math
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from reports import DATA, RECORDINGS, report, rows, run

SINGULARS = "callback", "communication", "path"
NAMES = {
    "callback": ("node", "kind", "source", "symbol"),
    "communication": ("topic", "publisher_node", "subscription_node", "kind"),
    "path": ("path", "hops"),
}
LEFT_OUT = ("hostname", "vpid", "procname", "callback", "publisher_vpid", "subscription_vpid", "rate_hz", "held_by")
EXACT = "_sum_ns", "_min_ns", "_max_ns", "_max_at_ns"


def exact(value):
    return int(value) if value != "" else None


class Series:
    """The rows of the same names, merged here, from nothing but their cells."""

    def __init__(self):
        self.sums, self.max, self.min, self.buckets = collections.Counter(), {}, {}, collections.Counter()

    def add(self, row):
        for key, value in row.items():
            if value == "" or key in LEFT_OUT or key.endswith("_id"):
                continue
            if key.endswith("_sum_ns") or key in ("count", "incomplete", "doubtful", "published", "received", "lost",
                                                  "inferred", "unknown", "in_flight"):
                self.sums[key] += int(value)
            elif key.endswith("_min_ns"):
                self.min[key] = min(self.min.get(key, int(value)), int(value))
            elif key.endswith("_max_ns"):
                at = int(row[key.replace("_max_ns", "_max_at_ns")])
                self.max[key] = max(self.max.get(key, (int(value), -at)), (int(value), -at))

    def cells(self):
        cells = {**self.sums, **self.min, **{key: value for key, (value, _) in self.max.items()}}
        cells.update({key.replace("_max_ns", "_max_at_ns"): -at for key, (_, at) in self.max.items()})
        return cells


def add_to(text, column, number):
    """The table with a larger count in its first row that has one."""
    read = list(csv.DictReader(io.StringIO(text)))
    row = next(row for row in read if row[column])
    row[column] = int(row[column]) + number
    out = io.StringIO()
    writer = csv.DictWriter(out, read[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(read)
    return out.getvalue()


def merged_here(folders, singular):
    merged = collections.defaultdict(Series)
    for folder in folders:
        ids = {}
        for row in rows(folder, singular + "s"):
            names = tuple(row[name] for name in NAMES[singular])
            ids[row[singular + "_id"]] = names
            merged[names].add(row)
        for row in rows(folder, singular + "_histograms"):
            bucket = row["statistic"], int(row["low_ns"]), int(row["high_ns"])
            merged[ids[row[singular + "_id"]]].buckets[bucket] += int(row["count"])
    return merged


def quantile(buckets, statistic, share, low, high):
    """By the definition of the page: the middle of the bucket in which the running sum reaches its share."""
    chosen = sorted((low_ns, high_ns, count) for (name, low_ns, high_ns), count in buckets.items() if name == statistic)
    total = sum(count for *_, count in chosen)
    rank = max(1, math.ceil(share * total - 1e-9))
    if rank == 1 or rank >= total:
        return low if rank == 1 else high
    for low_ns, high_ns, count in chosen:
        rank -= count
        if rank <= 0:
            half = (high_ns - low_ns) // 2
            middle = low_ns + half if low_ns >= 0 else high_ns - 1 - half
            return min(max(middle, low), high)
    raise AssertionError


class Merge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="ros2bt-merge-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        cls.reports = [report(cls.root / recording.replace("/", "_"), recording) for recording in RECORDINGS]

    def merge(self, *arguments, status=0):
        folder = Path(tempfile.mkdtemp(dir=self.root))
        run("merge", "--format=csv", f"--output={folder}", *arguments, status=status)
        return folder

    def manifest(self, text):
        path = Path(tempfile.mkdtemp(dir=self.root)) / "manifest.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def check_sums(self, folders, merged):
        for singular in SINGULARS:
            expected = merged_here(folders, singular)
            ids = {}
            found = rows(merged, singular + "s")
            self.assertEqual({tuple(row[name] for name in NAMES[singular]) for row in found}, set(expected))
            for row in found:
                names = tuple(row[name] for name in NAMES[singular])
                ids[row[singular + "_id"]] = names
                series = expected[names]
                for key, value in series.cells().items():
                    self.assertEqual(int(row[key]), value, f"{names} {key}")
                for statistic in {statistic for statistic, *_ in series.buckets}:
                    low, high = int(row[f"{statistic}_min_ns"]), int(row[f"{statistic}_max_ns"])
                    for name, share in ("p50", 0.5), ("p90", 0.9), ("p99", 0.99):
                        self.assertEqual(int(row[f"{statistic}_{name}_ns"]),
                                         quantile(series.buckets, statistic, share, low, high), f"{names} {statistic} {name}")
            buckets = collections.defaultdict(collections.Counter)
            for row in rows(merged, singular + "_histograms"):
                bucket = row["statistic"], int(row["low_ns"]), int(row["high_ns"])
                buckets[ids[row[singular + "_id"]]][bucket] = int(row["count"])
            self.assertEqual(buckets, {names: series.buckets for names, series in expected.items() if series.buckets})

    def test_counts_sums_extremes_and_every_bucket_are_exact(self):
        self.check_sums(self.reports, self.merge("--histograms", *self.reports))

    def test_the_order_of_the_reports_makes_no_difference(self):
        forward, backward = self.merge("--histograms", *self.reports), self.merge("--histograms", *self.reports[::-1])
        for name in sorted(os.listdir(forward)):
            self.assertEqual((forward / name).read_bytes(), (backward / name).read_bytes(), name)

    def test_halves_of_a_recording_are_merged_to_the_whole(self):
        for recording in RECORDINGS:
            whole = report(self.root / "whole", recording, "--instances")
            starts = sorted(int(row["start_ns"]) for row in rows(whole, "callback_instances") if row["start_ns"])
            middle = starts[len(starts) // 2]
            halves = [report(self.root / "first", recording, f"--end={middle - 1}"),
                      report(self.root / "second", recording, f"--begin={middle}")]
            merged, alone = self.merge("--histograms", *halves), self.merge("--histograms", whole)
            for singular in SINGULARS:
                for one, other in zip(rows(merged, singular + "s"), rows(alone, singular + "s"), strict=True):
                    for key in NAMES[singular]:
                        self.assertEqual(one[key], other[key])
                    for key in one:
                        if key.endswith(EXACT) or key in ("count", "incomplete", "doubtful", "published"):
                            self.assertEqual(one[key], other[key], f"{recording} {key}")
                        elif key.endswith("_stddev_ns") and one[key]:
                            self.assertAlmostEqual(float(one[key]), float(other[key]), delta=0.002)
                self.assertEqual(rows(merged, singular + "_histograms"), rows(alone, singular + "_histograms"), recording)

    def test_rows_of_other_attributes_are_kept_apart(self):
        manifest = self.manifest("report,robot,version\n" + "".join(
            f"{path},r{index},{'1.0' if index < 2 else '1.1'}\n" for index, path in enumerate(self.reports)))
        by_version = self.merge(f"--manifest={manifest}", "--by=version")
        self.assertEqual(list(rows(by_version, "paths")[0])[:3], ["path_id", "version", "path"])
        for version, folders in ("1.0", self.reports[:2]), ("1.1", self.reports[2:]):
            expected = merged_here(folders, "path")
            found = {(row["path"], row["hops"]): int(row["count"]) for row in rows(by_version, "paths") if row["version"] == version}
            self.assertEqual(found, {names: series.sums["count"] for names, series in expected.items()})
        by_all = self.merge(f"--manifest={manifest}")
        self.assertEqual({row["robot"] for row in rows(by_all, "callbacks")}, {f"r{index}" for index in range(len(RECORDINGS))})
        self.assertEqual({row["recordings"] for row in rows(by_all, "callbacks")}, {"1"})
        chosen = self.merge(f"--manifest={manifest}", "--by=", self.reports[0])
        self.check_sums(self.reports[:1], self.merge("--histograms", self.reports[0]))
        self.assertEqual(len(rows(chosen, "reports")), 1)
        self.assertEqual(rows(chosen, "reports")[0]["robot"], "r0")

    def test_a_robot_that_is_slow_is_an_outlier(self):
        """Eight robots with the same recording, of which one is slower in one path."""
        lines = ["report,robot\n"]
        for index in range(8):
            folder = self.root / f"robot{index}"
            shutil.copytree(self.reports[0], folder)
            lines.append(f"{folder},robot-{index}\n")
        slow = self.root / "robot5"
        low, high = 1 << 33, (1 << 33) + (1 << 28)
        paths = rows(slow, "paths")
        line = max(range(len(paths)), key=lambda index: int(paths[index]["count"]))
        path = paths[line]
        count = sum(int(row["count"]) for row in rows(slow, "path_histograms") if row["path_id"] == path["path_id"])
        self.assertGreater(count, 10)
        others = [row for row in rows(slow, "path_histograms") if row["path_id"] != path["path_id"]]
        (slow / "path_histograms.csv").write_text(
            "path_id,statistic,low_ns,high_ns,count\n" + "".join(",".join(row.values()) + "\n" for row in others)
            + f"{path['path_id']},latency,{low},{high},{count}\n", encoding="utf-8")
        text = (slow / "paths.csv").read_text(encoding="utf-8").splitlines()
        cells = dict(path, latency_min_ns=low, latency_max_ns=low, latency_mean_ns=low, latency_sum_ns=low * count, latency_stddev_ns=0)
        text[line + 1] = ",".join(str(value) for value in cells.values())
        (slow / "paths.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
        for options in (["--by="], []):
            merged = self.merge(f"--manifest={self.manifest(''.join(lines))}", *options)
            outliers = rows(merged, "path_outliers")
            self.assertEqual([(row["robot"], row["path"], row["statistic"], row["count"], row["robots"]) for row in outliers],
                             [("robot-5", path["path"], "latency", str(count), "8")])
            self.assertEqual(int(outliers[0]["p99_ns"]), low)
            self.assertEqual(rows(merged, "callback_outliers"), [])

    def break_report(self, name, change):
        broken = Path(tempfile.mkdtemp(dir=self.root)) / "report"
        shutil.copytree(self.reports[0], broken)
        path = broken / name
        text = change(path.read_text(encoding="utf-8"))
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
        return broken

    def test_a_broken_report_counts_for_nothing_and_is_named(self):
        broken = {
            self.break_report("path_histograms.csv", lambda text: None): "no histograms",
            self.break_report("path_histograms.csv", lambda text: text.split("\n")[0] + "\n"): "contradict",
            self.break_report("path_histograms.csv", lambda text: text.replace("latency,", "latency,1", 1)): "is no bucket",
            self.break_report("path_histograms.csv", lambda text: text.replace("path_id", "id")): "not a table of histograms",
            self.break_report("callbacks.csv", lambda text: text[:len(text) // 2]): "cells, not",
            self.break_report("callbacks.csv", lambda text: text.replace("node", "nude", 1)): "no column `node`",
            self.break_report("communications.csv", lambda text: text.replace("inter_process,", "inter_process,x", 1)): "published is",
            self.break_report("communications.csv", lambda text: add_to(text, "lost", 3)): "messages and what became of them contradict",
            self.break_report("communications.csv", lambda text: add_to(text, "published", 1)): "messages and what became of them contradict",
            self.root / "nothing": "no such directory; expected a directory that ros2-latency --format=csv --histograms --output wrote",
        }
        folder = Path(tempfile.mkdtemp(dir=self.root))
        result = run("merge", "--format=csv", f"--output={folder}", *self.reports, *broken, status=1)
        alone = self.merge(*self.reports)
        for name in sorted(os.listdir(alone)):
            if name != "reports.csv":
                self.assertEqual((folder / name).read_bytes(), (alone / name).read_bytes(), name)
        problems = {row["report"]: row["problem"] for row in rows(folder, "reports")}
        for path, problem in broken.items():
            self.assertIn(problem, problems[str(path)])
            self.assertIn(problem, result.stderr)
        self.assertEqual([row["problem"] for row in rows(folder, "reports") if row["problem"] == ""], [""] * len(self.reports))

    def test_if_nothing_can_be_merged_nothing_is_written(self):
        empty = Path(tempfile.mkdtemp(dir=self.root))
        for format_name in "text", "json", "dot":
            result = run("merge", f"--format={format_name}", empty, status=1)
            self.assertEqual(result.stdout, "")
            self.assertEqual(result.stderr.count(str(empty)), 1, result.stderr)
        output = Path(tempfile.mkdtemp(dir=self.root))
        run("merge", "--format=csv", f"--output={output}", empty, status=1)
        self.assertEqual(os.listdir(output), [])

    def test_rates_of_a_merged_graph_are_unknown(self):
        graph = run("merge", "--format=dot", *self.reports).stdout
        self.assertRegex(graph, r'"t_/chatter" -> "n_/listener" \[label="[0-9.]+ [mµ]s, max [0-9.]+ [mµ]s", weight=1, penwidth=1')
        self.assertRegex(graph, r'"n_/talker" -> "t_/chatter" \[weight=1')
        self.assertNotIn("Hz", graph)
        self.assertRegex(run("--format=dot", DATA / RECORDINGS[0] / "trace").stdout, r'"n_/talker" -> "t_/chatter" \[label="[0-9.]+ Hz"')

    def test_text_and_json(self):
        text = run("merge", *self.reports).stdout
        self.assertIn("ROS 2 latency  5 of 5 reports", text)
        self.assertIn("/chatter", text)
        document = json.loads(run("merge", "--format=json", "--table=paths", *self.reports).stdout)
        self.assertEqual(sorted(document), ["path_outliers", "paths", "schema_version", "trace"])

    def test_what_becomes_of_columns_is_listed(self):
        """Every statistic of a table that is merged, and every count in it that the merged table has."""
        listed = {(row["table"], row["column"]): row["merge"] for row in csv.DictReader(io.StringIO(run("merge", "--columns").stdout))}
        self.assertEqual(listed["callbacks", "node"], "name")
        self.assertEqual(listed["callbacks", "count"], "sum")
        self.assertEqual(listed["callbacks", "duration"], "statistic")
        self.assertEqual(listed["communications", "longest_loss"], "max")
        self.assertNotIn(("callbacks", "vpid"), listed)
        merged = self.merge(*self.reports)
        for singular in SINGULARS:
            header = list(rows(merged, singular + "s")[0])
            for (table, column), merge in listed.items():
                if table == singular + "s":
                    self.assertIn(f"{column}_sum_ns" if merge == "statistic" else column, header)

    def test_reports_of_every_table_are_merged(self):
        """Whatever recording they are of: a table that says of a column that it is counted has counts there."""
        tables = re.search(r"^  --table=TABLE\n.*?^  --", run("--help").stdout, re.M | re.S).group()
        names = re.findall(r"^ {10}([a-z_]+)  ", tables, re.M)
        self.assertIn("timeline", names)
        folders = []
        for path in sorted(DATA.glob("*/*")):
            if path.is_dir():
                folders.append(self.root / f"all-{len(folders)}")
                run("--format=csv", "--histograms", f"--output={folders[-1]}", f"--table={','.join(names)}", path, status=None)
        self.assertGreater(len(folders), 5)
        merged = self.merge("--histograms", *folders)
        self.assertEqual({row["problem"] for row in rows(merged, "reports")}, {""})
        self.check_keys(merged)

    def check_keys(self, merged):
        """Histograms have the id of their row, or all its names, and these occur in the table."""
        names = collections.defaultdict(list)
        for row in csv.DictReader(io.StringIO(run("merge", "--columns").stdout)):
            if row["merge"] == "name":
                names[row["table"]].append(row["column"])
        files = sorted(merged.glob("*_histograms.csv"))
        self.assertIn("executor_histograms.csv", [file.name for file in files])
        for file in files:
            buckets = rows(merged, file.stem)
            if not buckets:
                continue
            table = next(name for name in names if re.sub("s$", "", name) + "_histograms" == file.stem)
            table_rows = rows(merged, table)
            key = [column for column in buckets[0] if column not in ("statistic", "low_ns", "high_ns", "count")]
            self.assertIn(key, ([next(iter(table_rows[0]))], names[table]), file.name)
            known = {tuple(row[column] for column in key) for row in table_rows}
            self.assertLessEqual({tuple(row[column] for column in key) for row in buckets}, known, file.name)

    def test_what_cannot_be_is_refused(self):
        manifest = self.manifest(f"report,robot\n{self.reports[0]},r\n")
        for arguments, message in (([], "no REPORT"), (["--format=csv", *self.reports], "merged reports in csv are several tables"),
                                   ([f"--manifest={manifest}", "--by=version"], "--by cannot be \"version\": the manifest has the attributes robot"),
                                   ([f"--manifest={manifest}", "--robot=x"], "--robot cannot be \"x\""),
                                   (["--format=perfetto", *self.reports],
                                    "--format=perfetto cannot show merged reports, which have no single executions: choose one of "
                                    "text, markdown, csv, json, sqlite, dot, prometheus\n"),
                                   (["--instances", *self.reports], "unknown option"), (["--buckets=3", *self.reports], "power of 2")):
            self.assertIn(message, run("merge", *arguments, status=2).stderr)
        self.assertIn("no column `report`", run("merge", f"--manifest={self.reports[0] / 'paths.csv'}", status=2).stderr)
        self.assertIn("No such file", run("merge", f"--manifest={self.root / 'none.csv'}", *self.reports, status=2).stderr)
        self.assertIn("names no report", run("merge", f"--manifest={self.manifest('report,robot' + chr(10))}", status=2).stderr)
        self.assertIn("--manifest=FILE", run("merge", "--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=["test_merge"])
