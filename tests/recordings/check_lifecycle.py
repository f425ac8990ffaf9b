#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Transitions of lifecycle nodes enclose the functions that the programs logged, and have their results.

usage: check_lifecycle.py PLUGINS RECORDING
"""

import collections
import sys

import logs
import report

LONGER_NS = 151499  # a transition than the logged function in it: 151 us, rounded
TRANSITIONS = {
    "on_configure": "configuring", "on_activate": "activating", "on_deactivate": "deactivating",
    "on_cleanup": "cleaningup", "on_shutdown": "shuttingdown", "on_error": "errorprocessing",
}


def check_transitions(result, lines, complaints):
    """Each logged function has its transition, which lasts a bit longer, and there are no others."""
    rows = result.rows("lifecycle_instances")
    functions = [line for line in lines if line.kind == "transition_callback"]
    longest_ns = 0
    for line in functions:
        found = [row for row in rows if row["node"] == "/" + line.node and row["transition"] == TRANSITIONS[line.name]
                 and int(row["start_ns"]) <= line.start_ns and line.end_ns <= int(row["end_ns"])]
        if len(found) != 1:
            complaints.append("%d transitions: %s" % (len(found), line))
            continue
        if found[0]["result"] != line.extra["result"] or found[0]["vpid"] != str(line.vpid):
            complaints.append("result %s, not %s: %s" % (found[0]["result"], line.extra["result"], line))
        longest_ns = max(longest_ns, int(found[0]["end_ns"]) - int(found[0]["start_ns"]) - line.end_ns + line.start_ns)
        rows.remove(found[0])
    complaints += ["a transition that was not logged: %s %s" % (row["node"], row["transition"]) for row in rows]
    if longest_ns > LONGER_NS:
        complaints.append("a transition lasts %d ns longer than its function" % longest_ns)
    return len(functions), longest_ns


def check_triggers(result, lines, complaints):
    """A change of state that the program asked for ends in the state that it logged."""
    states = collections.defaultdict(list)
    for row in result.rows("lifecycle_state_instances"):
        states[row["node"]].append((int(row["start_ns"]), row["state"]))
    for line in lines:
        if line.kind == "trigger":
            last = max((entry for entry in states[line.node] if entry[0] <= line.end_ns), default=(0, None))
            if last[1] != line.extra["to"]:
                complaints.append("in state %s, not %s: %s" % (last[1], line.extra["to"], line))


def check_states(result, complaints):
    """The states of a node follow one another without a gap, and the main table has their times."""
    stays = collections.defaultdict(list)
    for row in result.rows("lifecycle_state_instances"):
        stays[row["node"], row["vpid"]].append(row)
    for (node, vpid), rows in stays.items():
        entries, times = collections.Counter(), collections.Counter()
        for before, after in zip(rows, rows[1:]):
            if before["end_ns"] != after["start_ns"]:
                complaints.append("%s: nothing from %s to %s" % (node, before["end_ns"], after["start_ns"]))
        for row in rows:
            entries[row["state"]] += 1
            times[row["state"]] += int(row["end_ns"]) - int(row["start_ns"]) if row["end_ns"] else 0
        for row in result.rows("lifecycle"):
            if (row["node"], row["vpid"]) != (node, vpid):
                continue
            if int(row["entries"]) != entries[row["state"]]:
                complaints.append("%s: %s entries of %s" % (node, row["entries"], row["state"]))
            if row["state"] != rows[-1]["state"] and int(row["time_sum_ns"]) != times[row["state"]]:
                complaints.append("%s: %s ns in %s" % (node, row["time_sum_ns"], row["state"]))


def check_publications(result, lines, complaints):
    """Lifecycle publishers publish while they are active only."""
    logged = collections.Counter(line.name for line in lines if line.kind == "publish" and line.extra["active"] == "1")
    published = collections.Counter()
    for row in result.rows("lifecycle_publications"):
        if row["state"] != "active":
            complaints.append("%s published %s while %s" % (row["node"], row["topic"], row["state"]))
        published[row["topic"]] += int(row["count"])
    if published != logged:
        complaints.append("published %s, logged %s" % (dict(published), dict(logged)))


def check_calls(result, lines, complaints):
    """Each request to change the state of a node is one execution of that service's callback, and there are no others."""
    services = {row["callback_id"]: row for row in result.rows("callbacks") if row["source"].endswith("/change_state")}
    rows = [row for row in result.rows("callback_instances") if row["callback_id"] in services]
    calls = [line for line in lines if line.kind == "change_state"]
    for line in calls:
        found = [row for row in rows if services[row["callback_id"]]["source"] == line.node + "/change_state"
                 and services[row["callback_id"]]["node"] == line.node
                 and line.start_ns <= int(row["start_ns"]) <= int(row["end_ns"]) <= line.end_ns]
        if len(found) != 1:
            complaints.append("%d executions of the service: %s" % (len(found), line))
            continue
        rows.remove(found[0])
    complaints += ["an execution that was not logged: %s" % services[row["callback_id"]]["source"] for row in rows]
    return len(calls)


def main():
    plugins, recording = sys.argv[1:]
    result = report.run(plugins, recording)
    lines = logs.read(recording, report.clock_offset_ns(recording))
    complaints = []
    count, longest_ns = check_transitions(result, lines, complaints)
    check_triggers(result, lines, complaints)
    check_states(result, complaints)
    check_publications(result, lines, complaints)
    calls = check_calls(result, lines, complaints)
    if "lifecycle state unknown" in result.diagnostics():
        complaints.append("broken chains")
    print("%s: %d functions, up to %d ns shorter than their transitions, %d calls" % (recording, count, longest_ns, calls))
    if count == 0 or calls == 0:
        complaints.append("nothing to compare")
    report.finish(complaints)


main()
