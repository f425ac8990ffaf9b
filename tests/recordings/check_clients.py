#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nodes without rclcpp: what is inferred of them, by what their programs logged.

usage: check_clients.py PLUGINS RECORDING CALLBACKS [services]

CALLBACKS: how many were logged. `services`: the release records them.

- Each logged callback has one inferred execution: on its thread, begun before it, and ended within the bracket.
- A publication that is linked to a take comes from that message. Of those that come from one, 6 % may be without a link.
- What is without a link and comes from none, or from a callback after an await, is not linked.
"""

import bisect
import collections
import csv
import os
import sys

import report

MISSED_MAX = 0.06
# a batch of takes that was preempted looks like two, and the first as if it ended with the second (rclc, LET)
OUTSIDE_MAX = 1 / 400
# first parts of asynchronous callbacks begin with their take, later ones do not
EXECUTIONS = ("callback", "async_part", "timer", "guard", "service", "execute", "feedback", "response", "result",
              "goal_response", "goal", "cancel")
TAKEN = ("callback", "async_part", "service", "feedback")
PUBLISHING = ("publish", "log")


class Row:
    def __init__(self, pid, offset_ns, cells):
        self.pid = pid
        self.kind = cells["kind"]
        self.tid = int(cells["tid"])
        self.start_ns = int(cells["t_start_ns"]) + offset_ns
        self.end_ns = int(cells["t_end_ns"]) + offset_ns
        # "/burst(raw)", "/chatter (reentrant)"
        self.topic = cells["name"].split("(")[0].strip()
        self.extra = dict(part.split("=", 1) for part in (cells["extra"] or "").split(";") if "=" in part)
        self.take = None

    def is_taken(self):
        return self.kind in TAKEN and self.extra.get("part", "1") == "1"


def logged(recording, offset_ns):
    folder = os.path.join(recording, "ground-truth")
    rows = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        pid = int(lines[0].split("pid=")[1].split()[0])
        rows += [Row(pid, offset_ns, cells) for cells in csv.DictReader(lines[1:])]
    return rows


def rows_of(result, table):
    """Those of a table that not every recording has."""
    return result.rows(table) if table + ".csv" in result.files else []


def topic_of(row):
    """As the logs call it: an action by its name."""
    return row["source"].replace("/_action/feedback", "")


class Takes:
    """The inferred executions, by thread and topic, in order."""

    def __init__(self, result):
        self.rows = {row["inferred_id"]: row for row in result.rows("inferred_executions")}
        self.by_source = collections.defaultdict(list)
        for instance in sorted(result.rows("inferred_instances"), key=lambda row: int(row["start_ns"])):
            row = self.rows[instance["inferred_id"]]
            self.by_source[int(row["vpid"]), int(instance["vtid"]), topic_of(row)].append(instance)

    def give(self, callbacks, complaints):
        """Each callback gets its take: of a thread and topic, one after the other."""
        waiting = {key: list(reversed(instances)) for key, instances in self.by_source.items()}
        for row in sorted(callbacks, key=lambda row: row.start_ns):
            takes = waiting.get((row.pid, row.tid, row.topic))
            if not takes:
                complaints.append("%s of pid %d at %d has no inferred execution" % (row.topic, row.pid, row.start_ns))
                continue
            row.take = takes.pop()
            if int(row.take["start_ns"]) > row.start_ns:
                complaints.append("%s of pid %d began at %d, its take was later" % (row.topic, row.pid, row.start_ns))
        return sum(map(len, waiting.values()))


def check_brackets(callbacks, complaints):
    outside = []
    for row in callbacks:
        # a later part of an asynchronous callback may publish, and be on this thread
        if row.take and row.kind != "async_part":
            if int(row.take["end_min_ns"]) > row.end_ns:
                complaints.append("%s at %d ended before its last publication" % (row.topic, row.start_ns))
            if row.take["end_max_ns"] and int(row.take["end_max_ns"]) < row.end_ns:
                outside.append("%s at %d ended after its bracket" % (row.topic, row.start_ns))
    if len(outside) > OUTSIDE_MAX * len(callbacks):
        complaints += outside


class Intervals:
    """Rows of each thread by time."""

    def __init__(self, rows):
        self.by_thread = collections.defaultdict(list)
        for row in sorted(rows, key=lambda row: row.start_ns):
            self.by_thread[row.pid, row.tid].append(row)
        self.starts = {key: [row.start_ns for row in thread] for key, thread in self.by_thread.items()}

    def around(self, pid, tid, time_ns):
        """The innermost one, None outside of all."""
        thread = self.by_thread[pid, tid]
        for i in range(bisect.bisect(self.starts.get((pid, tid), ()), time_ns) - 1, -1, -1):
            if thread[i].end_ns >= time_ns:
                return thread[i]
            if thread[i].start_ns < time_ns - 10**10:
                break
        return None


def check_links(result, executions, pids, complaints):
    """Counts the publications of programs that logged by what became of them."""
    counts = collections.Counter()
    origins = {row["origin_id"]: row for row in rows_of(result, "origins")}
    for instance in rows_of(result, "origin_instances"):
        origin = origins[instance["origin_id"]]
        if int(origin["vpid"]) not in pids:
            continue
        around = executions.around(int(origin["vpid"]), int(instance["vtid"]), int(instance["publish_ns"]))
        true = around.take if around and around.is_taken() else None
        true_ns = true["start_ns"] if true else ""
        if instance["take_ns"] == true_ns and (not true or instance["inferred_id"] == true["inferred_id"]):
            counts["linked" if true_ns else "of no take"] += 1
        elif instance["take_ns"]:
            counts["wrong"] += 1
            complaints.append("%s at %s is linked to the take at %s, not %r" %
                              (origin["topic"], instance["publish_ns"], instance["take_ns"], true_ns))
        else:
            counts["missed"] += 1
    for row in origins.values():
        linked = sum(1 for instance in rows_of(result, "origin_instances")
                     if instance["origin_id"] == row["origin_id"] and instance["take_ns"])
        if linked != int(row["linked"]):
            complaints.append("%s: %s linked, but %d instances" % (row["topic"], row["linked"], linked))
    return counts


def main():
    plugins, recording, expected = sys.argv[1:4]
    has_services = sys.argv[4:] == ["services"]
    result = report.run(plugins, recording)
    takes = Takes(result)
    plain = {int(row["vpid"]) for row in takes.rows.values()}
    rows = [row for row in logged(recording, report.clock_offset_ns(recording)) if row.pid in plain]
    callbacks = [row for row in rows if row.is_taken() and (has_services or row.kind != "service")]
    complaints = []
    takes.give(callbacks, complaints)
    check_brackets(callbacks, complaints)
    counts = check_links(result, Intervals(row for row in rows if row.kind in EXECUTIONS),
                         {row.pid for row in rows}, complaints)
    print("%s: %d callbacks, publications %s" % (recording, len(callbacks), dict(counts)))
    if len(callbacks) != int(expected):
        complaints.append("%d callbacks were logged, not %s" % (len(callbacks), expected))
    if counts["missed"] > MISSED_MAX * (counts["missed"] + counts["linked"]):
        complaints.append("%d of %d publications are without their link" %
                          (counts["missed"], counts["missed"] + counts["linked"]))
    report.finish(complaints)


main()
