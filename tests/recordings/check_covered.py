#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rates and shares are those of the time that was recorded, with both readers.

usage: check_covered.py COMMAND snapshot|paused RECORDING

snapshot: the oldest packets of a CPU were overwritten. Rates and shares are those that the programs logged from the begin of
the complete part on, and a diagnostic names it. paused: the session was stopped for a while. The rates of each topic, of the
callbacks that receive it and of the paths through it agree, in tables, the database's view and the graph.
"""

import contextlib
import os
import re
import sqlite3
import sys
import tempfile

import logs
import report

NS_PER_S = 1e9


def tables(command, reader, recording, *names):
    found = report.of(command, recording, "--reader=" + reader, "--table=" + ",".join(names))
    return [found.rows(name) for name in names]


def is_near(found, expected, tolerance):
    return found != "" and abs(float(found) - expected) <= tolerance * expected


def check_snapshot(command, reader, recording):
    callbacks, usage, diagnostics = tables(command, reader, recording, "callbacks", "usage", "diagnostics")
    lost = [row["detail"] for row in diagnostics if row["what"] == "discarded packets"]
    assert len(lost) == 1 and "CPU 0" in lost[0] and "02:08:20.88" in lost[0], lost
    # the offset of the trace's clock, from an execution that was recorded
    epoch = int(re.search(r"offset sampled at dump: (\d+)", open(
        os.path.join(recording, "ground-truth", "e_sink.csv"), encoding="utf-8").readline()).group(1))
    truth = logs.read(recording, epoch)
    begin, end = 1795226900884933818, 1795226901784000000
    for row in callbacks:
        lines = [line for line in truth if line.vpid == int(row["vpid"]) and line.kind == "callback" and
                 begin <= line.start_ns and line.end_ns <= end]
        rate = (len(lines) - 1) * NS_PER_S / (lines[-1].start_ns - lines[0].start_ns)
        share = 100 * sum(line.end_ns - line.start_ns for line in lines) / (end - begin)
        found = next(line for line in usage if line["scope"] == "process" and line["vpid"] == row["vpid"])["share_percent"]
        assert is_near(row["rate_hz"], rate, 0.02), (row["procname"], row["rate_hz"], rate)
        assert int(row["period_max_ns"]) < 60e6 and int(row["gap_max_ns"]) < 60e6, row
        # callback_start and callback_end lie outside what the programs log
        assert is_near(found, share, 0.15), (row["procname"], found, share)


def check_paused(command, reader, recording):
    callbacks, communications, paths = tables(command, reader, recording, "callbacks", "communications", "paths")
    rates = {row["source"]: float(row["rate_hz"]) for row in callbacks if row["source"] in ("/lidar", "/lidar_f", "/cmd")}
    assert len(rates) == 3 and all(abs(rate - 19.4) < 0.1 for rate in rates.values()), rates
    for row in communications:
        if row["topic"] in rates:
            assert is_near(row["rate_hz"], rates[row["topic"]], 0.003), row
    assert all(is_near(row["rate_hz"], 19.4, 0.005) for row in paths if "/lidar_f" in row["path"]), paths
    with tempfile.TemporaryDirectory() as folder:
        report.output(command, "--reader=" + reader, "--format=sqlite", "--output=" + folder + "/out", recording)
        with contextlib.closing(sqlite3.connect(folder + "/out/report.sqlite")) as database:
            for topic, rate in database.execute("SELECT topic, rate_hz FROM node_graph"):
                assert topic not in rates or is_near(rate, rates[topic], 0.003), (topic, rate)
    graph = report.output(command, "--reader=" + reader, "--format=dot", recording)
    edges = re.findall(r'"t_/(?:lidar|lidar_f|cmd)" -> .*label="([0-9.]+) Hz|-> "t_/(?:lidar|lidar_f|cmd)" \[label="([0-9.]+) Hz', graph)
    assert len(edges) == 6 and all(is_near(a or b, 19.45, 0.01) for a, b in edges), edges


def main():
    command, kind, recording = sys.argv[1:4]
    check = {"snapshot": check_snapshot, "paused": check_paused}[kind]
    for reader in ("fast", "babeltrace2"):
        check(command, reader, recording)


if __name__ == "__main__":
    main()
