#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks a recording on purpose, one thing at a time, and compares with what Trace Compass counted in such traces.

    check_controls.py TRACE       (the recording jazzy/pubsub)
"""

import sys

from replay import COLUMNS, AnalysisFailed, replay
from trace import read_events

INIT = ("rcl_init", "rcl_node_init", "callback_added", "callback_register", "timer_link_node", "_init")


def is_init(event):
    return event.name.endswith(INIT)


def without(*names):
    return lambda events: [event for event in events if event.name not in names]


def with_field(name, key, value):
    def change(events):
        return [event._replace(fields={**event.fields, key: value}) if event.name == name else event
                for event in events]
    return change


def twice(applies):
    return lambda events: [copy for event in events for copy in ([event] * 2 if applies(event) else [event])]


def second_init_later(events):
    """All definitions again, in their order, behind the last of them."""
    last = max(index for index, event in enumerate(events) if is_init(event))
    time = events[last].time
    copies = [event._replace(time=time) for event in events if is_init(event)]
    return events[:last + 1] + copies + events[last + 1:]


def executor_events(events):
    return [event for event in events if not event.name.startswith("ros2:rclcpp_executor_")]


CONTROLS = (
    # what is broken, how, the counts of Trace Compass (an absent row: the analyses failed)
    ("nothing", lambda events: events, (2, 3, 3, 1, 14, 18, 211, 215, 215, 215, 200, 199, 1, 0)),
    ("a version that is none", with_field("ros2:rcl_init", "version", ""), None),
    ("all definitions again", second_init_later, (2, 3, 3, 1, 14, 18, 211, 215, 215, 215, 200, 199, 3, 0)),
    ("each event twice", twice(lambda event: True), (2, 3, 3, 1, 14, 18, 211, 215, 215, 215, 200, 199, 882, 0)),
    ("each runtime event twice", twice(lambda event: not is_init(event)),
     (2, 3, 3, 1, 14, 18, 211, 215, 215, 215, 200, 199, 843, 0)),
    ("no rclcpp_publish", without("ros2:rclcpp_publish"), (2, 3, 3, 1, 14, 18, 0, 0, 215, 0, 200, 0, 216, 0)),
    ("no rcl_publish", without("ros2:rcl_publish"), (2, 3, 3, 1, 14, 18, 0, 0, 215, 0, 200, 0, 427, 0)),
    ("no rcl_node_init", without("ros2:rcl_node_init"), (0, 3, 3, 1, 14, 18, 0, 0, 0, 0, 0, 0, 842, 0)),
    ("no executor events", executor_events, (2, 3, 3, 1, 14, 18, 211, 215, 215, 215, 200, 199, 1, 0)),
    ("a short gid", with_field("ros2:rmw_publisher_init", "gid", (0, 0, 0, 0)),
     (2, 3, 3, 1, 14, 18, 211, 215, 215, 215, 200, 199, 1, 0)),
)


def main():
    events = list(read_events(sys.argv[1]))
    failures = 0
    for what, change, expected in CONTROLS:
        try:
            counts, complaints = replay(change(events))
        except AnalysisFailed as failure:
            counts = None
        counted = counts and tuple(counts[column] for column in COLUMNS[:len(expected)])
        if counted != expected:
            failures += 1
            print(f"{what}: {counted}\n  expected {expected}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
