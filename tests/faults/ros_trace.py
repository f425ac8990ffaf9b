# SPDX-License-Identifier: MIT
"""Small traces of ROS 2 programs, made event by event, that know which executions really happened.

A moment is in ns of the trace's clock; the reports show it as OFFSET_NS + moment.
"""
import sys
import uuid
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "readers"))

from ctf_writer import Array, Int, Struct, Text, Trace  # noqa: E402

OFFSET_NS = 1_700_000_000_000_000_000
GID = list(range(16))


class Thread(NamedTuple):
    vpid: int
    vtid: int
    procname: str = "process"
    pid_ns: int = 0


TALKER = Thread(10, 10, "talker")
LISTENER = Thread(20, 20, "listener")


def event_fields(integer):
    """Events of ROS 2 Jazzy: their payloads."""
    address, i64, i32 = integer(64, base=16), integer(64, True), integer(32, True)
    return {
        "ros2:rcl_init": {"_context_handle": address, "_version": Text()},
        "ros2:rcl_node_init": {"_node_handle": address, "_rmw_handle": address, "_node_name": Text(), "_namespace": Text()},
        "ros2:rmw_publisher_init": {"_rmw_publisher_handle": address, "_gid": Array(integer(8), 16)},
        "ros2:rcl_publisher_init": {"_publisher_handle": address, "_node_handle": address, "_rmw_publisher_handle": address,
                                    "_topic_name": Text(), "_queue_depth": integer(64)},
        "ros2:rmw_subscription_init": {"_rmw_subscription_handle": address, "_gid": Array(integer(8), 16)},
        "ros2:rcl_subscription_init": {"_subscription_handle": address, "_node_handle": address,
                                       "_rmw_subscription_handle": address, "_topic_name": Text(),
                                       "_queue_depth": integer(64)},
        "ros2:rclcpp_subscription_init": {"_subscription_handle": address, "_subscription": address},
        "ros2:rclcpp_subscription_callback_added": {"_subscription": address, "_callback": address},
        "ros2:rcl_timer_init": {"_timer_handle": address, "_period": i64},
        "ros2:rclcpp_timer_callback_added": {"_timer_handle": address, "_callback": address},
        "ros2:rclcpp_timer_link_node": {"_timer_handle": address, "_node_handle": address},
        "ros2:rclcpp_callback_register": {"_callback": address, "_symbol": Text()},
        "ros2:callback_start": {"_callback": address, "_is_intra_process": i32},
        "ros2:callback_end": {"_callback": address},
        "ros2:rclcpp_publish": {"_message": address},
        "ros2:rcl_publish": {"_publisher_handle": address, "_message": address},
        "ros2:rmw_publish": {"_rmw_publisher_handle": address, "_message": address, "_timestamp": i64},
        "ros2:rmw_take": {"_rmw_subscription_handle": address, "_message": address, "_source_timestamp": i64, "_taken": i32},
        "ros2:rcl_take": {"_message": address},
        "ros2:rclcpp_take": {"_message": address},
    }


def executor_fields(integer):
    """Events that a trace declares if it has any."""
    return {
        "ros2:rclcpp_executor_get_next_ready": {},
        "ros2:rclcpp_executor_wait_for_work": {"_timeout": integer(64, True)},
    }


class RosTrace(Trace):
    """A trace with the events of ROS 2. `contexts` are the names of the members of the event context."""

    def __init__(self, contexts=("vpid", "vtid", "procname"), number=1, **options):
        super().__init__(uuid=uuid.UUID(int=number), **options)
        types = {"vpid": self.int(32, True), "vtid": self.int(32, True), "pid_ns": self.int(32),
                 "procname": Array(Int(8, 8, True, encoding="UTF8"), 17)}
        self.contexts = contexts
        self.context = Struct({f"_{name}": types[name] for name in contexts})
        self.numbers = {}
        self.executions = set()  # (callback, start, end) of those that really happened
        for name, fields in event_fields(self.int).items():
            self.declare(name, fields)

    def declare(self, name, fields):
        self.numbers[name] = len(self.numbers)
        self.add_event(self.numbers[name], name, fields)

    def event(self, name, moment, thread, *payload):
        procname = thread.procname.encode("utf-8", "surrogateescape")[:16].ljust(17, b"\0")
        context = {"vpid": thread.vpid, "vtid": thread.vtid, "pid_ns": thread.pid_ns, "procname": list(procname)}
        return (self.numbers[f"ros2:{name}"], moment, [context[key] for key in self.contexts], list(payload), True)

    def start(self, moment, thread, callback):
        return self.event("callback_start", moment, thread, callback, 0)

    def end(self, moment, thread, callback):
        return self.event("callback_end", moment, thread, callback)

    def look(self, moment, thread):
        """The executor of the thread looks for work, and waits for it."""
        for name, fields in executor_fields(self.int).items():
            if name not in self.numbers:
                self.declare(name, fields)
        return [self.event("rclcpp_executor_get_next_ready", moment, thread),
                self.event("rclcpp_executor_wait_for_work", moment + 1, thread, -1)]

    def execution(self, moment, thread, callback, duration, within=()):
        """A callback that runs, with what happens within."""
        self.executions.add((callback, OFFSET_NS + moment, OFFSET_NS + moment + duration))
        return [self.start(moment, thread, callback), *within, self.end(moment + duration, thread, callback)]

    def node(self, moment, thread, handle, name, namespace="/"):
        return [self.event("rcl_init", moment, thread, 0xC0, "8.2.2"),
                self.event("rcl_node_init", moment, thread, handle, handle + 1, name, namespace)]

    def publisher(self, moment, thread, node, handle, topic):
        return [self.event("rmw_publisher_init", moment, thread, handle + 1, GID),
                self.event("rcl_publisher_init", moment, thread, handle, node, handle + 1, topic, 10)]

    def timer(self, moment, thread, node, callback, period=100, symbol="tick"):
        handle = callback + 1
        return [self.event("rcl_timer_init", moment, thread, handle, period),
                self.event("rclcpp_timer_callback_added", moment, thread, handle, callback),
                self.event("rclcpp_callback_register", moment, thread, callback, symbol),
                self.event("rclcpp_timer_link_node", moment, thread, handle, node)]

    def subscription(self, moment, thread, node, callback, topic, symbol="heard"):
        handle = callback + 1
        return [self.event("rmw_subscription_init", moment, thread, handle + 1, GID),
                self.event("rcl_subscription_init", moment, thread, handle, node, handle + 1, topic, 10),
                self.event("rclcpp_subscription_init", moment, thread, handle, handle + 2),
                self.event("rclcpp_subscription_callback_added", moment, thread, handle + 2, callback),
                self.event("rclcpp_callback_register", moment, thread, callback, symbol)]

    def publish(self, moment, thread, publisher, message, stamp):
        return [self.event("rclcpp_publish", moment, thread, message),
                self.event("rcl_publish", moment, thread, publisher, message),
                self.event("rmw_publish", moment, thread, publisher + 1, message, stamp)]

    def take(self, moment, thread, callback, message, stamp):
        return [self.event("rmw_take", moment, thread, callback + 2, message, stamp, 1),
                self.event("rcl_take", moment, thread, message),
                self.event("rclcpp_take", moment, thread, message)]


TICK, CHATTER, HEARD = 0x1000, 0x2000, 0x3000  # the talker's timer callback and publisher, the listener's callback
MESSAGE = 0x9000


def definitions(trace):
    """A talker and a listener come into being, until moment 100."""
    return [*trace.node(10, TALKER, 0x100, "talker"), *trace.publisher(20, TALKER, 0x100, CHATTER, "/chatter"),
            *trace.timer(30, TALKER, 0x100, TICK), *trace.node(40, LISTENER, 0x200, "listener"),
            *trace.subscription(50, LISTENER, 0x200, HEARD, "/chatter")]


def talk(trace, moment):
    """A message goes from the talker to the listener, 100 ns."""
    stamp = OFFSET_NS + moment + 10
    return [*trace.execution(moment, TALKER, TICK, 20, trace.publish(moment + 10, TALKER, CHATTER, MESSAGE, stamp)),
            *trace.take(moment + 40, LISTENER, HEARD, MESSAGE, stamp),
            *trace.execution(moment + 50, LISTENER, HEARD, 30)]


def conversation(trace, packets=3, talks=4):
    """Packets of one stream: definitions, then a message every 100 ns."""
    first = [*definitions(trace)]
    made, moment = [], 100
    for number in range(packets):
        begin = 0 if number == 0 else moment
        events = first if number == 0 else []
        for _ in range(talks):
            events = events + talk(trace, moment)
            moment += 100
        made.append(trace.packet(events, begin, moment - 1, sequence=number))
    return made
