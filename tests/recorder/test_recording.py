#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_recording.py [--buffers pid] [--only callbacks,communications,paths] LAYOUT OPTIONS…: records a system of a layout as
real CTF, reads it with sink.ros2.latency, and compares each row of its instances with what really happened.

The truth has, for every event, the times read before and after it: the time in the report must lie between. Where
a process was under CARET, only what certainly lies in one RECORD phase must be found; but nothing may be found that did not
happen. A report that is not whole (is_whole) may lack anything.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from ctf_metadata import clock_offset_ns

HERE = Path(__file__).resolve().parent
PLUGIN_PATH = os.environ.get("ROS2BT_PLUGIN_PATH", HERE.parents[1] / "build/plugin")
WITHOUT_TIMER_NODES = ("dashing", "eloquent", "foxy")  # no event records the node of a timer
SHOWN = 10


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--buffers", default="uid")
    parser.add_argument("--contexts", default="vpid,vtid,procname")
    parser.add_argument("--late", type=float, default=None)
    parser.add_argument("--only", default="callbacks,communications,paths")
    parser.add_argument("layout")
    arguments, arguments.options = parser.parse_known_args()
    return arguments


def record(arguments, output):
    late = [] if arguments.late is None else [f"--late={arguments.late}"]
    result = subprocess.run([sys.executable, HERE / "record", "--output", output, "--truth", f"--buffers={arguments.buffers}",
                             f"--contexts={arguments.contexts}", *late, "--", f"--layout={arguments.layout}",
                             *arguments.options], check=False)
    if result.returncode != 0:
        sys.exit(result.returncode)


def report(output):
    parameters = f'format="csv",output="{output / "report"}",instances=yes'
    subprocess.run(["babeltrace2", f"--plugin-path={PLUGIN_PATH}", output / "trace", "-c", "sink.ros2.latency", "-p",
                    parameters], check=True)


def rows(file):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


class Recording:
    """A recording's truth and report, with the times of the report turned into those of the truth's clock."""

    def __init__(self, output):
        self.output = output
        self.offset_ns = clock_offset_ns(output / "trace")

    def truth(self, what):
        """All rows of all processes; the process is in `vpid`."""
        found = []
        for file in sorted((self.output / "truth").glob(f"{what}-*.csv")):
            vpid = file.stem.split("-")[-1]
            found += [dict(row, vpid=vpid) for row in rows(file)]
        return found

    def table(self, name):
        return rows(self.output / "report" / f"{name}.csv")

    def monotonic_ns(self, text):
        return int(text) - self.offset_ns

    def is_within(self, text, row, what):
        return int(row[f"{what}_from_ns"]) <= self.monotonic_ns(text) <= int(row[f"{what}_to_ns"])


class Problems(list):
    def add(self, text):
        self.append(text)
        if len(self) <= SHOWN:
            print(f"WRONG: {text}")


def pair_up(choices):
    """By partner: whose it is, so that as many as possible have one of their choices, and each partner is one's only."""
    owners = {}

    def find(number, asked):
        for partner in choices[number]:
            if partner not in asked:
                asked.add(partner)
                if partner not in owners or find(owners[partner], asked):
                    owners[partner] = number
                    return True
        return False

    for number in range(len(choices)):
        find(number, set())
    return owners


def match_rows(truth, found, key_of_truth, key_of_found, agrees, is_certain, name, problems):
    """Each row of the one side has a partner of its own in the other: by a key, then by the times. These leave a choice where two
    threads do the same at one time, and the machine lets one of them wait between an event and the times around it."""
    by_key = defaultdict(list)
    for number, row in enumerate(found):
        by_key[key_of_found(row)].append(number)
    truth = sorted(truth, key=lambda row: not is_certain(row))
    owners = pair_up([[number for number in by_key[key_of_truth(row)] if agrees(row, found[number])] for row in truth])
    have_one = set(owners.values())
    for number, row in enumerate(truth):
        if is_certain(row) and number not in have_one:
            problems.add(f"{name}: nothing is found of {row}")
    for number, row in enumerate(found):
        if number not in owners:
            problems.add(f"{name}: {row} of {key_of_found(row)} did not happen")
    return len(owners)


def callback_key(row, vtid, vpid, has_timer_nodes):
    node = row["node"] if has_timer_nodes or row["kind"] != "timer" else "(not recorded)"
    return vpid, vtid, node, row["kind"], row["source"], row["callback"]


def compare_callbacks(recording, has_timer_nodes, problems, is_whole=True):
    owners = {row["callback_id"]: row for row in recording.table("callbacks")}
    instances = [dict(row, owner=owners[row["callback_id"]]) for row in recording.table("callback_instances")
                 if row["start_ns"] and row["end_ns"]]
    truth = recording.truth("callbacks")

    def agrees(row, instance):
        return recording.is_within(instance["start_ns"], row, "start") and recording.is_within(instance["end_ns"], row, "end")

    matched = match_rows(
        truth, instances,
        lambda row: callback_key(row, row["vtid"], row["vpid"], has_timer_nodes),
        lambda row: callback_key(row["owner"], row["vtid"], row["owner"]["vpid"], has_timer_nodes),
        agrees, lambda row: is_whole and row["start_phase"] == row["end_phase"] != "0", "callbacks", problems)
    counts = Counter(row["callback_id"] for row in recording.table("callback_instances") if row["start_ns"] and row["end_ns"])
    for identifier, owner in owners.items():
        if int(owner["count"]) != counts[identifier]:
            problems.add(f"callbacks: count {owner['count']} of {identifier}, but {counts[identifier]} instances")
    return f"{matched} of {len(truth)} callbacks"


def compare_communications(recording, is_everything_recorded, problems, is_whole=True):
    pairs = {row["communication_id"]: row for row in recording.table("communications")}
    found = [dict(row, pair=pairs[row["communication_id"]]) for row in recording.table("communication_instances")]
    received = [row for row in found if row["callback_start_ns"]]
    truth = recording.truth("receptions")

    def agrees(row, instance):
        is_inter = row["kind"] == "inter_process"
        return (recording.is_within(instance["publish_ns"], row, "publish")
                and recording.is_within(instance["callback_start_ns"], row, "start")
                and (not is_inter or (recording.is_within(instance["take_ns"], row, "take")
                                      and instance["source_timestamp"] == row["source_timestamp"])))

    matched = match_rows(
        truth, received,
        lambda row: (row["topic"], row["publisher_node"], row["publisher_vpid"], row["node"], row["vpid"], row["kind"]),
        lambda row: tuple(row["pair"][column] for column in ("topic", "publisher_node", "publisher_vpid",
                                                             "subscription_node", "subscription_vpid", "kind")),
        agrees, lambda row: is_whole and row["is_recorded"] == "1", "communications", problems)
    if is_everything_recorded:
        compare_counts(recording, pairs.values(), truth, problems)
    lost = compare_losses(recording, found, truth, problems)
    return f"{matched} of {len(truth)} messages, {lost} lost"


def compare_losses(recording, found, receptions, problems):
    """A message that is reported as lost was not received, whatever the recording lacks."""
    publications = defaultdict(list)
    for row in recording.truth("publications"):
        publications[row["topic"], row["kind"]].append(row)
    received = {(row["topic"], row["node"], row["kind"], row["number"]) for row in receptions}
    lost = [row for row in found if row["outcome"] == "lost"]
    for instance in lost:
        topic, node, kind = (instance["pair"][column] for column in ("topic", "subscription_node", "kind"))
        numbers = {row["number"] for row in publications[topic, kind] if recording.is_within(instance["publish_ns"], row, "publish")}
        if any((topic, node, kind, number) in received for number in numbers):
            problems.add(f"communications: {node} got number {numbers} of {topic}, reported as lost: {instance}")
    return len(lost)


def compare_counts(recording, pairs, receptions, problems):
    """Lost is what lies between the first and the last that a node received; what it got at no time may be unknown."""
    published = defaultdict(list)
    received = defaultdict(set)
    for row in recording.truth("publications"):
        published[row["topic"], row["kind"]].append(int(row["number"]))
    for row in receptions:
        received[row["topic"], row["node"], row["kind"]].add(int(row["number"]))
    for pair in pairs:
        if not pair["topic"].startswith("/chain_"):
            continue
        numbers = received[pair["topic"], pair["subscription_node"], pair["kind"]]
        between = [number for number in published[pair["topic"], pair["kind"]] if numbers and min(numbers) <= number <= max(numbers)]
        lost = len(between) - len(numbers)
        found = {column: int(pair[column]) for column in ("published", "received", "lost", "unknown")}
        if (found["received"] != len(numbers) or found["lost"] != lost
                or found["published"] != sum(found.values()) - found["published"]
                or found["published"] > len(published[pair["topic"], pair["kind"]])):
            problems.add(f"communications: {pair['topic']} to {pair['subscription_node']}: {found}, in truth "
                         f"{len(numbers)} received and {lost} lost of {len(published[pair['topic'], pair['kind']])}")


def doubtful_spans(recording):
    """When executions ran that a pause of the recording makes doubtful, from start to end. In a live session, which the consumer
    flushes, a moment in which the machine lets nothing run is such a pause: no stream is in a packet."""
    if not any(row["what"] == "pauses of the recording" for row in recording.table("diagnostics")):
        return []
    return [(recording.monotonic_ns(row["start_ns"]), recording.monotonic_ns(row["end_ns"]))
            for row in recording.table("callback_instances") if row["doubtful"] == "1" and row["start_ns"] and row["end_ns"]]


def compare_paths(recording, is_everything_recorded, problems, is_whole=True):
    names = {row["path_id"]: row["path"] for row in recording.table("paths")}
    truth = recording.truth("paths")
    wanted = {row["path"] for row in truth}
    found = [dict(row, path=names[row["path_id"]]) for row in recording.table("path_instances")]

    spans = doubtful_spans(recording)

    def is_certain(row):
        return is_whole and row["is_recorded"] == "1" and not any(
            start_ns <= int(row["end_to_ns"]) and end_ns >= int(row["origin_from_ns"]) for start_ns, end_ns in spans)

    def agrees(row, instance):
        return (recording.is_within(instance["origin_start_ns"], row, "origin")
                and recording.is_within(instance["last_callback_end_ns"], row, "end"))

    if not is_everything_recorded:
        found = [row for row in found if row["path"] in wanted]
    matched = match_rows(truth, [row for row in found if row["last_callback_end_ns"]], lambda row: row["path"],
                         lambda row: row["path"], agrees, is_certain, "paths", problems)
    return f"{matched} of {len(truth)} paths"


def main():
    arguments = parse_arguments()
    is_under_caret = any(option.startswith("--caret-processes") for option in arguments.options)
    is_lossless = not any(option.startswith("--loss") for option in arguments.options)
    problems, found = Problems(), []
    with tempfile.TemporaryDirectory(prefix="ros2bt-recording-") as folder:
        output = Path(folder) / "recording"
        record(arguments, output)
        report(output)
        recording = Recording(output)
        if "callbacks" in arguments.only:
            found.append(compare_callbacks(recording, arguments.layout not in WITHOUT_TIMER_NODES, problems))
        if "communications" in arguments.only:
            found.append(compare_communications(recording, not is_under_caret, problems))
        if "paths" in arguments.only:
            found.append(compare_paths(recording, not is_under_caret and is_lossless, problems))
    print(f"found {', '.join(found)}; {len(problems)} problems")
    sys.exit(1 if problems or any(text.startswith("0 of") for text in found) else 0)


if __name__ == "__main__":
    main()
