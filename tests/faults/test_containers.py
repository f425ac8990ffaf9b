#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Containers whose processes have equal vpid and vtid, and, without address randomization, equal addresses.

The context pid_ns or the hostname distinguishes them. Where neither does, nothing can: docs/sink.ros2.latency.md advises to
record pid_ns. Even then different callbacks never make a pair.
"""
import pathlib
import sys
import unittest

from faults import READERS, FaultsTest, command_line
from ros_trace import OFFSET_NS, TICK, RosTrace, Thread, definitions, talk

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import dot_graph  # pylint: disable=wrong-import-position

SECOND = 1_000_000_000
LEFT, RIGHT = Thread(10, 10, "left", 1), Thread(10, 10, "right", 2)


class Containers(FaultsTest):
    def program(self, trace, thread, moment, node, runs, callback=TICK):
        """A node with a timer whose callback runs (moment, duration) times; its address is that of the other program."""
        events = [*trace.node(moment, thread, 0x100, node), *trace.timer(moment + 10, thread, 0x100, callback)]
        for start, duration in runs:
            events += trace.execution(start, thread, callback, duration)
        return events

    def assert_told_apart(self, traces, *paths):
        """Two nodes with their own executions, interleaved or not."""
        for reader in READERS:
            result = self.read(reader, *paths)
            self.assertEqual(result.status, 0, result.errors)
            self.assertEqual(sorted(result.executions()), sorted(traces))
            durations = {row["node"]: row["duration_sum_ns"] for row in result.table("callbacks")}
            self.assertEqual(durations, {"/left": str(30 + 70), "/right": str(10 + 20)})
            # the executors are not part of what is made up here
            self.assertEqual(set(result.diagnostics()) - {"timer on an executor without events"}, set())

    def two_programs(self, left, right):
        """The right one's executions lie within those of the left one; it was started much later."""
        return (self.program(left, LEFT, 0, "left", [(2 * SECOND, 30), (3 * SECOND, 70)]),
                self.program(right, RIGHT, SECOND, "right", [(2 * SECOND + 5, 10), (3 * SECOND + 5, 20)]))

    def test_pid_ns_tells_them_apart(self):
        trace = RosTrace(contexts=("vpid", "vtid", "procname", "pid_ns"))
        left, right = self.two_programs(trace, trace)
        path = self.write(trace, {"cpu_0": [trace.packet(left, 0, 4 * SECOND)],
                                  "cpu_1": [trace.packet(right, 0, 4 * SECOND, instance=1)]})
        self.assert_told_apart(trace.executions, path)

    def test_hostnames_distinguish_them(self):
        traces = [RosTrace(number=number, env={"hostname": f'"container{number}"'}) for number in (1, 2)]
        left, right = self.two_programs(*traces)
        paths = [self.write(trace, [trace.packet(events, 0, 4 * SECOND)]) for trace, events in zip(traces, (left, right))]
        self.assert_told_apart(traces[0].executions | traces[1].executions, *paths)

    def test_graphs_tell_robots_with_equal_names_apart(self):
        traces = [RosTrace(number=number, env={"hostname": f'"robot{number}"'}) for number in (1, 2)]
        paths = []
        for number, trace in enumerate(traces):
            events = list(definitions(trace))
            for moment in range(200, 600, 100):
                events += talk(trace, moment + 13 * number)
            paths.append(self.write(trace, [trace.packet(events, 0, 700)]))
        for reader in READERS:
            result = self.run_reader(reader, command_line(reader, paths, format="dot"))
            self.assertEqual(result.returncode, 0, result.stderr)
            graph = dot_graph.Graph(result.stdout)
            self.assertEqual(set(graph.edges), {(f"n_/talker@robot{i}", f"t_/chatter@robot{i}") for i in (1, 2)} |
                             {(f"t_/chatter@robot{i}", f"n_/listener@robot{i}") for i in (1, 2)})
            for vertex, (lines, _) in graph.vertices.items():
                self.assertEqual(lines[1], "on " + vertex.split("@")[1])

    def test_in_traces_of_one_hostname_no_execution_of_one_ends_in_the_other(self):
        traces = [RosTrace(number=number) for number in (1, 2)]
        left, right = self.two_programs(*traces)
        paths = [self.write(trace, [trace.packet(events, 0, 4 * SECOND)]) for trace, events in zip(traces, (left, right))]
        for reader in READERS:
            result = self.read(reader, *paths)
            self.assertEqual(result.status, 0, result.errors)
            self.assertEqual(set(result.executions()), traces[0].executions | traces[1].executions)

    def test_callbacks_that_alternate_on_one_thread_without_nesting_are_not_paired(self):
        """Nothing distinguishes the containers: the two threads are one, whose callbacks cannot have been on one stack."""
        trace = RosTrace()
        other = TICK + 0x100
        events = [*trace.node(0, LEFT, 0x100, "left"), *trace.timer(1, LEFT, 0x100, TICK),
                  *trace.timer(2, RIGHT, 0x100, other)]
        for moment in 100, 200, 300:
            events += [trace.start(moment, LEFT, TICK), trace.start(moment + 10, RIGHT, other),
                       trace.end(moment + 20, LEFT, TICK), trace.end(moment + 30, RIGHT, other)]
            trace.executions |= {(TICK, OFFSET_NS + moment, OFFSET_NS + moment + 20),
                                 (other, OFFSET_NS + moment + 10, OFFSET_NS + moment + 30)}
        path = self.write(trace, [trace.packet(events, 0, 500)])
        for reader in READERS:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, result.errors)
            self.assert_no_wrong_pair(result, trace.executions)
            self.assertEqual(result.diagnostics()["callback end without start"], 3)
            self.assertEqual(result.diagnostics()["callback start without end"], 3)


if __name__ == "__main__":
    unittest.main()
