#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_closed_pipe.py ROS2_LATENCY DATA

A reader that closes the pipe, such as `head`, has seen enough: every subcommand then ends in silence, and with success.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
TRACE = str(DATA / "jazzy/user-points/trace")


class ClosedPipe(unittest.TestCase):
    def check(self, *arguments):
        read_end, write_end = os.pipe()
        os.close(read_end)
        try:
            got = subprocess.run([COMMAND, *arguments], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
        finally:
            os.close(write_end)
        self.assertEqual((got.returncode, got.stderr), (0, ""), arguments)

    def test_reports(self):
        for name in "text", "json", "html", "perfetto", "dot", "prometheus":
            self.check(f"--format={name}", TRACE)
        for name in "text", "json":
            self.check("--each", f"--format={name}", TRACE, TRACE)

    def test_subcommands(self):
        self.check("architecture", TRACE)
        self.check("check", "--propose", TRACE)
        self.check("points", "--propose", TRACE)
        for name in "text", "json", "markdown":
            self.check("compare", f"--format={name}", TRACE, "--", TRACE)

    def test_budgets(self):
        with tempfile.TemporaryDirectory() as directory:
            budgets = pathlib.Path(directory) / "budgets.yaml"
            budgets.write_text("budgets: [{callback: '*', duration: 1 h}]", encoding="utf-8")
            for name in "text", "json", "junit", "markdown":
                self.check("check", f"--format={name}", str(budgets), TRACE)

    def test_merge(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([COMMAND, "--format=csv", "--histograms", f"--output={directory}", TRACE], check=True)
            for name in "text", "json", "dot":
                self.check("merge", f"--format={name}", directory)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
