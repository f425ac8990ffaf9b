#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`held` of each pair, and of each hop of a path, is what the thread of the take executed meanwhile, by the instances of
messages, traversals and callbacks.

usage: check_held.py PLUGINS RECORDING

For recordings without losses, where every message taken is a sample.
"""

import bisect
import collections
import sys

import report


def executions_by_thread(rows):
    """vtid → (start, end) of the outermost executions, in order; and start → vtid"""
    threads, thread_of = collections.defaultdict(list), {}
    for start, end, vtid in sorted((int(row["start_ns"]), int(row["end_ns"]), row["vtid"])
                                   for row in rows if row["duration_ns"]):
        thread_of[start] = vtid
        if not threads[vtid] or start >= threads[vtid][-1][1]:
            threads[vtid].append((start, end))
    return threads, thread_of


def overlap(executions, begin, end):
    first = max(0, bisect.bisect(executions, (begin,)) - 1)
    last = bisect.bisect(executions, (end,))
    return sum(max(0, min(stop, end) - max(start, begin)) for start, stop in executions[first:last])


def wrong_hops(result, threads, thread_of):
    """What is wrong in path_hops"""
    held, known = collections.Counter(), collections.Counter()
    for row in result.rows("path_hop_instances"):
        if row["take_ns"] and int(row["callback_start_ns"]) in thread_of:
            hop, vtid = (row["path_id"], row["hop"]), thread_of[int(row["callback_start_ns"])]
            held[hop] += overlap(threads[vtid], int(row["publish_ns"]), int(row["take_ns"]))
            known[hop] += 1
    for row in result.rows("path_hops"):
        hop = row["path_id"], row["hop"]
        mean = round(held[hop] / known[hop], 1) if known[hop] else None
        # as many digits as a mean has
        if (mean is None) != (not row["held_mean_ns"]) or (mean and abs(float(row["held_mean_ns"]) - mean) > 0.1):
            yield "hop %s of path %s: held %s ns, not %s" % (row["hop"], row["path_id"], row["held_mean_ns"], mean)
        if bool(row["held_by"]) != (held[hop] > 0):
            yield "hop %s of path %s: held by %r" % (row["hop"], row["path_id"], row["held_by"])


def main():
    plugins, recording = sys.argv[1:]
    result = report.run(plugins, recording)
    threads, thread_of = executions_by_thread(result.rows("callback_instances"))
    expected, messages = collections.Counter(), 0
    for row in result.rows("communication_instances"):
        if row["take_ns"] and row["callback_start_ns"] and int(row["callback_start_ns"]) in thread_of:
            vtid = thread_of[int(row["callback_start_ns"])]
            expected[row["communication_id"]] += overlap(threads[vtid], int(row["publish_ns"]), int(row["take_ns"]))
            messages += 1
    pairs = result.rows("communications")
    complaints = [
        "%s of %s: held %s ns, not %d" % (row["topic"], row["subscription_node"], row["held_sum_ns"],
                                          expected[row["communication_id"]])
        for row in pairs
        if int(row["held_sum_ns"] or 0) != expected[row["communication_id"]]
    ]
    complaints += ["%s of %s: held by %r" % (row["topic"], row["subscription_node"], row["held_by"]) for row in pairs
                   if bool(row["held_by"]) != (expected[row["communication_id"]] > 0)]
    complaints += wrong_hops(result, threads, thread_of)
    print("%s: %d messages, held for %d ns" % (recording, messages, sum(expected.values())))
    if not sum(expected.values()):
        complaints.append("no message was held")
    report.finish(complaints)


main()
