# SPDX-License-Identifier: MIT
"""What tests of ros2-latency have in common: they run it, read the rows of its reports, and say what is wrong.

A test puts this folder into sys.path. A test that expects a fault uses run() and looks at the status; the others use
output() and table_of(), which end the test with the command's own words if it fails.
"""

import contextlib
import csv
import ctypes
import io
import os
import pathlib
import resource
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

csv.field_size_limit(sys.maxsize)

# Ignored in the background of a shell, and then by babeltrace2 and by what has just been started.
signal.signal(signal.SIGINT, signal.default_int_handler)

SKIPPED = 77
# What takes longer hangs, however busy the machine is: a limit for processes that tests start.
PATIENCE_S = 600


def run(*words, **options):
    """The finished command, whatever its status, with what it printed as text."""
    return subprocess.run([str(word) for word in words],
                          **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "check": False, **options})


def output(*words, **options):
    """What a command printed that must succeed."""
    done = run(*words, **options)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {shlex.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def cpu_s(process):
    """The CPU time that a process has used so far."""
    clock = ctypes.c_int()
    error = ctypes.CDLL(None).clock_getcpuclockid(process.pid, ctypes.byref(clock))
    return time.clock_gettime(clock.value) if error == 0 else 0


def let_run(process, seconds):
    """Waits until a process has run for so long, or has ended. Unlike time that passes, this is the same moment of its work
    however busy the machine is."""
    while cpu_s(process) < seconds and process.poll() is None:
        time.sleep(0.0002)


def measured(words, **options):
    """A finished command, and the CPU time that it used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, check=False, timeout=PATIENCE_S, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows_of(text):
    """The rows of a CSV text."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


class Report:
    """The files of a report in a folder; their bytes are kept to compare reports."""

    def __init__(self, folder):
        self.files = {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())}

    def rows(self, table):
        return rows_of(self.files[table + ".csv"].decode("utf-8"))

    def tables(self):
        """By the name of each table: its rows."""
        return {name.removesuffix(".csv"): self.rows(name.removesuffix(".csv")) for name in self.files if name.endswith(".csv")}


def source_arguments(recording):
    """What readers are given of a recording: the trace in it, or itself."""
    trace = os.path.join(recording, "trace")
    return [trace if os.path.exists(trace) else str(recording)]


def table_of(command, recording, table, *options):
    """The rows of one table of a recording."""
    return rows_of(output(command, "--format=csv", f"--table={table}", *options, *source_arguments(recording)))


@contextlib.contextmanager
def unpacked(recording):
    """The folder of a recording, for a while where it is an archive."""
    recording = pathlib.Path(recording)
    with tempfile.TemporaryDirectory() as folder:
        if recording.name.endswith(".tar.xz"):
            with tarfile.open(recording) as archive:
                archive.extractall(folder)
            recording = pathlib.Path(folder) / recording.name.split(".")[0]
        yield recording


def recordings(roots):
    """The folders of the recordings below some folders: `trace`, else that of the file `metadata`."""
    found = {}
    for root in roots:
        for metadata in sorted(pathlib.Path(root).rglob("metadata")):
            folders = [folder for folder in metadata.parents if folder.name == "trace"]
            if metadata.stat().st_size > 0:
                found[folders[-1] if folders else metadata.parent] = None
    return list(found)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def finish(complaints):
    """Ends the test: it failed if there are complaints, of which it prints the first."""
    if len(complaints) > 20:
        complaints = [*complaints[:20], f"and {len(complaints) - 20} more"]
    sys.exit("\n".join(complaints) if complaints else 0)
