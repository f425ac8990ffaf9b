# SPDX-License-Identifier: MIT
"""Reads a trace for Perfetto, strictly: any field that is not known here is an error. Names and numbers of the fields are
those of protos/perfetto/trace in google/perfetto. Where its descriptors are installed (the package `perfetto`), they
judge as well."""

import struct

VARINT, FIXED64, BYTES = 0, 1, 2

# By message: number -> (name, type), a type is one of the above, "text", or the name of a message.
FIELDS = {
    "Trace": {1: ("packet", "TracePacket")},
    "TracePacket": {
        1: ("ftrace_events", "FtraceEventBundle"),
        6: ("clock_snapshot", "ClockSnapshot"),
        8: ("timestamp", VARINT),
        10: ("trusted_packet_sequence_id", VARINT),
        11: ("track_event", "TrackEvent"),
        12: ("interned_data", "InternedData"),
        13: ("sequence_flags", VARINT),
        59: ("trace_packet_defaults", "TracePacketDefaults"),
        60: ("track_descriptor", "TrackDescriptor"),
        87: ("first_packet_on_sequence", VARINT),
    },
    "TracePacketDefaults": {58: ("timestamp_clock_id", VARINT)},
    "ClockSnapshot": {1: ("clocks", "Clock"), 2: ("primary_trace_clock", VARINT)},
    "Clock": {1: ("clock_id", VARINT), 2: ("timestamp", VARINT)},
    "InternedData": {
        1: ("event_categories", "InternedString"),
        2: ("event_names", "InternedString"),
        3: ("debug_annotation_names", "InternedString"),
        26: ("kernel_symbols", "InternedString"),
        29: ("debug_annotation_string_values", "InternedString"),
    },
    "InternedString": {1: ("iid", VARINT), 2: ("text", "text")},
    "TrackDescriptor": {
        1: ("uuid", VARINT),
        2: ("name", "text"),
        3: ("process", "ProcessDescriptor"),
        4: ("thread", "ThreadDescriptor"),
        5: ("parent_uuid", VARINT),
        8: ("counter", "CounterDescriptor"),
        11: ("child_ordering", VARINT),
        12: ("sibling_order_rank", VARINT),
    },
    "ProcessDescriptor": {1: ("pid", VARINT), 3: ("legacy_sort_index", VARINT), 6: ("process_name", "text")},
    "ThreadDescriptor": {1: ("pid", VARINT), 2: ("tid", VARINT), 5: ("thread_name", "text")},
    "FtraceEventBundle": {1: ("cpu", VARINT), 2: ("event", "FtraceEvent")},
    "FtraceEvent": {
        1: ("timestamp", VARINT),
        2: ("pid", VARINT),
        4: ("sched_switch", "SchedSwitchFtraceEvent"),
        5: ("common_flags", VARINT),
        18: ("sched_blocked_reason", "SchedBlockedReasonFtraceEvent"),
        20: ("sched_waking", "SchedWakingFtraceEvent"),
    },
    "SchedSwitchFtraceEvent": {
        2: ("prev_pid", VARINT),
        4: ("prev_state", VARINT),
        5: ("next_comm", "text"),
        6: ("next_pid", VARINT),
    },
    "SchedWakingFtraceEvent": {2: ("pid", VARINT), 5: ("target_cpu", VARINT)},
    "SchedBlockedReasonFtraceEvent": {1: ("pid", VARINT), 2: ("caller", VARINT)},
    "CounterDescriptor": {},
    "TrackEvent": {
        3: ("category_iids", VARINT),
        4: ("debug_annotations", "DebugAnnotation"),
        9: ("type", VARINT),
        10: ("name_iid", VARINT),
        11: ("track_uuid", VARINT),
        30: ("counter_value", VARINT),
        47: ("flow_ids", FIXED64),
    },
    "DebugAnnotation": {
        1: ("name_iid", VARINT),
        3: ("uint_value", VARINT),
        4: ("int_value", VARINT),
        7: ("pointer_value", VARINT),
        17: ("string_value_iid", VARINT),
    },
}

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def decode(kind, data):
    """A message as a dictionary of lists, by the names of its fields."""
    message = {}
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        name, wanted = FIELDS[kind][tag >> 3]
        wire = wanted if isinstance(wanted, int) else BYTES
        assert tag & 7 == wire, f"{kind}.{name} has the type {tag & 7}"
        if wire == VARINT:
            value, at = read_varint(data, at)
        elif wire == FIXED64:
            value = struct.unpack_from("<Q", data, at)[0]
            at += 8
        else:
            size, at = read_varint(data, at)
            value = data[at : at + size]
            assert len(value) == size, f"{kind}.{name} is cut"
            at += size
            value = value.decode("utf-8") if wanted == "text" else decode(wanted, value)
        message.setdefault(name, []).append(value)
    return message


def packets_of(data):
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        assert tag == 1 << 3 | BYTES, "a file is packets"
        size, at = read_varint(data, at)
        assert at + size <= len(data), "the last packet is cut"
        yield decode("TracePacket", data[at : at + size])
        at += size


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


class Event:
    """A slice, an instant or the value of a counter. Slices have an end_ns."""

    def __init__(self, trace, packet, event):
        self.track = trace.tracks[event["track_uuid"][0]]
        self.type = event["type"][0]
        self.begin_ns = packet["timestamp"][0]
        self.end_ns = None
        self.name = trace.strings["event_names"][event["name_iid"][0]] if "name_iid" in event else ""
        self.categories = [trace.strings["event_categories"][iid] for iid in event.get("category_iids", ())]
        self.flows = event.get("flow_ids", [])
        self.value = signed(event["counter_value"][0]) if "counter_value" in event else None
        self.properties = {}
        for annotation in event.get("debug_annotations", ()):
            key = trace.strings["debug_annotation_names"][annotation["name_iid"][0]]
            assert key not in self.properties, f"{key} is there twice"
            self.properties[key] = (
                trace.strings["debug_annotation_string_values"][annotation["string_value_iid"][0]]
                if "string_value_iid" in annotation
                else signed(annotation["int_value"][0])
                if "int_value" in annotation
                else annotation.get("uint_value", annotation.get("pointer_value"))[0]
            )


class Trace:
    """The events of a file, and its tracks by uuid. Everything must be defined before it is used."""

    def __init__(self, data):
        self.tracks, self.strings, self.events, waiting = {}, {}, [], []
        self.scheduler = []  # (time, CPU, event), in order of time, those of a CPU as they were written
        for number, packet in enumerate(packets_of(data)):
            assert packet["trusted_packet_sequence_id"] == [1]
            assert packet["sequence_flags"] == [2 if number else 1], "only the first packet clears the state"
            for field, strings in packet.get("interned_data", [{}])[0].items():
                for string in strings:
                    known = self.strings.setdefault(field, {})
                    assert string["iid"][0] not in known and string["iid"][0] > 0
                    known[string["iid"][0]] = string["text"][0]
            for track in packet.get("track_descriptor", ()):
                uuid = track["uuid"][0]
                assert uuid not in self.tracks and uuid > 0
                assert "parent_uuid" not in track or track["parent_uuid"][0] in self.tracks, "the parent comes first"
                self.tracks[uuid] = track
            for bundle in packet.get("ftrace_events", ()):
                self.scheduler += ((event["timestamp"][0], bundle["cpu"][0], event) for event in bundle["event"])
            for event in packet.get("track_event", ()):
                waiting.append((packet["timestamp"][0], Event(self, packet, event)))
        self.scheduler.sort(key=lambda item: item[0])
        waiting.sort(key=lambda item: item[0])  # stable, as the processor does
        self._pair(event for _, event in waiting)

    def _pair(self, events):
        open_slices = {}
        for event in events:
            stack = open_slices.setdefault(id(event.track), [])
            if event.type == END:
                stack.pop().end_ns = event.begin_ns
                continue
            self.events.append(event)
            if event.type == BEGIN:
                stack.append(event)
        assert not any(open_slices.values()), "a slice has no end"

    def arrows(self):
        """Pairs of events that a flow joins, the earlier one first."""
        by_id = {}
        for event in self.events:
            for flow in event.flows:
                by_id.setdefault(flow, []).append(event)
        assert all(len(ends) <= 2 for ends in by_id.values()), "a flow joins two events"
        return [tuple(ends) for ends in by_id.values() if len(ends) == 2]


def judge_by_descriptors(data):
    """False if they are not installed. Raises if they know a field not, or do not understand the file."""
    try:
        from google.protobuf.unknown_fields import UnknownFieldSet
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    except ImportError:
        return False
    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString(data)

    def walk(message):
        assert len(UnknownFieldSet(message)) == 0, f"unknown field in {message.DESCRIPTOR.name}"
        for field, value in message.ListFields():
            if field.message_type is not None:
                for inner in value if field.is_repeated else [value]:
                    walk(inner)

    walk(trace)
    return True


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    judge_by_descriptors(data)
    return Trace(data)
