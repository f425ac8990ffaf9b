#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports of a trace are the same before and after it is normalized, whoever reads the normalized one.

    check_reports.py PLUGINS COMMAND TRACE       (COMMAND: the program ros2-latency)
"""

import os
import subprocess
import sys
import tempfile

TABLES = ("callbacks.csv", "communications.csv", "paths.csv", "diagnostics.csv",
          "callback_instances.csv", "communication_instances.csv", "path_instances.csv")
FILTERS = ["--component", "filter.ros2.dedup", "--component", "filter.ros2.init-timestamp"]


def babeltrace2(plugins, *arguments):
    subprocess.run(["babeltrace2", "--plugin-path", plugins, *arguments], check=True)


def report(plugins, trace, filters, output):
    babeltrace2(plugins, trace, *filters, "--component", "sink.ros2.latency",
                "--params", f'format=csv,instances=yes,output="{output}"')


def rows(folder, table):
    with open(os.path.join(folder, table), encoding="utf-8") as lines:
        return list(lines)


def main():
    plugins, command, trace = sys.argv[1:]
    different = []
    with tempfile.TemporaryDirectory() as folder:
        before, behind, read, written = (os.path.join(folder, name) for name in ("before", "behind", "read", "trace"))
        normalize = FILTERS + ["--component", "filter.ros2.normalize"]
        report(plugins, trace, FILTERS, before)
        report(plugins, trace, normalize, behind)
        babeltrace2(plugins, trace, *normalize, "--component", "sink.ctf.fs", "--params", f'path="{written}",quiet=yes')
        subprocess.run([command, "--format=csv", "--instances", f"--output={read}", written], check=True)
        for what, folder_of_it in (("behind the filter", behind), ("of the written trace", read)):
            for table in TABLES:
                if rows(before, table) != rows(folder_of_it, table):
                    different.append(f"{table} {what}")
    for one in different:
        print(f"different: {one}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
