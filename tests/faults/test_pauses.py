#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A pause (lttng stop, lttng start) beside which packets were lost: a stream that lost none shows it, although it goes on only
long after others did, however far a reader reads ahead.
"""
import unittest

from faults import READERS, FaultsTest
from ros_trace import HEARD, LISTENER, TALKER, TICK, RosTrace, definitions, talk

NS_PER_MS = 10**6
AHEAD = 10_000  # more events than a reader holds at a time


def two_streams(begins, has_more=True):
    """The first stream loses a packet in the pause, from 100 ms on, and goes on at 400 ms; the other one at `begins`."""
    trace = RosTrace()
    early = [*definitions(trace), *talk(trace, 1000)]
    ticks = [event for i in range(AHEAD // 2) for event in trace.execution(400 * NS_PER_MS + 10 * i, TALKER, TICK, 5)]
    lossy = [trace.packet(early, 0, 100 * NS_PER_MS), trace.packet(ticks, 400 * NS_PER_MS, 500 * NS_PER_MS, sequence=2)]
    whole = [trace.packet(trace.execution(90 * NS_PER_MS, LISTENER, HEARD, 5), 0, 110 * NS_PER_MS, 1)]
    if has_more:
        later = trace.execution(480 * NS_PER_MS, LISTENER, HEARD, 5)
        whole.append(trace.packet(later, begins, 500 * NS_PER_MS, 1, sequence=1))
    return trace, {"stream_0": lossy, "stream_1": whole}


class Pauses(FaultsTest):
    def assert_pauses(self, count, *options):
        path = self.write(*two_streams(*options))
        for reader in (*READERS, "babeltrace2"):
            self.assertEqual(self.read(reader, path).diagnostics().get("pauses of the recording", 0), count, reader)

    def test_a_stream_that_goes_on_later_shows_a_pause(self):
        self.assert_pauses(1, 480 * NS_PER_MS)

    def test_a_stream_that_has_ended_does_not(self):
        self.assert_pauses(0, 0, False)

    def test_one_that_was_recorded_meanwhile_shows_that_there_was_none(self):
        self.assert_pauses(0, 110 * NS_PER_MS)


if __name__ == "__main__":
    unittest.main()
