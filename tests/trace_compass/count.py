#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what Trace Compass would show of a trace, and why not more.

    count.py TRACE...
"""

import sys

from replay import COLUMNS, AnalysisFailed, replay
from trace import read_events


def main():
    for path in sys.argv[1:]:
        print(path)
        try:
            counts, complaints = replay(read_events(path))
        except AnalysisFailed as failure:
            print(f"  FAILED: {failure}")
            continue
        for column in COLUMNS:
            print(f"  {counts[column]:8} {column}")
        for text, number in sorted(complaints.errors.items()):
            print(f"  {number:8} error: {text}")
        for text, number in sorted(complaints.warnings.items()):
            print(f"  {number:8} warning: {text}")


if __name__ == "__main__":
    main()
