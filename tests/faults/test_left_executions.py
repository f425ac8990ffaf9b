#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Callbacks that throw, so that their executor goes on without an end, and callbacks that spin before they go on."""
import unittest

from faults import READERS, FaultsTest
from ros_trace import (CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, TICK, RosTrace, Thread)

US = 1000
MS = 1000 * US
NODE, TROUBLE = 0x100, 0x5000  # the callback that throws, or spins
SECOND_THREAD = Thread(TALKER.vpid, 11, "talker")


class LeftExecutions(FaultsTest):
    def definitions(self, trace):
        return [*trace.node(10, TALKER, NODE, "talker"), *trace.publisher(20, TALKER, NODE, CHATTER, "/chatter"),
                *trace.timer(30, TALKER, NODE, TICK, 10 * MS), *trace.timer(40, TALKER, NODE, TROUBLE, 20 * MS),
                *trace.node(50, LISTENER, 0x200, "listener"),
                *trace.subscription(60, LISTENER, 0x200, HEARD, "/chatter")]

    def message(self, trace, moment):
        """Published outside callbacks, as far as this function is concerned."""
        return [*trace.publish(moment, TALKER, CHATTER, MESSAGE, OFFSET_NS + moment)]

    def hear(self, trace, moment, published):
        return [*trace.look(moment - 2 * US, LISTENER), *trace.take(moment, LISTENER, HEARD, MESSAGE, OFFSET_NS + published),
                *trace.execution(moment + 500, LISTENER, HEARD, 30)]

    def reports(self, trace, events):
        path = self.write(trace, [trace.packet(events, 0, 10_000 * MS)])
        seen = []
        for reader in READERS:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, (result.reader, result.errors))
            self.assert_no_wrong_pair(result, trace.executions)
            seen.append(result.files)
            yield result
        for files in seen:
            self.assertEqual(files, seen[0], "the readers differ")

    def paths(self, result):
        """Path: how often."""
        return {row["path"]: int(row["count"]) for row in result.table("paths") if int(row["count"])}

    def test_nothing_is_linked_to_a_callback_that_threw(self):
        """Each execution throws; 5 ms later the thread publishes in a callback that ROS 2 does not record."""
        trace = RosTrace()
        events = self.definitions(trace)
        for moment in range(20 * MS, 420 * MS, 20 * MS):
            events += [trace.start(moment, TALKER, TROUBLE), *trace.look(moment + 50 * US, TALKER),
                       *self.message(trace, moment + 5 * MS), *self.hear(trace, moment + 6 * MS, moment + 5 * MS)]
        for result in self.reports(trace, events):
            paths = self.paths(result)
            self.assertEqual(sum(paths.values()), 20, paths)
            self.assertFalse([path for path in paths if path.count(" > ") > 2], "none begins with a callback")

    def test_nothing_is_held_by_a_callback_that_threw(self):
        """The listener's timer throws, and waits for messages afterwards."""
        trace = RosTrace()
        events = [*self.definitions(trace), *trace.timer(70, LISTENER, 0x200, TROUBLE, 50 * MS, "trouble")]
        for moment in range(50 * MS, 1050 * MS, 50 * MS):
            events += [trace.start(moment, LISTENER, TROUBLE), *trace.look(moment + 60 * US, LISTENER)]
            for after in range(10, 50, 10):
                published = moment + after * MS
                events += trace.execution(published - 10, TALKER, TICK, 20, self.message(trace, published))
                events += self.hear(trace, published + MS, published)
        for result in self.reports(trace, events):
            rows = [row for row in result.table("communications") if row["topic"] == "/chatter"]
            self.assertEqual([(row["received"], row["held_by"], float(row["held_max_ns"])) for row in rows], [("80", "", 0)])
            self.assertEqual({row["queue_held_by"] for row in result.table("executors")}, {""})

    def test_what_a_callback_publishes_after_it_spun_is_its_own(self):
        trace = RosTrace()
        events = self.definitions(trace)
        for moment in range(20 * MS, 420 * MS, 20 * MS):
            within = [*trace.look(moment + 50 * US, TALKER), *trace.execution(moment + MS, TALKER, TICK, 100 * US),
                      *trace.look(moment + 2 * MS, TALKER), *self.message(trace, moment + 5 * MS)]
            events += [*trace.execution(moment, TALKER, TROUBLE, 6 * MS, within),
                       *self.hear(trace, moment + 7 * MS, moment + 5 * MS)]
        for result in self.reports(trace, events):
            self.assertEqual(self.paths(result), {"/talker > /chatter > /listener": 20})
            durations = [int(row["latency_ns"]) for row in result.table("path_instances")]
            self.assertEqual(set(durations), {7 * MS + 530}, "from the start of the callback")

    def test_a_callback_that_spins_and_one_that_throws_are_told_apart_afterwards(self):
        """Every second execution throws after it has spun."""
        trace = RosTrace()
        events = self.definitions(trace)
        for number, moment in enumerate(range(20 * MS, 420 * MS, 20 * MS)):
            within = [*trace.look(moment + 50 * US, TALKER), *self.message(trace, moment + 5 * MS)]
            if number % 2:
                events += [trace.start(moment, TALKER, TROUBLE), *within]
            else:
                events += trace.execution(moment, TALKER, TROUBLE, 6 * MS, within)
            events += self.hear(trace, moment + 7 * MS, moment + 5 * MS)
        for result in self.reports(trace, events):
            durations = [int(row["latency_ns"]) for row in result.table("path_instances")]
            self.assertEqual(durations.count(7 * MS + 530), 10, durations)

    def test_another_thread_of_the_process_does_not_end_it(self):
        trace = RosTrace()
        events = self.definitions(trace)
        for moment in range(20 * MS, 420 * MS, 20 * MS):
            within = [*trace.look(moment + 50 * US, SECOND_THREAD), *self.message(trace, moment + 5 * MS)]
            events += [*trace.execution(moment, TALKER, TROUBLE, 6 * MS, within),
                       *self.hear(trace, moment + 7 * MS, moment + 5 * MS)]
        for result in self.reports(trace, events):
            self.assertEqual(self.paths(result), {"/talker > /chatter > /listener": 20})


if __name__ == "__main__":
    unittest.main()
