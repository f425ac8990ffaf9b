#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A thousand reports are merged in at most 10 s of processor time and 200 MiB; where making five of them takes more than a
tenth of a second, as in emulation, in at most a hundred times of it.

usage: test_a_thousand.py ROS2_LATENCY DATA
"""
import resource
import tempfile
from pathlib import Path

from reports import RECORDINGS, report, rows, run

REPORTS = 1000


def seconds_of(used):
    return used.ru_utime + used.ru_stime


with tempfile.TemporaryDirectory(prefix="ros2bt-merge-") as name:
    root = Path(name)
    reports = [report(root / recording.replace("/", "_"), recording) for recording in RECORDINGS]
    making = seconds_of(resource.getrusage(resource.RUSAGE_CHILDREN))
    lines = ["report,robot,version,run\n"]
    for index in range(REPORTS):
        (root / f"r{index}").symlink_to(reports[index % len(reports)])
        lines.append(f"r{index},robot-{index % 250},1.{index % 4},{index}\n")
    (root / "manifest.csv").write_text("".join(lines), encoding="utf-8")
    run("merge", f"--manifest={root / 'manifest.csv'}", "--by=version", "--format=csv", f"--output={root / 'merged'}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, megabytes = seconds_of(used) - making, used.ru_maxrss / 1024
    assert len(rows(root / "merged", "reports")) == REPORTS
    assert sum(int(row["recordings"]) for row in rows(root / "merged", "callbacks") if row["node"] == "/talker"
               and row["kind"] == "timer") == sum(REPORTS // len(reports) for recording in RECORDINGS if "pubsub" in recording)
    assert seconds <= max(10, 100 * making) and megabytes <= 200, f"{seconds:.1f} s, {megabytes:.0f} MiB"
    print(f"{REPORTS} reports: {seconds:.1f} s, {megabytes:.0f} MiB")
