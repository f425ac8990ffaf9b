#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SIGINT and SIGTERM at any moment: a whole report of what was read, or none; nothing temporary is left, nothing hangs.

What a user would expect: Ctrl+C ends the reading, and what was read is reported (status 1 of ros2-latency, 2 of babeltrace2). A
second signal ends it at once. babeltrace2 does not handle SIGTERM: it dies, and there is no report.
"""
import csv
import io
import json
import random
import signal
import subprocess
import unittest

from faults import PATIENCE_S, FaultsTest, Result, command_line, environment
from latency import let_run, measured
from ros_trace import RosTrace, definitions, talk

FORMATS = {"csv": "diagnostics.csv", "json": "report.json", "text": "report.txt"}


class Signals(FaultsTest):
    @classmethod
    def setUpClass(cls):
        trace = RosTrace()
        cls.packets = [trace.packet(definitions(trace), 0, 100)]
        for number in range(1, 61):
            begin = 1_000_000 * number
            events = [event for i in range(100) for event in talk(trace, begin + 100 * i)]
            cls.packets.append(trace.packet(events, begin, begin + 10_000, sequence=number))
        cls.trace = trace

    def setUp(self):
        super().setUp()
        self.path = self.write(self.trace, self.packets[:21])

    def words(self, reader, format, directory):
        return command_line(reader, [self.path], format=format, output=str(directory), instances=True)

    def run_and_signal(self, reader, format, signals, after_s):
        """The result of a run that gets signals when it has run for `after_s` of CPU time."""
        directory = self.new_path("report")
        process = subprocess.Popen(self.words(reader, format, directory), env=environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        let_run(process, after_s)
        for number in signals:
            process.send_signal(number)
        output, errors = process.communicate(timeout=PATIENCE_S)
        return Result(reader, subprocess.CompletedProcess([], process.returncode, output, errors), directory)

    def assert_whole_or_none(self, result, format, context):
        """Every file that is there is whole."""
        self.assertFalse([name for name in result.files if name.startswith(".")], context)
        if format == "csv":
            for content in result.files.values():
                rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True))
                self.assertTrue(content.endswith(b"\n"), context)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])}, context)
            if "diagnostics.csv" in result.files:
                self.assert_no_wrong_pair(result, self.trace.executions)
        elif format == "json" and result.files:
            json.loads(result.files["report.json"])

    def whole_run_s(self, reader):
        """The CPU time of a run without signals."""
        return measured(self.words(reader, "csv", self.new_path("report")), env=environment(), capture_output=True)[1]

    def test_any_moment_does(self):
        chosen = random.Random(1)
        for reader, statuses in ("fast", {signal.SIGINT: {0, 1, -signal.SIGINT}, signal.SIGTERM: {0, 1, -signal.SIGTERM}}), \
                                ("sink", {signal.SIGINT: {0, 1, 2, -signal.SIGINT}, signal.SIGTERM: {0, -signal.SIGTERM}}):
            longest_s = 1.5 * self.whole_run_s(reader)
            for _ in range(30):
                number, format = chosen.choice(list(statuses)), chosen.choice(list(FORMATS))
                after_s = chosen.uniform(0, longest_s)
                result = self.run_and_signal(reader, format, [number], after_s)
                context = f"{reader} {format} {number} after {after_s} s: {result.status} {list(result.files)} {result.errors[-1000:]}"
                self.assertIn(result.status, statuses[number], context)
                if result.status == 0:
                    self.assertIn(FORMATS[format], result.files, context)
                self.assert_whole_or_none(result, format, context)

    def test_a_second_signal_ends_at_once(self):
        whole_s = self.whole_run_s("fast")
        for share in 0, 0.25, 0.5, 0.75:
            result = self.run_and_signal("fast", "csv", [signal.SIGINT, signal.SIGINT], share * whole_s)
            self.assertIn(result.status, (0, 1, -signal.SIGINT))
            self.assertFalse([name for name in result.files if name.startswith(".")])

    def test_what_was_read_until_then_is_told(self):
        """Tried until the signal comes in the midst: babeltrace2 sees it between two batches of 32768 messages."""
        self.path = self.write(self.trace, self.packets)
        chosen = random.Random(2)
        for reader, status in ("fast", 1), ("sink", 2):
            longest_s = self.whole_run_s(reader)
            for _ in range(300):
                result = self.run_and_signal(reader, "csv", [signal.SIGINT], chosen.uniform(0, longest_s))
                if result.status == status and result.has_report and result.executions():
                    break
            self.assertEqual(result.status, status, result.errors)
            self.assertIn("interrupted; the report covers what was read", result.errors)
            self.assert_no_wrong_pair(result, self.trace.executions)
            self.assertLess(len(result.executions()), len(self.trace.executions))
            self.assertTrue(result.is_partial())
            self.assertNotIn("no ROS 2 events", result.diagnostics())

    def test_the_report_itself_says_that_it_is_partial(self):
        """In every format; tried until the signal comes in the midst."""
        chosen = random.Random(3)
        longest_s = self.whole_run_s("fast")
        for format in "json", "text":
            for _ in range(300):
                number = chosen.choice([signal.SIGINT, signal.SIGTERM])
                result = self.run_and_signal("fast", format, [number], chosen.uniform(0, longest_s))
                if result.status == 1 and result.files:
                    break
            self.assertEqual(result.status, 1, result.errors)
            content = result.files[FORMATS[format]].decode()
            name = signal.Signals(number).name
            if format == "json":
                report = json.loads(content)
                self.assertIs(report["trace"]["is_complete"], False)
                row = report["diagnostics"][0]
                self.assertEqual((row["what"], row["count"]), ("interrupted", 1))
                self.assertIn(name, row["detail"])
            else:
                self.assertRegex(content, f"^PARTIAL: interrupted: {name}")


if __name__ == "__main__":
    unittest.main()
