# SPDX-License-Identifier: MIT
"""Reads a trace with the bindings of babeltrace2, as Trace Compass' reader would see it."""

import bt2

from replay import AnalysisFailed, Event


def value_of(class_field):
    if isinstance(class_field, bt2._IntegerFieldConst):
        return int(class_field)
    if isinstance(class_field, bt2._StringFieldConst):
        return str(class_field)
    return tuple(int(element) for element in class_field)


def host_of(event):
    """Traces of one host share the clock's identity."""
    clock_class = event.stream.cls.default_clock_class
    # message interchange protocol 1 (babeltrace2 2.1) has no UUIDs
    is_unique = getattr(clock_class, "graph_mip_version", 0) > 0
    identity = clock_class.uid if is_unique else clock_class.uuid
    return str(identity) if identity is not None else event.stream.trace.name


def read_events(path):
    """The events of the provider ros2 in order; process and thread are (host, id).

    The fields of executor events, which no analysis asks for, are left out.
    """
    return events_of(bt2.TraceCollectionMessageIterator(path))


def events_of(messages):
    """The same of messages."""
    hosts = {}
    for message in messages:
        if type(message) is not bt2._EventMessageConst:
            continue
        event = message.event
        name = event.name
        if not name.startswith("ros2:"):
            continue
        context = event.common_context_field
        if context is None or "vpid" not in context or "vtid" not in context:
            raise AnalysisFailed("events have no vpid and vtid")
        stream = event.stream
        if stream.addr not in hosts:
            hosts[stream.addr] = (stream, host_of(event))  # the reference keeps the address taken
        host = hosts[stream.addr][1]
        fields = {}
        if not name.startswith("ros2:rclcpp_executor_") and event.payload_field is not None:
            fields = {key: value_of(value) for key, value in event.payload_field.items()}
        yield Event(name, message.default_clock_snapshot.ns_from_origin, (host, int(context["vpid"])),
                    (host, int(context["vtid"])), fields)
