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
        assert [tuple(pair[:2]) for pair in row["worst"]] == worst, (series["instances"], row["id"])
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


MOMENTS = ("publish_ns", "take_ns", "callback_start_ns", "callback_end_ns")
STATES = {"running": "on_cpu_ns", "preempted": "preempted_ns", "woken": "woken_ns", "interrupt woke it": "woken_ns", "blocked": "blocked_ns"}


def check_flows(flow, json_report, worst):
    """Traversals are those of the instances, hop by hop; as many as are said, and the slowest."""
    assert tuple(flow["moments"]) == MOMENTS and flow["without_room"] == 0
    begin = json_report["trace"]["begin_ns"]
    hops = collections.defaultdict(list)
    for row in json_report[flow["instances"]]:
        hops[row[flow["key"]], row["instance"]].append([row[name] for name in MOMENTS])
    counts = collections.Counter(key for key, _ in hops)
    assert {row["id"]: row["count"] for row in flow["rows"]} == counts
    for row in flow["rows"]:
        shown = {}
        for instance, at, *moments in row["traversals"]:
            assert instance not in shown
            shown[instance] = [[None if moment is None else begin + at + moment for moment in moments[i:i + 4]] for i in range(0, len(moments), 4)]
            assert shown[instance] == hops[row["id"], instance], (flow["instances"], row["id"], instance)
            assert min(moment for moment in moments if moment is not None) == 0
        sample = {i for i in range(1, row["count"] + 1) if (i - 1) // flow["run"] % row["stride"] == 0}
        assert sample <= set(shown) and len(sample) <= 64 and len(shown) <= len(sample) + 5, (row["id"], row["stride"], len(shown))
        assert row["stride"] == 1 or row["count"] > 64
        length = lambda moments: max(filter(None, sum(moments, []))) - min(filter(None, sum(moments, [])))
        longest = max(length(hops[row["id"], i]) for i in range(1, row["count"] + 1))
        assert max(map(length, shown.values())) == longest
        for rank, parts in worst.get(row["id"], {}).items():
            check_parts(shown, parts, (row["id"], rank))
    return sum(len(row["traversals"]) for row in flow["rows"])


def check_parts(shown, parts, where):
    """The parts that the page draws are those of the table of the slowest: one of the traversals has them."""
    def parts_of(hops):
        found = [dict.fromkeys(("transport", "wait", "callback", "kept"), 0) for _ in hops]
        for i, (publish, take, start, end) in enumerate(hops):
            if i > 0 and None not in (publish, take):
                found[i]["transport"] = take - publish
            if i > 0 and None not in (take, start):
                found[i]["wait"] = start - take
            following = hops[i + 1][0] if i + 1 < len(hops) else end
            if None not in (start, following):
                until = min(following, end) if end is not None else following
                found[i]["callback"], found[i]["kept"] = until - start, following - until
        return found
    assert any(parts_of(hops) == parts for hops in shown.values()), where


def worst_parts(json_report):
    """By path and rank: the parts of each hop of the worst traversals whose callbacks are all recorded."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in json_report.get("worst_path_hops", []):
        found[row["path_id"]][row["rank"]].append({name: row[name + "_ns"] or 0 for name in ("transport", "wait", "callback", "kept")})
    return found


def check_threads(data, json_report):
    """What is drawn around the worst instances are the executions of their threads, all that lie in the window, and the states."""
    threads, begin = data["threads"], data["trace"]["begin_ns"]
    executions = collections.defaultdict(set)
    for row in json_report["callback_instances"]:
        if None not in (row["start_ns"], row["end_ns"]):
            executions[row["vtid"]].add((row["start_ns"], row["end_ns"]))
    schedules = {row["start_ns"]: row for row in json_report.get("scheduling_instances", [])}
    is_one_host = len(data["trace"]["hosts"]) == 1
    counted = 0
    for window in threads["windows"]:
        drawn, sums = collections.defaultdict(set), collections.Counter()
        assert len(window["parts"]) <= 5 * 100 and window["from"] < window["at"] <= window["end"] < window["to"]
        for track, label, at, length, _ in zip(*[iter(window["parts"])] * 5):
            first = window["from"] + at
            assert first < window["to"] and first + length > window["from"]
            if "state" in threads["labels"][label]:
                name = STATES.get(threads["labels"][label]["state"])
                sums[name] += max(0, min(first + length, window["end"]) - max(first, window["at"]))
            else:
                assert threads["labels"][label]["name"]
                drawn[threads["tracks"][track]["tid"]].add((begin + first, begin + first + length))
        for tid, parts in drawn.items() if is_one_host else ():
            inside = {(start, end) for start, end in executions[tid] if start < begin + window["to"] and end > begin + window["from"]}
            assert parts <= inside, (window["at"], tid, parts - inside)
            assert window["left"] > 0 or parts == inside, (window["at"], tid, inside - parts)
        schedule = schedules.get(begin + window["at"])
        if schedule and window["left"] == 0 and any(end == begin + window["end"] and start == begin + window["at"] for parts in drawn.values() for start, end in parts):
            known = {name: schedule[name] for name in set(STATES.values())}
            assert known == {name: sums[name] for name in known}, (window["at"], known, sums)
            counted += 1
    for series in data["series"]:
        for row in series["rows"]:
            for at, duration, *number in row["worst"]:
                for window in number:
                    assert begin + threads["windows"][window]["at"] == at, "the window is of that instance"
                    assert begin + threads["windows"][window]["end"] >= at + duration
    assert any(len(worst) == 3 for series in data["series"] if series["instances"] == "callback_instances" for row in series["rows"] for worst in row["worst"])
    return len(threads["windows"]), counted


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
    assert data["recordings"] == [recording], data["recordings"]
    tables = page.tables(data)
    assert SUMMARIES & set(tables), sorted(tables)
    check_tables(tables, json_report)
    check_histograms(tables)
    drawn = {series["instances"]: check_series(series, json_report) for series in data["series"]}
    assert {"callback_instances", "communication_instances", "path_instances"} <= set(drawn), drawn
    assert "path_hop_instances" not in drawn
    flows = {flow["instances"]: check_flows(flow, json_report, worst_parts(json_report)) for flow in data["flows"]}
    windows, counted = check_threads(data, json_report)
    assert windows > 0 and (counted > 0) == bool(json_report.get("scheduling_instances")), (windows, counted)
    print("traversals:", flows, "windows:", windows, "with states that add up:", counted)
    print(len(tables), "tables equal those of the JSON output; series:", drawn)


main()
