#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every bucket of the tables of histograms counts the instances in it, and two halves of a recording add up to the whole.

usage: check_histograms.py PLUGINS RECORDING
"""

import collections
import sys

import report

SINGULARS = ("callback", "communication", "path")


def bucket_of(value, per_octave):
    """(low, high) by the definition: own buckets below 2 B, from there B of the same width a doubling."""
    magnitude, low, width = abs(value), 0, 1
    if magnitude < 2 * per_octave:
        return value, value + 1
    octave = magnitude.bit_length() - 1
    width = (1 << octave) // per_octave
    low = magnitude // width * width
    return (low, low + width) if value > 0 else (-(low + width) + 1, -low + 1)


def difference(row, end, start):
    return int(row[end]) - int(row[start]) if row[end] and row[start] else None


def samples_of_instances(table):
    """By singular, id and statistic: the samples, from the instances alone."""
    samples = collections.defaultdict(list)

    def add(singular, row, statistic, value):
        if value is not None:
            samples[singular, row[singular + "_id"], statistic].append(value)

    for row in table.rows("callback_instances"):
        if row["duration_ns"] and row["doubtful"] != "1":
            add("callback", row, "duration", int(row["duration_ns"]))
    for row in table.rows("communication_instances"):
        add("communication", row, "latency", difference(row, "callback_start_ns", "publish_ns"))
        add("communication", row, "transport", difference(row, "take_ns", "publish_ns"))
        add("communication", row, "wait", difference(row, "callback_start_ns", "take_ns"))
    for row in table.rows("path_instances"):
        add("path", row, "latency", int(row["latency_ns"]))
    return samples


def histograms(table):
    """By singular, id and statistic: by (low, high) the count."""
    found = collections.defaultdict(dict)
    for singular in SINGULARS:
        for row in table.rows(singular + "_histograms"):
            buckets = found[singular, row[singular + "_id"], row["statistic"]]
            bucket = int(row["low_ns"]), int(row["high_ns"])
            if bucket in buckets or (buckets and max(buckets) > bucket):
                raise SystemExit("twice, or not in order: %s" % row)
            buckets[bucket] = int(row["count"])
    return found


def check_buckets(plugins, recording, per_octave):
    table = report.run(plugins, recording, parameters=("histograms=yes, buckets=%d" % per_octave,))
    found, samples = histograms(table), samples_of_instances(table)
    complaints = []
    for series, values in samples.items():
        expected = dict(collections.Counter(bucket_of(value, per_octave) for value in values))
        if found.get(series) != expected:
            complaints.append("%s: %s, not %s" % (series, found.get(series), expected))
    statistics = {(singular, statistic) for singular, _, statistic in samples}
    for series in found:
        if (series[0], series[2]) in statistics and series not in samples:
            complaints.append("%s: no instance has it" % (series,))
    return complaints, table


def of_names(table, singular):
    """By the names of each row: its counts, and by statistic sum, minimum and maximum; rows of the same names together."""
    rows, ids = {}, {}
    for row in table.rows(singular + "s"):
        names = tuple(value for key, value in row.items() if key in
                      ("vpid", "publisher_vpid", "subscription_vpid", "node", "kind", "source", "callback", "topic",
                       "publisher_node", "subscription_node", "path"))
        ids[row[singular + "_id"]] = names
        merged = rows.setdefault(names, collections.Counter())
        for key, value in row.items():
            if key in ("count", "incomplete", "doubtful", "published", "inferred") or key.endswith("_sum_ns"):
                merged[key] += int(value or 0)
            elif key.endswith(("_min_ns", "_max_ns")) and value:
                choose = min if "_min_" in key else max
                merged[key] = choose(merged.get(key, int(value)), int(value))
    for row in table.rows(singular + "_histograms"):
        rows[ids[row[singular + "_id"]]][row["statistic"], row["low_ns"], row["high_ns"]] += int(row["count"])
    return rows


def check_halves(plugins, recording, whole):
    """What begins before a moment and what begins later: every sample is in one of both."""
    starts = sorted(int(row["start_ns"]) for row in whole.rows("callback_instances") if row["start_ns"])
    middle = starts[len(starts) // 2]
    halves = [report.run(plugins, recording, parameters=("histograms=yes, buckets=512", limit))
              for limit in ("end=%d" % (middle - 1), "begin=%d" % middle)]
    complaints = []
    for singular in SINGULARS:
        expected = of_names(whole, singular)
        parts = [of_names(half, singular) for half in halves]
        for names, row in expected.items():
            merged = collections.Counter()
            for part in parts:
                for key, value in part.get(names, {}).items():
                    text = key if isinstance(key, str) else ""
                    if text.endswith(("_min_ns", "_max_ns")) and key in merged:
                        merged[key] = (min if "_min_" in text else max)(merged[key], value)
                    else:
                        merged[key] += value
            wrong = {key: (merged.get(key, 0), row.get(key, 0)) for key in {*row, *merged} if merged.get(key, 0) != row.get(key, 0)}
            if wrong:
                complaints.append("halves of %s: %s" % (names, wrong))
    return complaints


def main():
    plugins, recording = sys.argv[1:]
    complaints, _ = check_buckets(plugins, recording, 32)
    finest, whole = check_buckets(plugins, recording, 512)
    complaints += finest + check_halves(plugins, recording, whole)
    report.finish(complaints)


main()
