#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: seek.py PLUGIN_DIRECTORY FILTER[,FILTER…] TRACE

Reads the trace behind the filters, seeks to its beginning after some messages, and to times in its middle, before its
beginning and behind its end; what comes must be what came the first time. With `past-the-end` for the filters it breaks a rule
on purpose, which babeltrace2 must notice in developer mode.
"""
import sys

import bt2

FIRST_MESSAGES = 1, 7, 500


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(1)


def time_of(message):
    """Of an event in ns, None for others."""
    if isinstance(message, bt2._EventMessageConst):
        return message.default_clock_snapshot.ns_from_origin
    return None


def read(iterator, count=None):
    """(kind, time) of the messages up to the end, or so many."""
    messages = []
    while count is None or len(messages) < count:
        try:
            message = next(iterator)
        except StopIteration:
            break
        except bt2.TryAgain:
            continue
        messages.append((type(message).__name__, time_of(message)))
    return messages


def event_times(messages):
    return [time for _, time in messages if time is not None]


def check_beginnings(iterator, whole):
    for count in (*FIRST_MESSAGES, len(whole) + 1):
        iterator.seek_beginning()
        if read(iterator, count) != whole[:count]:
            fail(f'the first {count} messages are others the second time')
    iterator.seek_beginning()
    if read(iterator) != whole:
        fail('all messages are others the second time')


def check_times(iterator, whole):
    times = event_times(whole)
    for at in (times[0] - 1, times[0], times[len(times) // 2], times[-1], times[-1] + 1):
        if not iterator.can_seek_ns_from_origin(at):
            fail(f'cannot seek to {at}')
        iterator.seek_ns_from_origin(at)
        if event_times(read(iterator)) != [time for time in times if time >= at]:
            fail(f'other events from {at} on')


class Sink(bt2._UserSinkComponent):
    def __init__(self, config, params, obj):
        self._add_input_port('in')
        self._past_the_end = obj

    @classmethod
    def _user_get_supported_mip_versions(cls, params, obj, log_level):
        return [0, 1]

    def _user_graph_is_configured(self):
        self._iterator = self._create_message_iterator(self._input_ports['in'])

    def _user_consume(self):
        whole = read(self._iterator)
        if self._past_the_end:
            read(self._iterator)
        elif self._iterator.can_seek_beginning():
            check_beginnings(self._iterator, whole)
            check_times(self._iterator, whole)
        else:
            fail('cannot seek')
        raise bt2.Stop


def main():
    plugins, filters, trace = sys.argv[1:]
    past_the_end = filters == 'past-the-end'
    classes = next(iter(bt2.find_plugins_in_path(plugins))).filter_component_classes
    graph = bt2.Graph(0)
    source = graph.add_component(bt2.find_plugin('ctf').source_component_classes['fs'], 'source', {'inputs': [trace]})
    last = graph.add_component(bt2.find_plugin('utils').filter_component_classes['muxer'], 'muxer')
    for number, port in enumerate(list(source.output_ports.values())):
        graph.connect_ports(port, list(last.input_ports.values())[number])
    for name in [] if past_the_end else filters.split(','):
        added = graph.add_component(classes[name], name)
        graph.connect_ports(last.output_ports['out'], added.input_ports['in'])
        last = added
    sink = graph.add_component(Sink, 'sink', obj=past_the_end)
    graph.connect_ports(last.output_ports['out'], sink.input_ports['in'])
    graph.run()


if __name__ == '__main__':
    main()
