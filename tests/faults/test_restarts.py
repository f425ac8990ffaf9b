#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes that are killed and started again with the same vpid: new objects at the addresses of the old ones."""
import unittest

from faults import READERS, FaultsTest
from ros_trace import (CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, TICK, RosTrace, definitions)

SECOND = 1_000_000_000


class Restarts(FaultsTest):
    def talker(self, trace, moment, name, topic):
        return [*trace.node(moment, TALKER, 0x100, name), *trace.publisher(moment + 1, TALKER, 0x100, CHATTER, topic),
                *trace.timer(moment + 2, TALKER, 0x100, TICK)]

    def read_events(self, trace, events):
        path = self.write(trace, [trace.packet(events, 0, 10 * SECOND)])
        for reader in READERS:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, (result.reader, result.errors))
            self.assert_no_wrong_pair(result, trace.executions)
            yield result

    def test_callbacks_of_the_old_and_the_new_process_are_counted_apart(self):
        trace = RosTrace()
        events = [*self.talker(trace, 0, "old", "/chatter"), *trace.execution(SECOND, TALKER, TICK, 10),
                  *trace.execution(2 * SECOND, TALKER, TICK, 10), *self.talker(trace, 3 * SECOND, "new", "/other"),
                  *trace.execution(4 * SECOND, TALKER, TICK, 20)]
        for result in self.read_events(trace, events):
            self.assertEqual(result.counts(), {("10", "/old", "100"): 2, ("10", "/new", "100"): 1})
            rows = {row["node"]: row for row in result.table("callbacks")}
            self.assertEqual(rows["/old"]["period_sum_ns"], str(SECOND))
            self.assertEqual(rows["/new"]["period_sum_ns"], "")

    def test_messages_of_the_old_and_the_new_publisher_are_counted_apart(self):
        trace = RosTrace()
        events = [*self.talker(trace, 0, "old", "/old_topic")]
        for moment, name in (SECOND, "old"), (4 * SECOND, "new"):
            events += trace.publish(moment, TALKER, CHATTER, MESSAGE, OFFSET_NS + moment)
            if name == "old":
                events += self.talker(trace, 3 * SECOND, "new", "/new_topic")
        for result in self.read_events(trace, events):
            topics = {row["detail"]: row["count"] for row in result.table("diagnostics")}
            self.assertEqual(topics, {"/old_topic": "1", "/new_topic": "1"})

    def test_a_callback_that_was_killed_is_not_ended_by_the_new_process(self):
        """Killed within a callback; the recording of the new process lacks the start."""
        trace = RosTrace()
        events = [*self.talker(trace, 0, "old", "/chatter"), trace.start(SECOND, TALKER, TICK),
                  *self.talker(trace, 3 * SECOND, "new", "/chatter"), trace.end(4 * SECOND, TALKER, TICK),
                  *trace.execution(5 * SECOND, TALKER, TICK, 10)]
        for result in self.read_events(trace, events):
            self.assertEqual(set(result.executions()), trace.executions)
            self.assertEqual(result.diagnostics()["callback start without end"], 1)
            self.assertEqual(result.diagnostics()["callback end without start"], 1)

    def test_what_the_new_process_publishes_does_not_come_from_a_callback_that_was_killed(self):
        """It publishes outside any callback, on the thread of the same vtid."""
        trace = RosTrace()
        stamp = OFFSET_NS + 4 * SECOND
        events = [*definitions(trace), trace.start(SECOND, TALKER, TICK), *self.talker(trace, 3 * SECOND, "talker", "/chatter"),
                  *trace.publish(4 * SECOND, TALKER, CHATTER, MESSAGE, stamp),
                  *trace.take(4 * SECOND + 20, LISTENER, HEARD, MESSAGE, stamp),
                  *trace.execution(4 * SECOND + 30, LISTENER, HEARD, 10)]
        for result in self.read_events(trace, events):
            self.assertEqual([row["latency_ns"] for row in result.table("path_instances")], ["40"])
            self.assertEqual([row["latency_ns"] for row in result.table("communication_instances")], ["30"])

    def test_a_second_context_of_a_process_ends_no_callback_of_other_threads(self):
        trace = RosTrace()
        other = TALKER._replace(vtid=11)
        events = [*definitions(trace), *trace.execution(SECOND, other, TICK, SECOND,
                                                        [trace.event("rcl_init", SECOND + 5, TALKER, 0xC8, "8.2.2")])]
        for result in self.read_events(trace, events):
            self.assertEqual(set(result.executions()), trace.executions)

    def test_a_program_that_replaces_another_one_has_its_own_name(self):
        """`nice node`: the first program records an event, then the second runs with its ids."""
        trace = RosTrace()
        nice = TALKER._replace(procname="nice")
        events = [trace.event("rcl_init", 0, nice, 0xC8, "8.2.2"), *self.talker(trace, SECOND, "talker", "/chatter"),
                  *trace.execution(2 * SECOND, TALKER, TICK, 10)]
        for result in self.read_events(trace, events):
            self.assertEqual([row["procname"] for row in result.table("callbacks")], ["talker"])


if __name__ == "__main__":
    unittest.main()
