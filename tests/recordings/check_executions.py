#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The number of executions, what is incomplete, and the diagnostics are those known of a recording; where
tracetools_analysis gets it right, every start and duration is the same.

usage: check_executions.py PLUGINS RECORDING EXECUTIONS INCOMPLETE [DIAGNOSTIC=COUNT]…
"""

import collections
import csv
import os
import sys

import report


def read_tracetools_analysis(path, executions):
    """All executions: address, start, duration. Gives (expected, found)."""
    with open(path, encoding="utf-8") as file:
        expected = collections.Counter(
            (int(row["callback_object"], 16), int(row["start_timestamp_ns"]), int(row["duration_ns"]))
            for row in csv.DictReader(file)
        )
    return expected, collections.Counter(
        (int(execution.callback["callback"], 16), execution.start_ns, execution.duration_ns) for execution in executions
    )


def read_caret_analyze(path, executions):
    """Executions of the user's callbacks, with node, kind and source. Gives (expected, found)."""
    with open(path, encoding="utf-8") as file:
        expected = collections.Counter(
            (
                row["node_name"],
                row["callback_type"].replace("_callback", ""),
                row["topic"] or row["period_ns"],
                int(row["start_ns"]),
                int(row["end_ns"]),
            )
            for row in csv.DictReader(file)
        )
    return expected, collections.Counter(
        (execution.callback["node"], execution.callback["kind"], execution.callback["source"], execution.start_ns, execution.end_ns)
        for execution in executions
        if execution.callback["source"] != "/parameter_events"
    )


REFERENCES = (
    ("callback_durations.tracetools_analysis.csv", read_tracetools_analysis),
    ("../caret-demos-e2e-reference/callback_latency.csv", read_caret_analyze),
)


def check_references(recording, executions):
    complaints = []
    for name, read in REFERENCES:
        path = os.path.join(recording, name)
        if not os.path.exists(path) or (name.startswith("..") and not recording.endswith("caret-demos-e2e")):
            continue
        expected, found = read(path, executions)
        if expected != found:
            complaints.append("%d executions differ from %s" % (sum(((found - expected) + (expected - found)).values()), name))
    return complaints


def check_tables(table):
    """What must hold for every report: the tables agree with each other."""
    complaints = []
    sums = collections.Counter()
    for execution in table.executions():
        sums[execution.callback["callback_id"], "count"] += 1
        if not execution.is_doubtful:
            sums[execution.callback["callback_id"], "duration"] += execution.duration_ns
        if execution.duration_ns < 0 or execution.end_ns - execution.start_ns != execution.duration_ns:
            complaints.append("wrong duration of callback %s" % execution.callback["callback_id"])
    for callback_id, callback in table.callbacks().items():
        if sums[callback_id, "count"] != int(callback["count"]):
            complaints.append("callback %s does not have its %s instances" % (callback_id, callback["count"]))
        if sums[callback_id, "duration"] != int(callback["duration_sum_ns"] or 0):
            complaints.append("callback %s has another sum than its instances" % callback_id)
    return complaints


def main():
    plugins, recording, expected, incomplete = sys.argv[1:5]
    table = report.run(plugins, recording)
    executions = table.executions()
    complaints = check_tables(table)
    complaints += check_references(recording, executions)
    if len(executions) != int(expected):
        complaints.append("%d executions, not %s" % (len(executions), expected))
    found_incomplete = sum(int(row["incomplete"]) for row in table.rows("callbacks"))
    if found_incomplete != int(incomplete):
        complaints.append("%d incomplete, not %s" % (found_incomplete, incomplete))
    wanted = {name: int(count) for name, count in (item.rsplit("=", 1) for item in sys.argv[5:])}
    about_callbacks = {
        name: count for name, count in table.diagnostics().items()
        if not name.startswith(("publication", "take", "negative", "link", "path"))
    }
    if about_callbacks != wanted:
        complaints.append("diagnostics are %s" % about_callbacks)
    report.finish(complaints)


main()
