#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hops of each path add up to its latency, and the hop instances are those of the path's traversals.

usage: check_hops.py PLUGINS RECORDING some|none

none: no path can be known, since the trace records no thread (no publication is known to be of a callback) or nothing of
the messages within the process that all flows consist of (Humble). Then there must be no hop either.
"""

import sys

import report

PARTS = ("transport_mean_ns", "wait_mean_ns", "callback_mean_ns", "kept_mean_ns")


def sums_of_hops(hops):
    sums = {}
    for hop in hops:
        sums[hop["path_id"]] = sums.get(hop["path_id"], 0) + sum(float(hop[part] or 0) for part in PARTS)
    return sums


def numbered(rows):
    """(path, number of its traversal) → row of path_instances, whose column `instance` says the same"""
    counts, result = {}, {}
    for row in rows:
        path = row["path_id"]
        counts[path] = counts.get(path, 0) + 1
        assert row["instance"] == str(counts[path]), row
        result[path, row["instance"]] = row
    return result


def check_instances(result):
    traversals = numbered(result.rows("path_instances"))
    first, last = {}, {}
    for hop in result.rows("path_hop_instances"):
        key = hop["path_id"], hop["instance"]
        first.setdefault(key, hop)
        last[key] = hop
    if set(last) != set(traversals):
        yield "%d traversals, %d of them with hops" % (len(traversals), len(last))
    for key, row in traversals.items():
        if key in last and (last[key]["callback_end_ns"] != row["last_callback_end_ns"]
                            or first[key]["callback_start_ns"] not in ("", row["origin_start_ns"])):
            yield "path %s, traversal %s: its hops are of another one" % key


def main():
    plugins, recording, expected = sys.argv[1:]
    result = report.run(plugins, recording)
    sums = sums_of_hops(result.rows("path_hops"))
    complaints = list(check_instances(result))
    paths = [row for row in result.rows("paths") if row["latency_mean_ns"]]
    for row in paths:
        mean_ns = float(row["latency_mean_ns"])
        if abs(sums[row["path_id"]] - mean_ns) > max(0.01 * mean_ns, 100):
            complaints.append("%s: mean %.0f ns, sum of the hops %.0f ns" % (row["path"], mean_ns, sums[row["path_id"]]))
    if expected == "none" and (paths or sums):
        complaints.append("%d paths, %d of them with hops, where none can be known" % (len(paths), len(sums)))
    if expected == "some" and not paths:
        complaints.append("no path to compare")
    print("%s: %d paths" % (recording, len(paths)))
    report.finish(complaints)


main()
