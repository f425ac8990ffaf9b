#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of `usage` of each scope add up to the executions in `callback_instances`.

usage: check_usage.py PLUGINS RECORDING
"""

import collections
import sys

import report

SCOPES = {"host", "process", "thread", "node", "callback"}


def main():
    plugins, recording = sys.argv[1:]
    result = report.run(plugins, recording, parameters=('tables=["usage", "callbacks"], instances=yes',))
    sums = collections.defaultdict(collections.Counter)
    for row in result.rows("usage"):
        for column in ("executions", "busy_ns", "self_ns", "cpu_ns", "cpu_unknown_ns"):
            sums[row["scope"]][column] += int(row[column] or 0)
    complaints = [f"{scope}: {sums[scope]}, not {sums['host']}" for scope in sums if sums[scope] != sums["host"]]
    if not SCOPES <= sums.keys():
        complaints.append("no rows of %s" % (SCOPES - sums.keys()))
    whole = [row for row in result.rows("callback_instances") if row["duration_ns"]]
    busy_ns = sum(int(row["duration_ns"]) for row in whole if row["doubtful"] != "1")
    if (sums["host"]["executions"], sums["host"]["busy_ns"]) != (len(whole), busy_ns):
        complaints.append(f"{sums['host']}, but {len(whole)} executions of {busy_ns} ns")
    print(dict(sums["host"]))
    report.finish(complaints)


main()
