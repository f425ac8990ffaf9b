#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clocks that jump: no execution ends before it starts, what was read until then is reported.

babeltrace2 2.1 reads on where time goes back; the sink then pairs nothing wrongly.
"""
import unittest

from faults import COMMAND, IS_BABELTRACE2_STRICT, PARTIAL, READERS, STRICT_READERS, FaultsTest
from ros_trace import HEARD, LISTENER, TALKER, TICK, RosTrace, conversation, definitions, talk


class Clocks(FaultsTest):
    def assert_read_until(self, trace, path, executions):
        for reader in READERS:
            result = self.read(reader, path)
            self.assert_no_wrong_pair(result, trace.executions)
            if reader in STRICT_READERS:
                self.assert_one_cause(result, PARTIAL)
                self.assertEqual(len(result.executions()), executions)
            if reader != "sink":
                self.assert_one_cause(result, "time goes backwards")

    def test_a_step_back_within_a_packet_ends_the_report_there(self):
        trace = RosTrace()
        events = [*definitions(trace), *trace.execution(500, TALKER, TICK, 10), trace.start(600, TALKER, TICK),
                  trace.end(300, TALKER, TICK), *talk(trace, 700)]
        self.assert_read_until(trace, self.write(trace, [trace.packet(events, 0, 900)]), 1)

    def test_a_step_back_between_packets_ends_the_report_there(self):
        trace = RosTrace()
        first = trace.packet([*definitions(trace), *trace.execution(500, TALKER, TICK, 10)], 0, 600)
        second = trace.packet(talk(trace, 300), 250, 700, sequence=1)
        self.assert_read_until(trace, self.write(trace, [first, second]), 1)

    def test_a_step_back_ends_the_first_pass_too(self):
        """The fast reader does not read it; babeltrace2 looks for the start of the recording first, with the same error."""
        trace = RosTrace()
        packets = conversation(trace)
        path = self.write(trace, {"one": packets + packets[:1], "other": [trace.packet([], 0, 1_000_000_000, instance=1)]})
        done = self.run_reader("auto", [COMMAND, "--end=+1s", path])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        if IS_BABELTRACE2_STRICT:
            self.assertIn(PARTIAL.encode(), done.stderr)

    def test_a_packet_that_ends_before_its_events_ends_the_report_there(self):
        trace = RosTrace()
        packet = trace.packet([*definitions(trace), *trace.execution(500, TALKER, TICK, 10)], 0, 400)
        self.assert_read_until(trace, self.write(trace, [packet]), 1)

    def test_a_step_forward_is_a_pause_of_the_recording(self):
        """Nobody knows what happened in an hour without a packet: what lies across is no duration, but counted."""
        trace = RosTrace()
        hour = 3_600_000_000_000
        first = trace.packet([*definitions(trace), *talk(trace, 200), trace.start(400, TALKER, TICK)], 0, 500)
        second = trace.packet([trace.end(400 + hour, TALKER, TICK), *talk(trace, 500 + hour)], 300 + hour, 2 * hour, sequence=1)
        path = self.write(trace, [first, second])
        for reader in READERS:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, (result.reader, result.errors))
            durations = sorted(end - start for _, start, end in result.executions())
            self.assertEqual(durations, [20, 20, 30, 30])
            self.assertEqual(result.diagnostics().get("pauses of the recording"), 1, result.diagnostics())

    def test_clocks_of_two_hosts_that_differ_are_told_as_negative_latency(self):
        """The listener's host is a second behind: a message arrives before it was sent."""
        talker = RosTrace(env={"hostname": '"one"'})
        listener = RosTrace(number=2, env={"hostname": '"two"'})
        listener.clock = "freq = 1000000000; offset = 1699999999000000000;"
        talker_uuid, listener_uuid = "72bd4720-2d78-4b94-ba7d-413a097b1e7d", "00000000-2d78-4b94-ba7d-413a097b1e7d"
        said = [event for event in definitions(talker) + talk(talker, 200) if event[2][0] == TALKER.vpid]
        heard = [event for event in definitions(listener) + talk(listener, 200) if event[2][0] == LISTENER.vpid]
        paths = [self.write(talker, [talker.packet(said, 0, 900)]), self.write(listener, [listener.packet(heard, 0, 900)])]
        metadata = paths[1] / "metadata"
        metadata.write_text(metadata.read_text().replace(talker_uuid, listener_uuid))
        for reader in READERS:
            result = self.read(reader, *paths)
            self.assertEqual(result.status, 0, (result.reader, result.errors))
            self.assertEqual(result.diagnostics().get("negative latency", 0), 1, result.diagnostics())
            self.assertEqual(sum(int(row["count"]) for row in result.table("callbacks")), 2)

    def test_a_time_beyond_64_bits_is_told(self):
        trace = RosTrace()
        first = trace.packet([*definitions(trace), *talk(trace, 200)], 0, 500)
        second = trace.packet([trace.start(2**64 - 5, LISTENER, HEARD)], 2**63, 2**64 - 3, sequence=1)
        path = self.write(trace, [first, second])
        for reader in READERS:
            result = self.read(reader, path)
            if reader == "fast" or IS_BABELTRACE2_STRICT:
                self.assertEqual(result.status, 1)
            if result.files:
                self.assert_no_wrong_pair(result, trace.executions)


if __name__ == "__main__":
    unittest.main()
