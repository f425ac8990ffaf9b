# SPDX-License-Identifier: MIT
"""Runs ros2-latency, and reads the reports that it writes."""
import csv
import subprocess
import sys
from pathlib import Path

COMMAND, DATA = sys.argv[1], Path(sys.argv[2])
RECORDINGS = "jazzy/pubsub", "jazzy/caret-both", "jazzy/edge-noaslr", "jazzy/edge-late-start", "humble/pubsub"


def run(*arguments, status=0):
    result = subprocess.run([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert status is None or result.returncode == status, f"{arguments}: status {result.returncode}\n{result.stderr}"
    return result


def report(folder, recording, *options):
    run("--format=csv", "--histograms", f"--output={folder}", *options, DATA / recording / "trace")
    return folder


def rows(folder, table):
    with open(Path(folder) / f"{table}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))
