#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings with few events enabled: what cannot be known is not counted as lost, and the missing event is named."""
import unittest

from faults import READERS, FaultsTest
from ros_trace import RosTrace, conversation

NAMES = ("published", "received", "lost", "unknown")


class MissingEvents(FaultsTest):
    def reports(self, keep):
        """Of a talker and a listener, 12 messages, with the events that `keep` says."""
        trace = RosTrace()
        names = {number: name.removeprefix("ros2:") for name, number in trace.numbers.items()}
        write = trace.packet
        trace.packet = lambda events, *rest, **more: write(
            [event for event in events if keep(names[event[0]])], *rest, **more)
        path = self.write(trace, conversation(trace))
        for reader in READERS:
            result = self.read(reader, path)
            self.assertEqual(result.status, 0, (result.reader, result.errors))
            yield result

    def missing(self, result):
        return [row["detail"] for row in result.table("diagnostics") if row["what"] == "events not recorded"]

    def test_all_events(self):
        for result in self.reports(lambda name: True):
            row, = result.table("communications")
            self.assertEqual([row[name] for name in NAMES], ["12", "12", "0", "0"])
            self.assertEqual(self.missing(result), [])

    def test_without_takes(self):
        for result in self.reports(lambda name: "take" not in name):
            row, = result.table("communications")
            # The first one was published before the listener's first event.
            self.assertEqual([row[name] for name in NAMES], ["11", "0", "", "11"])
            self.assertEqual(self.missing(result), ["ros2:rmw_take"])

    def test_without_rmw(self):
        for result in self.reports(lambda name: "rmw_" not in name):
            row, = result.table("communications")
            self.assertEqual([row[name] for name in NAMES], ["11", "0", "", "11"])
            self.assertEqual(self.missing(result), ["ros2:rmw_take"])

    def test_with_rmw_only(self):
        for result in self.reports(lambda name: name.startswith("rmw_")):
            row, = result.table("communications")
            self.assertEqual([row[name] for name in NAMES], ["12", "12", "0", "0"])
            self.assertEqual(row["transport_min_ns"], "30")
            self.assertEqual((row["publisher_vpid"], row["subscription_vpid"]), ("10", "20"))
            self.assertEqual([row["what"] for row in result.table("diagnostics")
                              if row["what"] == "take without publication"], [])


if __name__ == "__main__":
    unittest.main()
