#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Of CSV on standard input only the named columns, where the first of them is not empty or "0"."""

import csv
import sys

writer = csv.writer(sys.stdout, lineterminator="\n")
for index, row in enumerate(csv.DictReader(sys.stdin)):
    if index == 0:
        writer.writerow(sys.argv[1:])
    cells = [row[name] for name in sys.argv[1:]]
    if cells[0] not in ("", "0"):
        writer.writerow(cells)
