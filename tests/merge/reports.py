# SPDX-License-Identifier: MIT
"""Runs ros2-latency, and reads the reports that it writes."""
import csv
import shlex
import signal
import subprocess
import sys
from pathlib import Path

COMMAND, DATA = sys.argv[1], Path(sys.argv[2])
RECORDINGS = "jazzy/pubsub", "jazzy/caret-both", "jazzy/edge-noaslr", "jazzy/edge-late-start", "humble/pubsub"


def run(*arguments, status=0):
    command = [COMMAND, *map(str, arguments)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    ended = f"status {result.returncode}" if result.returncode >= 0 else f"killed by {signal.Signals(-result.returncode).name}"
    assert result.returncode >= 0 and status in (None, result.returncode), f"{ended}: {shlex.join(command)}\n{result.stderr}"
    return result


def report(folder, recording, *options):
    run("--format=csv", "--histograms", f"--output={folder}", *options, DATA / recording / "trace")
    return folder


def rows(folder, table):
    with open(Path(folder) / f"{table}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))
