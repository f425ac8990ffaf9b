#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table `pages` against the events as babeltrace2 prints them, and against what others computed.

usage: check_pages.py PLUGINS RECORDING ROS2_LATENCY

RECORDING is such a folder as .tar.xz. Beside it, expected/NAME.kmem.txt may hold the figures of programs, which must be equal.
"""

import collections
import re
import sys
from pathlib import Path

import report

EVENT = re.compile(r" kmem_mm_page_(alloc|free): \{.*?\}, \{.*? vpid = (\d+), .*?\}, \{ page = (0x\w+), .*?order = (\d+)")
EXPECTED = re.compile(r"^(\w+) allocations (\d+),? (\d+) bytes; frees (\d+), (\d+) bytes; peak of the balance (\d+)$", re.M)
COLUMNS = ("allocations", "allocated_bytes", "frees", "freed_bytes", "peak_balance_bytes")


def recount(folder):
    """vpid → the counts of its printed events."""
    text = report.output("babeltrace2", folder)
    counts = collections.defaultdict(collections.Counter)
    for which, vpid, page, order in EVENT.findall(text):
        of, size = counts[vpid], 4096 << int(order)
        if which == "free":
            of.update(frees=1, freed_bytes=size)
        elif int(page, 16):
            of.update(allocations=1, allocated_bytes=size)
            of["peak_balance_bytes"] = max(of["peak_balance_bytes"], of["allocated_bytes"] - of["freed_bytes"])
    return {vpid: tuple(of[column] for column in COLUMNS) for vpid, of in counts.items()}


def by_process(rows):
    return {row["vpid"]: row for row in rows}


def main():
    plugins, recording, command = sys.argv[1:]
    recording, complaints = Path(recording), []
    name = recording.name.split(".")[0]
    with report.unpacked(recording) as folder:
        trace = folder / "trace"
        rows = by_process(report.table_of(command, folder, "pages", "--reader=fast"))
        other = by_process(report.run(plugins, folder, parameters=['tables=["pages"]']).rows("pages"))
        counts = recount(trace)
    if rows != other:
        complaints.append("the two readers differ")
    ours = {vpid: tuple(int(row[column]) for column in COLUMNS) for vpid, row in rows.items()}
    if ours != counts:
        complaints.append(f"{ours}, not {counts}")
    if any(int(row["balance_bytes"]) != int(row["allocated_bytes"]) - int(row["freed_bytes"]) for row in rows.values()):
        complaints.append("a balance is not what was allocated less what was freed")
    expected = recording.parent / "expected" / (name + ".kmem.txt")
    figures = [tuple(map(int, row[1:])) for row in EXPECTED.findall(expected.read_text())] if expected.exists() else []
    if sorted(figures) != sorted(ours.values()) and figures:
        complaints.append(f"{sorted(ours.values())}, others have {sorted(figures)}")
    print(f"{len(rows)} processes, {len(figures)} of them as others have them")
    sys.exit("\n".join(complaints) if complaints or not rows else 0)


main()
