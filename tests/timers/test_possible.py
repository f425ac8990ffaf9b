#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_possible.py ROS2_LATENCY FOLDER...

What the table `timers` and the summary say of every recording below the folders, held against its instances: no timer is
called more often than it has slots, none is expected before its last call, and a callback behind which a timer mostly
waited did run for most of that time.
"""
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402

COMMAND, FOLDERS = sys.argv[1], [pathlib.Path(path) for path in sys.argv[2:]]
TABLES = "timers,callbacks"
LATE = re.compile(r"^Late timer: (\S+) (?:\S+ \S+): .* calls missed, late by up to [^,]*, mostly behind (.*?)(?:;.*)?$")
PAUSE_NS = 3 * 10 ** 9


class Recording:
    def __init__(self, trace, folder):
        self.text = latency.run(COMMAND, trace, env={**os.environ, "COLUMNS": "1000"}).stdout
        folder.mkdir()
        latency.run(COMMAND, "--format=csv", "--instances", f"--table={TABLES}", "--hidden", f"--output={folder}", trace)
        self.tables = latency.Report(folder).tables()

    def rows(self, name):
        return self.tables.get(name, [])


def slots(recording, period_ns):
    """As many as fit into the time from the first callback to the last one, without pauses."""
    starts = sorted(int(row["start_ns"]) for row in recording.rows("callback_instances") if row["start_ns"])
    gaps = [after - before for before, after in zip(starts, starts[1:])]
    pauses = [gap for gap in gaps if gap > PAUSE_NS]
    return (sum(gaps) - sum(pauses)) // period_ns + 2 * (1 + len(pauses))


class Timers(unittest.TestCase):
    def each(self, check):
        """Checks all recordings with timers."""
        seen = 0
        for trace in latency.recordings(FOLDERS):
            if "kernel-public" in trace.parts:
                continue
            with tempfile.TemporaryDirectory() as folder, self.subTest(trace=trace):
                recording = Recording(trace, pathlib.Path(folder, "report"))
                if recording.rows("timers"):
                    seen += 1
                    check(recording)
        self.assertGreater(seen, 0)

    def test_calls_and_missed_calls_fit_into_the_time(self):
        def check(recording):
            for row in recording.rows("timers"):
                if int(row["missed"] or 0):
                    # rclcpp calls some before their time, which is no slot
                    called = int(row["calls"]) - int(row["early"])
                    self.assertLessEqual(called + int(row["missed"]), slots(recording, int(row["period_ns"])), row)
        self.each(check)

    def test_no_call_is_expected_before_the_last_one(self):
        def check(recording):
            last = {}
            for row in recording.rows("timer_instances"):
                start, before = int(row["start_ns"]), last.get(row["timer_id"])
                is_late = row["expected_ns"] and before and int(row["expected_ns"]) < before
                # an EventsExecutor calls timers in time and executes their callbacks later, without missing any
                self.assertFalse(is_late and int(row["missed"]), row)
                last[row["timer_id"]] = start
        self.each(check)

    def test_a_callback_that_is_blamed_did_it(self):
        blamed = []

        def check(recording):
            for line in recording.text.splitlines():
                found = LATE.match(line)
                if found:
                    blamed.append(found)
                    self.check_blame(recording, *found.groups())
        self.each(check)
        self.assertTrue(blamed)

    def check_blame(self, recording, node, behind):
        def is_blamed(callback, timer):
            if callback["vpid"] != timer["vpid"]:
                return False
            if behind == "itself":
                return callback["node"] == timer["node"] and callback["source"] == timer["period_ns"]
            name, _, source = behind.partition(" ")
            # the source of a timer is its period, which is written in other words
            return behind == "several callbacks" or (callback["node"] == name and
                                                     (callback["source"] == source or callback["source"].isdigit()))

        names = {row["callback_id"]: row for row in recording.rows("callbacks")}
        runs = [(int(row["start_ns"]), int(row["end_ns"]), names[row["callback_id"]])
                for row in recording.rows("callback_instances")
                if row["start_ns"] and row["end_ns"] and row["callback_id"] in names]
        shares = []
        for timer in recording.rows("timers"):
            if timer["node"] != node:
                continue
            mine = [(start, end) for start, end, callback in runs if is_blamed(callback, timer)]
            late = used = 0
            for call in recording.rows("timer_instances"):
                if call["timer_id"] == timer["timer_id"] and call["expected_ns"]:
                    begin, end = int(call["expected_ns"]), int(call["start_ns"])
                    late += max(0, end - begin)
                    used += sum(max(0, min(end, stop) - max(begin, start)) for start, stop in mine)
            shares.append(used / late if late else 0)
        self.assertGreater(max(shares), 0.5, (node, behind, shares))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
