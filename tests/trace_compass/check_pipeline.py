#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what Trace Compass would count in a trace prepared for it with what it did count in traces prepared by hand.

    check_pipeline.py PLUGINS EXPECTED.csv ROW TRACE

PLUGINS is the folder of the plugin. The pipeline is the one of docs/filter.ros2.normalize.md.
"""

import csv
import os
import subprocess
import sys
import tempfile

from check import compare
from replay import replay
from trace import read_events


def prepare(plugins, trace, parameters, output):
    # CTF 1.8 is what Trace Compass reads; babeltrace2 before 2.1 writes nothing else and does not know the parameter
    help_text = subprocess.run(["babeltrace2", "help", "sink.ctf.fs"], capture_output=True, text=True, check=True).stdout
    version = ',ctf-version="1.8"' if "ctf-version" in help_text else ""
    subprocess.run(["babeltrace2", "--plugin-path", plugins, trace,
                    "--component", "filter.ros2.dedup", "--component", "filter.ros2.init-timestamp",
                    "--component", "filter.ros2.normalize",
                    "--params", ",".join(["drop-empty-takes=yes", "drop-rosout=yes", "complete=yes"] + parameters),
                    "--component", "sink.ctf.fs", "--params", f'path="{output}",quiet=yes{version}'], check=True)


def main():
    plugins, expectations, name, trace = sys.argv[1:]
    with open(expectations, newline="") as lines:
        row = next(row for row in csv.DictReader(lines) if row["trace"] == name)
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "trace")
        prepare(plugins, trace, row["parameters"].split(), output)
        counts, complaints = replay(read_events(output))
    return compare(row, counts, complaints)


if __name__ == "__main__":
    sys.exit(main())
