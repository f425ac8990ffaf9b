# SPDX-License-Identifier: MIT
"""Records the events of a simulation as LTTng-UST does, with its faults, into a trace.

A stream is a buffer of one CPU (of one process, if buffers are per process): packets of events. Faults, as the recorder
makes them:

- discarded events: when no packet is free, a CPU records nothing for a while, but for small events that fit into the packet
  still; the packet before the loss counts them, or the one after it, if it was full to the last byte;
- lost packets: those which were overwritten or not copied; the sequence number of the next one jumps;
- a late start: nothing before it, neither definitions nor the beginnings of executions;
- a snapshot of a flight recorder: of each CPU the last packets, however far they reach back;
- a pause: lttng stop, lttng start;
- two sessions: one that records definitions from the beginning, and one that starts late and records everything. What both
  record has two times.
"""
import struct
import sys
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "readers"))

from ctf_writer import Array, Int, Struct, Text, Trace  # noqa: E402
from engine import MS, US, Event  # noqa: E402
from middleware import EPOCH  # noqa: E402

# A: address, q: signed 64 bit, Q: unsigned 64 bit, i: signed 32 bit, s: string, g: gid
EVENTS = {
    "rcl_init": "context_handle A, version s",
    "rcl_node_init": "node_handle A, rmw_handle A, node_name s, namespace s",
    "rmw_publisher_init": "rmw_publisher_handle A, gid g",
    "rcl_publisher_init": "publisher_handle A, node_handle A, rmw_publisher_handle A, topic_name s, queue_depth Q",
    "rmw_subscription_init": "rmw_subscription_handle A, gid g",
    "rcl_subscription_init": "subscription_handle A, node_handle A, rmw_subscription_handle A, topic_name s, queue_depth Q",
    "rclcpp_subscription_init": "subscription_handle A, subscription A",
    "rclcpp_subscription_callback_added": "subscription A, callback A",
    "rcl_service_init": "service_handle A, node_handle A, rmw_service_handle A, service_name s",
    "rclcpp_service_callback_added": "service_handle A, callback A",
    "rcl_client_init": "client_handle A, node_handle A, rmw_client_handle A, service_name s",
    "rcl_timer_init": "timer_handle A, period q",
    "rclcpp_timer_callback_added": "timer_handle A, callback A",
    "rclcpp_timer_link_node": "timer_handle A, node_handle A",
    "rclcpp_callback_register": "callback A, symbol s",
    "callback_start": "callback A, is_intra_process i",
    "callback_end": "callback A",
    "rcl_lifecycle_state_machine_init": "node_handle A, state_machine A",
    "rcl_lifecycle_transition": "state_machine A, start_label s, goal_label s",
    "rclcpp_publish": "message A",
    "rcl_publish": "publisher_handle A, message A",
    "rmw_publish": "message A",
    "rmw_take": "rmw_subscription_handle A, message A, source_timestamp q, taken i",
    "rcl_take": "message A",
    "rclcpp_take": "message A",
    "rclcpp_executor_get_next_ready": "",
    "rclcpp_executor_wait_for_work": "timeout q",
    "rclcpp_executor_execute": "handle A",
}
STAMPS = {"rmw_publish": "rmw_publisher_handle A, message A, timestamp q"}
RINGS = {
    "rclcpp_intra_publish": "publisher_handle A, message A",
    "rclcpp_construct_ring_buffer": "buffer A, capacity Q",
    "rclcpp_buffer_to_ipb": "buffer A, ipb A",
    "rclcpp_ipb_to_subscription": "ipb A, subscription A",
    "rclcpp_ring_buffer_enqueue": "buffer A, index Q, size Q, overwritten i",
    "rclcpp_ring_buffer_dequeue": "buffer A, index Q, size Q",
    "rclcpp_ring_buffer_clear": "buffer A",
}
REQUESTS = {
    "rmw_client_init": "rmw_client_handle A, gid g",
    "rmw_send_request": "rmw_client_handle A, request A, sequence_number q",
    "rmw_take_request": "rmw_service_handle A, request A, client_gid g, sequence_number q, taken i",
    "rmw_send_response": "rmw_service_handle A, response A, client_gid g, sequence_number q, timestamp q",
    "rmw_take_response": "rmw_client_handle A, response A, sequence_number q, source_timestamp q, taken i",
}


DEFINITIONS = {name for name in [*EVENTS, *RINGS, *REQUESTS] if name.endswith(("_init", "_added", "_register", "_link_node"))} \
    | {"rclcpp_construct_ring_buffer", "rclcpp_buffer_to_ipb", "rclcpp_ipb_to_subscription"}


class Stream:
    """Packets are [events, begin, end, number, discarded]."""

    def __init__(self, folder, cpu, events):
        self.folder, self.cpu = folder, cpu
        self.events = sorted(events, key=lambda event: event.time)
        self.packets = []


class Faults:
    """What goes wrong in a recording: chosen by chance."""

    def __init__(self, random, world):
        end = world.now
        self.start, self.pauses, self.windows, self.kept, self.lost = 0, [], {}, None, 0.0
        self.kinds = set()
        if random.random() < 0.35:
            return
        choices = ["discarded", "discarded", "discarded", "late", "snapshot", "packets", "pause", "sessions"]
        for kind in random.sample(choices, random.choice([1, 1, 2])):
            self.kinds.add(kind)
        if self.kinds & {"late", "sessions"}:
            self.start = random.randrange(end // 2 + 1)
        if "pause" in self.kinds:
            length = max(random.choice([150 * MS, 400 * MS]), end // 5)
            begin = random.randrange(end // 10, end)
            self.pauses.append((begin, begin + length))
        if "discarded" in self.kinds:
            self.windows = random.choice([1, 3, 10])
        if "snapshot" in self.kinds:
            self.kept = True
        if "packets" in self.kinds:
            self.lost = random.choice([0.03, 0.15])


class Recorder:
    """Turns the events of a world into streams with packets, and marks those that were lost."""

    def __init__(self, random, world, faults=None):
        self.random, self.world = random, world
        self.faults = faults or Faults(random, world)
        self.size = random.choice([8, 40, 200])  # events of a packet, about
        self.is_per_process = random.random() < 0.25
        self.gaps = {}  # host → [(begin, end)] in which events of a stream may be missing
        self.streams = {host: self.host_streams(host) for host in world.hosts}
        if "sessions" in self.faults.kinds:
            for host, streams in self.streams.items():
                streams.append(self.definitions(host))

    def host_streams(self, host):
        self.gaps[host] = []
        events = {}
        for event in self.world.events:
            process = event.thread.process
            if process.host is host:
                key = (process if self.is_per_process else None, event.cpu)
                events.setdefault(key, []).append(event)
        streams = []
        for (process, cpu), found in sorted(events.items(), key=lambda item: (item[0][0].started if item[0][0] else 0, item[0][1])):
            folder = "ust/uid/0/64-bit"
            begin, end = self.faults.start, self.world.now
            if process:
                folder = f"ust/pid/{process.name}-{process.vpid}-{process.started}/64-bit"
                end = process.ended
                begin = min(max(begin, process.started), end)
            stream = Stream(folder, cpu, found)
            self.pack(host, stream, begin, end)
            streams.append(stream)
        return [stream for stream in streams if stream.packets]

    def definitions(self, host):
        """The stream of a session that records definitions only, and loses none."""
        copies = []
        for event in self.world.events:
            if event.name in DEFINITIONS and event.thread.process.host is host:
                is_twice = not event.is_lost
                copies.append(Event(event.time + (self.random.randint(60, 300) if is_twice else 0), event.name, event.thread, 0, event.values))
                event.is_lost = False
        stream = Stream("definitions/ust/uid/0/64-bit", 0, copies)
        stream.packets = [[stream.events, 0, max([self.world.now] + [event.time for event in copies]), 0, 0]]
        return stream

    def lose(self, events):
        for event in events:
            event.is_lost = True

    def pack(self, host, stream, begin, end):
        """Lets the recorder run over the events of a stream."""
        random, faults, gaps = self.random, self.faults, self.gaps[host]
        windows = []
        if faults.windows:
            for _ in range(random.randint(0, faults.windows)):
                start = random.randrange(begin, end + 1)
                length = int(20 * US * (max(20 * US, self.world.now // 5) / (20 * US)) ** random.random())
                windows.append((start, start + length))
        self.lose(event for event in stream.events if event.time < begin)
        if begin:
            gaps.append((0, begin))
        discarded, number = 0, 0
        events, since = [], begin
        size = random.randint(1, self.size)
        last = begin
        pending = 0  # events lost since the last recorded one
        pause = None
        space = FREE

        def close(time):
            nonlocal events, since, number, size
            stream.packets.append([events, since, time, number, discarded])
            events, since, number = [], time, number + 1
            size = random.randint(1, self.size)

        for event in stream.events:
            if event.is_lost:
                continue
            here = next((each for each in faults.pauses if each[0] <= event.time < each[1]), None)
            if here:
                event.is_lost = True
                continue
            before = next((each for each in faults.pauses if last < each[0] and each[1] <= event.time), None)
            if before and before is not pause:
                pause = before
                if events or number:
                    discarded += pending
                    pending = 0
                    close(before[0])
                since = event.time  # the first packet of a stream begins with its first event, if the session began before
                last = event.time
            if any(start <= event.time < stop for start, stop in windows):
                size_of = 38 + 8 * len(event.values)
                if size_of <= space and events:  # a small one fits still, after a large one did not
                    space -= size_of
                    events.append(event)
                    last = event.time
                    continue
                event.is_lost = True
                pending += 1
                continue
            if pending:
                if random.random() < 0.7 or space < FREE:
                    discarded += pending
                    close(event.time)
                else:  # the packet was full and closed
                    close(last)
                    since = event.time
                    discarded += pending
                pending = 0
                space = FREE
            elif len(events) >= size:
                close(event.time)
            events.append(event)
            last = event.time
        discarded += pending
        for stop, start in faults.pauses:
            gaps.append((stop, start))
            if last < stop < end:
                close(stop)
                since = min(start, end)
        close(max(end, last))
        self.overwrite(stream)
        self.find_gaps(stream, gaps)

    @staticmethod
    def find_gaps(stream, gaps):
        """Where events may be missing as far as packets tell: between two of them, or in one that counts a loss."""
        last, number, discarded = 0, 0, 0
        for events, begin, end, this, count in stream.packets:
            if this != number:
                gaps.append((last, events[0].time if events else end))
            if count != discarded:
                gaps.append((last, end))
            last, number, discarded = events[-1].time if events else end, this + 1, count

    def overwrite(self, stream):
        random, faults = self.random, self.faults
        kept = []
        first = len(stream.packets) - random.randint(1, max(2, len(stream.packets))) if faults.kept else 0
        for place, packet in enumerate(stream.packets):
            if place < first or faults.lost and random.random() < faults.lost and place < len(stream.packets) - 1:
                self.lose(packet[0])
            else:
                kept.append(packet)
        stream.packets = kept


class Writer:
    """Writes the streams of a host as traces, in CTF 1.8."""

    def __init__(self, era):
        self.era = era
        events = dict(EVENTS)
        if era["stamps"]:
            events.update(STAMPS)
        if era["rings"]:
            events.update(RINGS)
        if era["requests"]:
            events.update(REQUESTS)
        self.events = {name: [field.rsplit(" ", 1) for field in text.split(", ") if field] for name, text in events.items()}
        self.numbers = {name: number for number, name in enumerate(self.events)}
        self.formats = {}
        for name, fields in self.events.items():
            kinds = "".join(kind for _, kind in fields)
            if "s" not in kinds:
                gid = f"{era['gid']}s"
                self.formats[name] = struct.Struct("<" + kinds.replace("A", "Q").replace("g", gid)), "g" in kinds

    def metadata(self, host, number, path):
        """A session of its own for definitions has enabled nothing else."""
        clock = f"freq = 1000000000; offset = {EPOCH - BASE};"
        trace = Trace(uuid=uuid.UUID(int=number), env={"hostname": f'"{host.name}"'}, clock=clock)
        types = {"A": lambda: trace.int(64, base=16), "q": lambda: trace.int(64, True), "Q": lambda: trace.int(64),
                 "i": lambda: trace.int(32, True), "s": Text, "g": lambda: Array(trace.int(8), self.era["gid"])}
        trace.context = Struct({"_vpid": trace.int(32, True), "_vtid": trace.int(32, True),
                                "_procname": Array(Int(8, 8, True, encoding="UTF8"), 17)})
        for name, fields in self.events.items():
            if path.startswith("definitions/") and name not in DEFINITIONS:
                continue
            trace.add_event(self.numbers[name], "ros2:" + name, {"_" + field: types[kind]() for field, kind in fields})
        return trace

    def write(self, folder, streams):
        """streams: host → streams"""
        number = 0
        for host, found in streams.items():
            for path in sorted({stream.folder for stream in found}):
                number += 1
                trace = self.metadata(host, number, path)
                target = Path(folder) / host.name / path
                (target / "index").mkdir(parents=True)
                text = trace.tsdl().replace("72bd4720-2d78-4b94-ba7d-413a097b1e7d", str(uuid.UUID(int=0xC10C << 64 | host.number)))
                (target / "metadata").write_text(text, encoding="utf-8")
                for stream in found:
                    if stream.folder == path:
                        self.write_stream(target, trace.uuid.bytes, host, stream)

    def write_stream(self, target, identity, host, stream):
        content, index = [], [struct.pack(">IIII", 0xC1F1DCC1, 1, 1, 72)]
        at = 0
        for events, begin, end, number, discarded in stream.packets:
            begin, end = begin + host.offset + BASE, end + host.offset + BASE
            body, last = [], begin
            for event in events:
                body.append(self.pack(event, host.offset, last))
                last = event.time + host.offset + BASE
            body = b"".join(body)
            size = 32 + 52 + len(body)
            content += [struct.pack("<I16sIQ", 0xC1FC1FC1, identity, 0, stream.cpu),
                        struct.pack("<QQQQQQI", begin, end, 8 * size, 8 * size, number, discarded, stream.cpu), body]
            index.append(struct.pack(">QQQQQQQQQ", at, 8 * size, 8 * size, begin, end, discarded, 0, stream.cpu, number))
            at += size
        name = f"ros2_{stream.cpu}"
        (target / name).write_bytes(b"".join(content))
        (target / "index" / f"{name}.idx").write_bytes(b"".join(index))

    def pack(self, event, offset, last):
        thread = event.thread
        number, time = self.numbers[event.name], event.time + offset + BASE
        # the low 32 bits of the time are enough, unless the event before it is longer ago
        head = SHORT.pack(number, time & 0xFFFFFFFF) if 0 <= time - last < 1 << 32 else LONG.pack(65535, number, time)
        head += CONTEXT.pack(thread.process.vpid, thread.vtid, thread.process.name.encode())
        packer = self.formats.get(event.name)
        if packer:
            packer, has_gid = packer
            if has_gid:
                return head + packer.pack(*(bytes(value) if isinstance(value, tuple) else value for value in event.values))
            return head + packer.pack(*event.values)
        kinds = self.events[event.name]
        parts = [value.encode() + b"\0" if kind == "s" else struct.pack("<q" if kind == "q" else "<Q", value)
                 for (_, kind), value in zip(kinds, event.values)]
        return head + b"".join(parts)


BASE = 1_000_000_000_000  # the trace's clock when the simulation begins: not 0, so that clocks of hosts may differ
FREE = 130  # bytes at the end of a packet in which a large event finds no room
SHORT, LONG, CONTEXT = struct.Struct("<HI"), struct.Struct("<HIQ"), struct.Struct("<ii17s")
