#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The example of docs/fleet.md for one machine: GNU parallel and DuckDB come to what `ros2-latency merge` does.

usage: test_lab.py ROS2_LATENCY PROJECT
"""
import importlib.util
import shutil
import tempfile
from pathlib import Path

import fleet

RECORDINGS = 60


def rows(root, table):
    import duckdb

    found = duckdb.sql(f"SELECT * FROM '{root / 'tables' / table}.parquet'")
    return [dict(zip(found.columns, row)) for row in found.fetchall()]


def check_worst_robots(root):
    """A robot whose path is ten times as slow, among others that are alike."""
    import duckdb
    import tables

    database = duckdb.connect()
    database.execute("CREATE TABLE rows (recording VARCHAR, robot VARCHAR, kind VARCHAR, tab VARCHAR, series VARCHAR, statistic VARCHAR, "
                     "low_ns BIGINT, high_ns BIGINT, n BIGINT, sum_ns BIGINT, min_ns BIGINT, max_ns BIGINT, problem VARCHAR)")
    for index in range(8):
        low, high = (10240, 10496) if index == 3 else (1024, 1056)
        for kind, cells in ("bucket", f"{low}, {high}, 20, NULL, NULL, NULL"), ("totals", f"NULL, NULL, 20, {low * 20}, {low}, {low}"):
            database.execute(f"INSERT INTO rows VALUES ('r{index}', 'robot-{index}', '{kind}', 'paths', '/a > /b', 'latency', {cells}, NULL)")
    database.execute(f"CREATE TABLE by_robot AS {tables.series_by(['robot'])}")
    found = database.execute(tables.worst_robots("by_robot", [], "robot")).fetchall()
    assert [(row[3], row[6], row[7], row[9]) for row in found] == [("robot-3", 10240, 1024, 8)], found


def main():
    if not importlib.util.find_spec("duckdb"):
        fleet.skip("no Python module duckdb; scripts/test-fleet installs it")
    if not shutil.which("parallel"):
        fleet.skip("no GNU parallel; scripts/test-fleet installs it")
    with tempfile.TemporaryDirectory(prefix="ros2bt-fleet-") as name:
        root = Path(name)
        fleet.make_fleet(root, RECORDINGS)
        fleet.run_example("lab", root)
        series = fleet.found_series(rows(root, "series"))
        expected = fleet.expected_series(fleet.merge_one_by_one(root, RECORDINGS))
        assert series == expected, {key: (series.get(key), expected.get(key)) for key in {*series, *expected}
                                    if series.get(key) != expected.get(key)}
        fleet.check_changes(rows(root, "changes"), series)
        problems = [row for row in rows(root, "recordings") if row["problem"]]
        assert len(problems) == fleet.BROKEN and len(rows(root, "recordings")) == RECORDINGS
        check_worst_robots(root)
        print(f"{RECORDINGS} recordings, {len(series)} series equal to those of ros2-latency merge, {len(problems)} broken")


if __name__ == "__main__":
    main()
