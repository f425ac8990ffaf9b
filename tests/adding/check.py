#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py COMMAND PLAIN_COMMAND PROJECT: the command with the examples of docs/adding.md has the table of the analysis, in
every format, which holds what the trace holds; all else is that of the command without it. And it has the subcommand, which
prints what a report does."""
import csv
import io
import json
import pathlib
import subprocess
import sys


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def rows_of(command, trace):
    """The table of the example; babeltrace2 counts the same events."""
    rows = list(csv.DictReader(io.StringIO(run(command, "--table=publications", "--format=csv", trace))))
    events = sum(" ros2:rcl_publish: " in line for line in run("babeltrace2", trace).splitlines())
    assert events > 0 and sum(int(row["count"]) for row in rows) == events, (trace, events, rows)
    return rows


def check_other_tables(command, plain, trace):
    """The table is part of a report for programs only, and changes nothing else there."""
    expected, found = (json.loads(run(program, "--format=json", trace)) for program in (plain, command))
    assert found.pop("publications"), "the JSON report has no table of the example"
    assert list(found.items()) == list(expected.items()), (list(found), list(expected))
    assert run(command, trace) == run(plain, trace), "the text report changed"


def main():
    command, plain, project = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    trace = project / "tests/data/jazzy/pubsub/trace"
    page = (project / "docs/adding.md").read_text(encoding="utf-8")
    assert "publications" in run(command, "--help")
    rows = rows_of(command, trace)
    in_json = json.loads(run(command, "--table=publications", "--format=json", trace))["publications"]
    assert [str(row["count"]) for row in in_json] == [row["count"] for row in rows]
    for row in rows:
        assert int(row["period_min_ns"]) <= float(row["period_mean_ns"]) <= int(row["period_max_ns"]), row
    shown = run(command, "--table=publications", trace).partition("\n")[2].strip("\n")
    assert shown in page, f"docs/adding.md does not show:\n{shown}"
    for row in rows_of(command, project / "tests/data/jazzy/edge-nocontext/trace"):
        assert row["vpid"] == "" and row["vtid"] == "", f"the trace does not record these ids: {row}"
    check_other_tables(command, plain, trace)
    # the subcommand
    assert "  span\n" in run(command, "--help")
    assert "--begin=TIME" in run(command, "span", "--help")
    printed = run(command, "span", trace)
    assert printed in page, f"docs/adding.md does not show:\n{printed}"
    refused = subprocess.run([command, "span"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "Try 'ros2-latency span --help'." in refused.stderr, refused


main()
