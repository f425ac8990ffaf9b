#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_periods.py COMMAND PLUGINS RECORDING PERIOD: the reports that --period and --windows write.

The last one is the report without periods. Each one before it says what a report of the recording cut there says, but for
what is under way there: nothing counts more often, and nothing is lost that is not lost in the cut recording. All windows add
up to the whole. Where files cannot be written, reading goes on, and the command fails at the end.
"""
import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
from datetime import datetime, timezone

COUNTS = ("count", "received", "lost", "published", "overwritten", "sent", "taken", "calls", "executions")
# rows of these tables are found again by these columns
KEYS = {"callbacks": ("hostname", "vpid", "callback"), "paths": ("path",),
        "communications": ("topic", "publisher_node", "publisher_vpid", "subscription_node", "subscription_vpid", "kind"),
        "timers": ("hostname", "vpid", "node", "period_ns", "symbol")}


def objects(text):
    decoder, found = json.JSONDecoder(), []
    text = text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].lstrip()
    return found


def time_of(report):
    """The end of its period in ns."""
    detail, = [row["detail"] for row in report["diagnostics"] if row["what"] == "under way"]
    seconds, fraction = re.match(r"as of (\S+ \S+) UTC", detail).group(1).split(".")
    moment = datetime.strptime(seconds, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
    return int(moment.timestamp()) * 10**9 + int(fraction)


def cut_report(plugins, recording, end_ns):
    trimmer = ["-c", "filter.utils.trimmer", "-p", f'end="{end_ns // 10**9}.{end_ns % 10**9:09d}"']
    result = subprocess.run(["babeltrace2", f"--plugin-path={plugins}", recording, *trimmer, "-c", "sink.ros2.latency",
                             "-p", 'format="json"'], check=True, capture_output=True, text=True)
    return json.loads(result.stdout)


def rows_by_key(report, table, columns):
    found = {}
    for row in report[table]:
        key = tuple(row.get(column) for column in columns)
        totals = found.setdefault(key, {})
        for name in COUNTS:
            totals[name] = totals.get(name, 0) + (row.get(name) or 0)
    return found


def compare(report, cut, problems):
    compared = 0
    for table, columns in KEYS.items():
        expected = rows_by_key(cut, table, columns)
        for key, counts in rows_by_key(report, table, columns).items():
            if key not in expected:
                problems.append(f"{table}: {key} is not in the report of the cut recording")
                continue
            for name, count in counts.items():
                compared += count > 0
                if count > expected[key][name]:
                    problems.append(f"{table}: {key}: {name} is {count}, cut there {expected[key][name]}")
    for row in report["communications"]:
        if row["unknown"] + row["received"] + (row["lost"] or 0) + row["overwritten"] != row["published"]:
            problems.append(f"communications: {row['topic']}: {row['published']} published are not the sum")
    return compared


def check_windows(arguments, period, wholes, problems):
    """Each report is preceded by that of its window, and the windows add up to the last one."""
    text = subprocess.run([*arguments, f"--period={period}", "--windows"], check=True, capture_output=True, text=True).stdout
    reports = objects(text)
    windows = reports[::2]
    if reports[1::2] != wholes:
        problems.append("with windows, the reports of the whole are others")
    ends = [window["trace"]["end_ns"] for window in windows]
    if any(window["trace"]["end_ns"] - window["trace"]["begin_ns"] != window["trace"]["window_ns"] for window in windows) or \
            [window["trace"]["begin_ns"] for window in windows[1:]] != ends[:-1]:
        problems.append("the windows do not follow one another")
    for table, columns in KEYS.items():
        added = {}
        for window in windows:
            for key, counts in rows_by_key(window, table, columns).items():
                totals = added.setdefault(key, {})
                for name, count in counts.items():
                    totals[name] = totals.get(name, 0) + count
        for key, counts in rows_by_key(wholes[-1], table, columns).items():
            if added.get(key) != counts:
                problems.append(f"{table}: {key}: {counts}, windows: {added.get(key)}")


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def check_errors(arguments, period, problems):
    with tempfile.TemporaryDirectory(prefix="ros2bt-periods-") as folder:
        result = subprocess.run([*arguments, f"--period={period}", "--windows", f"--output={folder}/report"], capture_output=True,
                                text=True, preexec_fn=small_files, restore_signals=False)
    told = [line for line in result.stderr.splitlines() if "cannot write" in line]
    # those of windows and of the whole are different files; the last one ends the command
    if result.returncode != 1 or len(told) != 3 or not all("reading goes on" in line for line in told[:-1]) or \
            "reading goes on" in told[-1]:
        problems.append(f"files that cannot be written: {result}")


def check_text(arguments, period, problems):
    """A text of periods ends as the one without, and has windows, which need more of a series than a narrow text shows."""
    run = {"capture_output": True, "text": True}
    whole = subprocess.run(arguments, check=True, **run).stdout
    periods = subprocess.run([*arguments, f"--period={period}", "--windows"], check=False, **run)
    if periods.returncode != 0 or not periods.stdout.endswith(whole):
        problems.append(f"the text with windows does not end as that without: exit status {periods.returncode}")


def main():
    command, plugins, recording, period = sys.argv[1:]
    arguments = [command, "--format=json", recording]
    whole = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    text = subprocess.run([*arguments, f"--period={period}"], check=True, capture_output=True, text=True).stdout
    problems = []
    if not text.endswith(whole):
        problems.append("the last report is not that without periods")
    reports = objects(text)[:-1]
    times = [time_of(report) for report in reports]
    if len(reports) < 3 or times != sorted(set(times)):
        problems.append(f"{len(reports)} reports of periods, as of {times}")
    compared = sum(compare(report, cut_report(plugins, recording, time_ns - 1), problems)
                   for report, time_ns in zip(reports, times))
    if compared == 0:
        problems.append("nothing was compared")
    check_windows(arguments, period, [*reports, json.loads(whole)], problems)
    check_errors(arguments, period, problems)
    check_text([command, recording], period, problems)
    if any(report["trace"]["is_complete"] or "lag_ns" in report["trace"] for report in reports):
        problems.append("a report of a period is complete, or has a lag though nobody waited for the recording")
    print("\n".join(problems[:20]))
    print(f"{len(reports)} reports, {compared} counts compared, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
