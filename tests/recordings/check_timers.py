#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Timers as rcl called them, by the log of a program that knows when rcl expected each call (rclcpp::TimerInfo).

usage: check_timers.py PLUGINS RECORDING

Each call of each timer is in the log: how late it was, and what it missed, which is what rcl's rule gives for its
`called_ns` and `expected_ns`. Nothing is late or missed of a timer on simulated time.
"""

import collections
import csv
import os
import sys

import report

MS = 1000000
# rcl reads its clock before the tracepoint of the timer's creation.
CREATION_NS = {"timers": 5000, "timers-destroyed": 20000}
RESET_NS, RESET_MEDIAN_NS = 13 * MS, 90000


class Timer:
    """A timer of the log: its calls as (expected_ns, called_ns), in the timer's clock; whether it was ever reset"""

    def __init__(self):
        self.period_ns, self.clock, self.is_reset, self.calls = 0, "", False, []

    def missed(self, call):
        """The slots that rcl skips at a call."""
        expected, called = call
        return max(0, (called - expected) // self.period_ns)


def read_log(recording):
    """(node, period) → Timer"""
    timers = collections.defaultdict(Timer)
    folder = os.path.join(recording, "ground-truth")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            for row in rows:
                extra = dict(pair.split("=", 1) for pair in row["extra"].split(";") if "=" in pair)
                timer = timers[row["node"], row["name"]]
                if row["kind"] == "timer_op":
                    timer.is_reset |= extra["op"] == "reset" or extra.get("autostart") == "0"
                    timer.clock = extra.get("clock", timer.clock)
                    timer.period_ns = int(extra.get("period_ns", timer.period_ns))
                elif row["kind"] == "timer":
                    timer.calls.append((int(extra["expected_ns"]), int(extra["called_ns"])))
    return {("/" + node, timer.period_ns): timer for (node, _), timer in timers.items() if timer.calls}


class Check:
    def __init__(self, recording):
        self.creation_ns = CREATION_NS[os.path.basename(recording)]
        self.complaints, self.compared, self.late_after_reset = [], 0, []

    def expect(self, name, what, value, expected):
        self.compared += 1
        if str(value) != str(expected):
            self.complaints.append("%s: %s %s, not %s" % (name, what, value, expected))

    def simulated(self, name, timer, row):
        """The clock is none of the trace's, and what depends on it is empty."""
        self.expect(name, "clock", row["clock"], "other")
        self.expect(name, "missed", row["missed"], "")
        self.expect(name, "lateness", row["lateness_max_ns"], "")
        self.expect(name, "calls", row["calls"], len(timer.calls))

    def steady(self, name, timer, row, instances):
        missed = sum(timer.missed(call) for call in timer.calls)
        early = sum(called < expected for expected, called in timer.calls)
        self.expect(name, "calls", row["calls"], len(timer.calls))
        self.expect(name, "missed", row["missed"], missed)
        self.expect(name, "instances", len(instances), len(timer.calls))
        self.expect(name, "missed of instances", sum(int(one["missed"]) for one in instances), missed)
        self.expect(name, "clock", row["clock"], "steady")
        self.expect(name, "restarts", bool(int(row["restarts"])), timer.is_reset)
        if abs(int(row["early"]) - early) > early / 40:
            self.complaints.append("%s: early %s, not %d" % (name, row["early"], early))

    def expected_times(self, name, timer, instances, offset_ns):
        """What is compared is the expected time: rcl's `now` precedes callback_start by up to 0.2 ms."""
        errors = []
        for one, (expected, called) in zip(instances, timer.calls):
            self.expect(name, "lateness_ns", one["lateness_ns"], int(one["start_ns"]) - int(one["expected_ns"]))
            if called >= expected:
                clock_ns = offset_ns if timer.clock == "steady" else 0
                errors.append(abs(int(one["expected_ns"]) - clock_ns - expected))
        errors.sort()
        if timer.is_reset:
            self.late_after_reset += errors
        elif errors[-1] > self.creation_ns:
            self.complaints.append("%s: lateness is wrong by up to %.1f us" % (name, errors[-1] / 1000))
        print("%s: %d calls, lateness wrong by p50 %.1f, max %.1f us" %
              (name, len(errors), errors[len(errors) // 2] / 1000, errors[-1] / 1000))

    def after_reset(self):
        errors = sorted(self.late_after_reset)
        if not errors or errors[-1] > RESET_NS or errors[len(errors) // 2] > RESET_MEDIAN_NS:
            self.complaints.append("lateness of timers that were reset is wrong by up to %s ns" % errors[-1:])


def main():
    plugins, recording = sys.argv[1:]
    result = report.run(plugins, recording, parameters=['tables=["timers"]'])
    offset_ns = report.clock_offset_ns(recording)
    rows = {(row["node"], int(row["period_ns"])): row for row in result.rows("timers")}
    instances = collections.defaultdict(list)
    for one in result.rows("timer_instances"):
        instances[one["timer_id"]].append(one)
    check = Check(recording)
    log = read_log(recording)
    check.expect(recording, "timers", sorted(rows), sorted(log))
    for key, timer in sorted(log.items()):
        name, row = "%s %d ms" % (key[0], key[1] / MS), rows[key]
        if key[0] == "/simtime":
            check.simulated(name, timer, row)
        else:
            check.steady(name, timer, row, instances[row["timer_id"]])
            check.expected_times(name, timer, instances[row["timer_id"]], offset_ns)
    check.after_reset()
    print("%s: %d timers, %d comparisons" % (recording, len(log), check.compared))
    report.finish(check.complaints)


main()
