#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables `counters` and `counter_instances` against the events as babeltrace2 prints them, and against the programs' logs.

usage: check_counters.py PLUGINS RECORDING ROS2_LATENCY EXECUTIONS

EXECUTIONS: rows of the logs that must be matched: their CPU time, as the program has measured it within its callback, must be
the difference of the counter task_clock, but for what taking it costs.
"""

import collections
import re
import subprocess
import sys

import logs
import report

EVENT = re.compile(r"^\[(\d+)\] \(.*?\) \S+ ros2:callback_(start|end): \{.*?\}, \{(.*?)\}, \{ callback = (0x\w+)")
COUNTER = re.compile(r"perf_thread_(\w+) = (\d+)")
MEDIAN_MAX_NS = 12_000  # task_clock - cpu_ns


def recount(recording, offset_ns):
    """(vtid, start) → (callback, end, {counter: difference}) of the printed events; and counters that ever change on a thread."""
    text = subprocess.run(["babeltrace2", "--clock-cycles"] + report.source_arguments(recording), check=True,
                          capture_output=True, text=True).stdout
    executions, stacks, values = {}, collections.defaultdict(list), collections.defaultdict(set)
    for line in text.splitlines():
        event = EVENT.match(line)
        if not event:
            continue
        time_ns, (which, context, callback) = int(event[1]) + offset_ns, event.groups()[1:]
        vtid = int(re.search(r"vtid = (\d+)", context)[1])
        counters = {name: int(value) for name, value in COUNTER.findall(context)}
        for name, value in counters.items():
            values[name, vtid].add(value)
        if which == "start":
            stacks[vtid].append((time_ns, callback, counters))
        elif stacks[vtid]:
            start_ns, of, at_start = stacks[vtid].pop()
            if of == callback:
                executions[vtid, start_ns] = (callback, time_ns, {name: counters[name] - at_start[name] for name in counters})
    return executions, {name for (name, _), seen in values.items() if len(seen) > 1}


def check(complaints, what, got, expected):
    if got != expected:
        complaints.append(f"{what}: {got}, not {expected}")


def check_instances(rows, executions, changing, complaints):
    ours = {(int(row["vtid"]), int(row["start_ns"]), row["counter"]): (int(row["end_ns"]), int(row["value"])) for row in rows}
    expected = {(*key, name): (end_ns, value) for key, (_, end_ns, values) in executions.items()
                for name, value in values.items() if name in changing}
    check(complaints, "instances", len(ours), len(rows))
    check(complaints, "counters with instances", {name for _, _, name in ours}, changing)
    for key in ours.keys() | expected.keys():
        check(complaints, f"execution {key}", ours.get(key), expected.get(key))


def check_rows(rows, executions, changing, complaints):
    sums = collections.defaultdict(lambda: [0, 0])
    for callback, _, values in executions.values():
        for name, value in values.items():
            sums[name, callback][0] += 1
            sums[name, callback][1] += value
    for name in {name for name, _ in sums}:
        ours = [row for row in rows if row["counter"] == name]
        if name not in changing:
            check(complaints, f"{name}, which never changes", {(row["count"], row["sum"], row["mean"]) for row in ours}, {("0", "", "")})
            check(complaints, f"{name}: unknown", sum(int(row["unknown"]) for row in ours), len(executions))
            continue
        check(complaints, f"{name}: counts and sums", sorted((int(row["count"]), int(row["sum"])) for row in ours),
              sorted(tuple(pair) for (of, _), pair in sums.items() if of == name))
        check(complaints, f"{name}: unknown", sum(int(row["unknown"]) for row in ours), 0)


def check_logs(rows, lines, complaints):
    """The difference of task_clock goes from before the program's measurement to after it."""
    by_thread = collections.defaultdict(list)
    for row in rows:
        if row["counter"] == "task_clock":
            by_thread[row["vtid"]].append((int(row["start_ns"]), int(row["end_ns"]), int(row["value"])))
    differences = []
    for line in lines:
        if "cpu_ns" in line.extra:
            found = [value for start, end, value in by_thread[line.vtid] if start <= line.start_ns and line.end_ns <= end]
            differences += [value - int(line.extra["cpu_ns"]) for value in found[:1]]
    median = logs.quantile(differences, 0.5)
    if not 0 <= median <= MEDIAN_MAX_NS:
        complaints.append(f"task_clock is {median} ns more than the program's CPU time, by median")
    return differences


def main():
    plugins, recording, command, wanted = sys.argv[1:]
    complaints = []
    offset_ns = report.clock_offset_ns(recording)
    of_plugin = report.run(plugins, recording)
    rows, instances = of_plugin.rows("counters"), of_plugin.rows("counter_instances")
    fast = report.of(command, recording, "--reader=fast", "--instances")
    for table, ours in ("counters", rows), ("counter_instances", instances):
        if fast.rows(table) != ours:
            complaints.append(f"{table}: the two readers differ")
    executions, changing = recount(recording, offset_ns)
    check_instances(instances, executions, changing, complaints)
    check_rows(rows, executions, changing, complaints)
    callbacks = of_plugin.callbacks()
    for row in rows:
        check(complaints, f"executions of {row['callback']}", int(row["count"]) + int(row["unknown"]),
              int(callbacks[row["callback_id"]]["count"]))
    differences = check_logs(instances, logs.read(recording, offset_ns), complaints)
    check(complaints, "rows of the logs matched", len(differences), int(wanted))
    print(f"{len(executions)} executions; task_clock less the program's CPU time of {len(differences)} of them: "
          f"p50 {logs.quantile(differences, 0.5)} ns, p99 {logs.quantile(differences, 0.99)} ns")
    report.finish(complaints)


main()
