#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every callback of a generated trace has its row and ran as often as the generator says (truth.callbacks.csv).

usage: check_truth.py PLUGINS RECORDING
"""

import csv
import os
import sys

import report

def identity_of(row):
    """The truth distinguishes both callbacks of a subscription, and numbers services."""
    kind = row["kind"].replace("_intra", "")
    source = "" if kind == "service" else row["source"]
    return row["procname"], row["vpid"], row["node"], kind, source, row["callback"]


def counts_of(rows):
    return {identity_of(row): int(row["count"]) for row in rows}


def main():
    plugins, recording = sys.argv[1:]
    table = report.run(plugins, recording)
    found = counts_of(table.rows("callbacks"))
    with open(os.path.join(recording, "truth.callbacks.csv"), encoding="utf-8") as file:
        expected = counts_of(csv.DictReader(file))
    complaints = [
        "%s ran %s times, not %d" % (" ".join(identity), found.get(identity, "no"), count)
        for identity, count in expected.items()
        if found.get(identity) != count
    ]
    complaints += [
        "not in the truth, but ran: %s" % " ".join(identity)
        for identity, count in found.items()
        if count and identity not in expected
    ]
    if not expected or sum(int(row["incomplete"]) for row in table.rows("callbacks")):
        complaints.append("incomplete executions, or no truth")
    report.finish(complaints)


main()
