#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables `executors` and `usage` against the events as babeltrace2 prints them, and against the programs' logs.

usage: check_executors.py PLUGINS ROS2_LATENCY RECORDING EXECUTIONS

RECORDING is a folder with trace/ and ground-truth/, or such a folder as .tar.xz. EXECUTIONS: rows of the logs that must be
matched. What each thread does is worked out here once more, from the definitions in docs/executors.md, and must be the same
to the ns; a recording without losses is needed. Beside a recording, ../expected/NAME.txt may hold the shares that others
computed: these must agree within 0.05 points.
"""

import bisect
import collections
import csv
import re
import subprocess
import sys
from pathlib import Path

import report

EVENT = re.compile(r"^\[(\d+)\] \(.*?\) \S+ ros2:(\w+): \{ cpu_id = (\d+) \}, \{ vpid = (\d+), vtid = (\d+).*? \}, \{ ?(.*?) ?\}$")
WAIT, FIND, EXECUTE = "rclcpp_executor_wait_for_work", "rclcpp_executor_get_next_ready", "rclcpp_executor_execute"
START, END = "callback_start", "callback_end"
STATES = ("wait", "ready", "execute", "gap")
PAUSE_NS = 1_000_000


def events_of(recording):
    """thread → (ns of the clock, name, CPU, timeout or callback) of its executor and callbacks, in order."""
    text = subprocess.run(["babeltrace2", "--clock-cycles"] + report.source_arguments(recording), check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    threads = collections.defaultdict(list)
    for line in text.splitlines():
        match = EVENT.match(line)
        if match and match[2] in (WAIT, FIND, EXECUTE, START, END):
            threads[(int(match[4]), int(match[5]))].append((int(match[1]), match[2], int(match[3]), match[6]))
    return threads


def limits_of(threads):
    """The first and the last runtime event among them: polls alone do not count."""
    times = [event[0] for events in threads.values() for event in events if event[1] not in (WAIT, FIND)]
    return min(times), max(times)


class Thread:
    """What a thread did, by its events: intervals between neighbours within the limits, each with a state."""

    def __init__(self, events, limits):
        self.events, self.time = events, dict.fromkeys(STATES, 0)
        self.pause = 0
        for number, (begin, end) in enumerate(zip(events, events[1:])):
            state = self.state(number, begin, end)
            self.time[state] += max(0, min(end[0], limits[1]) - max(begin[0], limits[0]))
        names = [event[1] for event in events]
        waits = [event[0] for event in events if event[1] == WAIT and limits[0] <= event[0] <= limits[1]]
        self.spins, self.executions = len(waits), names.count(START)
        self.periods = sorted(later - earlier for earlier, later in zip(waits, waits[1:]))
        spins = " ".join(names).split(WAIT)
        self.empty = sum(START not in spin for spin in spins[1:-1])
        self.has_executor = any(name in (WAIT, FIND, EXECUTE) for name in names)

    def state(self, number, begin, end):
        """Between the events number and number + 1."""
        if begin[1] == WAIT:
            return "wait" if end[1] != END else "execute"
        if begin[1] == FIND:
            if end[1] == WAIT and end[3] == "timeout = 0" and end[0] - begin[0] > PAUSE_NS:
                self.pause += end[0] - begin[0]
                return "gap"
            return "execute" if end[1] == END else "ready"
        if begin[1] == END:
            return "gap" if end[1] in (WAIT, FIND) else "execute"
        return "execute"

    @property
    def span(self):
        return sum(self.time.values())


def check(complaints, where, what, got, expected):
    if str(got) != str(expected):
        complaints.append(f"{where}: {what} is {got}, not {expected}")


def check_executors(rows, threads, complaints):
    for row in rows:
        thread = threads.pop((int(row["vpid"]), int(row["vtid"])))
        where = f"thread {row['vtid']}"
        check(complaints, where, "executions", row["executions"], thread.executions)
        if not thread.has_executor:
            check(complaints, where, "kind", row["kind"], "unknown")
            check(complaints, where, "span_ns", row["span_ns"], "")
            continue
        for state in STATES:
            check(complaints, where, state, row[state + "_ns"], thread.time[state])
        check(complaints, where, "span_ns", row["span_ns"], thread.span)
        check(complaints, where, "sum of the states", sum(int(row[state + "_ns"]) for state in STATES), thread.span)
        check(complaints, where, "pause_ns", row["pause_ns"], thread.pause)
        check(complaints, where, "spins", row["spins"], thread.spins)
        check(complaints, where, "empty_spins", row["empty_spins"], thread.empty)
        check(complaints, where, "sum of spin", row["spin_sum_ns"], sum(thread.periods) if thread.periods else "")
        median = thread.periods[-(-len(thread.periods) // 2) - 1]
        if abs(int(row["spin_p50_ns"]) - median) > 0.001 * median:
            complaints.append(f"{where}: spin_p50_ns is {row['spin_p50_ns']}, not {median}")
    complaints += [f"thread {vtid} has no row" for _, vtid in threads]


def overlap(executions, begin, end):
    """The time of executions between, None if they are more than the report remembers (256)."""
    between = []
    for start, stop in reversed(executions[:bisect.bisect(executions, (end,))]):
        if stop <= begin:
            break
        between.append((max(start, begin), min(stop, end)))
    if len(between) > 256 or (len(between) == 256 and between[-1][0] > begin):
        return None
    return sum(stop - start for start, stop in between)


def check_queue(result, rows, complaints):
    """By the instances of messages and callbacks."""
    threads, thread_of = collections.defaultdict(list), {}
    for row in result.rows("callback_instances"):
        if row["duration_ns"]:
            threads[row["vtid"]].append((int(row["start_ns"]), int(row["end_ns"])))
        if row["start_ns"]:
            thread_of[int(row["start_ns"])] = row["vtid"]
    for executions in threads.values():
        executions.sort()
    expected, count = collections.Counter(), collections.Counter()
    for row in result.rows("communication_instances"):
        if row["callback_start_ns"] and int(row["callback_start_ns"]) in thread_of:
            begin, end = int(row["publish_ns"]), int(row["callback_start_ns"])
            held = overlap(threads[thread_of[end]], begin, end)
            expected[thread_of[end]] += held or 0
            count[thread_of[end]] += held is not None
    for row in rows:
        check(complaints, f"thread {row['vtid']}", "sum of queue", row["queue_sum_ns"] or 0, expected[row["vtid"]])
    return sum(count.values())


def logged(recording):
    """The rows of callbacks in the programs' logs."""
    for path in sorted((recording / "ground-truth").glob("*.csv")):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        for row in csv.DictReader(lines):
            if row["kind"] in ("timer", "callback"):
                yield int(row["tid"]), int(row["t_start_ns"]), int(row["t_end_ns"]), row["extra"]


def check_logs(recording, threads, instances, usage, complaints):
    """Each row lies in one execution; CPUs at the start are those of the logs, and `usage` has their sums."""
    matched, migrated, by_cpu = 0, 0, collections.Counter()
    offset = report.clock_offset_ns(str(recording))
    spans = {}
    for (_, vtid), thread in threads.items():
        opened = {}
        for time, name, cpu, field in thread.events:
            if name == START:
                opened[re.search(r"callback = (\w+)", field)[1]] = (time, cpu)
            elif name == END and re.search(r"callback = (\w+)", field)[1] in opened:
                start, start_cpu = opened.pop(re.search(r"callback = (\w+)", field)[1])
                spans.setdefault(vtid, []).append((start, time, start_cpu))
                by_cpu[start_cpu] += 1
                migrated += cpu != start_cpu
    for vtid, start, end, extra in logged(recording):
        index = bisect.bisect(sorted(spans.get(vtid, [])), (start, 1 << 62)) - 1
        execution = sorted(spans[vtid])[index] if index >= 0 else None
        if execution and execution[0] <= start and end <= execution[1]:
            matched += 1
            check(complaints, f"execution at {start}", "CPU", instances[vtid, execution[0] + offset],
                  re.search(r"core=(\d+)-", extra)[1])
    for row in usage:
        if row["scope"] == "cpu":
            check(complaints, "CPU " + row["name"], "executions", row["executions"], by_cpu.pop(int(row["name"])))
        elif row["scope"] == "host":
            check(complaints, "host", "migrated", row["migrated"], migrated)
    complaints += [f"CPU {cpu} has no row" for cpu in by_cpu]
    return matched


def check_usage(rows, result, complaints):
    """Sums by scope, exactly, and those of callbacks as the table of callbacks has them."""
    sums = collections.defaultdict(collections.Counter)
    for row in rows:
        for column in ("executions", "busy_ns", "self_ns"):
            sums[row["scope"]][column] += int(row[column])
    for scope, counts in sums.items():
        if scope != "node":
            check(complaints, "usage", f"sum of {scope}", counts, sums["host"])
    callbacks = result.rows("callbacks")
    check(complaints, "usage", "executions", sums["host"]["executions"], sum(int(row["count"]) for row in callbacks))
    check(complaints, "usage", "busy_ns", sums["host"]["busy_ns"], sum(int(row["duration_sum_ns"] or 0) for row in callbacks))


def check_expected(path, rows, complaints):
    pattern = re.compile(r"^\w+ +(\d+) \| +([\d.]+) +([\d.]+)% +([\d.]+)% +([\d.]+)% +[\d.]+% +([\d.]+)% \| +(\d+)", re.M)
    by_thread = {row["vtid"]: row for row in rows}
    for vtid, span, *shares, spins in pattern.findall(path.read_text()):
        row = by_thread[vtid]
        for state, share in zip(STATES, shares):
            got = 100 * int(row[state + "_ns"]) / int(row["span_ns"])
            if abs(got - float(share)) > 0.05:
                complaints.append(f"thread {vtid}: {state} is {got:.2f} %, not {share} %")
        check(complaints, f"thread {vtid}", "spins", row["spins"], spins)
        check(complaints, f"thread {vtid}", "span in ms", f"{int(row['span_ns']) / 1e6:.3f}", span)


def run_command(command, recording, table):
    """The same by the fast reader, which joins polls."""
    return report.table_of(command, recording, table, "--reader=fast")


def check_recording(plugins, command, recording, expected, wanted):
    complaints = []
    result = report.run(plugins, str(recording))
    rows, usage = result.rows("executors"), result.rows("usage")
    events = events_of(str(recording))
    threads = {key: Thread(events[key], limits_of(events)) for key in events}
    check_executors(rows, dict(threads), complaints)
    messages = check_queue(result, rows, complaints)
    check_usage(usage, result, complaints)
    instances = {(int(row["vtid"]), int(row["start_ns"] or 0)): row["start_cpu"] for row in result.rows("callback_instances")}
    matched = check_logs(recording, threads, instances, usage, complaints)
    for table, of_plugin in (("executors", rows), ("usage", usage)):
        if run_command(command, str(recording), table) != of_plugin:
            complaints.append(f"{table}: the two readers differ")
    if expected.exists():
        check_expected(expected, rows, complaints)
    check(complaints, "logs", "matched", matched, wanted)
    print(f"{recording.name}: {len(rows)} threads, {sum(len(thread.events) for thread in threads.values())} events, "
          f"{messages} messages, {matched} rows of the logs matched")
    return complaints


def main():
    plugins, command, recording, wanted = sys.argv[1:]
    recording = Path(recording)
    expected = recording.parent / "expected" / (recording.name.split(".")[0] + ".txt")
    with report.unpacked(recording) as recording:
        # the kernel's events have nothing to do with it
        ust = recording / "trace" / "ust"
        if ust.exists():
            (recording / "trace").rename(recording / "all")
            (recording / "trace").symlink_to(recording / "all" / "ust")
        complaints = check_recording(plugins, command, recording, expected, int(wanted))
    report.finish(complaints)


main()
