# SPDX-License-Identifier: MIT
"""What the recorded programs logged themselves (ground-truth/*.csv beside a trace), and how it meets executions.

A callback logs its first and its last line; the tracepoints lie around them. So an execution contains the times of its log,
and of one log only. How far they are apart was measured when the recordings were made: 0.1 to 5 us at the start, 1 to
100 us at the end, where the program writes its log; more only where the thread was preempted.
"""

import bisect
import collections
import csv
import glob
import os
import re

START_OFFSET_NS = 5000
END_OFFSET_NS = 100000
WITHIN_OFFSET = 0.97  # of the executions; the others were preempted
PREEMPTED_NS = 20000000


class Logged:
    """A callback that a program logged; times of the trace's clock."""

    def __init__(self, vpid, row):
        self.vpid = vpid
        self.tid = int(row["tid"])
        self.node = row["node"]
        self.kind = kind_of(row)
        self.source = None if self.kind == "timer" else row["name"]
        self.start_ns = int(row["t_start_ns"])
        self.end_ns = int(row["t_end_ns"])

    def is_of(self, callback):
        """Whether a row of the table is this callback as far as the log shows."""
        return (
            callback["vpid"] in ("", str(self.vpid))
            and callback["node"].rsplit("/", 1)[-1] == self.node
            and callback["kind"] == self.kind
            and callback["source"] != ""
            and (self.source is None or callback["source"] == self.source)
        )

    def __str__(self):
        return "%s %s of %s (vpid %d, vtid %d) at %d" % (
            self.kind, self.source or "", self.node, self.vpid, self.tid, self.start_ns)


def kind_of(row):
    if row["kind"] == "service":
        return "service"
    return "timer" if row["name"] == "timer" else "subscription"


def read(recording):
    """All logged callbacks."""
    logged = []
    for path in sorted(glob.glob(os.path.join(recording, "ground-truth", "*.csv"))):
        with open(path, encoding="utf-8") as file:
            vpid = int(re.search(r"pid=(\d+)", file.readline()).group(1))
            logged += [Logged(vpid, row) for row in csv.DictReader(file) if row["kind"] in ("callback", "service")]
    return logged


class Matches:
    """Which execution contains which logged callback. Without known objects only the thread has to fit."""

    def __init__(self, executions, logged, offset_ns, are_objects_known=True):
        self.pairs = []
        self.missing = []
        self.doubled = []
        by_thread = collections.defaultdict(list)
        for execution in sorted(executions, key=lambda execution: execution.start_ns):
            by_thread[execution.vtid].append(execution)
        starts = {vtid: [execution.start_ns for execution in of] for vtid, of in by_thread.items()}
        used = set()
        for one in logged:
            vtid = one.tid if one.tid in by_thread else None
            last = bisect.bisect_right(starts.get(vtid, []), one.start_ns + offset_ns)
            execution = next(
                (
                    candidate
                    for candidate in reversed(by_thread[vtid][:last][-64:])
                    if candidate.end_ns >= one.end_ns + offset_ns
                    and (not are_objects_known or one.is_of(candidate.callback))
                ),
                None,
            )
            if execution is None:
                self.missing.append(one)
            elif id(execution) in used:
                self.doubled.append(one)
            else:
                used.add(id(execution))
                self.pairs.append((one, execution))
        self.offset_ns = offset_ns

    def check(self):
        """Complaints, none if every execution lasts as long as its log says."""
        complaints = ["executions contain several logged callbacks, such as %s" % one for one in self.doubled[:3]]
        apart = [
            (one.start_ns + self.offset_ns - execution.start_ns, execution.end_ns - one.end_ns - self.offset_ns)
            for one, execution in self.pairs
        ]
        within = sum(start <= START_OFFSET_NS and end <= END_OFFSET_NS for start, end in apart)
        if within < WITHIN_OFFSET * len(apart):
            complaints.append("only %d of %d durations are within the logging offset" % (within, len(apart)))
        for (one, _), (start, end) in zip(self.pairs, apart):
            if start > PREEMPTED_NS or end > PREEMPTED_NS:
                complaints.append("lasts %d ns longer than its log: %s" % (start + end, one))
        return complaints
