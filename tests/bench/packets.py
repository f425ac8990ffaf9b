# SPDX-License-Identifier: MIT
"""Traces of a million events in seconds: what ctf_writer.py writes member by member, by one struct for each event without
texts, as LTTng-UST and LTTng's kernel tracer write it, packed or naturally aligned.
"""
import struct
import sys
import uuid
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / folder) for folder in ("faults", "readers")]

from ctf_writer import Array, Bits, Int, Struct, Trace  # noqa: E402
from ros_trace import RosTrace, Thread, executor_fields  # noqa: E402,F401

PACKET_BYTES = 60_000
CODES = {(8, False): "B", (32, False): "I", (32, True): "i", (64, False): "Q", (64, True): "q"}


def code_of(field):
    """Of a member, as struct.pack() takes it; None: it is written by ctf_writer."""
    if isinstance(field, Int):
        return CODES.get((field.size, field.signed))
    if isinstance(field, Array) and field.element.size == 8:
        return f"{field.length}s"
    return None


class FastTrace:
    """Mixed into a Trace. Events are (number, moment, values of the context, values of the payload); arrays are bytes."""

    def layout(self, number, phase):
        """The struct of an event that begins `phase` bytes behind a multiple of 8; None: it has a text."""
        key = (number, phase)
        if key not in self.__dict__.setdefault("layouts", {}):
            self.layouts[key] = self.plan(number, phase)
        return self.layouts[key]

    def plan(self, number, phase):
        at, codes = phase, "<"

        def put(code, alignment):
            nonlocal at, codes
            pad = -at % (alignment // 8 if alignment >= 8 else 1)
            codes += f"{pad}x{code}"
            at += pad + struct.calcsize("<" + code)

        put("H", self.align(16))
        put("I", self.align(32))
        for scope in (self.context or Struct({}), self.events[number][1]):
            put("", scope.alignment)
            for field in scope.fields.values():
                if code_of(field) is None:
                    return None
                put(code_of(field), field.alignment)
        return struct.Struct(codes)

    def add_slowly(self, packet, event):
        """Of what it has written, only the texts need it."""
        number, moment, context, payload = event
        bits = Bits(self.big_endian)
        bits.bytes, bits.at = packet, 8 * len(packet)
        self.write_header(bits, number, moment, None)
        if self.context:
            self.context.write(bits, [list(value) if isinstance(value, bytes) else value for value in context])
        self.events[number][1].write(bits, [list(value) if isinstance(value, bytes) else value for value in payload])

    def head(self, begin, end, content, size, sequence, cpu, instance):
        bits = Bits(self.big_endian)
        self.packet_header.write(bits, [0xC1FC1FC1, list(self.uuid.bytes), 0, instance])
        bits.align(self.packet_context.alignment)
        self.packet_context.write(bits, [begin, end, 8 * content, 8 * size, sequence, 0, cpu])
        return bits.bytes

    def stream(self, events, cpu=0, instance=0):
        """The packets of a stream: events in order of time."""
        packets, packet, begin, last = [], None, 0, 0
        for event in events:
            if packet is not None and len(packet) > PACKET_BYTES:
                packets.append(self.finish(packet, begin, last, len(packets), cpu, instance))
                packet = None
            if packet is None:
                packet, begin = self.head(event[1], event[1], 0, 0, 0, cpu, instance), event[1]
            last = event[1]
            layout = self.layout(event[0], len(packet) % 8)
            if layout:
                packet += layout.pack(event[0], last & 0xFFFFFFFF, *event[2], *event[3])
            else:
                self.add_slowly(packet, event)
        return packets + [self.finish(packet, begin, last, len(packets), cpu, instance)] if packet else packets

    def finish(self, packet, begin, end, sequence, cpu, instance):
        size = -(-len(packet) // 8) * 8
        head = self.head(begin, end, len(packet), size, sequence, cpu, instance)
        packet[:len(head)] = head
        return bytes(packet).ljust(size, b"\0")


class FastRosTrace(FastTrace, RosTrace):
    def event(self, name, moment, thread, *payload):
        context = (thread.vpid, thread.vtid, thread.procname.encode()[:16].ljust(17, b"\0"))
        return (self.numbers[f"ros2:{name}"], moment, context,
                [bytes(value) if isinstance(value, list) else value for value in payload])


class KernelTrace(FastTrace, Trace):
    """Switches, wake-ups, system calls and soft interrupts, with the ids of the thread that runs."""

    CALLS = ("futex", "recvmsg", "sendmsg", "epoll_ctl", "read", "write", "clock_nanosleep")

    def __init__(self, number=1, **options):
        env = {"domain": '"kernel"', "tracer_name": '"lttng-modules"', "hostname": '"robot"'}
        super().__init__(uuid=uuid.UUID(int=number), env=env, **options)
        comm = Array(Int(8, 8, True, encoding="UTF8"), 16)
        i32, i64 = self.int(32, True), self.int(64, True)
        self.context = Struct({"_vpid": i32, "_vtid": i32})
        wakeup = {"_comm": comm, "_tid": i32, "_prio": i32, "_target_cpu": i32}
        kinds = {"sched_switch": {"_prev_comm": comm, "_prev_tid": i32, "_prev_prio": i32, "_prev_state": i64,
                                  "_next_comm": comm, "_next_tid": i32, "_next_prio": i32},
                 "sched_waking": wakeup, "sched_wakeup": wakeup,
                 "irq_softirq_raise": {"_vec": self.int(32)}, "irq_softirq_entry": {"_vec": self.int(32)},
                 "irq_softirq_exit": {"_vec": self.int(32)}}
        for call in self.CALLS:
            kinds |= {f"syscall_entry_{call}": {"_fd": i64, "_buffer": self.int(64), "_length": i64},
                      f"syscall_exit_{call}": {"_ret": i64}}
        self.numbers = {}
        for name, fields in kinds.items():
            self.numbers[name] = len(self.numbers)
            self.add_event(self.numbers[name], name, fields)
