#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_systems.py ROS2_LATENCY

The systems that scripts/bench measures on are what they should be, read by both readers: as many events as promised, all
messages linked, the same report packed and naturally aligned, with few events no take, and with the kernel's events the state
of each execution known.
"""
import csv
import io
import subprocess
import sys
import tempfile
from pathlib import Path

from recordings import count_events

FOLDER = Path(__file__).resolve().parent
LATENCY = sys.argv[1]


def make(folder, name, *options):
    words = [sys.executable, "-B", FOLDER / "system.py", folder / name, "6000", "--nodes=40", "--processes=4", *options]
    count = int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    counted = count_events(folder / name)
    assert counted == [count, 0], f"{name}: {counted} instead of {count}"
    return folder / name, count


def report(trace, table, reader="fast"):
    text = subprocess.run([LATENCY, f"--reader={reader}", "--format=csv", f"--table={table}", trace], check=True,
                          capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows, f"{trace}: {table} is empty"
    return rows


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        packed, count = make(folder, "packed")
        natural, _ = make(folder, "natural", "--natural")
        kernel, all_count = make(folder, "kernel", "--kernel")
        messages = report(packed, "communications")
        assert sum(int(row["received"]) for row in messages) > 100
        assert not sum(int(row["lost"]) for row in messages), "a message is lost"
        for table in ("communications", "paths"):
            assert report(packed, table) == report(natural, table) == report(packed, table, "babeltrace2"), table
        few, _ = make(folder, "few", "--few")
        messages = report(few, "communications")
        assert messages == report(few, "communications", "babeltrace2"), "the readers differ"
        assert sum(int(row["received"]) for row in messages) > 100, "no message is received"
        assert not any(row["transport_mean_ns"] for row in messages), "a message is taken"
        assert all_count > 5 * count, f"{all_count} events, {count} without those of the kernel"
        states = report(kernel, "scheduling")
        assert states == report(kernel, "scheduling", "babeltrace2"), "the readers differ"
        unknown = [row for row in states if float(row["unknown_ns"] or 0) > 0]
        assert not unknown, f"unknown states: {unknown[0]}"


if __name__ == "__main__":
    main()
