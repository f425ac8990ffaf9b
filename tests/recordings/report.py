# SPDX-License-Identifier: MIT
"""The report of a recording: runs babeltrace2 with sink.ros2.latency and reads its tables."""

import csv
import os
import re
import subprocess
import tempfile

csv.field_size_limit(1 << 24)

TABLES = ("callbacks", "callback_instances", "diagnostics")


class Report:
    """The CSV files of one run; the bytes are kept to compare runs."""

    def __init__(self, folder):
        self.files = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                self.files[name] = file.read()

    def rows(self, table):
        text = self.files[table + ".csv"].decode("utf-8")
        return list(csv.DictReader(text.splitlines(keepends=True)))

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


def source_arguments(recording):
    """What babeltrace2 reads of a recording: the trace in it, or itself."""
    trace = os.path.join(recording, "trace")
    return [trace if os.path.exists(trace) else recording]


def run(plugins, recording, filters=(), parameters=()):
    with tempfile.TemporaryDirectory() as folder:
        command = ["babeltrace2", "--plugin-path", plugins] + source_arguments(recording)
        for name in filters:
            command += ["-c", name]
        command += ["-c", "sink.ros2.latency", "-p", 'format="csv", instances=yes, output="%s"' % folder]
        for parameter in parameters:
            command += ["-p", parameter]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if result.returncode != 0:
            raise SystemExit("exit %d: %s\n%s" % (result.returncode, " ".join(command), result.stderr.decode()))
        return Report(folder)


def clock_offset_ns(recording):
    """The clock of the trace reads 0 at this time since the Unix epoch."""
    command = ["babeltrace2", "--output-format", "ctf-metadata"]
    trace = source_arguments(recording)[0]
    for folder, _, files in os.walk(trace):
        if "metadata" in files:
            text = subprocess.run(command + [folder], stdout=subprocess.PIPE, check=True).stdout.decode()
            seconds = re.search(r"\boffset_s = (\d+)", text)
            return int(re.search(r"\boffset = (\d+)", text).group(1)) + (
                int(seconds.group(1)) * 1000000000 if seconds else 0
            )
    raise SystemExit("no metadata in " + trace)
