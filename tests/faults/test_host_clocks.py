#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clocks of two hosts that drift, slew, wander or are set: with --clocks=align, no latency is off by more than the
report says, and no clock is said to be set that was not.
"""
import math
import random
import unittest

from faults import FaultsTest, Result, command_line
from ros_trace import RosTrace, Thread

NS_PER_S = 10**9
OFFSET_NS = 1_700_000_000_000_000_000
SECONDS = 40


def kink(t):
    return 10e-6 * t if t < 15e9 else 10e-6 * 15e9 - 10e-6 * (t - 15e9)


CLOCKS = {  # what the other clock is ahead by at a true time, in ns; the true size of the only step, in ns
    "even": (lambda t: 5e6 + 20e-6 * t, None),
    "step": (lambda t: 5e6 * (t > 20e9), 5_000_000),
    "step back": (lambda t: 1e7 - 5e6 * (t > 20e9), -5_000_000),
    "small step": (lambda t: 1e5 * (t > 20e9), None),
    "slew": (lambda t: 500e-6 * min(max(t - 12e9, 0), 10e9), None),
    "wander": (lambda t: 2e5 * math.sin(t / 40e9 * 2 * math.pi), None),
    "kink": (kink, None),
}


class Side:
    """What a host records of one topic that it publishes and one that it takes."""

    def __init__(self, name, number):
        self.name = name
        self.trace = RosTrace(number=number, env={"hostname": f'"{name}"'})
        self.events = []

    def packets(self):
        events = sorted(self.events, key=lambda event: event[1])
        return [self.trace.packet(events, 0, events[-1][1] + 10)]


def send(sender, receiver, topic, rate, clocks, chance):
    """Writes messages of a topic into both traces; the true latencies in ns, in order."""
    node = 0x10000 * (1 + int(topic[-1]))
    out, back = Thread(100 + node, 100 + node, "talker"), Thread(200 + node, 200 + node, "listener")
    sender.events += [*sender.trace.node(10, out, node, f"talker{topic[-1]}"),
                      *sender.trace.publisher(11, out, node, node + 0x2000, topic),
                      *sender.trace.timer(12, out, node, node + 0x1000, NS_PER_S // 20)]
    receiver.events += [*receiver.trace.node(20, back, node + 0x4000, f"listener{topic[-1]}"),
                        *receiver.trace.subscription(21, back, node + 0x4000, node + 0x5000, topic)]
    at, latencies = NS_PER_S + chance.random() * NS_PER_S / rate, []
    while at < (SECONDS + 1) * NS_PER_S:
        latency = 50e3 + chance.expovariate(1 / 300e3)
        sent = int(at + clocks[sender.name](at))
        taken = int(at + latency + clocks[receiver.name](at + latency))
        stamp = OFFSET_NS + sent
        sender.events += sender.trace.execution(sent - 1000, out, node + 0x1000, 20000,
                                                sender.trace.publish(sent, out, node + 0x2000, 0x9000, stamp))
        receiver.events += [*receiver.trace.take(taken, back, node + 0x5000, 0x9000, stamp),
                            *receiver.trace.execution(taken + 3000, back, node + 0x5000, 5000)]
        latencies.append(latency)
        at += NS_PER_S / rate * chance.uniform(0.8, 1.2)
    return latencies


class HostClocks(FaultsTest):
    def align(self, reader, sides):
        """The report of the hosts' traces with aligned clocks."""
        folder, directory = self.new_path("trace"), self.new_path("report")
        for side in sides:
            side.trace.write(folder / side.name, {"stream": side.packets()})
        words = command_line(reader, [folder], format="csv", output=str(directory), instances=True, clocks="align")
        return Result(reader, self.run_reader(reader, words), directory)

    def assert_bounded(self, result, truth, what):
        """No latency is off by more than its row says; how many were compared, and the largest uncertainty."""
        pairs = {row["communication_id"]: row for row in result.table("communications")}
        compared = {topic: 0 for topic in truth}
        for row in result.table("communication_instances"):
            pair = pairs[row["communication_id"]]
            latency = truth[pair["topic"]][compared[pair["topic"]]]
            compared[pair["topic"]] += 1
            if row["take_ns"] and pair["clock_uncertainty_ns"]:
                error = abs(int(row["take_ns"]) - int(row["publish_ns"]) - latency)
                self.assertLessEqual(error, int(pair["clock_uncertainty_ns"]), (what, pair["topic"], compared))
        self.assertEqual(compared, {topic: len(latencies) for topic, latencies in truth.items()}, what)
        return max(int(row["clock_uncertainty_ns"] or 0) for row in pairs.values())

    def test_no_latency_is_off_by_more_than_the_uncertainty(self):
        for number, (what, (ahead, step)) in enumerate(CLOCKS.items()):
            chance = random.Random(number)
            clocks = {"a": lambda t: 0, "b": ahead}
            a, b = Side("a", 1), Side("b", 2)
            truth = {"/t0": send(a, b, "/t0", 20, clocks, chance), "/t1": send(b, a, "/t1", 20, clocks, chance)}
            result = self.align("sink" if what == "slew" else "fast", [a, b])
            self.assertEqual(result.status, 0, (what, result.errors))
            uncertainty = self.assert_bounded(result, truth, what)
            self.assertGreaterEqual(uncertainty, 50_000, what)
            self.assertLess(uncertainty, 400_000, what)
            self.assertEqual(result.diagnostics().get("clock was set", 0), int(step is not None), what)
            self.assertNotIn("negative latency", result.diagnostics(), what)
            if step:
                found = [int(row["set_by_ns"]) for row in result.table("host_clocks") if row["set_by_ns"]]
                self.assertEqual(len(found), 1, what)
                self.assertLess(abs(found[0] - step), 100_000, what)

    def test_a_step_in_messages_one_way_is_told_as_possible(self):
        chance = random.Random(7)
        a, b = Side("a", 1), Side("b", 2)
        clocks = {"a": lambda t: 0, "b": CLOCKS["step"][0]}
        truth = send(a, b, "/t0", 20, clocks, chance)
        result = self.align("fast", [a, b])
        diagnostics = result.diagnostics()
        self.assertEqual((diagnostics.get("clock was set", 0), diagnostics.get("clock may have been set", 0)), (0, 1))
        for row, latency in zip(result.table("communication_instances"), truth):
            self.assertLessEqual(int(row["take_ns"]) - int(row["publish_ns"]), latency)


if __name__ == "__main__":
    unittest.main()
