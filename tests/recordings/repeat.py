#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a long trace of a short recording: its events again and again, each time later, as if the system had gone on.

    repeat.py RECORDING OUTPUT --events=10000000 --leave-out=EVENT,…

Takes what LTTng writes on common machines (CTF 1.8, little endian, everything byte-aligned): traces of user space, and of
the kernel beside them. Initialization events and the state dump are in the first round only. Times in event headers stay as they are, since each round is later by a multiple of what
they can hold; those of packets, and source timestamps of messages, are moved. To measure with: a busy minute costs a
second to record, an hour an hour.
"""
import argparse
import re
import shutil
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUND_STEP_NS = 1 << 32  # the short time of the large event header
STAMPS = ("_timestamp", "_source_timestamp", "_source_stamp")


class Member:
    """Of a structure: bytes of one element, how many there are (0: a string, ended by a NUL; None: as the member before says)."""

    def __init__(self, text):
        if text.startswith("string"):
            self.size, self.count, self.name = 1, 0, text.split()[1]
            return
        match = re.match(r"integer \{ size = (\d+); align = 8;.*\} (\w+)(?:\[(\d+)\]|(\[ \w+ \]))?$", text)
        if not match:
            sys.exit(f"repeat: a field of a form that it does not know: {text}")
        self.size, self.name, self.count = int(match[1]) // 8, match[2], None if match[4] else int(match[3] or 1)
        self.length_size = 0  # of the member before

    def end(self, data, place):
        if self.count == 0:
            return data.index(0, place) + 1
        count = int.from_bytes(data[place - self.length_size:place], "little") if self.count is None else self.count
        return place + self.size * count


def members(text):
    found = [Member(line.strip().rstrip(";")) for line in text.strip().splitlines() if line.strip()]
    for before, member in zip(found, found[1:]):
        member.length_size = before.size
    return found


def plain_numbers(text):
    """Metadata with integers in place of enumerations and real numbers: only their sizes matter."""
    text = re.sub(r"enum : (integer \{[^}]*\}) \{[^}]*\}", r"\1", text)
    return re.sub(r"floating_point \{ exp_dig = 11; mant_dig = 53; align = 8; \}", "integer { size = 64; align = 8; }", text)


class Layout:
    """What the metadata says of the events of the one stream class; `left_out` are names of events."""

    def __init__(self, metadata, left_out):
        text = plain_numbers(metadata_text(metadata))
        if "event.header := struct event_header_large" not in text or "byte_order = le" not in text:
            sys.exit("repeat: event headers of 16 + 32 bits are needed, little endian")
        self.context = members(re.search(r"event\.context := struct \{\n(.*?)\n\t\}", text, re.S)[1])
        self.events, self.left_out = {}, left_out
        for block in re.findall(r"\nevent \{\n(.*?)\n\};", text, re.S):
            fields = re.search(r"fields := struct \{\n?(.*?)\n?\t\};", block, re.S)[1]
            self.events[int(re.search(r"\tid = (\d+);", block)[1])] = (re.search(r'name = "(.*?)"', block)[1],
                                                                       members(fields))


def metadata_text(path):
    data = path.read_bytes()
    if data[:4] != struct.pack("<I", 0x75D11D57):
        return data.decode()
    text, at = b"", 0
    while at < len(data):
        content, packet = struct.unpack_from("<II", data, at + 24)
        text += data[at + 37:at + content // 8]
        at += packet // 8
    return text.decode()


def initialization_events():
    table = (ROOT / "core/events/event_table.h").read_text()
    return {name for name, kind in re.findall(r"^EVENT\(\w+, (\w+), \w+, (\w+),", table, re.M)
            if kind == "INIT" or name.startswith("lttng_statedump")}


# packet header: magic, uuid, stream_id, stream_instance_id; context: begin, end, content, packet, number, discarded, cpu
PACKET = struct.Struct("<I16sIQ QQQQQQI")


class Packet:
    """Its head, its events as bytes with and without initialization events, and where times lie in each of them."""

    def __init__(self, data, at, layout, skipped):
        head = list(PACKET.unpack_from(data, at))
        self.head, self.size = head, head[7] // 8
        self.first, self.later = (bytearray(), [], []), (bytearray(), [], [])
        self.count = [0, 0]
        end, place = at + head[6] // 8, at + PACKET.size
        while place < end:
            place = self.add_event(data, place, layout, skipped)

    def add_event(self, data, begin, layout, skipped):
        identifier, = struct.unpack_from("<H", data, begin)
        place, times, stamps = begin + 6, [], []
        if identifier == 0xFFFF:
            identifier, = struct.unpack_from("<I", data, begin + 2)
            times, place = [6], begin + 14
        name, fields = layout.events[identifier]
        for member in layout.context + fields:
            if member.name in STAMPS and member.size == 8:
                stamps.append(place - begin)
            place = member.end(data, place)
        name = name.split(":")[-1]
        for index, (content, all_times, all_stamps) in enumerate((self.first, self.later)):
            if name not in layout.left_out and (index == 0 or name not in skipped):
                all_times += [len(content) + offset for offset in times]
                all_stamps += [len(content) + offset for offset in stamps]
                content += data[begin:place]
                self.count[index] += 1
        return place

    def write(self, file, number, round_number, step):
        content, times, stamps = self.later if round_number else self.first
        shift = round_number * step
        content, head = bytearray(content), list(self.head)
        for place in times + stamps:
            value, = struct.unpack_from("<Q", content, place)
            if value:
                struct.pack_into("<Q", content, place, value + shift)
        head[4] += shift
        head[5] += shift
        head[6] = 8 * (PACKET.size + len(content))
        head[8] = number
        file.write(PACKET.pack(*head) + content)
        file.write(bytes(self.size - PACKET.size - len(content)))
        return self.count[1 if round_number else 0]


def stream_packets(path, layout, skipped):
    data, at, packets = path.read_bytes(), 0, []
    while at < len(data):
        packets.append(Packet(data, at, layout, skipped))
        at += packets[-1].size
    return packets


def repeat(traces, output, wanted, left_out):
    """`traces`: folders with metadata, by their path below the output"""
    skipped, streams = initialization_events(), {}
    shutil.rmtree(output, ignore_errors=True)
    for below, source in traces.items():
        layout = Layout(source / "metadata", left_out)
        (output / below).mkdir(parents=True)
        shutil.copyfile(source / "metadata", output / below / "metadata")
        for path in sorted(path for path in source.iterdir() if path.is_file() and path.name != "metadata"):
            streams[output / below / path.name] = stream_packets(path, layout, skipped)
    heads = [packet.head for packets in streams.values() for packet in packets]
    span = max(head[5] for head in heads) - min(head[4] for head in heads)
    step = (span // ROUND_STEP_NS + 1) * ROUND_STEP_NS
    files = {path: open(path, "wb") for path in streams}
    count, round_number = 0, 0
    while count < wanted:
        for path, packets in streams.items():
            for index, packet in enumerate(packets):
                count += packet.write(files[path], round_number * len(packets) + index, round_number, step)
        round_number += 1
    for file in files.values():
        file.close()
    print(f"{count} events, {round_number} rounds of {step / 1e9:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path, help="folder of a trace, or one above it")
    parser.add_argument("output", type=Path)
    parser.add_argument("--events", type=int, default=10_000_000, help="at least so many (default: 10 million)")
    parser.add_argument("--leave-out", default="", help="events, by their names without provider, with commas")
    arguments = parser.parse_args()
    found = sorted(path.parent for path in arguments.recording.rglob("metadata"))
    if not found:
        sys.exit(f"repeat: {arguments.recording} has no trace")
    repeat({path.relative_to(arguments.recording): path for path in found}, arguments.output, arguments.events,
           arguments.leave_out.split(","))


if __name__ == "__main__":
    main()
