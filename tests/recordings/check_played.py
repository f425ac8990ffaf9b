#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records a played system and compares every execution with what really happened: none is paired wrongly, none that was
recorded from start to end within one phase is missing.

usage: check_played.py PLUGINS RECORD [OPTION OF ros2-recorder]…
"""

import bisect
import collections
import csv
import glob
import os
import subprocess
import sys
import tempfile

import report

NOT_POSSIBLE = 77
# However slow the machine is, ros2-recorder goes on until 3 messages have come to the end of each of 4 chains of 5 callbacks.
# The last callbacks may be the last thing that is recorded: of them perhaps only the start.
LEAST = 3 * 4 * (5 - 1)


class Happened:
    """An execution as it happened; each tracepoint was hit within a range of time."""

    def __init__(self, row):
        self.key = int(row["vtid"]), int(row["callback"], 16)
        self.start = int(row["start_from_ns"]), int(row["start_to_ns"])
        self.end = int(row["end_from_ns"]), int(row["end_to_ns"])
        self.is_recorded = row["start_phase"] == row["end_phase"] and row["start_phase"] not in ("", "0")
        self.is_found = False


def read_truth(folder):
    happened = collections.defaultdict(list)
    for path in sorted(glob.glob(os.path.join(folder, "truth", "callbacks-*.csv"))):
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                one = Happened(row)
                happened[one.key].append(one)
    for of_callback in happened.values():
        of_callback.sort(key=lambda one: one.start)
    return happened


def compare(happened, executions, offset_ns):
    complaints = []
    for execution in executions:
        of_callback = happened[execution.vtid, int(execution.callback["callback"], 16)]
        start_ns, end_ns = execution.start_ns - offset_ns, execution.end_ns - offset_ns
        index = bisect.bisect_right([one.start[0] for one in of_callback], start_ns) - 1
        one = of_callback[index] if index >= 0 else None
        if one is None or not one.start[0] <= start_ns <= one.start[1] or not one.end[0] <= end_ns <= one.end[1]:
            complaints.append("did not happen: %s from %d to %d" % (execution.callback["callback"], start_ns, end_ns))
        else:
            one.is_found = True
    for of_callback in happened.values():
        complaints += [
            "not found: 0x%x on %d at %d" % (one.key[1], one.key[0], one.start[0])
            for one in of_callback
            if one.is_recorded and not one.is_found
        ]
    return complaints


def main():
    plugins, record = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "recording")
        command = [record, "--output", output, "--truth", "--"] + sys.argv[3:]
        result = subprocess.run(command, stderr=subprocess.PIPE, check=False)
        if result.returncode != 0:
            sys.stderr.buffer.write(result.stderr)
            sys.exit(NOT_POSSIBLE if result.returncode == NOT_POSSIBLE else 1)
        happened = read_truth(output)
        executions = report.run(plugins, output).executions()
        complaints = compare(happened, executions, report.clock_offset_ns(output))
    if len(executions) < LEAST:
        complaints.append("only %d executions" % len(executions))
    print("%d executions of %d" % (len(executions), sum(len(of) for of in happened.values())))
    report.finish(complaints)


main()
