#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The instances of a report agree with its rows: as many of each outcome, no message twice, and no path loses what was
not lost.

usage: check_agreement.py ROS2_LATENCY RECORDING

The named paths are the pairs that communicate, so that every recording has some.
"""

import collections
import sys

import report

NAMED_PATHS_MAX = 40
OUTCOMES = {"communications": ("received", "lost", "overwritten", "unknown"),
            "named_paths": ("complete", "lost", "stopped", "unknown")}


def number(cell):
    return int(cell or 0)


def outcomes_of(instances, key):
    counts = collections.Counter()
    for row in instances:
        counts[row[key], row["outcome"]] += 1
    return counts


def check_communications(tables):
    """Messages before the first received one are unknown, too, but have no instances."""
    counts = outcomes_of(tables["communication_instances"], "communication_id")
    for row in tables["communications"]:
        *certain, unknown = (counts[row["communication_id"], outcome] for outcome in OUTCOMES["communications"])
        lost = number(row["lost"])
        cells = [number(row[outcome]) for outcome in OUTCOMES["communications"]]
        if certain != cells[:-1] or not number(row["in_flight"]) <= unknown <= cells[-1]:
            yield "%s to %s: received, lost, overwritten, unknown: %s, but instances: %s" % (
                row["topic"], row["subscription_node"], cells, certain + [unknown])
        if number(row["longest_loss"]) > lost or (lost > 0 and number(row["longest_loss"]) == 0):
            yield "%s to %s: %d lost, %s in a row" % (row["topic"], row["subscription_node"], lost, row["longest_loss"])
    messages = collections.Counter((row["communication_id"], row["source_timestamp"])
                                   for row in tables["communication_instances"] if row["source_timestamp"])
    for (communication, stamp), count in messages.items():
        if count > 1:
            yield "communication %s: %d instances of the message of %s" % (communication, count, stamp)


def check_paths(tables):
    """A path loses at most what the subscriptions on it have lost."""
    lost = collections.Counter()
    for row in tables["communications"]:
        lost[row["topic"], row["subscription_node"]] += number(row["lost"])
    hops = collections.defaultdict(set)
    for row in tables["path_hops"]:
        hops[row["path_id"]].add((row["topic"], row["node"]))
    instances = collections.Counter(row["path_id"] for row in tables["path_instances"])
    for row in tables["paths"]:
        if instances[row["path_id"]] != number(row["count"]):
            yield "%s: %s flows, %d instances" % (row["path"], row["count"], instances[row["path_id"]])
        if number(row["lost"]) > sum(lost[hop] for hop in hops[row["path_id"]]):
            yield "%s: %s lost, by messages that were not lost" % (row["path"], row["lost"])


def check_named_paths(tables):
    counts = outcomes_of(tables["named_path_instances"], "named_path_id")
    for row in tables["named_paths"]:
        found = [counts[row["named_path_id"], outcome] for outcome in OUTCOMES["named_paths"]]
        if found != [number(row[column]) for column in ("count", "lost", "stopped", "unknown")]:
            yield "%s: %s complete, %s lost, %s stopped, %s unknown, but %s instances" % (
                row["name"], row["count"], row["lost"], row["stopped"], row["unknown"], found)


def named_paths(tables):
    pairs = {"%(publisher_node)s > %(topic)s > %(subscription_node)s" % row for row in tables["communications"]
             if number(row["received"]) > 0 and row["publisher_node"].startswith("/") and row["subscription_node"]}
    return ["--named-path=%d: %s" % (i, pair) for i, pair in enumerate(sorted(pairs)[:NAMED_PATHS_MAX])]


def main():
    command, recording = sys.argv[1:]
    pairs = named_paths(report.of(command, recording, "--table=communications").tables())
    tables = collections.defaultdict(list, report.of(command, recording, "--instances", *pairs).tables())
    complaints = [*check_communications(tables), *check_paths(tables), *check_named_paths(tables)]
    print("%s: %d messages, %d paths, %d named paths" % (recording, len(tables["communication_instances"]),
                                                         len(tables["paths"]), len(tables["named_paths"])))
    report.finish(complaints)


main()
