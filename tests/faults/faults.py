# SPDX-License-Identifier: MIT
"""What the tests of faults have in common: the readers, their reports, and what must hold whatever a trace is like.

A reader is `sink` (the command babeltrace2 with sink.ros2.latency), `fast` or `auto` (ros2-latency --reader=…). The environment
sets ROS2_LATENCY (the command) and BABELTRACE_PLUGINS (the plugin's directory).
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / folder) for folder in ("cli", "support")]

from latency import PATIENCE_S, Report, rows_of  # noqa: E402
from run import our_causes  # noqa: E402

READERS = ["sink", "fast", "auto"]
# Some broken traces babeltrace2 2.0 refuses, and later ones read on, abort or never end.
IS_BABELTRACE2_STRICT = b"Babeltrace 2.0." in subprocess.run(["babeltrace2", "--version"], stdout=subprocess.PIPE).stdout
STRICT_READERS = READERS if IS_BABELTRACE2_STRICT else ["fast", "auto"]
COMMAND = os.environ["ROS2_LATENCY"]
PLUGINS = os.environ["BABELTRACE_PLUGINS"]
# The exit status of a sanitizer that found something.
SANITIZER_STATUS = 99
SUPPRESSIONS = Path(__file__).resolve().parent / "leaks_of_babeltrace2.txt"
PARTIAL = "the report covers what was read"
# The status with the report of a trace without runtime events: ros2-latency says that there was nothing to report.
STATUS_OF_NOTHING = {"sink": 0, "fast": 3, "auto": 3}
# The rows of `diagnostics` of such a report.
PARTS = {"trace read in part", "interrupted"}


def environment(reader=None):
    made = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    made.pop("COLUMNS", None)
    made["ASAN_OPTIONS"] = f"{made.get('ASAN_OPTIONS', '')}:exitcode={SANITIZER_STATUS}"
    if reader != "fast":
        # Suppressions need the whole stack of an allocation, through babeltrace2's functions without frame pointers.
        made["ASAN_OPTIONS"] += ":fast_unwind_on_malloc=0"
    made["LSAN_OPTIONS"] = f"suppressions={SUPPRESSIONS}:print_suppressions=0"
    return made


def command_line(reader, traces, **parameters):
    """The words of the command that makes a report. Parameters: format, output, tables, instances."""
    traces = [str(trace) for trace in traces]
    if reader == "sink":
        params = ",".join(f"{key}={json.dumps(value)}" for key, value in parameters.items())
        return ["babeltrace2", f"--plugin-path={PLUGINS}", *traces, "-c", "sink.ros2.latency", "--params", params]
    options = []
    for key, value in parameters.items():
        if key == "tables":
            options.append(f"--table={','.join(value)}")
        elif key == "instances":
            options += ["--instances"] if value else []
        else:
            options.append(f"--{key}={value}")
    return [COMMAND, f"--reader={reader}", *options, *traces]


class Result:
    """What a command did: status, output, errors (text) and, of CSV files, tables by name."""

    def __init__(self, reader, done, directory=None):
        self.reader = reader
        self.status, self.output = done.returncode, done.stdout
        self.errors = done.stderr.decode("utf-8", "replace")
        self.files = {}
        if directory and directory.is_dir():
            self.files = Report(directory).files

    def table(self, name):
        return rows_of(self.files[f"{name}.csv"].decode("utf-8"))

    @property
    def has_report(self):
        return "diagnostics.csv" in self.files

    def diagnostics(self):
        """what → count, of all details."""
        counts = {}
        for row in self.table("diagnostics"):
            counts[row["what"]] = counts.get(row["what"], 0) + int(row["count"])
        return counts

    def is_partial(self):
        """What the report itself says, whoever looks at it later."""
        return not PARTS.isdisjoint(self.diagnostics())

    def executions(self):
        """(callback, start, end) of the complete ones that are certain."""
        callbacks = {row["callback_id"]: int(row["callback"], 16) for row in self.table("callbacks")}
        return [(callbacks[row["callback_id"]], int(row["start_ns"]), int(row["end_ns"]))
                for row in self.table("callback_instances")
                if row["start_ns"] and row["end_ns"] and row["doubtful"] == "0"]

    def counts(self):
        """(vpid, node, source) → executions."""
        return {(row["vpid"], row["node"], row["source"]): int(row["count"]) for row in self.table("callbacks")}

    def causes(self):
        """What our program reported to be wrong, a line each."""
        if self.reader == "sink":
            return our_causes(self.errors)
        prefix = "ros2-latency: "
        return [line[len(prefix):] for line in self.errors.splitlines() if line.startswith(prefix)]


class FaultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ros2bt-faults-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.count = 0

    def new_path(self, name):
        self.count += 1
        return self.folder / f"{self.count}-{name}"

    def write(self, trace, streams, name="trace"):
        """The directory of a new trace; streams are packets by file name, or those of the only one."""
        path = self.new_path(name)
        trace.write(path, streams if isinstance(streams, dict) else {"stream": streams})
        return path

    def run_reader(self, reader, words, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": PATIENCE_S, "check": False,
                   "env": environment(reader), "cwd": self.folder, **options}
        return subprocess.run(words, **options)

    def read(self, reader, *traces, **options):
        """The report of a reader as CSV files, after what must always hold."""
        directory = self.new_path("report")
        words = command_line(reader, traces, format="csv", output=str(directory), instances=True)
        result = Result(reader, self.run_reader(reader, words, **options), directory)
        self.assert_orderly(result)
        return result

    def assert_orderly(self, result):
        """No crash, no failure without a cause, no half of a report, nothing temporary left."""
        context = f"{result.reader}: status {result.status}\n{result.errors[-3000:]}"
        self.assertIn(result.status, (0, 1, 3), context)
        self.assertTrue(result.status == 0 or result.errors.strip(), context)
        self.assertNotIn("Sanitizer", result.errors)
        self.assertFalse([name for name in result.files if name.startswith(".")], context)
        self.assertEqual(bool(result.files), result.has_report, context)
        if result.has_report:
            self.assertEqual(result.status == 1, result.is_partial(), f"{context}\n{result.diagnostics()}")

    def assert_no_wrong_pair(self, result, *truths):
        """Every execution of the report did happen, and none is listed twice."""
        true = set().union(*truths)
        reported = result.executions()
        self.assertEqual(len(reported), len(set(reported)), f"{result.reader}: listed twice")
        self.assertFalse(set(reported) - true, f"{result.reader}: wrong pairs")

    def assert_one_cause(self, result, *texts):
        """It failed, and printed one cause of ours with these texts."""
        context = f"{result.reader}: {result.errors[-3000:]}"
        self.assertEqual(result.status, 1, context)
        causes = result.causes()
        self.assertEqual(len(causes), 1, context)
        for text in texts:
            self.assertIn(text, causes[0], result.reader)
