#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: check_clocks.py RECORDING ROS2_LATENCY PLUGINS

Copies of a recording of hosts with one clock, in which the metadata of one host gives its clock another offset and
rate: `--clocks=align` finds both, within the uncertainty that it reports, and no message arrives before it was sent.
"""
import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NS_PER_S = 10**9
FAULTS = ("negative latency", "clock was set", "message against the clocks", "take without publication")
CHANGES = [(0, 0), (10 * NS_PER_S, 0), (-10 * NS_PER_S, 0), (3_000_000, 50), (-7_654_321, -200), (10 * NS_PER_S, 1),
           (-10 * NS_PER_S, 200), (-3600 * NS_PER_S, 20)]


def first_cycles(trace):
    """Of the trace's packets, the earliest begin, as the index files have it."""
    begins = []
    for index in trace.rglob("*.idx"):
        data = index.read_bytes()
        size = int.from_bytes(data[12:16], "big")
        begins += [int.from_bytes(data[at + 24:at + 32], "big") for at in range(16, len(data), size)]
    return min(begins)


def change_clock(trace, offset_ns, ppm):
    """Gives the host's clock another offset and rate, from its first packet on; when that is, by the true clock, in ns."""
    cycles = first_cycles(trace)
    metadata = next(trace.rglob("metadata"))
    data = metadata.read_bytes()
    found = re.search(rb"freq = (\d+);.*?offset = (\d+);", data, re.DOTALL)
    frequency, old = int(found[1]), int(found[2])
    assert frequency == NS_PER_S
    # A clock that is fast by some ppm gives more ns for the same cycles.
    new_frequency = round(NS_PER_S / (1 + ppm * 1e-6))
    begin_ns = cycles + old + offset_ns
    new = begin_ns * new_frequency // NS_PER_S - cycles
    text = found[0].replace(b"freq = %d" % frequency, (b"freq = %d" % new_frequency).ljust(len(b"freq = %d" % frequency)))
    text = text.replace(b"offset = %d" % old, (b"offset = %d" % new).ljust(len(b"offset = %d" % old)))
    assert len(text) == len(found[0]), (text, found[0])
    metadata.write_bytes(data[:found.start()] + text + data[found.end():])
    return cycles + old


def read(report, table):
    path = pathlib.Path(report) / f"{table}.csv"
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def align(command, plugins, trace, report, reader):
    if reader == "sink":
        subprocess.run(["babeltrace2", "--plugin-path", plugins, trace, "-c", "sink.ros2.latency",
                        f"--params=clocks=\"align\",format=\"csv\",instances=yes,output=\"{report}\""], check=True)
    else:
        subprocess.run([command, trace, "--clocks=align", "--format=csv", "--instances", f"--output={report}",
                        f"--reader={reader}"], check=True)


def check(command, plugins, recording, directory, offset_ns, ppm, reader):
    trace, report = directory / "trace", directory / "report"
    shutil.copytree(recording / "trace", trace)
    begin_ns = change_clock(trace / "robot-b", offset_ns, ppm)
    align(command, plugins, trace, report, reader)
    other = {row["hostname"]: row for row in read(report, "hosts")}["robot-b"]
    seconds = (int(other["offset_at_ns"]) - begin_ns) / NS_PER_S
    error = int(other["offset_ns"]) - (offset_ns + ppm * 1e3 * seconds)
    latencies = [int(row["take_ns"]) - int(row["publish_ns"]) for row in read(report, "communication_instances")
                 if row["take_ns"]]
    negative = sum(latency < 0 for latency in latencies)
    faults = [row["what"] for row in read(report, "diagnostics") if row["what"] in FAULTS]
    print(f"{reader}: {offset_ns} ns, {ppm} ppm: error {error:.0f} ns, uncertainty {other['uncertainty_ns']} ns, "
          f"{len(latencies)} messages, {negative} of them before they were sent {faults}")
    return abs(error) <= int(other["uncertainty_ns"]) and len(latencies) > 500 and negative == 0 and not faults


def main():
    _, recording, command, plugins = sys.argv
    failed = 0
    for offset_ns, ppm in CHANGES:
        for reader in ("fast", "babeltrace2", "sink"):
            with tempfile.TemporaryDirectory() as directory:
                failed += not check(command, plugins, pathlib.Path(recording), pathlib.Path(directory), offset_ns, ppm,
                                    reader)
    return failed > 0


sys.exit(main())
