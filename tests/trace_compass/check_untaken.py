#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hides what releases before Humble do not record, and compares what Trace Compass finds in the rest with the takes.

    check_untaken.py PLUGIN MODE LINKED TRACE

PLUGIN is the folder of the plugin, MODE that of filter.ros2.normalize. LINKED callbacks must get their publication.
"""

import pathlib
import sys

import bt2

from replay import replay
from trace import events_of

# as in tests/flow/compare_untaken.c
HIDDEN = ("ros2:rmw_take", "ros2:rcl_take", "ros2:rclcpp_take", "ros2:rmw_publish", "ros2:rclcpp_intra_publish",
          "ros2:rclcpp_ring_buffer", "ros2:rclcpp_executor", "ros2:rmw_publisher_init", "ros2:rmw_subscription_init")


class HideIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._upstream = self._create_message_iterator(self._component._input_ports["in"])
        self._hidden = self._component.hidden

    def __next__(self):
        while True:
            message = next(self._upstream)
            if type(message) is not bt2._EventMessageConst or not message.event.name.startswith(self._hidden):
                return message

    def _user_can_seek_beginning(self):
        return self._upstream.can_seek_beginning()

    def _user_seek_beginning(self):
        self._upstream.seek_beginning()


class Hide(bt2._UserFilterComponent, message_iterator_class=HideIterator):
    def __init__(self, config, params, obj):
        self.hidden = obj
        self._add_input_port("in")
        self._add_output_port("out")


class CollectSink(bt2._UserSinkComponent):
    def __init__(self, config, params, obj):
        self._add_input_port("in")
        self._messages = obj

    def _user_graph_is_configured(self):
        self._upstream = self._create_message_iterator(self._input_ports["in"])

    def _user_consume(self):
        self._messages.extend(events_of([next(self._upstream)]))


def component_class(plugin, kind, name):
    return getattr(plugin, f"{kind}_component_classes")[name]


def normalized(plugins, mode, trace, hidden):
    """The events downstream of the filter."""
    ros2 = next(plugin for plugin in bt2.find_plugins_in_path(plugins) if plugin.name == "ros2")
    source = component_class(bt2.find_plugin("ctf"), "source", "fs")
    directory = next(pathlib.Path(trace).rglob("metadata")).parent
    graph = bt2.Graph()
    events = []
    parameters = {"mode": mode, "drop-rosout": True, "complete": True}
    reader = graph.add_component(source, "reader", {"inputs": [str(directory)]})
    muxer = graph.add_component(component_class(bt2.find_plugin("utils"), "filter", "muxer"), "muxer")
    hide = graph.add_component(Hide, "hide", obj=hidden)
    filtered = graph.add_component(component_class(ros2, "filter", "normalize"), "normalize", parameters)
    sink = graph.add_component(CollectSink, "sink", obj=events)
    for index, port in enumerate(list(reader.output_ports.values())):
        graph.connect_ports(port, list(muxer.input_ports.values())[index])
    for upstream, downstream in ((muxer, hide), (hide, filtered), (filtered, sink)):
        graph.connect_ports(upstream.output_ports["out"], downstream.input_ports["in"])
    graph.run()
    return events


def links(events):
    """(thread, time) of callback_start → the same of rclcpp_publish, by the timestamps of takes."""
    topics, begun, published, taken, found = {}, {}, {}, {}, {}
    for event in events:
        name, fields = event.name[len("ros2:"):], event.fields
        place = (event.thread, event.time)
        if name in ("rcl_publisher_init", "rcl_subscription_init"):
            kind = name.split("_")[1]
            topics[event.process, fields[f"rmw_{kind}_handle"]] = fields["topic_name"]
        elif name == "rclcpp_publish":
            begun[event.thread, fields["message"]] = place
        elif name == "rmw_publish":
            topic = topics.get((event.process, fields["rmw_publisher_handle"]))
            published[fields["timestamp"], topic] = begun.get((event.thread, fields["message"]))
        elif name == "rmw_take":
            topic = topics.get((event.process, fields["rmw_subscription_handle"]))
            taken[event.thread] = published.get((fields["source_timestamp"], topic)) if fields["taken"] else None
        elif name == "callback_start":
            source = taken.pop(event.thread, None)
            if source:
                found[place] = source
    return found


def main():
    plugins, mode, expected, trace = sys.argv[1:]
    events = normalized(plugins, mode, trace, HIDDEN)
    truth = links(normalized(plugins, mode, trace, ()))
    inferred = links(events)
    wrong = [place for place, source in inferred.items() if truth.get(place, source) != source]
    counts, complaints = replay(events)
    print(f"{len(inferred)} linked of {len(truth)}, {len(wrong)} wrong, {counts}")
    for text, number in sorted((complaints.errors + complaints.warnings).items()):
        print(f"  {number} x {text}")
    is_right = (not wrong and len(inferred) == int(expected) == counts["transports"] == counts["matched_executions"]
                and counts["subscription_executions"] == len(truth) and counts["errors"] == len(truth) - len(inferred))
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
