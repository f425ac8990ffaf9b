#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table `memory` against the programs' logs, and against the calls as babeltrace2 prints them.

usage: check_memory.py PLUGINS RECORDING ROS2_LATENCY EXECUTIONS

EXECUTIONS: rows of the logs that must agree. For each of them the command reports the calls between the two marks that the
program has set around its own allocations: those of its callback must be as many, with as many bytes, as the program logged.
The callback `publish` frees after its second mark, and rclcpp allocates within it: there it goes up to the callback's end,
and the program's own calls are told by their sizes. What the whole recording must have is counted here once more, from the
printed events.
"""

import collections
import re
import subprocess
import sys

import logs
import report

EVENT = re.compile(r"^\[(\d+)\] \(.*?\) \S+ (\w+):(\w+): \{ cpu_id = \d+ \}, \{ vpid = (\d+), vtid = (\d+).*? \}, \{ ?(.*?) ?\}$")
FIELD = re.compile(r"(\w+) = (0x[0-9A-Fa-f]+|-?\d+)")


def table(command, recording, *options):
    return report.table_of(command, recording, "memory", "--reader=fast", *options)


class Counts(collections.Counter):
    """Of the calls within something; `live`: its blocks that nothing has freed."""

    def allocate(self, size):
        self["allocations"] += 1
        self["allocated_bytes"] += size

    def free(self, size):
        self["frees"] += 1
        self["unknown_frees"] += size is None
        self["freed_bytes"] += size or 0


class Call:
    def __init__(self, time_ns, vtid, owner, size, is_free):
        self.time_ns, self.vtid, self.owner, self.size, self.is_free = time_ns, vtid, owner, size, is_free

    def count(self, counts):
        (counts.free if self.is_free else counts.allocate)(self.size)


class Recount:
    """The printed events, counted: calls in order, live blocks, and when callbacks end, by thread."""

    def __init__(self, recording, offset_ns):
        text = subprocess.run(["babeltrace2", "--clock-cycles"] + report.source_arguments(recording), check=True,
                              capture_output=True, text=True).stdout
        self.calls, self.live, self.ends = [], {}, collections.defaultdict(list)
        stacks = collections.defaultdict(list)
        for line in text.splitlines():
            event = EVENT.match(line)
            if event:
                time, provider, name, vpid, vtid, fields = event.groups()
                self.add(int(time) + offset_ns, provider, name, vpid, vtid, stacks[vtid], fields)

    def add(self, time_ns, provider, name, vpid, vtid, stack, fields):
        if name == "callback_start":
            stack.append(re.search(r"callback = (0x\w+)", fields).group(1).lower())
        elif name == "callback_end":
            self.ends[vtid].append(time_ns)
            stack.pop()
        elif provider == "lttng_ust_libc":
            owner = stack[-1] if stack else None
            for is_free, address, size in parts_of(name, fields):
                if is_free:
                    size = self.live.pop((vpid, address), (None, None))[0]
                else:
                    self.live[vpid, address] = (size, owner)
                self.calls.append(Call(time_ns, vtid, owner, size, is_free))

    def within(self, vtid, begin_ns, end_ns, choose=lambda call: True):
        counts = Counts()
        for call in self.calls:
            if call.vtid == vtid and begin_ns <= call.time_ns <= end_ns and choose(call):
                call.count(counts)
        return counts


def parts_of(name, fields):
    """(is it a free, address, bytes) of what a call has done."""
    number = {key: int(text, 0) for key, text in FIELD.findall(fields)}
    address = number.get("ptr", number.get("out_ptr"))
    if name == "free":
        return [(True, address, None)] if address else []
    size = number["size"] * number.get("nmemb", 1)
    if number.get("result") or (not address and size):
        return []
    freed = [(True, number["in_ptr"], None)] if number.get("in_ptr") else []
    return freed + ([(False, address, size)] if address else [])


COLUMNS = ("allocations", "allocated_bytes", "frees", "freed_bytes", "unknown_frees")


def check(complaints, what, got, expected):
    if str(got) != str(expected):
        complaints.append(f"{what}: {got}, not {expected}")


def check_whole(rows, recount, complaints):
    callbacks, live = collections.defaultdict(Counts), recount.live.values()
    for call in recount.calls:
        call.count(callbacks[call.owner])
    outside = callbacks.pop(None)
    by_scope = collections.defaultdict(list)
    for row in rows:
        by_scope[row["scope"]].append(row)
    for column in COLUMNS:
        check(complaints, f"{column} outside", sum(int(row[column]) for row in by_scope["outside"]), outside[column])
        check(complaints, f"{column} of callbacks", sorted(int(row[column]) for row in by_scope["callback"]),
              sorted(counts[column] for counts in callbacks.values()))
        total = outside[column] + sum(counts[column] for counts in callbacks.values())
        check(complaints, f"{column} of processes", sum(int(row[column]) for row in by_scope["process"]), total)
        check(complaints, f"{column} of nodes", sum(int(row[column]) for row in by_scope["node"]), total - outside[column])
    check(complaints, "live blocks", sum(int(row["live_blocks"]) for row in by_scope["process"]), len(live))
    check(complaints, "live bytes", sum(int(row["live_bytes"]) for row in by_scope["process"]), sum(size for size, _ in live))
    check(complaints, "live bytes of callbacks", sorted(int(row["live_bytes"]) for row in by_scope["callback"]),
          sorted(sum(size for size, owner in live if owner == callback) for callback in callbacks))


def name_of(line):
    """A callback as the table names it."""
    periods = {"balanced": "50.0 ms", "leak": "100 ms", "publish": "200 ms"}
    return f"/{line.node} {periods.get(line.name, line.name)}"


def up_to(command, recording, time_ns, scope, name):
    """The counts of a row, of what lies before a time; `name` may be None."""
    for row in table(command, recording, f"--end={time_ns}"):
        if row["scope"] == scope and name in (row["name"], None):
            return Counts({column: int(row[column]) for column in COLUMNS})
    return Counts()


def between(command, recording, begin_ns, end_ns, scope, name=None):
    """The same between two times."""
    counts = up_to(command, recording, end_ns, scope, name)
    counts.subtract(up_to(command, recording, begin_ns - 1, scope, name))
    return counts


def is_own(call):
    """Of the program; one that was allocated before the recording, too."""
    return call.size is None or call.size % 1000 == 7


def check_line(command, recording, recount, line):
    """Whether an execution is as the program has logged it, and what aligned_alloc() gave: only its free is recorded."""
    end_ns, choose, unrecorded = line.end_ns, lambda call: True, line.name == "balanced"
    if line.name == "publish":
        end_ns, choose = min(time for time in recount.ends[line.vtid] if time > line.end_ns), is_own
    ours = between(command, recording, line.start_ns, end_ns, "callback", name_of(line))
    printed = recount.within(line.vtid, line.start_ns, end_ns)
    own = recount.within(line.vtid, line.start_ns, end_ns, choose)
    missing = int(line.extra["bytes"]) - own["allocated_bytes"]
    is_equal = all(ours[column] == printed[column] for column in COLUMNS) and (
        own["allocations"] + unrecorded, own["frees"]) == (int(line.extra["allocs"]), int(line.extra["frees"]))
    return is_equal and (missing == 0 or unrecorded), missing


def check_lines(command, recording, recount, lines, complaints):
    """Each execution by the program's log."""
    matched, sizes = 0, set()
    for line in lines:
        if line.kind in ("timer", "callback"):
            is_equal, missing = check_line(command, recording, recount, line)
            matched += is_equal
            sizes |= {missing} - {0}
            if not is_equal:
                complaints.append(f"{line}: not as logged: {line.extra}")
    if len(sizes) > 1:
        complaints.append(f"what aligned_alloc() gave has several sizes: {sizes}")
    return matched


def check_worker(command, recording, lines, complaints):
    """A thread that executes no callback."""
    for line in lines[:5]:
        row = between(command, recording, line.start_ns, line.end_ns, "outside")
        check(complaints, f"{line}: bytes", row["allocated_bytes"], line.extra["bytes"])
        check(complaints, f"{line}: frees", row["frees"], line.extra["frees"])


def check_kept(rows, lines, complaints):
    """What the program says that it keeps: `leak` passes every other block on to `publish`, which frees it."""
    left = sum(int(line.extra["net"]) for line in lines if line.name in ("leak", "publish"))
    kept = sum(int(line.extra["kept_bytes"]) for line in lines if line.kind == "end")
    passed = left - kept
    row = next(row for row in rows if row["scope"] == "callback" and row["name"] == name_of(
        next(line for line in lines if line.name == "leak")))
    count = sum(int(line.extra["kept"]) for line in lines if line.kind == "end") + (passed > 0)
    check(complaints, "leak: live bytes", row["live_bytes"], left)
    check(complaints, "leak: live blocks", row["live_blocks"], count)
    check(complaints, "unknown frees", sum(int(row["unknown_frees"]) for row in rows if row["scope"] == "process"),
          sum(line.name == "balanced" for line in lines))


def main():
    plugins, recording, command, wanted = sys.argv[1:]
    complaints = []
    offset_ns = report.clock_offset_ns(recording)
    rows, recount = table(command, recording), Recount(recording, offset_ns)
    lines = logs.read(recording, offset_ns)
    if report.run(plugins, recording).rows("memory") != rows:
        complaints.append("the two readers differ")
    check_whole(rows, recount, complaints)
    matched = check_lines(command, recording, recount, lines, complaints)
    check(complaints, "rows of the logs that agree", matched, wanted)
    check_worker(command, recording, [line for line in lines if line.kind == "worker"], complaints)
    if any(line.kind == "end" for line in lines):
        check_kept(rows, lines, complaints)
    print(f"{matched} rows of the logs agree, {len(rows)} rows of the table")
    report.finish(complaints)


main()
