#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of points against the log of an application that has tracepoints of its own.

usage: check_points.py PLUGINS ROS2_LATENCY RECORDING

RECORDING/points.yaml says which events are which. The log has a row for each stage (its key, whether its end was recorded),
each frame and each depth of a queue; what the tables must hold is worked out of it here. Both readers give the same bytes.
"""

import bisect
import collections
import csv
import os
import re
import sys

import report

DURATION_NS = 31000  # a stage's events lie around the marks of the log
DURATION_MEDIAN_NS = 2000
TABLES = ("points", "point_instances", "point_callbacks", "point_paths", "point_path_instances", "point_series")


class Stage:
    def __init__(self, vpid, row, inside):
        self.name, self.key = row["name"], int(row["seq"])
        self.start_ns, self.end_ns = int(row["t_start_ns"]), int(row["t_end_ns"])
        self.is_ended = row["extra"] == "ended=1"
        self.vpid, self.is_inside = vpid, inside


class Log:
    """What the programs say: stages, depths of the queue, scores and numbers of boxes"""

    def __init__(self, recording):
        self.stages, self.depths, self.scores, self.boxes = [], [], [], []
        folder = os.path.join(recording, "ground-truth")
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                vpid = int(re.search(r"pid=(\d+)", file.readline()).group(1))
                self.read(vpid, list(csv.DictReader(file)))

    def read(self, vpid, rows):
        callbacks = collections.defaultdict(list)
        for row in rows:
            if row["kind"] in ("timer", "callback"):
                callbacks[row["tid"]].append((int(row["t_start_ns"]), int(row["t_end_ns"])))
        for intervals in callbacks.values():
            intervals.sort()
        for row in rows:
            if row["kind"] == "stage":
                start_ns = int(row["t_start_ns"])
                intervals = callbacks[row["tid"]]
                at = bisect.bisect_right(intervals, (start_ns, sys.maxsize)) - 1
                self.stages.append(Stage(vpid, row, at >= 0 and start_ns <= intervals[at][1]))
            elif row["kind"] == "point" and row["name"] == "queue_depth":
                self.depths.append(int(row["seq"]))
            elif row["kind"] == "point" and row["name"] == "frame":
                extra = dict(pair.split("=") for pair in row["extra"].split(";"))
                self.scores.append(float(extra["score"]))
                self.boxes.append(int(extra["n"]))

    def of(self, name):
        return [stage for stage in self.stages if stage.name == name]


class Check:
    def __init__(self, tables, log, offset_ns):
        self.tables, self.log, self.offset_ns = tables, log, offset_ns
        self.complaints, self.compared = [], 0

    def expect(self, what, value, expected):
        self.compared += 1
        if str(value) != str(expected):
            self.complaints.append("%s: %s, not %s" % (what, value, expected))

    def near(self, what, value, expected, tolerance):
        self.compared += 1
        if abs(float(value) - expected) > tolerance:
            self.complaints.append("%s: %s, not within %s of %s" % (what, value, tolerance, expected))

    def stages(self):
        rows = {row["stage"]: row for row in self.tables.rows("points")}
        self.expect("stages", sorted(rows), sorted({stage.name for stage in self.log.stages}))
        for name, row in rows.items():
            logged = self.log.of(name)
            self.expect(name + ": count", row["count"], sum(stage.is_ended for stage in logged))
            self.expect(name + ": without end", row["without_end"], sum(not stage.is_ended for stage in logged))
            self.expect(name + ": without start", row["without_start"], 0)
            self.expect(name + ": doubtful", row["doubtful"], 0)

    def instances(self):
        """Each stage of the log, with its key, its times and its duration; and no other."""
        rows = {(row["stage"], int(row["key"])): row for row in self.tables.rows("point_instances")}
        self.expect("instances", len(self.tables.rows("point_instances")), len(self.log.stages))
        apart = []
        for stage in self.log.stages:
            name, row = "%s %d" % (stage.name, stage.key), rows.get((stage.name, stage.key))
            if row is None:
                self.complaints.append(name + ": no instance")
                continue
            self.near(name + ": start", int(row["start_ns"]) - self.offset_ns, stage.start_ns, DURATION_NS)
            self.expect(name + ": has an end", row["end_ns"] != "", stage.is_ended)
            self.expect(name + ": in a callback", row["callback_id"] != "", stage.is_inside)
            if stage.is_ended:
                apart.append(abs(int(row["duration_ns"]) - (stage.end_ns - stage.start_ns)))
                self.near(name + ": duration", row["duration_ns"], stage.end_ns - stage.start_ns, DURATION_NS)
        apart.sort()
        self.near("durations, in the middle", apart[len(apart) // 2], 0, DURATION_MEDIAN_NS)

    def callbacks(self):
        rows = self.tables.rows("point_callbacks")
        callbacks = self.tables.callbacks()
        inside = sum(stage.is_inside for stage in self.log.stages if stage.is_ended)
        self.expect("inside of callbacks", sum(int(row["count"]) for row in rows if row["callback_id"]), inside)
        self.expect("in all", sum(int(row["count"]) for row in rows), sum(stage.is_ended for stage in self.log.stages))
        for row in rows:
            if row["callback_id"]:
                vpids = {str(stage.vpid) for stage in self.log.of(row["stage"])}
                self.expect(row["stage"] + ": process of its callback", {callbacks[row["callback_id"]]["vpid"]}, vpids)

    def path(self):
        """From capture to plan, by key; out of order are those whose key is below one that has ended before."""
        row, = self.tables.rows("point_paths")
        starts = {stage.key: stage.start_ns for stage in self.log.of("capture")}
        ends = sorted((stage.end_ns, stage.key) for stage in self.log.of("plan") if stage.is_ended)
        latencies = sorted(end_ns - starts[key] for end_ns, key in ends)
        highest, late = 0, 0
        for _, key in ends:
            late += key < highest
            highest = max(highest, key)
        self.expect("path: count", row["count"], len(ends))
        self.expect("path: out of order", row["out_of_order"], late)
        self.near("path: min", row["latency_min_ns"], latencies[0], DURATION_NS)
        self.near("path: max", row["latency_max_ns"], latencies[-1], DURATION_NS)
        middle = latencies[(len(latencies) - 1) // 2]
        self.near("path: p50", row["latency_p50_ns"], middle, DURATION_NS + middle / 1000)
        self.expect("path: instances", len(self.tables.rows("point_path_instances")), len(starts))

    def series(self):
        rows = {(row["name"], row["value"]): row for row in self.tables.rows("point_series")}
        for name, values in (
            (("my_app:queue_depth.depth", "plan"), self.log.depths),
            (("my_app:frame.score", ""), self.log.scores),
            (("length of my_app:frame.boxes", ""), self.log.boxes),
        ):
            row = rows[name]
            self.expect("%s: count" % (name,), row["count"], len(values))
            for column, expected in (("min", min(values)), ("max", max(values)), ("sum", sum(values))):
                self.near("%s: %s" % (name, column), row[column], expected, 0)
            self.near("%s: mean" % (name,), row["mean"], sum(values) / len(values), 0.001)
        self.expect("boxes", rows["my_app:frame.boxes", ""]["count"], sum(self.log.boxes))


def main(plugins, command, recording):
    points = os.path.join(recording, "points.yaml")
    log = Log(recording)
    tables = report.run(plugins, recording, parameters=['points="%s"' % points])
    check = Check(tables, log, report.clock_offset_ns(recording))
    check.stages()
    check.instances()
    check.callbacks()
    check.path()
    check.series()
    fast = report.of(command, recording, "--reader=fast", "--points=" + points, "--instances")
    for table in TABLES:
        check.expect(table + ": both readers", fast.files[table + ".csv"] == tables.files[table + ".csv"], True)
    without = report.run(plugins, recording)
    check.expect("tables without a file of points", [name for name in without.files if name.startswith("point")], [])
    for name, content in without.files.items():
        check.expect(name + ": as without a file of points", tables.files[name] == content, True)
    if check.complaints:
        report.finish(check.complaints)
    print("%d values compared; pairs %d, without end %d" % (
        check.compared, sum(stage.is_ended for stage in log.stages), sum(not stage.is_ended for stage in log.stages)))


if __name__ == "__main__":
    main(*sys.argv[1:])
