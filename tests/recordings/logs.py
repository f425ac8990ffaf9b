# SPDX-License-Identifier: MIT
"""What the recorded programs logged of services, actions and lifecycle nodes (ground-truth/*.csv beside a trace)."""

import csv
import glob
import os
import re


class Line:
    """A row of a log, with its pairs `key=value` as attributes of `extra`; times of the trace's clock."""

    def __init__(self, vpid, row, offset_ns):
        self.vpid = vpid
        self.kind = row["kind"]
        self.vtid = row["tid"]
        self.node = row["node"]
        self.name = row["name"]
        self.sequence = int(row["seq"])
        self.start_ns = int(row["t_start_ns"]) + offset_ns
        self.end_ns = int(row["t_end_ns"]) + offset_ns
        self.extra = dict(pair.split("=", 1) for pair in (row["extra"] or "").split(";") if "=" in pair)

    def __str__(self):
        return "%s %s %d of %s (vpid %d) at %d" % (
            self.kind, self.name, self.sequence, self.node, self.vpid, self.start_ns)


def read(recording, offset_ns):
    """All lines, in order of their start."""
    lines = []
    for path in sorted(glob.glob(os.path.join(recording, "ground-truth", "*.csv"))):
        with open(path, encoding="utf-8") as file:
            vpid = int(re.search(r"pid=(\d+)", file.readline()).group(1))
            lines += [Line(vpid, row, offset_ns) for row in csv.DictReader(file)]
    return sorted(lines, key=lambda line: line.start_ns)


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0
