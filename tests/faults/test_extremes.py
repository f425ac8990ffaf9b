#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Very many, very long, never ending: the report comes in time and is right."""
import resource
import unittest

from faults import READERS, FaultsTest
from ros_trace import HEARD, LISTENER, OFFSET_NS, TALKER, TICK, RosTrace, Thread, definitions, talk

NODES = 10_000
LONG = 64 * 1024


def cpu_seconds():
    """Those of the commands that have been run. The time on the wall is that of the other processes of the machine, too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Extremes(FaultsTest):
    def read_all(self, trace, packets, readers=READERS):
        path = self.write(trace, packets)
        for reader in readers:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, (reader, result.errors))
            self.assert_no_wrong_pair(result, trace.executions)
            yield result

    def test_ten_thousand_nodes(self):
        """In 100 processes; each has a timer that runs once."""
        trace = RosTrace()
        packets, events = [], []
        for number in range(NODES):
            process = 100 + number % 100
            thread, handle, callback = Thread(process, process), 0x10000 + 16 * number, 0x90000000 + 16 * number
            moment = 100 * number
            events += [*trace.node(moment, thread, handle, f"node_{number:05}"),
                       *trace.timer(moment + 1, thread, handle, callback), *trace.execution(moment + 10, thread, callback, 50)]
            if number % 1000 == 999:
                packets.append(trace.packet(events, moment - 99_900, moment + 99, sequence=len(packets)))
                events = []
        begin = cpu_seconds()
        for result in self.read_all(trace, packets, ["sink", "fast"]):
            counts = result.counts()
            self.assertEqual(len(counts), NODES)
            self.assertEqual(set(counts.values()), {1})
            self.assertEqual({node for _, node, _ in counts}, {f"/node_{number:05}" for number in range(NODES)})
            self.assertEqual(len(result.executions()), NODES)
        self.assertLess(cpu_seconds() - begin, 30)

    def test_a_callback_that_never_ends_does_not_hide_others(self):
        trace = RosTrace()
        events = [*definitions(trace), trace.start(110, LISTENER, TICK)]
        for moment in range(200, 5000, 100):
            events += talk(trace, moment)
        for result in self.read_all(trace, [trace.packet(events, 0, 6000)]):
            self.assertEqual(set(result.executions()), trace.executions)
            incomplete = [row for row in result.table("callbacks") if row["incomplete"] != "0"]
            self.assertEqual([(row["callback"], row["count"], row["incomplete"]) for row in incomplete], [("0x1000", "0", "1")])
            self.assertEqual(result.diagnostics(), {"callback start without end": 1, "callback without owner": 1})

    def test_callbacks_none_of_which_ends_give_way_to_newer_ones(self):
        trace = RosTrace()
        packets = [trace.packet(definitions(trace), 0, 100)]
        for number in range(1, 11):
            begin = 1_000_000 * number
            starts = [trace.start(begin + i, TALKER, 0x10000 + i % 500) for i in range(2000)]
            packets.append(trace.packet(starts, begin, begin + 2000, sequence=number))
        packets.append(trace.packet(talk(trace, 20_000_000), 20_000_000, 30_000_000, sequence=11))
        for result in self.read_all(trace, packets):
            self.assertEqual(set(result.executions()), trace.executions)
            self.assertGreater(result.diagnostics()["callbacks nested too deeply"], 10_000)

    def test_strings_of_64_kib(self):
        trace = RosTrace()
        name, topic, symbol = "n" * LONG, "/" + "t" * LONG, "s" * LONG
        events = [*trace.node(10, TALKER, 0x100, name), *trace.publisher(20, TALKER, 0x100, 0x2000, topic),
                  *trace.timer(30, TALKER, 0x100, TICK, symbol=symbol), *trace.node(40, LISTENER, 0x200, "listener"),
                  *trace.subscription(50, LISTENER, 0x200, HEARD, topic), *talk(trace, 200)]
        for result in self.read_all(trace, [trace.packet(events, 0, 500)]):
            self.assertEqual(set(result.executions()), trace.executions)
            row = next(row for row in result.table("callbacks") if row["kind"] == "timer")
            self.assertEqual((row["node"], row["symbol"]), ("/" + name, symbol))
            self.assertEqual(result.table("communications")[0]["topic"], topic)
            self.assertEqual(result.table("paths")[0]["path"], f"/{name} > {topic} > /listener")

    def test_deep_nesting_keeps_the_innermost(self):
        trace = RosTrace()
        depth = 300
        events = [*definitions(trace)]
        events += [trace.start(1000 + i, TALKER, 0x10000 + i) for i in range(depth)]
        events += [trace.end(2000 + depth - i, TALKER, 0x10000 + i) for i in reversed(range(depth))]
        trace.executions = {(0x10000 + i, OFFSET_NS + 1000 + i, OFFSET_NS + 2000 + depth - i) for i in range(depth)}
        for result in self.read_all(trace, [trace.packet(events, 0, 3000)]):
            self.assertEqual(len(result.executions()), 128)
            self.assertEqual(result.diagnostics()["callbacks nested too deeply"], depth - 128)


if __name__ == "__main__":
    unittest.main()
