#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_losses.py [--recording FOLDER] [RECORD OPTION…] -- OPTIONS OF ros2-recorder: records a system in buffers too small for
it, so that LTTng discards events, and compares the executions in the report with what really happened.

Of the executions of which both the start and the end are in the trace, hardly any may be left out; one that did not
happen, because its start and its end are of two executions, must be marked as doubtful.
"""

import argparse
import bisect
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from test_recording import HERE, Recording, report

LEFT_OUT_MAX = 0.02
PERIODS_MIN = 20  # of a timer, below which their mean says nothing
NOT_POSSIBLE = 77


class Moments:
    """The times of one kind of event, by thread and callback, and what each belongs to."""

    def __init__(self):
        self.rows = defaultdict(list)

    def add(self, key, from_ns, to_ns, row):
        self.rows[key].append((from_ns, to_ns, row))

    def sort(self):
        for rows in self.rows.values():
            rows.sort(key=lambda row: row[0])

    def find(self, key, time_ns):
        """The row whose event it is. Brackets of one key do not overlap."""
        rows = self.rows.get(key, [])
        place = bisect.bisect_right(rows, time_ns, key=lambda row: row[0]) - 1
        return rows[place][2] if place >= 0 and rows[place][0] <= time_ns <= rows[place][1] else None


class Executions:
    """What happened, beside the rows of the report."""

    def __init__(self, recording):
        self.recording = recording
        self.callbacks = {row["callback_id"]: row for row in recording.table("callbacks")}
        # of a subscription whose definition was lost, the take is all that is known: no execution that a program logs
        self.rows = [row for row in recording.table("callback_instances")
                     if self.callbacks[row["callback_id"]]["kind"] != "inferred"]
        self.truth = recording.truth("callbacks")
        self.starts, self.ends = Moments(), Moments()
        for number, row in enumerate(self.truth):
            key = row["vpid"], row["vtid"], row["callback"]
            self.starts.add(key, int(row["start_from_ns"]), int(row["start_to_ns"]), number)
            self.ends.add(key, int(row["end_from_ns"]), int(row["end_to_ns"]), number)
        self.starts.sort()
        self.ends.sort()

    def halves(self, row):
        """The numbers of the executions that a row's start and end are of; None: no such event happened."""
        callback = self.callbacks[row["callback_id"]]
        key = callback["vpid"], row["vtid"], callback["callback"]
        return tuple(moments.find(key, self.recording.monotonic_ns(row[column])) if row[column] else ""
                     for moments, column in ((self.starts, "start_ns"), (self.ends, "end_ns")))

    def recorded_starts(self):
        return {self.halves(row)[0] for row in self.rows} - {"", None}

    def count(self):
        counts = defaultdict(int)
        started, ended, found = set(), set(), set()
        for row in self.rows:
            start, end = self.halves(row)
            started.add(start)
            ended.add(end)
            mark = "doubtful" if row["doubtful"] == "1" else "certain"
            if start is None or end is None:
                counts["unknown"] += 1
            elif start == "" or end == "":
                counts["incomplete"] += 1
            elif start == end:
                found.add(start)
                counts["right", mark] += 1
            else:
                counts["wrong", mark] += 1
        recorded = (started & ended) - {"", None}
        counts["recorded"] = len(recorded)
        counts["left out"] = len(recorded - found)
        return counts


def compare_periods(executions):
    """For each callback: its row, the number and mean of its periods in the report, and those of the truth of which both
    starts are in the trace."""
    recorded = executions.recorded_starts()
    starts = defaultdict(list)
    for number, row in enumerate(executions.truth):
        starts[row["vpid"], row["callback"]].append((int(row["start_from_ns"]), number))
    for row in executions.callbacks.values():
        times = sorted(starts.get((row["vpid"], row["callback"]), []))
        periods = [second - first for (first, here), (second, there) in zip(times, times[1:]) if {here, there} <= recorded]
        if len(periods) >= PERIODS_MIN and row["period_mean_ns"]:
            mean_ns = float(row["period_mean_ns"])
            yield row, round(int(row["period_sum_ns"]) / mean_ns), mean_ns, len(periods), sum(periods) / len(periods)


def check(recording):
    executions = Executions(recording)
    counts = executions.count()
    print(f"{len(executions.truth)} executions happened, start and end of {counts['recorded']} are in the trace: left out "
          f"{counts['left out']}")
    for verdict in ("right", "wrong"):
        print(f"{verdict}: {counts[verdict, 'certain']} certain, {counts[verdict, 'doubtful']} doubtful")
    print(f"{counts['incomplete']} incomplete, {counts['unknown']} of no known event")
    for row, found, mean_ns, expected, expected_ns in compare_periods(executions):
        print(f"period of {row['node']} {row['source']}: {mean_ns:.0f} ({found}), in truth {expected_ns:.0f} ({expected})")
    problems = []
    if counts["unknown"]:
        problems.append("rows of events that did not happen")
    if counts["wrong", "certain"]:
        problems.append("wrong executions without a mark")
    if counts["left out"] > LEFT_OUT_MAX * counts["recorded"]:
        problems.append("executions left out")
    if not any("discarded" in row["what"] for row in recording.table("diagnostics")):
        problems.append("nothing was discarded: the test says nothing")
    return problems


def record(options, output):
    command = [sys.executable, HERE / "record", "--output", output, "--truth", "--may-discard", *options]
    result = subprocess.run(command, check=False)
    if result.returncode != 0:
        sys.exit(result.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recording", type=Path, help="one made before")
    arguments, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="ros2bt-losses-") as folder:
        output = arguments.recording or Path(folder) / "recording"
        if not arguments.recording:
            record(options, output)
        report(output)
        problems = check(Recording(output))
    sys.exit(", ".join(problems) if problems else 0)


if __name__ == "__main__":
    main()
