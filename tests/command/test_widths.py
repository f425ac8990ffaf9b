#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text in files and pipes has at most 160 columns: every table with all that it can list, verdicts, comparisons, several
recordings, help; also where names of nodes, topics, symbols and processes are longer than that. A narrow text says
nothing else than a wide one."""
import os
import re
import sys
import tempfile
import unicodedata
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / folder) for folder in ("support", "faults", "readers")]
from latency import run  # pylint: disable=wrong-import-position
from ros_trace import CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, TICK, RosTrace  # pylint: disable=wrong-import-position

WIDTH = 160
WITH_STATISTICS = ("Callbacks", "Communication latency", "End-to-end latency")
NUMBER = re.compile(r"-?[\d.]+( [\wµ%]+)?")
RECORDINGS = ["clients/py-single", "humble/pubsub", "jazzy/caret-both", "jazzy/counters", "jazzy/executors",
              "jazzy/lifecycle", "jazzy/memory", "jazzy/services", "jazzy/starved", "jazzy/timers", "jazzy/twohosts",
              "jazzy/user-points"]
COMMANDS = ["architecture", "check", "compare", "convert", "merge", "points", "record", "top"]
LONG = "/" + "/".join(f"a_namespace_of_a_large_system_{part}" for part in range(8))
# Kept by nothing, whatever its name.
BUDGETS = f"""budgets:
- callback: "**"
  duration: {{max: 1 ns}}
  rate: {{min: 900000 Hz}}
- topic: "**"
  latency: {{max: 1 ns}}
- name: "{LONG} as the name of a budget, which is one long word with others behind it that go on and on and on"
  path: "**"
  latency: {{max: 1 ns}}
"""


def width(line):
    return sum(0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
               for character in line)


def tables_of(text):
    """title → the numbers of each line of the table, in their order"""
    tables = {}
    for part in text.split("\n\n"):
        title, *lines = part.strip("\n").split("\n")
        if title.startswith(WITH_STATISTICS):
            tables[title.split(",")[0]] = [list(filter(NUMBER.fullmatch, re.split(" {2,}", line))) for line in lines]
    return tables


def is_part(row, other):
    """Whether the other row has all cells of a row, in their order."""
    cells = iter(other)
    return all(cell in cells for cell in row)


def write_long_names(folder):
    """A talker and a listener whose names do not fit a line."""
    talker = TALKER._replace(procname="p" * 200)
    trace = RosTrace()
    events = [*trace.node(10, talker, 0x100, "talker", LONG + "/of_the_talker"),
              *trace.publisher(20, talker, 0x100, CHATTER, LONG + "/chatter"),
              *trace.timer(30, talker, 0x100, TICK, symbol="std::_Bind<" + "x" * 400 + ">"),
              *trace.node(40, LISTENER, 0x200, "listener", LONG + "/of_the_listener"),
              *trace.subscription(50, LISTENER, 0x200, HEARD, LONG + "/chatter", symbol="void (" + "y" * 400 + ")")]
    for moment in (100, 1100, 2100):
        stamp = OFFSET_NS + moment + 10
        events += trace.execution(moment, talker, TICK, 20,
                                  trace.publish(moment + 10, talker, CHATTER, MESSAGE, stamp))
        events += trace.take(moment + 40, LISTENER, HEARD, MESSAGE, stamp)
        events += trace.execution(moment + 50, LISTENER, HEARD, 30)
    trace.write(folder, {"stream": [trace.packet(events, 0, 5000)]})
    return folder


class Widths(unittest.TestCase):
    command = data = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.recordings = [Path(self.data, name) for name in RECORDINGS]
        self.recordings.append(write_long_names(self.folder / "long"))

    def lines(self, *words, status=0):
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        done = run(self.command, *words, env=environment)
        self.assertEqual(done.returncode, status, (words, done.stderr))
        for line in done.stdout.splitlines():
            self.assertLessEqual(width(line), WIDTH, f"{words}: {line}")
        return done.stdout

    def test_reports(self):
        offered = run(self.command, "--table=none", ".").stderr
        tables = ",".join(re.search(r"expected (\S+)", offered).group(1).split("|"))
        self.assertIn("timeline", tables)
        for recording in self.recordings:
            with self.subTest(recording=recording):
                self.assertIn("Callbacks", self.lines(recording))
                self.lines("--table=" + tables, "--hidden", "--top=0", "--worst=3",
                           "--quantile=0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,0.99,0.999,1", recording)
                self.lines("--table=" + tables, "--instances", recording)

    def test_narrow_and_wide(self):
        """Each number of a narrow text is in the same row of a wide one, where all of them have room."""
        for recording in self.recordings:
            for options in [], ["--top=0"]:
                with self.subTest(recording=recording, options=options):
                    narrow = tables_of(self.lines(*options, recording))
                    environment = {**os.environ, "COLUMNS": "2000"}
                    wide = tables_of(run(self.command, *options, recording, env=environment).stdout)
                    self.assertEqual(list(narrow), list(wide))
                    for title, rows in narrow.items():
                        rest = iter(wide[title])
                        for row in filter(None, rows):
                            self.assertTrue(any(is_part(row, other) for other in rest), (title, row))

    def test_verdicts(self):
        budgets = self.folder / "budgets.yaml"
        budgets.write_text(BUDGETS, encoding="utf-8")
        for recording in self.recordings:
            with self.subTest(recording=recording):
                self.assertIn("  broken", self.lines("check", budgets, recording, status=4))
                proposed = self.folder / "proposed.yaml"
                proposed.write_text(run(self.command, "check", "--propose", recording).stdout, encoding="utf-8")
                if "\n- " in proposed.read_text(encoding="utf-8"):
                    self.assertIn(" kept", self.lines("check", proposed, recording))

    def test_several_recordings(self):
        for recording in self.recordings:
            with self.subTest(recording=recording):
                self.lines("--each", recording, recording)
                report = self.folder / "report" / recording.name
                self.lines("--format=csv", "--histograms", "--output", report, recording)
                self.lines("merge", report, report)
                self.lines("compare", recording, "--", recording)

    def test_help(self):
        for command in [[], *([name] for name in COMMANDS)]:
            self.lines(*command, "--help")
            self.assertLessEqual(len(self.lines(*command, "-h").splitlines()), 40, command)


if __name__ == "__main__":
    Widths.command, Widths.data = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
