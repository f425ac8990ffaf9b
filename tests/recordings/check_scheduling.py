#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables `scheduling` and `threads` of a recording with a kernel trace, against the kernel's own accounts of each
execution, which the programs logged.

usage: check_scheduling.py ROS2_LATENCY RECORDING EXECUTIONS

RECORDING is a folder with trace/ and ground-truth/, or such a folder as .tar.xz. EXECUTIONS: rows of the logs that must be
matched. A row has of the time between two marks within the execution: cpu_ns (CLOCK_THREAD_CPUTIME_ID), delay_ns (ready, but
not on a CPU: /proc/self/task/TID/schedstat), vcsw and ivcsw (getrusage). Taking them costs 3 to 10 µs of the execution. Beside
a recording, ../expected/NAME.kernel.txt may hold shares that others computed.
"""

import bisect
import collections
import csv
import re
import sys
from pathlib import Path

import logs
import report

OUTSIDE_MAX_NS = 50_000  # more in an execution, but outside the marks: preempted there
STATES = ("on_cpu", "preempted", "woken", "blocked", "unknown")


def states_of(row):
    return {state: int(row[state + "_ns"]) for state in STATES}


def executions_of(result, complaints):
    """vtid → the executions in order of their start: (start, end, row of scheduling_instances). Each must add up."""
    schedules = {(row["callback_id"], row["start_ns"]): row for row in result.rows("scheduling_instances")}
    threads = collections.defaultdict(list)
    for row in result.rows("callback_instances"):
        if not row["duration_ns"] or row["doubtful"] != "0":
            continue
        schedule = schedules.pop((row["callback_id"], row["start_ns"]), None)
        where = f"callback {row['callback_id']} at {row['start_ns']}"
        if schedule is None:
            complaints.append(f"{where}: no schedule")
            continue
        if sum(states_of(schedule).values()) != int(row["duration_ns"]) or min(states_of(schedule).values()) < 0:
            complaints.append(f"{where}: {states_of(schedule)} is not {row['duration_ns']} in all")
        if int(schedule["irq_ns"]) > int(schedule["on_cpu_ns"]):
            complaints.append(f"{where}: more in interrupts than on a CPU")
        threads[int(row["vtid"])].append((int(row["start_ns"]), int(row["end_ns"]), schedule))
    complaints += [f"schedule of callback {key[0]} at {key[1]}: no such execution" for key in schedules]
    for executions in threads.values():
        executions.sort(key=lambda execution: execution[0])
    return threads


def find(executions, start, end):
    index = bisect.bisect_right(executions, start, key=lambda execution: execution[0]) - 1
    if index >= 0 and executions[index][0] <= start and end <= executions[index][1]:
        return executions[index]
    return None


def check_share(complaints, what, got, expected, percent):
    print(f"  {what}: {got} of the trace, {expected} of the kernel, {100 * got / expected - 100:+.2f} %")
    if abs(got - expected) > percent / 100 * expected:
        complaints.append(f"{what}: {got}, but {expected} by the kernel's account")


def check_logs(recording, threads, complaints):
    offset = report.clock_offset_ns(str(recording))
    traced, logged, differences = collections.Counter(), collections.Counter(), []
    count, left_out = 0, 0
    for path in sorted((recording / "ground-truth").glob("*.csv")):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        for line in csv.DictReader(lines):
            accounts = dict(pair.split("=", 1) for pair in (line["extra"] or "").split(";") if "=" in pair)
            if line["kind"] not in ("timer", "callback") or "cpu_ns" not in accounts:
                continue
            mark, end_mark = int(line["t_start_ns"]) + offset, int(line["t_end_ns"]) + offset
            execution = find(threads[int(line["tid"])], mark, end_mark)
            if execution is None:
                continue
            count += 1
            start, end, row = execution
            outside = mark - start + end - end_mark
            if outside > OUTSIDE_MAX_NS:
                left_out += 1
                continue
            on_cpu = int(row["on_cpu_ns"]) - outside
            traced.update(cpu=on_cpu, delay=int(row["preempted_ns"]) + int(row["woken_ns"]), blocks=int(row["blocks"]),
                          preemptions=int(row["preemptions"]), unknown=int(row["unknown_ns"]))
            logged.update(cpu=int(accounts["cpu_ns"]), delay=int(accounts["delay_ns"]), blocks=int(accounts["vcsw"]),
                          preemptions=int(accounts["ivcsw"]))
            differences.append(abs(on_cpu - int(accounts["cpu_ns"])))
    if left_out > count / 500:
        complaints.append(f"{left_out} of {count} executions left out")
    p50, p99 = logs.quantile(differences, 0.5), logs.quantile(differences, 0.99)
    print(f"{recording.name}: {count} executions, {left_out} left out; on CPU differs by {p50 / 1000} µs (p50), {p99 / 1000} µs (p99)")
    if p50 > 4000 or p99 > 30000:
        complaints.append(f"on CPU differs from the kernel's account by {p50} ns (p50), {p99} ns (p99)")
    if traced["blocks"] != logged["blocks"]:
        complaints.append(f"{traced['blocks']} times blocked, but {logged['blocks']} by the kernel's account")
    if traced["unknown"] != 0:
        complaints.append(f"{traced['unknown']} ns unknown")
    check_share(complaints, "preemptions", traced["preemptions"], logged["preemptions"], 0.5)
    check_share(complaints, "ns on a CPU", traced["cpu"], logged["cpu"], 1.5)
    check_share(complaints, "ns ready but not on a CPU", traced["delay"], logged["delay"], 1.5)
    return count


def check_sums(result, complaints):
    """A row of a callback is the sum of its instances."""
    sums = collections.defaultdict(collections.Counter)
    for row in result.rows("scheduling_instances"):
        sums[row["callback_id"]].update(states_of(row), executions=1, preemptions=int(row["preemptions"]),
                                        blocks=int(row["blocks"]), irq=int(row["irq_ns"]))
    for row in result.rows("scheduling"):
        got = collections.Counter(states_of(row), executions=int(row["executions"]), preemptions=int(row["preemptions"]),
                                  blocks=int(row["blocks"]), irq=int(row["irq_ns"]))
        if got != sums[row["callback_id"]]:
            complaints.append(f"callback {row['callback']}: {got}, but its instances have {sums[row['callback_id']]}")
    ranks = collections.Counter(row["callback_id"] for row in result.rows("worst_scheduling"))
    for row in result.rows("scheduling"):
        if ranks[row["callback_id"]] != min(3, int(row["executions"])):
            complaints.append(f"callback {row['callback']}: {ranks[row['callback_id']]} worst executions")


def check_hops(result, complaints):
    """The hops of the slowest traversal of each path are those of path_hop_instances, and their parts add up."""
    traversals = {}
    for row in result.rows("path_hop_instances"):
        if row["publish_ns"] and row["callback_start_ns"]:
            traversals[row["path_id"], row["hop"], row["callback_start_ns"]] = int(row["callback_start_ns"]) - int(row["publish_ns"])
    durations = {(row["start_ns"], int(row["duration_ns"])) for row in result.rows("callback_instances") if row["duration_ns"]}
    known, split = 0, 0
    for row in result.rows("path_hop_scheduling"):
        if not row["start_ns"]:
            continue
        known += 1
        where = f"hop {row['hop']} of path {row['path_id']}"
        if (row["start_ns"], sum(states_of(row).values())) not in durations:
            complaints.append(f"{where}: {states_of(row)} is no execution at {row['start_ns']}")
        if row["hop"] != "0":
            parts = [int(row[name] or 0) for name in ("middleware_ns", "wakeup_ns", "queue_ns")]
            split += bool(row["middleware_ns"])
            if sum(parts) != traversals[row["path_id"], row["hop"], row["start_ns"]] or min(parts) < 0:
                complaints.append(f"{where}: {parts} is not the time from the publication to the callback")
    print(f"  {known} hops of slowest traversals, {split} with the time in the middleware")
    if known == 0 or split == 0:
        complaints.append("no hops of slowest traversals")


def check_threads(rows, complaints):
    """No more time on CPUs than there is; those of ROS 2 come first."""
    wall = max(sum(states_of(row).values()) for row in rows)
    total = sum(int(row["on_cpu_ns"]) for row in rows)
    print(f"  {len(rows)} threads, {total / 1e9:.3f} s on CPUs in {wall / 1e9:.3f} s")
    if total > 2 * wall:
        complaints.append(f"threads: {total} ns on two CPUs in {wall} ns")
    if any(min(states_of(row).values()) < 0 or int(row["irq_ns"]) > int(row["on_cpu_ns"]) for row in rows):
        complaints.append("threads: times that cannot be")
    of_ros = [row["ros"] for row in rows]
    if of_ros != sorted(of_ros, reverse=True) or "1" not in of_ros:
        complaints.append("threads: those of ROS 2 do not come first")


def check_usage(result, complaints):
    """The CPU time of callbacks in `usage` is that of `scheduling`; of callbacks within others it is counted once."""
    rows = [row for row in result.rows("usage") if row["scope"] == "callback"]
    self_ns, busy_ns, cpu_ns, unknown_ns = (sum(int(row[name]) for row in rows) for name in ("self_ns", "busy_ns", "cpu_ns", "cpu_unknown_ns"))
    on_cpu_ns, also_unknown_ns = (sum(int(row[name]) for row in result.rows("scheduling")) for name in ("on_cpu_ns", "unknown_ns"))
    print(f"  {cpu_ns / 1e6:.3f} ms of {self_ns / 1e6:.3f} ms in callbacks on a CPU, {unknown_ns / 1e6:.3f} ms unknown")
    if any(not 0 <= int(row["cpu_ns"]) <= int(row["self_ns"]) - int(row["cpu_unknown_ns"]) for row in rows):
        complaints.append("usage: more CPU time than time")
    if self_ns == busy_ns and (cpu_ns, unknown_ns) != (on_cpu_ns, also_unknown_ns):
        complaints.append(f"usage: {cpu_ns} ns on CPUs, {unknown_ns} ns unknown; scheduling: {on_cpu_ns}, {also_unknown_ns}")
    if not cpu_ns:
        complaints.append("usage: no CPU time")


def check_expected(path, result, complaints):
    """Shares of the states by callback, within the digits that are given."""
    pattern = re.compile(r"^(?:subscription|timer) +(\S+) +(\S+) +n=(\d+) +wall +([\d.]+) ms = on CPU ([\d.]+) % \+ preempted "
                         r"([\d.]+) % \+ woken, waiting ([\d.]+) % \+ blocked ([\d.]+) %$", re.M)
    rows = {}
    for row in result.rows("scheduling"):
        node, source = row["callback"].split(" ", 1)
        period = re.fullmatch(r"([\d.]+) ms", source)
        rows[node, str(round(float(period[1]) * 1e6)) if period else source] = row
    found = pattern.findall(path.read_text())
    for node, source, count, wall, *shares in found:
        row = rows[node, source]
        if row["executions"] != count or abs(int(row["duration_ns"]) / 1e6 - float(wall)) > 0.001:
            complaints.append(f"{node} {source}: {row['executions']} executions of {row['duration_ns']} ns, not {count} of {wall} ms")
        for state, share in zip(STATES, shares):
            got = 100 * int(row[state + "_ns"]) / int(row["duration_ns"])
            if abs(got - float(share)) > 0.1:
                complaints.append(f"{node} {source}: {state} {got:.2f} %, not {share} %")
    print(f"  {len(found)} callbacks as expected")
    if not found:
        complaints.append(f"{path.name} has no shares")


def check_recording(command, recording, expected, wanted):
    complaints = []
    result, other = (report.of(command, recording, "--instances", "--worst=3", f"--reader={reader}")
                     for reader in ("fast", "babeltrace2"))
    threads = executions_of(result, complaints)
    count = check_logs(recording, threads, complaints)
    check_sums(result, complaints)
    check_hops(result, complaints)
    check_threads(result.rows("threads"), complaints)
    check_usage(result, complaints)
    for name in ("threads", "path_hop_scheduling", "scheduling", "scheduling_instances", "worst_scheduling"):
        if result.rows(name) != other.rows(name):
            complaints.append(f"{name}: the two readers differ")
    if expected.exists():
        check_expected(expected, result, complaints)
    if count != wanted:
        complaints.append(f"{count} rows of the logs matched, not {wanted}")
    return complaints


def main():
    command, recording, wanted = sys.argv[1:]
    recording = Path(recording)
    expected = recording.parent / "expected" / (recording.name.split(".")[0] + ".kernel.txt")
    with report.unpacked(recording) as recording:
        complaints = check_recording(command, recording, expected, int(wanted))
    report.finish(complaints)


main()
