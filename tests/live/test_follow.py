#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_follow.py rotated|snapshots|uneven COMMAND: ros2-latency --follow on a directory that grows, with a session daemon of its own.

rotated    a session that is rotated while two played systems begin and end: each report is whole and tells its lag, nothing is
           lost that is not lost at the end, and the last one is that of all chunks, byte by byte
snapshots  the same of a flight recorder, whose snapshots overlap or leave gaps
uneven     chunks that cannot be read are told, once, and the others are read; chunks that are removed after they were read do
           no harm
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "recorder"))
sys.path.insert(0, str(HERE))

import test_record as recorder  # noqa: E402
from test_live import check_lags, has_executions, lost_of  # noqa: E402
from test_periods import time_of  # noqa: E402

record = recorder.record
OPTIONS = "--period=500ms", "--format=json"
CALLS, EXECUTIONS = 4, 500


class Follower:
    """ros2-latency --follow, whose reports are kept as they come."""

    def __init__(self, command, directory, folder):
        self.folder, self.reports = folder, []
        self.process = subprocess.Popen([command, f"--follow={directory}", *OPTIONS, f"--output={folder}"], text=True,
                                        stderr=subprocess.PIPE)
        self.thread = threading.Thread(target=self.keep, daemon=True)
        self.thread.start()

    def keep(self):
        seen = None
        while self.process.poll() is None:
            try:
                with open(self.folder / "report.json", "rb") as file:  # the file of one moment
                    status = os.fstat(file.fileno())
                    if (status.st_ino, status.st_mtime_ns) != seen:
                        seen = status.st_ino, status.st_mtime_ns
                        self.reports.append((status.st_mtime_ns, json.load(file)))
            except FileNotFoundError:
                pass
            time.sleep(0.02)

    def wait(self, condition):
        """Until a report is as it should be."""
        deadline = time.monotonic() + record.PATIENCE_S
        while not (self.reports and condition(self.reports[-1][1])):
            assert self.process.poll() is None and time.monotonic() < deadline, self.process.poll()
            time.sleep(0.1)

    def finish(self):
        self.process.send_signal(signal.SIGINT)
        errors = self.process.stderr.read()
        self.thread.join()
        return self.process.wait(timeout=record.PATIENCE_S), errors


def check_reports(reports, final):
    assert len(reports) >= 3, len(reports)
    lost = lost_of(final)
    problems = set()
    check_lags([row for row in reports if "lag_ns" in row[1]["trace"]], problems)
    assert not problems, problems
    for _, report in reports:
        for pair, count in lost_of(report).items():
            assert count <= lost.get(pair, 0), (pair, count, lost.get(pair))


def check_final(follower, command, directory, status, errors):
    kept = subprocess.run([command, "--format=json", str(directory)], capture_output=True, text=True, check=True)
    found = (follower.folder / "report.json").read_text()
    assert kept.stdout == found, "the last report is not that of the directory"
    assert status == kept.returncode, (status, errors)
    return json.loads(found)


def make_session(daemon, directory, *options):
    daemon.lttng("create", "followed", f"--output={directory}", *options)
    daemon.lttng("enable-channel", "--userspace", "ros2", "--subbuf-size=64K", "--num-subbuf=8",
                 *(["--overwrite"] if "--snapshot" in options else ["--blocking-timeout=inf"]))
    daemon.lttng("enable-event", "--userspace", "--channel=ros2", "ros2:*")
    daemon.lttng("add-context", "--userspace", "--channel=ros2", "--type=vpid", "--type=vtid", "--type=procname")
    daemon.lttng("start", "followed")


def grow(daemon, *words, has_enough=lambda: True):
    """Calls lttng again and again while two systems run, one after the other: each has shown messages before the first call, and
    the second one goes on until there is enough."""
    deadline = time.monotonic() + record.PATIENCE_S
    for seed in 1, 2:
        with subprocess.Popen([recorder.RECORDER, "--layout=jazzy", "--asked", f"--seed={seed}", "--nodes=2", "--processes=2", "--rate=100",
                               "--services", "--loss=10"], env=daemon.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as program:
            record.expect_line(program, "shown")
            calls = 0
            while calls < CALLS or seed == 2 and not has_enough():
                assert time.monotonic() < deadline, "never enough"
                time.sleep(0.7)
                daemon.lttng(*words)
                calls += 1
            program.communicate()
            assert program.returncode == 0, program.returncode
    daemon.lttng(*words)


def executions(report):
    return sum(row["count"] for row in report["callbacks"])


def rotated(daemon, command, folder):
    directory = folder / "session"
    make_session(daemon, directory)
    follower = Follower(command, directory, folder / "report")
    grow(daemon, "rotate", "followed", has_enough=lambda: len(follower.reports) > 3 and executions(follower.reports[-1][1]) > EXECUTIONS)
    daemon.lttng("destroy", "followed")
    status, errors = follower.finish()
    reports = follower.reports[:]
    final = check_final(follower, command, directory / "archives", status, errors)
    assert (status, errors) == (0, ""), (status, errors)
    assert executions(final) > EXECUTIONS
    check_reports([report for report in reports if not report[1]["trace"]["is_complete"]], final)
    print(f"{len(reports)} reports of {len(list((directory / 'archives').iterdir()))} chunks")


def snapshots(daemon, command, folder):
    directory = folder / "snapshots"
    make_session(daemon, directory, "--snapshot")
    directory.mkdir(exist_ok=True)
    follower = Follower(command, directory, folder / "report")
    grow(daemon, "snapshot", "record", "--session=followed")
    daemon.lttng("destroy", "followed")
    follower.wait(has_executions)
    status, errors = follower.finish()
    check_final(follower, command, directory, status, errors)
    assert status == 0, (status, errors)
    print(f"{len(follower.reports)} reports of {len(list(directory.iterdir()))} snapshots")


def uneven(daemon, command, folder):
    directory = folder / "session"
    make_session(daemon, directory)
    grow(daemon, "rotate", "followed")
    daemon.lttng("destroy", "followed")
    chunks = sorted((directory / "archives").iterdir())
    growing = folder / "growing/archives"
    growing.mkdir(parents=True)
    broken = growing / "0-broken/trace"
    broken.mkdir(parents=True)
    (broken / "metadata").write_text("no metadata")
    follower = Follower(command, growing.parent, folder / "report")
    first = subprocess.run([command, "--format=json", chunks[0]], capture_output=True, check=True)
    end_of_first_ns = json.loads(first.stdout)["trace"]["end_ns"]
    for chunk in chunks:
        shutil.copytree(chunk, folder / "next")
        (folder / "next").rename(growing / chunk.name)
    follower.wait(lambda report: has_executions(report) and time_of(report) > end_of_first_ns)
    shutil.rmtree(growing / chunks[0].name)
    status, errors = follower.finish()
    assert status == 1 and errors.count("0-broken") == 1, (status, errors)
    whole = json.loads(subprocess.run([command, "--format=json", str(directory / "archives")], capture_output=True, check=True).stdout)
    found = json.loads((folder / "report/report.json").read_text())
    assert whole["callbacks"] == found["callbacks"]


def main():
    scenario, command = sys.argv[1:]
    recorder.run_with_daemon(globals()[scenario], command)


if __name__ == "__main__":
    main()
