#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Spark job over 200 recordings on a cluster of two executors, one of which is killed in the middle: tables equal to those of
`ros2-latency merge`, five rows for the recordings that are broken, and a second run that does nothing.

usage: test_spark.py ROS2_LATENCY PROJECT
"""
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fleet

RECORDINGS = 200
KILLED_AFTER = 60
TIMEOUT_S = 1700
EXECUTOR = b"CoarseGrainedExecutorBackend"


def write_program(root):
    """ros2-latency that keeps a list of what it analyses."""
    program = root / "ros2-latency"
    program.write_text(f"#!/bin/sh\ncase $* in *--histograms*) echo x >>{root / 'analysed'}; esac\nexec {fleet.COMMAND} \"$@\"\n",
                       encoding="utf-8")
    program.chmod(0o755)
    return program


def analysed(root):
    return (root / "analysed").stat().st_size // 2 if (root / "analysed").exists() else 0


def children_of(parent):
    """All processes below a process, with their command lines."""
    parents, found = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                found[int(entry.name)] = (entry / "cmdline").read_bytes()
            except OSError:
                pass
    below = {parent}
    while True:
        more = {child for child, its_parent in parents.items() if its_parent in below} - below
        if not more:
            return {child: found[child] for child in below if child in found}
        below |= more


def submit(root, *options):
    spark = os.path.dirname(importlib.util.find_spec("pyspark").origin)
    environment = dict(os.environ, SPARK_HOME=spark, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    # The example of the page, on a cluster of two processes on this machine
    local = ("--master local-cluster[2,1,1024] --conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 "
             "--conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 --conf spark.log.level=WARN")
    script = fleet.example("spark").replace("spark-submit", f"{spark}/bin/spark-submit {local}")
    script = script.replace("$(command -v ros2-latency)", str(root / "ros2-latency")).rstrip() + " " + " ".join(options)
    with open(root / "log", "ab") as log:
        # in a session of its own, so that its processes can be ended together
        return subprocess.Popen(["bash", "-euc", script], cwd=root, env=environment, stdout=subprocess.PIPE, stderr=log, text=True,
                                start_new_session=True)


def wait(root, process):
    try:
        output, _ = process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode == 0, (root / "log").read_text(errors="replace")[-5000:]
    return output


def kill_one_executor(root, process):
    while analysed(root) < KILLED_AFTER:
        assert process.poll() is None, (root / "log").read_text(errors="replace")[-5000:]
        time.sleep(0.02)
    executors = [child for child, line in children_of(process.pid).items() if EXECUTOR in line and b"java" in line.split(b"\0")[0]]
    assert len(executors) == 2, executors
    before = analysed(root)
    os.kill(min(executors), signal.SIGKILL)
    return before


def rows(root, table):
    import pyarrow.parquet

    return pyarrow.parquet.read_table(root / "fleet-output/tables" / table).to_pylist()


def check_tables(root):
    series = fleet.found_series(rows(root, "series"))
    expected = fleet.expected_series(fleet.merge_one_by_one(root, RECORDINGS))
    assert series == expected, {key: (series.get(key), expected.get(key)) for key in {*series, *expected}
                                if series.get(key) != expected.get(key)}
    fleet.check_changes(rows(root, "changes"), series)
    listed = rows(root, "recordings")
    assert len(listed) == RECORDINGS and len({row["recording"] for row in listed}) == RECORDINGS
    problems = sorted(os.path.basename(row["recording"]) for row in listed if row["problem"])
    assert problems == ["cut.tar.gz", "empty", "garbage", "missing", "text.tar"], problems
    assert {row["status"] for row in listed if row["problem"]} == {"failed"}
    return len(series)


def state_of(folder):
    return {str(path): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


def check_partitions(root):
    run, = (path for path in (root / "fleet-output/rows").iterdir() if path.name.startswith("run="))
    assert {path.name for path in run.glob("day=*")} == {"day=2026-11-20", "day=2026-11-21"}
    assert {path.name for path in run.glob("day=*/version=*")} == {f"version={version}" for version in fleet.VERSIONS}


def main():
    if not importlib.util.find_spec("pyspark") or not importlib.util.find_spec("pyarrow"):
        fleet.skip("no Python modules pyspark and pyarrow; scripts/test-fleet installs them")
    if not shutil.which("java"):
        fleet.skip("no Java; scripts/test-fleet installs it")
    with tempfile.TemporaryDirectory(prefix="ros2bt-fleet-") as name:
        root = Path(name)
        fleet.make_fleet(root, RECORDINGS)
        write_program(root)
        os.symlink(fleet.FLEET, root / "fleet")
        process = submit(root)
        killed_at = kill_one_executor(root, process)
        output = wait(root, process)
        assert "200 of 200 recordings analysed, 0 were done" in output, output
        assert "Lost executor" in (root / "log").read_text(errors="replace")
        assert KILLED_AFTER <= killed_at < RECORDINGS - fleet.BROKEN, killed_at
        count = check_tables(root)
        check_partitions(root)
        state, runs = state_of(root / "fleet-output"), analysed(root)
        output = wait(root, submit(root))
        assert "0 of 200 recordings analysed, 200 were done" in output and "tables made" not in output, output
        assert state_of(root / "fleet-output") == state and analysed(root) == runs
        print(f"{RECORDINGS} recordings, an executor killed after {killed_at}, {count} series equal to those of ros2-latency merge, "
              f"{runs} analyses, none in the second run")


if __name__ == "__main__":
    main()
