# SPDX-License-Identifier: MIT
"""The recordings that scripts/bench measures on. Each has a name, a path, a number of events, describe(), and ensure(),
which makes it where it is missing.
"""
import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODES_OF_A_PROCESS = 10
# Two threads a process, half of the events polls of the executors: like our recordings of real systems.
SYSTEM = ["--layout=jazzy", "--rate=0", "--services", "--branches", "--reentrant", "--threads=2", "--hops=6",
          "--intra=15", "--empty-takes=2", "--polls=24"]


def count_events(path):
    """The events in a trace, and those discarded, as babeltrace2 counts them."""
    counter = subprocess.run(["babeltrace2", path, "-c", "sink.utils.counter", "-p", "step=+0"], check=True,
                             capture_output=True, text=True).stdout
    return [int(re.search(rf"(\d+) {kind} messages?", counter).group(1)) for kind in ("Event", "Discarded event")]


class Trace:
    """A trace to measure on, recorded when it is missing."""

    def __init__(self, folder, name, events, processes=8, buffers="uid", nodes=None):
        self.folder, self.name, self.events = folder / name, name, events
        self.processes, self.buffers = processes, buffers
        self.nodes = nodes or (3 if processes <= 10 else 1)  # of a process

    @property
    def path(self):
        return self.folder / "trace"

    def describe(self):
        return (f"{self.name}: {self.events} events, {self.processes} processes of {self.nodes} nodes, "
                f"buffers by {self.buffers}")

    def ensure(self):
        if not (self.folder / "record.json").exists():
            self.record()
        self.events = json.loads((self.folder / "record.json").read_text())["events"]

    def record(self):
        print(f"recording {self.name} …", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        command = [sys.executable, ROOT / "tests/recorder/record", "--output", self.folder, f"--buffers={self.buffers}",
                   "--subbuffer-size=4M" if self.buffers == "uid" else "--subbuffer-size=64K", "--", *SYSTEM,
                   f"--processes={self.processes}", f"--nodes={self.nodes}",
                   f"--chains={self.processes * self.nodes}", f"--events={self.events}"]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(f"bench: {self.name} could not be recorded; --dir names a folder with traces")
        counted, discarded = count_events(self.path)
        result = json.loads((self.folder / "record.json").read_text())
        if discarded or counted != result["events"]:
            sys.exit(f"bench: {self.name}: {result['events']} events recorded, {counted} in the trace")


class Recording:
    """A recording of a robot: a folder, or an archive of one."""

    processes, buffers = "", ""

    def __init__(self, folder, source):
        self.name, self.source, self.events = source.name.removesuffix(".tar.xz"), source, None
        self.path = folder / "robots" / self.name if source.is_file() else source

    def describe(self):
        return f"{self.name}: {self.events} events, recorded on a robot"

    def ensure(self):
        if not self.path.exists():
            partial = self.path.with_name(self.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            with tarfile.open(self.source) as archive:
                archive.extractall(partial, filter="data")
            partial.rename(self.path)
        self.events = count_events(self.path)[0]


class Generated:
    """A recording of a system that system.py simulates."""

    def __init__(self, folder, name, events, *options, processes=8, nodes=16):
        self.folder, self.name, self.events, self.processes, self.nodes = folder / name, name, events, processes, nodes
        self.options, self.buffers = options, "uid"

    @property
    def path(self):
        return self.folder / "trace"

    def describe(self):
        return (f"{self.name}: {self.events} events, {self.nodes} nodes in {self.processes} processes of a stream each"
                + "".join(f", {option[2:]}" for option in self.options) + ", generated")

    def ensure(self):
        count = self.folder / "events"
        if not count.exists():
            print(f"generating {self.name} …", flush=True)
            shutil.rmtree(self.folder, ignore_errors=True)
            made = subprocess.run([sys.executable, "-B", ROOT / "tests/bench/system.py", self.path, str(self.events),
                                   f"--nodes={self.nodes}", f"--processes={self.processes}", *self.options], check=True,
                                  capture_output=True, text=True).stdout
            if count_events(self.path) != [int(made), 0]:
                sys.exit(f"bench: {self.name} is not the recording that was to be made")
            count.write_text(made)
        self.events = int(count.read_text())


def systems(folder):
    """By name: what robots record that the recorder of the tests does not. `natural` and `packed` are otherwise equal."""
    return {recording.name: recording for recording in (
        Generated(folder, "300-nodes", 1_000_000, processes=30, nodes=300),
        Generated(folder, "few-events", 1_000_000, "--few", processes=30, nodes=300),
        Generated(folder, "500-streams", 1_000_000, processes=500, nodes=500),
        Generated(folder, "kernel", 300_000, "--kernel"),
        Generated(folder, "natural", 1_000_000, "--natural"),
        Generated(folder, "packed", 1_000_000),
    )}
