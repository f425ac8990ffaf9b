#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory and time grow with the system, not with its square: what every node does, in many processes.

Each process has a publisher and a subscription of /parameter_events and takes its own messages only; the n² pairs of the
topic never meet. As a command it prints what reports of such systems cost: test_growth.py PROCESSES...
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from faults import FaultsTest, command_line, environment
from ros_trace import MESSAGE, OFFSET_NS, RosTrace, Thread

PUBLISHER, CALLBACK = 0x2000, 0x3000
MESSAGES = 6
PERIOD_NS = 1_000_000


def packets(trace, processes):
    """A packet for each process's definitions, then one for each round of messages."""
    threads = [Thread(1000 + i, 1000 + i, f"p{i}") for i in range(processes)]
    moment = 0
    made = []
    for i, thread in enumerate(threads):
        events = [*trace.node(moment, thread, 0x100, f"node_{i}"),
                  *trace.publisher(moment, thread, 0x100, PUBLISHER, "/parameter_events"),
                  *trace.subscription(moment, thread, 0x100, CALLBACK, "/parameter_events")]
        made.append(trace.packet(events, moment, moment + 999, sequence=len(made)))
        moment += 1000
    for _ in range(MESSAGES):
        begin, events = moment, []
        for thread in threads:
            stamp = OFFSET_NS + moment
            events += [*trace.publish(moment, thread, PUBLISHER, MESSAGE, stamp),
                       *trace.take(moment + 100, thread, CALLBACK, MESSAGE, stamp),
                       *trace.execution(moment + 200, thread, CALLBACK, 50)]
            moment += PERIOD_NS
        made.append(trace.packet(events, begin, moment - 1, sequence=len(made)))
    return made


def cost(path):
    """CPU seconds, MiB and lines of a report."""
    process = subprocess.Popen(command_line("fast", [path], format="text"), stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=environment())
    lines = process.stdout.read().count(b"\n")
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lines


def write(folder, processes):
    trace = RosTrace()
    path = Path(folder) / str(processes)
    trace.write(path, {"stream": packets(trace, processes)})
    return path


class Growth(FaultsTest):
    def test_twice_the_processes_need_twice_as_much(self):
        with tempfile.TemporaryDirectory() as folder:
            small, large = (cost(write(folder, processes)) for processes in (200, 400))
        # Memory, since the time of so short a run says little; the base of both is the same.
        self.assertLess(large[1], 2.3 * small[1])
        self.assertLess(large[2], 2.3 * small[2])

    def test_pairs_that_never_met_are_one_row(self):
        trace = RosTrace()
        result = self.read("fast", self.write(trace, packets(trace, 20)))
        pairs = [row for row in result.table("communications") if row["topic"] == "/parameter_events"]
        self.assertEqual([(row["published"], row["received"], row["lost"], row["unknown"]) for row in pairs],
                         [("6", "6", "0", "0")] * 20)
        rows = [row for row in result.table("diagnostics") if row["what"].endswith("never matched")]
        self.assertEqual([(row["count"], row["detail"]) for row in rows], [(str(20 * 19), "/parameter_events")])

    def test_pairs_of_a_small_topic_that_never_met_are_rows(self):
        trace = RosTrace()
        result = self.read("fast", self.write(trace, packets(trace, 3)))
        rows = {(row["publisher_vpid"], row["subscription_vpid"]): row for row in result.table("communications")}
        self.assertEqual(len(rows), 9)
        # Published from the first event of the subscription's process to its last one.
        self.assertEqual([(rows[pair]["published"], rows[pair]["lost"], rows[pair]["unknown"])
                          for pair in (("1000", "1002"), ("1002", "1000"))], [("5", "0", "5"), ("5", "0", "5")])


if __name__ == "__main__":
    if sys.argv[1:]:
        with tempfile.TemporaryDirectory() as directory:
            for number in sys.argv[1:]:
                print("%s processes: %.2f s CPU, %.0f MiB, %d lines" % (number, *cost(write(directory, int(number)))))
    else:
        unittest.main()
