#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py COMMAND PLAIN_COMMAND PROJECT: the command with the examples of docs/adding.md has the table of the analysis, in
every format, which holds what the trace holds; all else is that of the command without it. And it has the subcommand, which
prints what a report does."""
import collections
import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402
from latency import output as run  # noqa: E402


def events_of(trace):
    """The times of the rcl_publish of each topic, in the order of the trace, by babeltrace2: what the example says that it
    counts. Without those before the definition of their publisher."""
    topics, found = {}, collections.defaultdict(list)
    for line in run("babeltrace2", "--clock-seconds", trace).splitlines():
        if " ros2:rcl_publisher_init: " in line or " ros2:rcl_publish: " in line:
            process = re.search(r"vpid = (\d+)", line)
            key = process and process[1], re.search(r" publisher_handle = (\w+)", line)[1]
            topic = re.search(r'topic_name = "(.*?)"', line)
            if topic:
                topics[key] = topic[1]
            elif key in topics:
                seconds, nanoseconds = re.match(r"\[(\d+)\.(\d{9})\]", line).groups()
                found[topics[key]].append(int(seconds) * 10**9 + int(nanoseconds))
    return found


def rows_of(command, trace):
    """The table of the example, which has all publications of each topic."""
    rows = latency.table_of(command, trace, "topic_rates")
    events = events_of(trace)
    counts = {topic: len(times) for topic, times in events.items()}
    assert events and {row["topic"]: int(row["count"]) for row in rows} == counts, (trace, counts, rows)
    for row in rows:
        times = events[row["topic"]]
        periods = [later - earlier for earlier, later in zip(times, times[1:])]
        if periods:
            assert [int(row["period_min_ns"]), int(row["period_max_ns"])] == [min(periods), max(periods)], (trace, row)
            assert abs(float(row["period_mean_ns"]) - sum(periods) / len(periods)) < 1, (trace, row)
            assert abs(float(row["rate_hz"]) * sum(periods) / len(periods) / 1e9 - 1) < 1e-3, (trace, row)
    return rows


def check_other_tables(command, plain, trace):
    """The table is part of a report for programs only, and changes nothing else there."""
    expected, found = (json.loads(run(program, "--format=json", trace)) for program in (plain, command))
    assert found.pop("topic_rates"), "the JSON report has no table of the example"
    assert list(found.items()) == list(expected.items()), (list(found), list(expected))
    assert run(command, trace) == run(plain, trace), "the text report changed"


def main():
    command, plain, project = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    trace = project / "tests/data/jazzy/pubsub/trace"
    page = (project / "docs/adding.md").read_text(encoding="utf-8")
    assert "topic_rates" in run(command, "--help")
    rows = rows_of(command, trace)
    in_json = json.loads(run(command, "--table=topic_rates", "--format=json", trace))["topic_rates"]
    assert [str(row["count"]) for row in in_json] == [row["count"] for row in rows]
    shown = run(command, "--table=topic_rates", trace).partition("\n\n")[2].strip("\n")
    assert shown in page, f"docs/adding.md does not show:\n{shown}"
    # topics of several publishers, whose messages interleave; and no process ids
    for name in "lifecycle", "services", "edge-nocontext":
        rows_of(command, project / f"tests/data/jazzy/{name}/trace")
    chosen = run(command, "--table=topic_rates", "--format=csv", "--topic=/chatter", trace)
    assert [row["topic"] for row in latency.rows_of(chosen)] == ["/chatter"], chosen
    check_other_tables(command, plain, trace)
    # the subcommand
    assert "  span\n" in run(command, "--help")
    assert "--begin=TIME" in run(command, "span", "--help")
    printed = run(command, "span", trace)
    assert printed in page, f"docs/adding.md does not show:\n{printed}"
    refused = latency.run(command, "span")
    assert refused.returncode == 2 and "Try 'ros2-latency span --help'." in refused.stderr, refused


main()
