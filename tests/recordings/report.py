# SPDX-License-Identifier: MIT
"""The report of a recording: runs babeltrace2 with sink.ros2.latency and reads its tables."""

import os
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402
from latency import finish, output, rows_of, source_arguments, table_of, unpacked  # noqa: E402,F401


class Report(latency.Report):
    """With what tests of executions ask of it."""

    def callbacks(self):
        return {row["callback_id"]: row for row in self.rows("callbacks")}

    def executions(self):
        """Executions with a start and an end, with the row of their callback."""
        callbacks = self.callbacks()
        return [
            Execution(callbacks[row["callback_id"]], row)
            for row in self.rows("callback_instances")
            if row["duration_ns"] != ""
        ]

    def diagnostics(self):
        counts = {}
        for row in self.rows("diagnostics"):
            counts[row["what"]] = counts.get(row["what"], 0) + int(row["count"])
        return counts


class Execution:
    def __init__(self, callback, row):
        self.is_doubtful = row["doubtful"] == "1"
        self.callback = callback
        self.vtid = int(row["vtid"]) if row["vtid"] else None
        self.start_ns = int(row["start_ns"])
        self.end_ns = int(row["end_ns"])
        self.duration_ns = int(row["duration_ns"])


def run(plugins, recording, filters=(), parameters=()):
    with tempfile.TemporaryDirectory() as folder:
        command = ["babeltrace2", "--plugin-path", plugins] + source_arguments(recording)
        for name in filters:
            command += ["-c", name]
        command += ["-c", "sink.ros2.latency", "-p", 'format="csv", instances=yes, output="%s"' % folder]
        for parameter in parameters:
            command += ["-p", parameter]
        output(*command)
        return Report(folder)


def of(command, recording, *options):
    """The report of ros2-latency in CSV files."""
    with tempfile.TemporaryDirectory() as folder:
        output(command, "--format=csv", "--output=" + folder, *options, *source_arguments(recording))
        return Report(folder)


def clock_offset_ns(recording):
    """The clock of the trace reads 0 at this time since the Unix epoch."""
    command = ["babeltrace2", "--output-format", "ctf-metadata"]
    trace = source_arguments(recording)[0]
    for folder, _, files in os.walk(trace):
        if "metadata" in files:
            text = output(*command, folder)
            seconds = re.search(r"\boffset_s = (\d+)", text)
            return int(re.search(r"\boffset = (\d+)", text).group(1)) + (
                int(seconds.group(1)) * 1000000000 if seconds else 0
            )
    raise SystemExit("no metadata in " + trace)
