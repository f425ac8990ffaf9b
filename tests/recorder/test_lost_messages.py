#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_lost_messages.py [--recording FOLDER] [RECORD OPTION…] -- OPTIONS OF ros2-recorder: records a system that loses
messages, and in which a process is killed, begins late, or is not recorded for a while, and compares `lost` with the gaps in
the numbers that each subscription received.

Lost is what lies between the first and the last message received, no more and no less; while tracing was off that is not known,
so that a message on its way then may be lost or unknown. Where no stamps are recorded, a take of a message published while tracing
was off may be of any earlier one that was not taken, so none before it is certainly lost.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from test_recording import HERE, Problems, Recording, compare_callbacks, report


OUT_OF_ORDER_NS = 100_000_000  # a message that is taken so much later than the next one is not lost yet


def key_of(row):
    return row["topic"], row["node"], row["kind"]


class Pair:
    """What happened between a publisher and a subscription. Each topic has one publisher."""

    def __init__(self):
        self.received = {}  # number → row
        self.published = {}

    def between(self):
        """The numbers between the first and the last received that were not."""
        first, last = min(self.received), max(self.received)
        return {number for number in self.published if first < number < last and number not in self.received}

    def next_received(self, number):
        return self.received[min(other for other in self.received if other > number)]


class Truth:
    def __init__(self, recording):
        self.recording = recording
        self.pauses_ns = json.loads((recording.output / "record.json").read_text())["pauses_ns"]
        self.publications = defaultdict(dict)
        for row in recording.truth("publications"):
            self.publications[row["topic"], row["kind"]][int(row["number"])] = row
        self.pairs = defaultdict(Pair)
        for row in recording.truth("receptions"):
            pair = self.pairs[key_of(row)]
            pair.received[int(row["number"])] = row
            pair.published = self.publications[row["topic"], row["kind"]]

    def breaks_of(self, vpid):
        """From the last callback of a process before each pause to its first one after it: that is what the trace shows."""
        callbacks = [row for row in self.recording.truth("callbacks") if row["vpid"] == vpid]
        for begin, end in self.pauses_ns:
            yield (max((int(row["end_from_ns"]) for row in callbacks if int(row["end_to_ns"]) < begin), default=begin),
                   min((int(row["start_to_ns"]) for row in callbacks if int(row["start_from_ns"]) > end), default=end))

    def is_paused_between(self, vpid, from_ns, to_ns):
        return any(int(from_ns) <= end and begin <= int(to_ns) + OUT_OF_ORDER_NS for begin, end in self.breaks_of(vpid))

    def lost(self, pair, kind):
        """The numbers that are certainly lost, and those that may be: a pause hides when the next one was taken, and a full
        ring buffer shows what it loses before the first one is taken."""
        between = pair.between()
        certain = {number for number in between
                   if not self.is_paused_between(pair.next_received(number)["vpid"],
                                                 pair.published[number]["publish_from_ns"],
                                                 pair.next_received(number)["start_to_ns"])}
        return certain, between if kind == "inter_process" else set(pair.published) - set(pair.received)

    def number_of(self, instance, topic, kind):
        """The number of the publication that a row of the report is about; None: no such publication happened."""
        found = [number for number, row in self.publications[topic, kind].items()
                 if self.recording.is_within(instance["publish_ns"], row, "publish")]
        return found[0] if len(found) == 1 else None


def rows_by_pair(recording):
    """The rows of instances, by what they are about and by their outcome."""
    owners = {row["communication_id"]: row for row in recording.table("communications")}
    found = defaultdict(lambda: defaultdict(list))
    for row in recording.table("communication_instances"):
        owner = owners[row["communication_id"]]
        found[owner["topic"], owner["subscription_node"], owner["kind"]][row["outcome"]].append(row)
    return found


def numbers(truth, rows, key, problems):
    found = [truth.number_of(row, key[0], key[2]) for row in rows]
    for number, row in zip(found, rows):
        if number is None or found.count(number) > 1:
            problems.add(f"{key}: {row} is of number {number}")
    return set(found) - {None}


def check(recording, killed_may_miss, has_stamps, problems):
    """Gives how many messages were found to be lost."""
    truth, found, count = Truth(recording), rows_by_pair(recording), 0
    for key, pair in truth.pairs.items():
        if not key[0].startswith("/chain_"):
            continue
        # who is killed has perhaps no time left to log what it received last
        received = numbers(truth, found[key]["received"], key, problems)
        unlogged = received - set(pair.received)
        if len(unlogged) > killed_may_miss:
            problems.add(f"{key}: received {unlogged}, which is not so")
        pair.received.update((number, pair.published[number]) for number in unlogged)
        if not truth.pauses_ns and set(pair.received) - received:
            problems.add(f"{key}: received {set(pair.received) - received}, which is missing")
        certain, may_be = truth.lost(pair, key[2])
        lost = numbers(truth, found[key]["lost"], key, problems)
        if truth.pauses_ns and not has_stamps:
            certain = set()
        if not certain <= lost <= may_be:
            problems.add(f"{key}: lost {sorted(lost)}, in truth {sorted(certain)} to {sorted(may_be)}")
        count += len(lost)
    for row in recording.table("communications"):
        rows = found[row["topic"], row["subscription_node"], row["kind"]]
        if len(rows["lost"]) != int(row["lost"]):
            problems.add(f"{row['topic']}: {row['lost']} lost, but {len(rows['lost'])} rows")
    return count


def record(options, output):
    result = subprocess.run([sys.executable, HERE / "record", "--output", output, "--truth", *options], check=False)
    if result.returncode != 0:
        sys.exit(result.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recording", type=Path, help="one made before")
    arguments, options = parser.parse_known_args()
    problems = Problems()
    with tempfile.TemporaryDirectory(prefix="ros2bt-lost-") as folder:
        output = arguments.recording or Path(folder) / "recording"
        if not arguments.recording:
            record(options, output)
        report(output)
        recording = Recording(output)
        is_killed = any(option.startswith("--kill-after") for option in options)
        callbacks = compare_callbacks(recording, True, problems, is_whole=False)
        lost = check(recording, 1 if is_killed else 0, "--layout=humble" not in options, problems)
    print(f"found {callbacks}, {lost} messages lost; {len(problems)} problems")
    sys.exit(1 if problems or lost == 0 else 0)


if __name__ == "__main__":
    main()
