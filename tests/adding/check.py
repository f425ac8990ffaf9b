#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py COMMAND PROJECT: the command with the examples of docs/adding.md has the table of the analysis, in every format,
which holds what the trace holds; and the subcommand, which prints what a report does."""
import csv
import io
import json
import pathlib
import subprocess
import sys


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def main():
    command, project = sys.argv[1], pathlib.Path(sys.argv[2])
    trace = project / "tests/data/jazzy/pubsub/trace"
    page = (project / "docs/adding.md").read_text(encoding="utf-8")
    assert "publications" in run(command, "--help")
    text = run(command, "--table=publications", "--format=csv", trace)
    rows = list(csv.DictReader(io.StringIO(text)))
    in_json = json.loads(run(command, "--table=publications", "--format=json", trace))["publications"]
    assert [str(row["count"]) for row in in_json] == [row["count"] for row in rows]
    # babeltrace2 counts the same
    events = sum(" ros2:rcl_publish: " in line for line in run("babeltrace2", trace).splitlines())
    assert events > 0 and sum(int(row["count"]) for row in rows) == events, (events, rows)
    for row in rows:
        assert int(row["period_min_ns"]) <= float(row["period_mean_ns"]) <= int(row["period_max_ns"]), row
    shown = run(command, "--table=publications", trace).partition("\n")[2].strip("\n")
    assert shown in page, f"docs/adding.md does not show:\n{shown}"
    # the other tables are as they were
    both = json.loads(run(command, "--format=json", trace))
    assert list(both)[2:7] == ["callbacks", "communications", "paths", "publications", "diagnostics"], list(both)
    # the subcommand
    assert "  span\n" in run(command, "--help")
    assert "--begin=TIME" in run(command, "span", "--help")
    printed = run(command, "span", trace)
    assert printed in page, f"docs/adding.md does not show:\n{printed}"
    refused = subprocess.run([command, "span"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "Try 'ros2-latency span --help'." in refused.stderr, refused


main()
