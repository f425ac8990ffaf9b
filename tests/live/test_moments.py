#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_moments.py COMMAND DIRECTORY…: a report that is written while reading goes on changes nothing.

Each recording below the directories is read with reports at other moments by each reader: the last report is that of the
recording without any before, byte by byte.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

SHORTEST_NS = 10_000_000  # that --period takes
REPORTS = (5, 200)  # of a recording, about


def recordings(directories):
    for directory in directories:
        for trace in [Path(directory), *Path(directory).glob("*/")]:
            if any(trace.rglob("metadata")) and not (trace / "trace").is_dir():
                yield trace
                break


def written(command, trace, *options):
    done = subprocess.run([command, "--format=json", *options, trace], capture_output=True, check=False)
    return done.returncode, done.stdout


def main():
    command, directories = sys.argv[1], sys.argv[2:]
    problems, compared, moments = [], 0, random.Random(1)
    for trace in recordings(directories):
        for reader in ("fast", "babeltrace2"):
            status, whole = written(command, trace, f"--reader={reader}")
            if status != 0:
                continue
            span_ns = json.loads(whole)["trace"]["end_ns"] - json.loads(whole)["trace"]["begin_ns"]
            for count in REPORTS:
                period_ns = max(int(span_ns / count * moments.uniform(0.7, 1.3)), SHORTEST_NS)
                status, text = written(command, trace, f"--reader={reader}", f"--period={period_ns}ns")
                compared += len(text) > len(whole)
                if status != 0 or not text.endswith(whole):
                    problems.append(f"{trace}, {reader}, --period={period_ns}ns: status {status}, or another last report")
    if compared < len(directories):
        problems.append("hardly anything was compared")
    print("\n".join(problems))
    print(f"{compared} series of reports compared, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
