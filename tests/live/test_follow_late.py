#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_follow_late.py recording|end COMMAND DATA: what appears in a directory that is followed, older than what was read.

A later recording is there first, and is read. Then an earlier one appears, while reading goes on, or at the end (while the
program is stopped, and told to end before it goes on). Either way its events are left out, which is told once, and the report
is that of the later one.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LATER, EARLIER = "services", "pubsub"
PATIENCE_S = 300


def wait_until(process, condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.poll() is None and time.monotonic() < deadline, process.poll()
        time.sleep(0.05)


def follow(command, data, folder, is_at_end):
    chunks, report, errors = folder / "session/archives", folder / "report/report.json", folder / "errors"
    chunks.mkdir(parents=True)
    shutil.copytree(data / LATER / "trace", chunks / "0")
    shutil.copytree(data / EARLIER / "trace", folder / "earlier")
    with open(errors, "w") as file:
        process = subprocess.Popen([command, f"--follow={chunks.parent}", "--period=500ms", "--format=json",
                                    f"--output={report.parent}"], stderr=file)
    try:
        wait_until(process, report.exists)
        if is_at_end:
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        (folder / "earlier").rename(chunks / "1")
        if is_at_end:
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
        else:
            wait_until(process, errors.read_text)
            process.send_signal(signal.SIGINT)
        status = process.wait(timeout=PATIENCE_S)
    finally:
        process.kill()
        process.wait()
    return status, errors.read_text(), json.loads(report.read_text())


def rows_of(report, table):
    """Without the rates up to when packets end, as those of what was left out count, too."""
    return [{key: value for key, value in row.items() if key != "rate_to_end_hz"} for row in report[table]]


def check(command, data, is_at_end):
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        status, errors, found = follow(command, data, Path(name), is_at_end)
    alone = json.loads(subprocess.run([command, "--format=json", data / LATER / "trace"], capture_output=True, check=True).stdout)
    late = re.findall(r"(\d+) events came after later ones were read", errors)
    lines = (data / EARLIER / "event-counts.txt").read_text().splitlines()
    counts = {name: int(count) for count, name in map(str.split, lines)}
    # at least those that every report reads, at most all
    least = sum(counts[f"ros2:{event}"] for event in ("callback_start", "callback_end", "rmw_take"))
    assert status == 1 and len(late) == 1, (status, errors)
    assert least <= int(late[0]) <= counts["TOTAL"], (late, counts)
    assert errors.count("\n") == 1, errors
    for key in "begin_ns", "end_ns":
        assert found["trace"][key] == alone["trace"][key], key
    for table in "callbacks", "communications", "services":
        assert rows_of(found, table) == rows_of(alone, table) != [], table


def main():
    scenario, command, data = sys.argv[1:]
    check(command, Path(data), {"recording": False, "end": True}[scenario])


if __name__ == "__main__":
    main()
