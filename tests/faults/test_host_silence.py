#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What stops on one of two hosts is less frequent until the recording of its host ends, also if nothing else shows that
the host was still recorded; and the end of one host does not count as a silence of the other.
"""
import unittest

from faults import READERS, FaultsTest
from ros_trace import RosTrace, Thread

NS_PER_S = 10**9
OFFSET_NS = 1_700_000_000_000_000_000
RATE = 20


def host(name, number, topic, publishes, takes, ends):
    """A host that publishes a topic or takes it, until a time, and is recorded until a later one; all in s."""
    trace = RosTrace(number=number, env={"hostname": f'"{name}"'})
    node = 0x10000 * number
    thread = Thread(100 * number, 100 * number, name)
    events = [*trace.node(10, thread, node, name)]
    if publishes:
        events += [*trace.publisher(11, thread, node, node + 0x2000, topic),
                   *trace.timer(12, thread, node, node + 0x1000, NS_PER_S // RATE)]
    else:
        events += trace.subscription(21, thread, node, node + 0x5000, topic)
    for i in range(RATE * takes):
        sent = NS_PER_S + i * NS_PER_S // RATE
        if publishes:
            events += trace.execution(sent - 1000, thread, node + 0x1000, 20000,
                                      trace.publish(sent, thread, node + 0x2000, 0x9000, OFFSET_NS + sent))
        else:
            events += [*trace.take(sent + 100_000, thread, node + 0x5000, 0x9000, OFFSET_NS + sent),
                       *trace.execution(sent + 103_000, thread, node + 0x5000, 5000)]
    return trace, [trace.packet(events, 0, (1 + ends) * NS_PER_S)]


class HostSilence(FaultsTest):
    def rates(self, reader, takes, ends):
        """The rate of the path, and with the silence at the end, of a publisher of 10 s and a subscription."""
        folder = self.new_path("trace")
        for name, number, publishes, until, end in (("a", 1, True, 10, 10), ("b", 2, False, takes, ends)):
            trace, packets = host(name, number, "/t", publishes, until, end)
            trace.write(folder / name, {"stream": packets})
        [row] = self.read(reader, folder).table("paths")
        return float(row["rate_hz"]), float(row["rate_to_end_hz"])

    def test_what_stops_on_a_host_is_less_frequent_until_its_recording_ends(self):
        for reader in READERS:
            rate, to_end = self.rates(reader, 5, 10)
            self.assertAlmostEqual(rate, RATE, delta=0.5)
            self.assertAlmostEqual(to_end, RATE / 2, delta=0.5)

    def test_a_host_that_was_recorded_for_a_shorter_time_is_not_silent_afterwards(self):
        for reader in READERS:
            rate, to_end = self.rates(reader, 5, 5)
            self.assertAlmostEqual(to_end, rate, delta=0.5)


if __name__ == "__main__":
    unittest.main()
