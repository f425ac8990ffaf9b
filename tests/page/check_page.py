#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The data in a page are those of the JSON output, and its series those of the instances in it.

usage: check_page.py COMMAND RECORDING
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

import page

# The tables that only reports for people have.
SUMMARIES = {"slowest_paths", "lost_messages", "busiest_callbacks", "longest_executions", "not_in_trace"}


def report(command, recording, directory, *options):
    subprocess.run([command, "--output=" + directory, *options, recording], check=True)


def check_tables(tables, json_report):
    for name, table in tables.items():
        if table["summary"]:
            assert name not in json_report, name
            continue
        assert page.rows(table) == json_report[name], name
        assert table["lacking"] is None, (name, "systems of usual size are whole")
        marked = table["hidden"] + table["idle"]
        assert all(0 <= number < len(table["rows"]) for number in marked), name
    missing = {name for name, value in json_report.items() if isinstance(value, list) and not name.endswith("_instances")} - set(tables)
    assert not missing, missing


def check_histograms(tables):
    count = 0
    for table in tables.values():
        for row, histograms in zip(page.rows(table), table["histograms"]):
            for name, numbers in zip(table["statistics"], histograms, strict=True):
                buckets, number = [], 0
                for distance, hits in zip(numbers[::2], numbers[1::2]):
                    assert hits > 0 and (distance > 0 or not buckets)
                    number += distance
                    buckets.append((number, hits))
                if not buckets:
                    assert row[name + "_max_ns"] is None
                    continue
                assert buckets[0][0] == page.bucket(row[name + "_min_ns"], page.HISTOGRAM_BITS), (table["name"], name, row)
                assert buckets[-1][0] == page.bucket(row[name + "_max_ns"], page.HISTOGRAM_BITS), (table["name"], name, row)
                count += sum(hits for _, hits in buckets)
    assert count > 0


def samples_of(series, json_report):
    """By id: (moment, duration) of the instances."""
    samples = collections.defaultdict(list)
    for row in json_report[series["instances"]]:
        moments = [value for name, value in row.items() if name.endswith("_ns") and value is not None and value > 1 << 60]
        since = series["since"]
        if row[series["column"]] is not None and moments and (not since or row[since] is not None):
            samples[row[series["key"]]].append((moments[0], row[series["column"]] - (row[since] if since else 0)))
    return samples


def check_series(series, json_report):
    samples = samples_of(series, json_report)
    assert {row["id"] for row in series["rows"]} == set(samples), series["instances"]
    for row in series["rows"]:
        own = samples[row["id"]]
        worst = sorted(own, key=lambda sample: (-sample[1], sample[0]))[:5]
        assert [tuple(pair) for pair in row["worst"]] == worst, (series["instances"], row["id"])
        total = 0
        assert len(row["pieces"]) <= 256 * 4
        for begin, length, count, least, mean, greatest in page.pieces(row):
            inside = [duration for at, duration in own if begin <= at < begin + length]
            assert count == len(inside)
            assert least == page.bucket(min(inside), page.SERIES_BITS)
            assert greatest == page.bucket(max(inside), page.SERIES_BITS)
            assert abs(mean - page.bucket(sum(inside) // count, page.SERIES_BITS)) <= 1
            total += count
        assert total == len(own), (series["instances"], row["id"], total, len(own))
    return len(samples)


def main():
    command, recording = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        report(command, recording, directory, "--format=html")
        report(command, recording, directory, "--format=json", "--instances", "--worst=5")
        data = page.read(os.path.join(directory, "report.html"))
        with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
            json_report = json.load(file)
    assert data["trace"] == json_report["trace"]
    assert data["missing"] == []
    tables = page.tables(data)
    assert SUMMARIES & set(tables), sorted(tables)
    check_tables(tables, json_report)
    check_histograms(tables)
    drawn = {series["instances"]: check_series(series, json_report) for series in data["series"]}
    assert {"callback_instances", "communication_instances", "path_instances"} <= set(drawn), drawn
    assert "path_hop_instances" not in drawn
    print(len(tables), "tables equal those of the JSON output; series:", drawn)


main()
