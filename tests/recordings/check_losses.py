#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A message is lost only where the programs' own logs have a gap: the column `lost` of each pair that logged on both
sides equals the sequence numbers missing between the first and the last that the subscription received.

usage: check_losses.py PLUGINS RECORDING
"""

import collections
import csv
import glob
import os
import re
import sys

import report


def rows_of(recording):
    for path in sorted(glob.glob(os.path.join(recording, "ground-truth", "*.csv"))):
        with open(path, encoding="utf-8") as file:
            first = file.readline()
            pid = re.search(r"pid=(\d+)", first)
            if not pid:
                continue
            for row in csv.DictReader(file):
                yield int(pid.group(1)), row


def published_at(row):
    """When the message was published, by the clock of the program that logs the callback; None: not logged."""
    if "msg_pub_ns" in row:
        return int(row["msg_pub_ns"])
    found = re.search(r"\bmsg_pub_ns=(\d+)", row["extra"] or "")
    return int(found.group(1)) if found else None


def logged_losses(recording):
    """(topic, publisher's pid and node, subscription's pid and node) → messages missing between first and last."""
    publishers = {}
    received = collections.defaultdict(list)
    rows = list(rows_of(recording))
    for pid, row in rows:
        if row["kind"] == "publish":
            publishers[row["name"], int(row["t_start_ns"])] = (pid, row["node"], int(row["seq"]))
    for pid, row in rows:
        if row["kind"] == "callback" and row["name"] != "timer":
            source = publishers.get((row["name"], published_at(row)))
            if source:
                received[row["name"], source[0], source[1], pid, row["node"]].append(source[2])
    return {pair: max(numbers) - min(numbers) + 1 - len(set(numbers)) for pair, numbers in received.items()}


def node_name(full):
    return full.rsplit("/", 1)[-1]


def main():
    plugins, recording = sys.argv[1:]
    expected = logged_losses(recording)
    reported = collections.Counter()
    rows_of_pair = collections.Counter()
    complaints = []
    for row in report.run(plugins, recording).rows("communications"):
        if int(row["published"]) != int(row["received"]) + int(row["lost"] or 0) + int(row["overwritten"] or 0) + \
                int(row["unknown"]):
            complaints.append("%(topic)s: %(published)s published, %(received)s received, %(lost)s lost, "
                              "%(overwritten)s overwritten, %(unknown)s unknown" % row)
        if not row["publisher_vpid"] or not row["subscription_vpid"]:
            continue
        pair = (row["topic"], int(row["publisher_vpid"]), node_name(row["publisher_node"]),
                int(row["subscription_vpid"]), node_name(row["subscription_node"]))
        reported[pair] += int(row["lost"] or 0)
        rows_of_pair[pair] += int(row["received"])
    compared = 0
    for pair, lost in sorted(expected.items()):
        if not rows_of_pair[pair]:
            continue  # not recorded, or recorded without names
        compared += 1
        if reported[pair] != lost:
            complaints.append("%s: %d lost in the report, %d by the logs" % (pair, reported[pair], lost))
    print("%s: %d pairs of %d logged, %d messages lost" % (recording, compared, len(expected), sum(expected.values())))
    report.finish(complaints)


main()
