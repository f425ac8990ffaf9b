#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cuts a small trace out of a recording: the runtime events of a time range, of some processes.

    cut.py RECORDING OUTPUT --begin=3.05 --end=3.30 --vpid=8186 --vpid=8188

Seconds count from the recording's first event. Initialization events from before the range are kept, and moved to just in
front of it. What LTTng-UST writes on common machines is understood, see repeat.py.
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
            if member.name == "_vpid":
                vpid, = struct.unpack_from("<i", data, place)
            place = member.end(data, place)
        yield Event(clock, name.split(":")[1], vpid, identifier, data[begin:place])


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--begin", type=float, required=True)
    parser.add_argument("--end", type=float, required=True)
    parser.add_argument("--vpid", type=int, action="append")
    arguments = parser.parse_args()
    found = sorted(arguments.recording.rglob("metadata"))
    if len(found) != 1:
        sys.exit(f"cut: {arguments.recording} has {len(found)} traces, one is needed")
    layout, definitions = Layout(found[0]), initialization_events()
    streams = {path.name: read_stream(path, layout) for path in sorted(found[0].parent.iterdir())
               if path.is_file() and path.name != "metadata"}
    first = min(events[0].time_ns for _, events in streams.values())
    begin, end = first + int(arguments.begin * 1e9), first + int(arguments.end * 1e9)
    last_definition = max(event.time_ns for _, events in streams.values() for event in events
                          if event.name in definitions and event.time_ns < begin)
    arguments.output.mkdir(parents=True)
    shutil.copyfile(found[0], arguments.output / "metadata")
    count = 0
    for name, (head, events) in streams.items():
        kept = []
        for event in events:
            if arguments.vpid and event.vpid not in arguments.vpid:
                continue
            if event.name in definitions and event.time_ns < begin:
                event.time_ns += begin - BEFORE_NS - last_definition
                kept.append(event)
            elif begin <= event.time_ns < end:
                kept.append(event)
        if kept:
            write_stream(arguments.output / name, head, kept)
            count += len(kept)
    print(f"{count} events")


if __name__ == "__main__":
    main()
