#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stream files that are cut (a full disk, a crash of the machine): what lies before the cut is reported, with a warning that it is not all.

source.ctf.fs of babeltrace2 refuses such a trace as a whole; the fast reader reads up to the cut.
"""
import unittest

from faults import PARTIAL, READERS, STATUS_OF_NOTHING, STRICT_READERS, FaultsTest
from ros_trace import TALKER, TICK, RosTrace, conversation, definitions


class TruncatedStreams(FaultsTest):
    def setUp(self):
        super().setUp()
        self.trace = RosTrace()
        self.packets = conversation(self.trace, packets=3, talks=1)
        self.whole = b"".join(self.packets)
        self.path = self.write(self.trace, self.packets)

    def read_cut(self, reader, size):
        (self.path / "stream").write_bytes(self.whole[:size])
        result = self.read(reader, self.path)
        if result.files:
            self.assert_no_wrong_pair(result, self.trace.executions)
        return result

    def boundaries(self):
        """The first bytes of packets, and of what follows the last."""
        sizes = [len(packet) for packet in self.packets]
        return [sum(sizes[:number]) for number in range(len(sizes) + 1)]

    def test_whatever_the_length_all_before_the_cut_is_reported_and_nothing_else(self):
        """In the order of the events an execution is reported as soon as its end is within the file."""
        boundaries = self.boundaries()
        interesting = {boundary + near for boundary in boundaries for near in range(-40, 140)}
        executions = 0
        for size in sorted(size for size in interesting | set(range(0, len(self.whole), 13)) if 0 < size < len(self.whole)):
            result = self.read_cut("fast", size)
            if size in boundaries:
                self.assertEqual(result.status, 0, result.errors)
            elif result.files:
                self.assert_one_cause(result, PARTIAL)
                self.assertRegex(result.causes()[0], "the packet is cut|its file ends within a packet")
            else:
                self.assert_one_cause(result, "the fast reader cannot read this trace", "the packet is cut")
                self.assertLess(size, 200)
            reported = len(result.executions()) if result.files else 0
            self.assertGreaterEqual(reported, executions, f"{size} bytes give less than fewer bytes")
            executions = reported
        self.assertGreaterEqual(executions, len(self.trace.executions) - 1)

    def test_every_reader_ends_with_a_cause_and_without_a_wrong_pair(self):
        boundaries = self.boundaries()
        for size in [1, 50, 100, boundaries[1] - 1, boundaries[1] + 3, boundaries[1] + 90, boundaries[1] + 300,
                     boundaries[2] - 1, len(self.whole) - 1]:
            for reader in READERS:
                self.assertEqual(self.read_cut(reader, size).status, 1)

    def test_a_file_that_ends_with_a_packet_is_whole(self):
        for reader in READERS:
            result = self.read_cut(reader, self.boundaries()[2])
            self.assertEqual((result.status, len(result.executions())), (0, 4))

    def test_zeros_behind_the_packets_end_the_report(self):
        """A file system after a power failure: the size is right, the last blocks were never written."""
        (self.path / "stream").write_bytes(self.whole + bytes(4096))
        for reader in STRICT_READERS:  # babeltrace2 2.1 never ends
            result = self.read(reader, self.path)
            self.assertEqual(result.status, 1)
            if reader != "sink":
                self.assert_one_cause(result, PARTIAL, "no packet begins here")
                self.assertEqual(set(result.executions()), self.trace.executions)

    def test_of_two_streams_all_is_read_until_the_cut_of_one(self):
        trace = RosTrace()
        here = [trace.packet([*definitions(trace), *trace.execution(200, TALKER, TICK, 10)], 0, 400),
                trace.packet([*trace.execution(900, TALKER, TICK, 10)], 800, 1000, sequence=1)]
        there = [trace.packet([*trace.execution(300, TALKER, TICK, 10)], 250, 400, instance=1),
                 trace.packet([*trace.execution(500, TALKER, TICK, 10), *trace.execution(600, TALKER, TICK, 10)], 450, 700,
                              instance=1, sequence=1)]
        path = self.write(trace, {"here": here, "there": [there[0], there[1][:-20]]})
        for reader in "fast", "auto":
            result = self.read(reader, path)
            self.assert_one_cause(result, PARTIAL)
            self.assert_no_wrong_pair(result, trace.executions)
            self.assertEqual(len(result.executions()), 3)

    def test_a_stream_without_a_byte_is_none(self):
        path = self.write(self.trace, {"stream": self.packets, "empty": []})
        for reader in READERS:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, result.errors)
            self.assertEqual(set(result.executions()), self.trace.executions)

    def test_a_trace_without_events_is_named_and_so_are_missing_stream_files(self):
        for streams, is_missing in (({}, True), ({"empty": []}, True), ({"no_events": [self.trace.packet([], 0, 100)]}, False)):
            path = self.write(self.trace, streams)
            for reader in READERS:
                result = self.read(reader, path)
                self.assertEqual(result.status, STATUS_OF_NOTHING[reader], result.errors)
                self.assertIn("no ROS 2 runtime events", result.errors)
                self.assertEqual("its stream files are missing or empty" in result.errors, is_missing, result.errors)
                self.assertEqual(result.diagnostics(), {"no ROS 2 events": 1})


if __name__ == "__main__":
    unittest.main()
