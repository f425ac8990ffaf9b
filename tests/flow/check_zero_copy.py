# SPDX-License-Identifier: MIT
"""check_zero_copy.py ROS2_LATENCY: messages through shared memory, on traces that know what really happened; both readers.

Agnocast: two processes, a timer, callbacks on the stack of their thread or taken on by another one, takes by hand, and
ordinary messages beside them. All executions and messages are reported with their times, and nothing else.

Loaned messages: the callbacks of one of two subscriptions run without a take. Each is linked to its message.
"""
import itertools
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "faults"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from latency import Report, output  # noqa: E402
from ros_trace import OFFSET_NS, RosTrace, Thread, definitions, talk  # noqa: E402
from ctf_writer import Text  # noqa: E402

PUBLISHER, TIMER, TICK, SUBSCRIPTION, POLLED = 0x7110, 0x7120, 0x7121, 0x7210, 0x7310
SENDER = Thread(30, 30, "sender")
RECEIVER, HELPER = Thread(40, 40, "receiver"), Thread(40, 41, "receiver")
HEAR = 40 << 32 | 7


def agnocast_fields(integer):
    """The payloads of Agnocast's events."""
    address, i64 = integer(64, base=16), integer(64, True)
    return {
        "agnocast_node_init": {"_node_handle": address, "_node_name": Text(), "_namespace": Text()},
        "agnocast_publisher_init": {"_publisher_handle": address, "_node_handle": address, "_topic_name": Text(),
                                    "_queue_depth": integer(64)},
        "agnocast_subscription_init": {"_subscription_handle": address, "_node_handle": address, "_callback": address,
                                       "_callback_group": address, "_symbol": Text(), "_topic_name": Text(),
                                       "_queue_depth": integer(64), "_pid_callback_info_id": integer(64)},
        "agnocast_timer_init": {"_timer_handle": address, "_node_handle": address, "_callback": address,
                                "_callback_group": address, "_symbol": Text(), "_period": i64},
        "agnocast_publish": {"_publisher_handle": address, "_entry_id": i64},
        "agnocast_create_callable": {"_callable": address, "_entry_id": i64,
                                     "_pid_callback_info_id": integer(64)},
        "agnocast_create_timer_callable": {"_callable": address, "_timer_handle": address},
        "agnocast_callable_start": {"_callable": address},
        "agnocast_callable_end": {"_callable": address},
        "agnocast_take": {"_subscription_handle": address, "_message": address, "_entry_id": i64},
    }


class AgnocastTrace(RosTrace):
    def __init__(self, **options):
        super().__init__(**options)
        self.polled = 0  # takes by hand
        self.messages = set()  # (published, taken, callback started) of those that a callback handled
        for name, fields in agnocast_fields(self.int).items():
            self.numbers["ros2:" + name] = len(self.numbers)  # as event() looks it up
            self.add_event(self.numbers["ros2:" + name], "agnocast:" + name, fields)

    def agnocast_definitions(self):
        event = self.event
        return [event("agnocast_node_init", 60, SENDER, 0x7100, "sender", "/"),
                event("agnocast_publisher_init", 61, SENDER, PUBLISHER, 0x7100, "/shared", 10),
                event("agnocast_timer_init", 62, SENDER, TIMER, 0x7100, TICK, 0x7122, "tick", 1000),
                event("agnocast_node_init", 63, RECEIVER, 0x7200, "receiver", "/"),
                event("agnocast_subscription_init", 64, RECEIVER, SUBSCRIPTION, 0x7200, 0x7211, 0x7212, "hear", "/shared", 10,
                      HEAR),
                event("agnocast_subscription_init", 65, RECEIVER, POLLED, 0x7200, 0x7311, 0x7312, "dummy", "/shared", 1, 0)]

    def run(self, moment, thread, address, callback, duration, within=()):
        self.executions.add((callback, OFFSET_NS + moment, OFFSET_NS + moment + duration))
        return [self.event("agnocast_callable_start", moment, thread, address), *within,
                self.event("agnocast_callable_end", moment + duration, thread, address)]

    def round(self, moment, entry, numbers):
        """A timer publishes, in 0 to 100 ns; a callback handles it, at once or on another thread."""
        published, taken, started = moment + 10, moment + numbers.randint(15, 30), moment + numbers.randint(31, 50)
        thread = numbers.choice((RECEIVER, HELPER))
        polled = [self.event("agnocast_take", started + 1, thread, POLLED, 0x9000, entry)] if numbers.random() < 0.5 else []
        self.polled += len(polled)
        self.messages.add((OFFSET_NS + published, OFFSET_NS + taken, OFFSET_NS + started))
        return [self.event("agnocast_create_timer_callable", moment, SENDER, 0x5000, TIMER),
                *self.run(moment + 1, SENDER, 0x5000, TICK, 12,
                          [self.event("agnocast_publish", published, SENDER, PUBLISHER, entry)]),
                self.event("agnocast_create_callable", taken, RECEIVER, 0x5000, entry, HEAR),
                *self.run(started, thread, 0x5000, HEAR, numbers.randint(5, 40), polled)]


def check(command, reader, folder, seed):
    numbers = random.Random(seed)
    trace = AgnocastTrace()
    events = [*definitions(trace), *trace.agnocast_definitions()]
    for entry in range(50):
        moment = 1000 + 200 * entry
        events += trace.round(moment, entry, numbers)
        events += talk(trace, moment + 100)
    events.sort(key=lambda event: event[1])
    trace.write(folder / "trace", {"stream": [trace.packet(events, 0, 20000)]})

    output(command, "--format=csv", "--instances", f"--reader={reader}", f"--output={folder}/report", folder / "trace")
    table = Report(folder / "report").rows

    callbacks = {row["callback_id"]: int(row["callback"], 16) for row in table("callbacks")}
    executions = {(callbacks[row["callback_id"]], int(row["start_ns"]), int(row["end_ns"]))
                  for row in table("callback_instances")}
    assert executions == trace.executions, executions ^ trace.executions
    rows = table("communications")
    (shared,) = [row for row in rows if row["topic"] == "/shared" and row["latency_sum_ns"]]
    assert [shared[column] for column in ("publisher_node", "subscription_node", "published", "received", "lost", "inferred")
            ] == ["/sender", "/receiver", "50", "50", "0", "0"], shared
    (polled,) = [row for row in rows if row["topic"] == "/shared" and not row["latency_sum_ns"]]
    assert (int(polled["received"]), polled["lost"]) == (trace.polled, "0"), polled
    assert [row["received"] for row in rows if row["topic"] == "/chatter"] == ["50"], rows
    messages = {(int(row["publish_ns"]), int(row["take_ns"]), int(row["callback_start_ns"]))
                for row in table("communication_instances")
                if row["communication_id"] == shared["communication_id"] and row["callback_start_ns"]}
    assert messages == trace.messages, messages ^ trace.messages
    paths = {row["path"]: row["count"] for row in table("paths")}
    assert paths == {"/sender > /shared > /receiver": "50", "/talker > /chatter > /listener": "50"}, paths


class LoanedTrace(RosTrace):
    """A camera whose messages two subscriptions get: one as loans, without takes, the other with takes."""

    LOANED, PLAIN, CAMERA = 0x3100, 0x3200, 0x2100

    def round(self, moment, numbers, is_first):
        """A message, handled by both in 0 to 3 ms."""
        ms, stamp = 1_000_000, OFFSET_NS + moment + 10
        loaned = moment + numbers.randint(20_000, 400_000)
        plain = moment + 2 * ms
        if not is_first:
            self.links.add((stamp, OFFSET_NS + loaned))
        return [*self.execution(moment, SENDER, TICK, 1000, self.publish(moment + 10, SENDER, self.CAMERA, 0x9000, stamp)),
                *self.execution(loaned, RECEIVER, self.LOANED, numbers.randint(1000, ms)),
                *self.take(plain - 100, HELPER, self.PLAIN, 0x9100, stamp),
                *self.execution(plain, HELPER, self.PLAIN, numbers.randint(1000, ms))]


def check_loaned(command, reader, folder, seed):
    numbers = random.Random(seed)
    trace = LoanedTrace()
    trace.links = set()
    events = [*trace.node(10, SENDER, 0x100, "camera"), *trace.publisher(20, SENDER, 0x100, trace.CAMERA, "/image"),
              *trace.timer(30, SENDER, 0x100, TICK), *trace.node(40, RECEIVER, 0x200, "loaned"),
              *trace.subscription(50, RECEIVER, 0x200, trace.LOANED, "/image"),
              *trace.timer(60, RECEIVER, 0x200, 0x4100), *trace.node(70, HELPER, 0x300, "plain"),
              *trace.subscription(80, HELPER, 0x300, trace.PLAIN, "/image"),
              *trace.execution(500_000_000, RECEIVER, 0x4100, 1000)]  # the thread has run a callback
    for number in range(50):
        events += trace.round(2_000_000_000 + number * 10_000_000, numbers, number == 0)
    events.sort(key=lambda event: event[1])
    trace.write(folder / "trace", {"stream": [trace.packet(events, 0, 3_000_000_000)]})
    output(command, "--format=csv", "--instances", f"--reader={reader}", f"--output={folder}/report", folder / "trace")
    table = Report(folder / "report").rows
    rows = {row["subscription_node"]: row for row in table("communications")}
    links = {(int(row["publish_ns"]), int(row["callback_start_ns"])) for row in table("communication_instances")
             if row["communication_id"] == rows["/loaned"]["communication_id"] and row["callback_start_ns"]}
    assert trace.links <= links and len(links) <= 50, trace.links ^ links
    assert int(rows["/loaned"]["inferred"]) == len(links) and rows["/loaned"]["lost"] == "0", rows["/loaned"]
    assert (rows["/plain"]["received"], rows["/plain"]["inferred"]) == ("50", "0"), rows["/plain"]
    assert any(path["path"] == "/camera > /image > /loaned" and int(path["count"]) >= 49 for path in table("paths"))
    (told,) = [row for row in table("diagnostics") if row["what"] == "take not recorded"]
    assert (told["detail"], told["count"]) == ("/image", "50"), told


def main():
    for reader, seed in itertools.product(("fast", "babeltrace2"), (1, 2, 3)):
        with tempfile.TemporaryDirectory() as folder:
            check(sys.argv[1], reader, Path(folder), seed)
        with tempfile.TemporaryDirectory() as folder:
            check_loaned(sys.argv[1], reader, Path(folder), seed)
    print("ok: executions, messages and paths through Agnocast, and loaned ones")


if __name__ == "__main__":
    main()
