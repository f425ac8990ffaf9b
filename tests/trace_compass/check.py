#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what Trace Compass would count in a trace with what it did count there.

    check.py EXPECTED.csv ROW TRACE

EXPECTED.csv has the columns of replay.COLUMNS; an empty cell is not compared.
"""

import csv
import sys

from replay import COLUMNS, replay
from trace import read_events


def is_met(expected, counted):
    return not expected or counted == int(expected)


def compare(row, counts, complaints):
    """Prints all counts, and what was expected where it differs; the exit status."""
    different = [column for column in COLUMNS if not is_met(row[column], counts[column])]
    for column in COLUMNS:
        print(f"{column:24} {counts[column]:8}" + (f"   expected {row[column]}" if column in different else ""))
    for text, number in sorted((complaints.errors + complaints.warnings).items()):
        print(f"  {number} x {text}")
    return 1 if different else 0


def main():
    expectations, name, path = sys.argv[1:]
    with open(expectations, newline="") as lines:
        row = next(row for row in csv.DictReader(lines) if row["trace"] == name)
    return compare(row, *replay(read_events(path)))


if __name__ == "__main__":
    sys.exit(main())
