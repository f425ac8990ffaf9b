# SPDX-License-Identifier: MIT
"""check_sizes.py ROS2_LATENCY: the sizes of messages (rmw_payload), in traces that know them; both readers.

Two publishers and two subscriptions; some messages are taken twice, some by nobody, and some takes find nothing. A size is
recorded next to each take, as rmw_zenoh of the branch does it, but for the takes of some processes.
"""
import itertools
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "faults"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from latency import Report, output  # noqa: E402
from ros_trace import CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, RosTrace, Thread, definitions  # noqa: E402

OTHER = Thread(30, 30, "other")
OTHER_HEARD, IMAGE = 0x4000, 0x2100


class SizedTrace(RosTrace):
    def __init__(self, size_bits):
        super().__init__()
        address = self.int(64, base=16)
        self.numbers["ros2:rmw_payload"] = len(self.numbers)
        self.add_event(self.numbers["ros2:rmw_payload"], "ros2:rmw_payload",
                       {"_rmw_subscription_handle": address, "_message": address, "_payload_size": self.int(size_bits)})

    def sized_take(self, moment, thread, callback, stamp, size):
        """Nothing is taken if the size is 0; no size is recorded if it is None."""
        take, *following = self.take(moment, thread, callback, MESSAGE, stamp)
        if size == 0:
            take = self.event("rmw_take", moment, thread, callback + 2, MESSAGE, 0, 0)
        payload = [] if size is None else [self.event("rmw_payload", moment, thread, callback + 2, MESSAGE, size)]
        return [take, *payload, *following]


def message(trace, moment, numbers, sizes):
    """In 0 to 100 ns."""
    stamp, size = OFFSET_NS + moment, numbers.choice((1, 100, 70_000, 2**31))
    publisher = numbers.choice((CHATTER, IMAGE))
    events = trace.publish(moment, TALKER, publisher, MESSAGE, stamp)
    if publisher == IMAGE:  # which nobody takes
        return events + trace.sized_take(moment + 20, LISTENER, HEARD, stamp, 0)
    takers = [(moment + 30, LISTENER, HEARD, size), (moment + 50, OTHER, OTHER_HEARD, numbers.choice((size, None)))]
    taken = [taker for taker in takers if numbers.random() < 0.8]
    for begin, thread, callback, recorded in taken:
        events += trace.sized_take(begin, thread, callback, stamp, recorded)
        events += trace.execution(begin + 5, thread, callback, 5)
    sizes += [size] if any(taker[3] is not None for taker in taken) else []
    return events


def check(command, reader, folder, seed, size_bits):
    numbers, sizes = random.Random(seed), []
    trace = SizedTrace(size_bits)
    events = [*definitions(trace), *trace.publisher(60, TALKER, 0x100, IMAGE, "/image"),
              *trace.node(70, OTHER, 0x300, "other"), *trace.subscription(80, OTHER, 0x300, OTHER_HEARD, "/chatter")]
    for number in range(60):
        events += message(trace, 1000 + 100 * number, numbers, sizes)
    events.sort(key=lambda event: event[1])
    trace.write(folder / "trace", {"stream": [trace.packet(events, 0, 20000)]})
    output(command, "--format=csv", f"--reader={reader}", f"--output={folder}/report", folder / "trace")
    rows = {row["topic"]: row for row in Report(folder / "report").rows("publications")}
    found = [rows["/chatter"][f"bytes_{column}"] for column in ("count", "sum", "min", "max")]
    assert found == [str(value) for value in (len(sizes), sum(sizes), min(sizes), max(sizes))], (found, sizes)
    assert abs(float(rows["/chatter"]["bytes_mean"]) * len(sizes) / sum(sizes) - 1) < 1e-6, rows["/chatter"]
    assert len(sizes) < int(rows["/chatter"]["count"]), "some sizes are unknown"
    assert [rows["/image"][f"bytes_{column}"] for column in ("count", "sum", "min", "mean", "max")] == ["0", "", "", "", ""]


def main():
    for reader, seed, size_bits in itertools.product(("fast", "babeltrace2"), (1, 2, 3), (64, 32)):
        with tempfile.TemporaryDirectory() as folder:
            check(sys.argv[1], reader, Path(folder), seed, size_bits)
    print("ok: sizes of messages")


if __name__ == "__main__":
    main()
