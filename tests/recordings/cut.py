#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cuts a small trace out of a recording: the runtime events of a time range, of some processes.

    cut.py RECORDING OUTPUT --begin=3.05 --end=3.30 --vpid=8186 --vpid=8188 --leave-out=EVENT,…

Seconds count from the recording's first event. Initialization events from before the range are kept, and moved to just in
front of it. What LTTng writes on common machines is understood, see repeat.py: traces of user space, and of the kernel
beside them. Of the kernel's, all processes are kept, and the state dump.
"""
import argparse
import shutil
import struct
import sys
from pathlib import Path

from repeat import PACKET, Layout, initialization_events

BEFORE_NS = 10_000_000  # where moved events end


class Event:
    def __init__(self, time_ns, name, vpid, identifier, body):
        self.time_ns, self.name, self.vpid, self.identifier, self.body = time_ns, name, vpid, identifier, body

    def bytes(self):
        return struct.pack("<HI", self.identifier, self.time_ns & 0xFFFFFFFF) + self.body


def read_packet(data, at, layout):
    head = PACKET.unpack_from(data, at)
    clock, end, place = head[4], at + head[6] // 8, at + PACKET.size
    while place < end:
        identifier, short = struct.unpack_from("<HI", data, place)
        if identifier == 0xFFFF:
            identifier, clock = struct.unpack_from("<IQ", data, place + 2)
            place += 14
        else:
            clock += (short - clock) & 0xFFFFFFFF
            place += 6
        name, fields = layout.events[identifier]
        begin, vpid = place, None
        for member in layout.context + fields:
            if member.name == "_vpid" and ":" in name:
                vpid, = struct.unpack_from("<i", data, place)
            place = member.end(data, place)
        yield Event(clock, name.split(":")[-1], vpid, identifier, data[begin:place])


def read_stream(path, layout):
    data, at, events = path.read_bytes(), 0, []
    while at < len(data):
        head = PACKET.unpack_from(data, at)
        events += read_packet(data, at, layout)
        at += head[7] // 8
    return head, events


def write_stream(path, head, events):
    content = b"".join(event.bytes() for event in events)
    size = -(-(PACKET.size + len(content)) // 4096) * 4096
    head = [*head[:4], events[0].time_ns, events[-1].time_ns, 8 * (PACKET.size + len(content)), 8 * size, 0, 0, head[10]]
    path.write_bytes(PACKET.pack(*head) + content + bytes(size - PACKET.size - len(content)))


def read_trace(folder):
    layout = Layout(folder / "metadata", ())
    return {path.name: read_stream(path, layout) for path in sorted(folder.iterdir())
            if path.is_file() and path.name != "metadata"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--begin", type=float, required=True)
    parser.add_argument("--end", type=float, required=True)
    parser.add_argument("--vpid", type=int, action="append")
    parser.add_argument("--leave-out", default="", help="events, by their names without provider, with commas")
    arguments = parser.parse_args()
    definitions, left_out = initialization_events(), arguments.leave_out.split(",")
    traces = {path.parent.relative_to(arguments.recording): read_trace(path.parent)
              for path in sorted(arguments.recording.rglob("metadata"))}
    all_events = [event for streams in traces.values() for _, events in streams.values() for event in events]
    first = min(event.time_ns for event in all_events)
    begin, end = first + int(arguments.begin * 1e9), first + int(arguments.end * 1e9)
    last_definition = max(event.time_ns for event in all_events if event.name in definitions and event.time_ns < begin)

    def is_kept(event):
        if event.name in left_out or (arguments.vpid and event.vpid and event.vpid not in arguments.vpid):
            return False
        if event.name in definitions and event.time_ns < begin:
            event.time_ns += begin - BEFORE_NS - last_definition
            return True
        return begin <= event.time_ns < end

    count = 0
    for folder, streams in traces.items():
        (arguments.output / folder).mkdir(parents=True)
        shutil.copyfile(arguments.recording / folder / "metadata", arguments.output / folder / "metadata")
        for name, (head, events) in streams.items():
            kept = [event for event in events if is_kept(event)]
            if kept:
                write_stream(arguments.output / folder / name, head, kept)
                count += len(kept)
    print(f"{count} events")


if __name__ == "__main__":
    main()
