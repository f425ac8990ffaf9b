#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Events that LTTng discarded: what lies across a gap is doubtful, and the report lists what is missing.

LTTng drops events from some moment to the end of a packet; the packet's counter of discarded events goes up.
"""
import unittest

from faults import READERS, STRICT_READERS, FaultsTest
from ros_trace import CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, TICK, RosTrace, definitions, talk

EVENTS, PACKETS, DOUBTFUL = "discarded events", "discarded packets", "doubtful callback execution"
PAUSES = "pauses of the recording"


class DiscardedEvents(FaultsTest):
    def read_packets(self, trace, *streams, readers=READERS):
        path = self.write(trace, {f"stream_{number}": packets for number, packets in enumerate(streams)})
        for reader in readers:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, (result.reader, result.errors))
            self.assert_no_wrong_pair(result, trace.executions)
            yield result

    def test_a_callback_across_a_gap_is_doubtful(self):
        """The end of one run and the start of the next were lost: start and end look like one run."""
        trace = RosTrace()
        first = trace.packet([*definitions(trace), *talk(trace, 200), trace.start(300, TALKER, TICK)], 0, 350, discarded=0)
        lossy = trace.packet([trace.start(400, LISTENER, HEARD)], 360, 500, sequence=1, discarded=2)
        last = trace.packet([trace.end(620, TALKER, TICK), trace.end(630, LISTENER, HEARD), *talk(trace, 700)], 600, 800,
                            sequence=2, discarded=2)
        for result in self.read_packets(trace, [first, lossy, last]):
            self.assertEqual(set(result.executions()), trace.executions)
            self.assertEqual(result.diagnostics()[EVENTS], 2)
            self.assertEqual(result.diagnostics()[DOUBTFUL], 2)

    def test_a_callback_across_a_loss_between_two_packets_is_doubtful(self):
        """A packet full to the last byte is closed at once; what is lost then is counted in the next one, which begins later."""
        trace = RosTrace()
        first = trace.packet([*definitions(trace), *talk(trace, 200), trace.start(300, TALKER, TICK)], 0, 300, discarded=0)
        lossy = trace.packet([trace.end(620, TALKER, TICK), *talk(trace, 700)], 600, 800, sequence=1, discarded=2)
        for result in self.read_packets(trace, [first, lossy]):
            self.assertEqual(set(result.executions()), trace.executions)
            self.assertEqual(result.diagnostics()[DOUBTFUL], 1)

    def test_a_loss_between_two_packets_is_no_pause(self):
        """Events were lost, so tracing was on; without a loss, it was off."""
        for discarded in 0, 2:
            trace = RosTrace()
            first = trace.packet([*definitions(trace), *talk(trace, 200)], 0, 300, discarded=0)
            last = trace.packet([*talk(trace, 10**9 + 700)], 10**9 + 600, 10**9 + 1600, sequence=1, discarded=discarded)
            for result in self.read_packets(trace, [first, last]):
                self.assertEqual(result.diagnostics().get(EVENTS, 0), discarded)
                self.assertEqual(result.diagnostics().get(PAUSES, 0), 0 if discarded else 1)

    def test_a_message_across_a_gap_is_not_linked_to_another_one(self):
        """A publication and a take of another message at the same address, what lies between was lost."""
        trace = RosTrace()
        stamp, lost_stamp = OFFSET_NS + 300, OFFSET_NS + 510
        first = trace.packet([*definitions(trace), *trace.publish(300, TALKER, CHATTER, MESSAGE, stamp)], 0, 500, discarded=1)
        last = trace.packet([*trace.take(620, LISTENER, HEARD, MESSAGE, lost_stamp),
                             *trace.execution(640, LISTENER, HEARD, 10)], 600, 800, sequence=1, discarded=1)
        for result in self.read_packets(trace, [first, last]):
            instances = result.table("communication_instances")
            self.assertFalse([row for row in instances if row["publish_ns"] and row["take_ns"]], instances)
            self.assertEqual(result.table("paths"), [])

    def test_a_publication_whose_callback_may_have_started_in_a_gap_is_no_beginning_of_a_path(self):
        trace = RosTrace()
        stamp = OFFSET_NS + 610
        first = trace.packet([*definitions(trace), *talk(trace, 200)], 0, 400, discarded=0)
        lossy = trace.packet([], 410, 600, sequence=1, discarded=1)
        last = trace.packet([*trace.publish(610, TALKER, CHATTER, MESSAGE, stamp), trace.end(620, TALKER, TICK),
                             *trace.take(640, LISTENER, HEARD, MESSAGE, stamp), *trace.execution(650, LISTENER, HEARD, 10)],
                            605, 800, sequence=2, discarded=1)
        for result in self.read_packets(trace, [first, lossy, last]):
            self.assertEqual([row["latency_ns"] for row in result.table("path_instances")], ["80"])
            self.assertEqual([row["latency_ns"] for row in result.table("communication_instances")], ["40", "40"])

    def test_periods_and_gaps_of_callbacks_do_not_reach_across(self):
        trace = RosTrace()
        first = trace.packet([*definitions(trace), *trace.execution(200, TALKER, TICK, 10),
                              *trace.execution(300, TALKER, TICK, 10)], 0, 500, discarded=0)
        lossy = trace.packet([], 510, 900, sequence=1, discarded=7)
        last = trace.packet([*trace.execution(1000, TALKER, TICK, 10)], 950, 1100, sequence=2, discarded=7)
        for result in self.read_packets(trace, [first, lossy, last]):
            row = next(row for row in result.table("callbacks") if row["node"] == "/talker")
            self.assertEqual((row["count"], row["period_sum_ns"], row["gap_sum_ns"]), ("3", "100", "90"))

    def test_a_loss_in_one_stream_concerns_those_that_were_moved_from_another(self):
        trace = RosTrace()
        here = [trace.packet([*definitions(trace), trace.start(300, TALKER, TICK)], 0, 400, discarded=0),
                trace.packet([*trace.execution(900, LISTENER, HEARD, 10)], 800, 1000, sequence=1, discarded=0)]
        there = [trace.packet([], 0, 350, instance=1, discarded=0),
                 trace.packet([], 360, 500, instance=1, sequence=1, discarded=5),
                 trace.packet([trace.end(600, TALKER, TICK)], 510, 1000, instance=1, sequence=2, discarded=5)]
        for result in self.read_packets(trace, here, there):
            self.assertEqual(set(result.executions()), trace.executions)
            self.assertEqual(result.diagnostics()[DOUBTFUL], 1)

    def test_what_lies_across_lost_packets_is_doubtful(self):
        """Overwritten packets (a flight recorder): the sequence number jumps."""
        trace = RosTrace()
        first = trace.packet([*definitions(trace), trace.start(300, TALKER, TICK)], 0, 400, sequence=0)
        last = trace.packet([trace.end(900, TALKER, TICK), *trace.execution(910, TALKER, TICK, 10)], 800, 1000, sequence=9)
        path = self.write(trace, [first, last])
        for reader in ["fast", "auto"]:  # babeltrace2 2.0 knows sequence numbers from an index only
            result = self.read(reader, path)
            self.assert_no_wrong_pair(result, trace.executions)
            self.assertEqual(result.diagnostics()[PACKETS], 8)

    def read_counts(self, counts, readers=READERS):
        """A callback starts in the first of three packets with these counters and ends in the last."""
        trace = RosTrace()
        packets = [trace.packet([*definitions(trace), *talk(trace, 200), trace.start(300, TALKER, TICK)], 0, 400,
                                discarded=counts[0]),
                   trace.packet([], 410, 500, sequence=1, discarded=counts[1]),
                   trace.packet([trace.end(600, TALKER, TICK), *talk(trace, 700)], 510, 800, sequence=2,
                                discarded=counts[2])]
        for result in self.read_packets(trace, packets, readers=readers):
            self.assertEqual(set(result.executions()), trace.executions)
            self.assertLess(result.diagnostics()[EVENTS], 100)
            yield result

    def test_a_counter_that_wrapped_below_zero_is_a_loss_without_number(self):
        """LTTng-UST with a 32-bit program, or a counter that went back: 2^64 minus something."""
        for result in self.read_counts([0, 2**64 - 3, 2**64 - 3]):
            self.assertIn("losses of unknown size", result.files["diagnostics.csv"].decode())
        for _ in self.read_counts([2**64 - 10, 2**64 - 2, 1]):
            pass

    def test_a_counter_that_only_went_down_is_a_loss_too(self):
        """babeltrace2 2.1 does not report it."""
        for result in self.read_counts([5, 2, 2], readers=STRICT_READERS):
            self.assertIn("losses of unknown size", result.files["diagnostics.csv"].decode())


if __name__ == "__main__":
    unittest.main()
