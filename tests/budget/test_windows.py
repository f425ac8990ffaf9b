#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_windows.py ROS2_LATENCY DATA

ros2-latency check --window: which windows break budgets, against the instances of the same recording; what --on-break
runs, and how often; and that the outcome at the end is that of a check without windows.
"""
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import unittest
from datetime import datetime, timezone

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402

COMMAND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
TRACE = DATA / "jazzy/twohosts/trace"
WINDOW_NS = 500_000_000
KEPT, USAGE, BROKEN = 0, 2, 4
LINE = re.compile(r"(\d+-\d+-\d+ \d+:\d+:\d+)\.(\d{9}) UTC: broken: ([^:]*): (.*)")


def time_ns(seconds, fraction):
    moment = datetime.strptime(seconds, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
    return int(moment.timestamp()) * 10**9 + int(fraction)


class Windows(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)

    def check(self, text, *options):
        file = self.directory / "budgets.yaml"
        file.write_text(text, encoding="utf-8")
        return latency.run(COMMAND, "check", *options, file, TRACE)

    def broken(self, got):
        """The ends of the windows, each with the number of its lines, and the lines."""
        lines = [LINE.fullmatch(line) for line in got.stderr.splitlines()]
        self.assertTrue(all(lines), got.stderr)
        ends = {}
        for line in lines:
            end = time_ns(line[1], line[2])
            ends[end] = ends.get(end, 0) + 1
        return ends, [line[0] for line in lines]

    def test_a_window_breaks_a_budget_if_something_in_it_does(self):
        latency.run(COMMAND, "--format=csv", "--instances", f"--output={self.directory / 'report'}", TRACE)
        callbacks = latency.rows_of((self.directory / "report/callbacks.csv").read_text())
        chosen = {row["callback_id"] for row in callbacks if row["node"] == "/echo" and row["source"] == "/a"}
        runs = [(int(row["end_ns"]), int(row["duration_ns"]))
                for row in latency.rows_of((self.directory / "report/callback_instances.csv").read_text())
                if row["callback_id"] in chosen and row["duration_ns"]]
        self.assertGreater(len(runs), 50)
        limit = sorted(duration for _, duration in runs)[-6] + 1  # five are longer
        self.assertFalse([1 for _, duration in runs if limit < duration < limit * 1.002], "a window knows it that exactly")
        got = self.check(f"budgets: [{{callback: /echo, source: /a, duration: {limit} ns}}]", "--window=500ms")
        ends, lines = self.broken(got)
        expected = {end for end in ends for run_end, duration in runs
                    if duration > limit and end - WINDOW_NS <= run_end < end}
        self.assertEqual(set(ends), expected)
        first = min(ends)
        self.assertEqual(len({(run_end - first) // WINDOW_NS for run_end, duration in runs if duration > limit}), len(ends))
        self.assertIn("duration max ", lines[0])

    def test_the_outcome_is_that_of_the_whole(self):
        text = "budgets: [{callback: /echo, source: /a, duration: {p50: 1 h, max: 10 ms}}, {topic: /a, lost: 0}, {topic: /x, lost: 0}]"
        whole = self.check(text, "--format=json")
        windows = self.check(text, "--format=json", "--window=300ms")
        self.assertEqual((whole.stdout, whole.returncode), (windows.stdout, windows.returncode))
        self.assertEqual(whole.returncode, BROKEN)
        self.assertNotEqual(windows.stderr, "")

    def test_what_is_kept_or_undecided_breaks_in_no_window(self):
        for budget in "{topic: /a, rate: {min: 15 Hz, max: 30 Hz}, lost: 0}", "{topic: /nowhere, lost: 0}":
            self.assertEqual(self.check(f"budgets: [{budget}]", "--window=1s").stderr, "", budget)

    def test_a_rate_is_that_of_each_window(self):
        ends, lines = self.broken(self.check("budgets: [{topic: /a, rate: {min: 15 Hz, max: 16 Hz}}]", "--window=1s"))
        self.assertGreater(len(ends), 5)
        for line in lines:
            self.assertTrue(15 <= float(re.search(r"rate(?:_hz)? ([\d.]+) Hz", line)[1]) <= 30, line)

    def test_a_command_runs_at_most_once_a_window(self):
        log = self.directory / "log"
        text = "budgets: [{name: echo, callback: /echo, source: /a, duration: 1 ns}, {topic: /a, latency: 1 ns}]"
        got = self.check(text, "--window=500ms", f'--on-break=echo "$ROS2_LATENCY_BROKEN" >> {log}; echo printed')
        runs = log.read_text().count(": broken: echo: ")
        ends = len(re.findall(": broken: echo: ", re.sub("printed\n", "", got.stderr)))
        skipped = got.stderr.count("the command still runs; it is not started again")
        self.assertEqual(runs + skipped, ends)
        self.assertGreater(runs, 0)
        self.assertIn(": broken: /a: latency max", log.read_text())
        self.assertNotIn("printed", got.stdout)

    def test_a_command_that_fails_is_told_and_changes_nothing(self):
        text = "budgets: [{callback: /echo, source: /a, duration: {min: {max: 1 ns}}}]"
        got = self.check(text, "--window=1h", "--on-break=exit 3")
        self.assertEqual((got.stderr, got.returncode), ("", BROKEN), "no window has ended")
        got = self.check(text, "--window=4s", "--on-break=exit 3")
        self.assertIn("--on-break: the command failed with status 3", got.stderr)
        self.assertEqual(got.returncode, BROKEN)

    def test_a_command_that_hangs_does_not_keep_us(self):
        text = "budgets: [{callback: /echo, source: /a, duration: {min: {max: 1 ns}}}]"
        pid = self.directory / "pid"
        got = self.check(text, "--window=4s", f"--on-break=echo $$ > {pid}; exec sleep 100000 >/dev/null 2>&1")
        try:
            self.assertIn("--on-break: the command still runs, which is not waited for", got.stderr)
            self.assertEqual(got.returncode, BROKEN)
            os.kill(int(pid.read_text()), 0)
        finally:
            os.kill(int(pid.read_text()), signal.SIGKILL)

    def test_the_command_line(self):
        for options in (["--window=5"], ["--window=1ms"], ["--on-break=true"], ["--window=1s", "--propose"],
                        ["--live=net://localhost/host/x/y"]):
            got = self.check("budgets: [{topic: /a, lost: 0}]", *options)
            self.assertEqual((got.returncode, got.stdout), (USAGE, ""), options)
        got = latency.run(COMMAND, "check", "--live=net://localhost/host/x/y")
        self.assertEqual(got.returncode, USAGE)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
