#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: system.py FOLDER EVENTS [--nodes N] [--processes N] [--kernel] [--natural] [--few]

A recording of a system like those of cars, for scripts/bench: about EVENTS events of ROS 2, a stream for each process. Each
node has /parameter_events and /rosout; one in three listens to /tf, which one in six publishes; half of the nodes form
chains of ten, and each has topics that nobody publishes on. `--kernel`: with what the threads do on their CPUs, more than
six events of a kernel to each of ROS 2; `--natural`: aligned as aarch64 does; `--few`: only those events of ROS 2 that
recordings of Autoware have, callbacks and publications without stamps, and one in ten messages is lost. Prints the number of
events.

It is made by simulation: a process executes one callback at a time, in the order in which messages and timers are due.
"""
import argparse
import heapq
import random
import re
from pathlib import Path

from packets import FastRosTrace, KernelTrace, Thread, executor_fields

US, MS = 1_000, 1_000_000
BEGIN = 500 * MS
FEW = re.compile("ros2:(callback_|rclcpp_(?!executor|take)|rcl_(?!take))")
IDLE = (0, b"swapper".ljust(16, b"\0"))


class Process:
    def __init__(self, number):
        self.number, self.thread = number, Thread(1000 + 7 * number, 1000 + 7 * number, f"container_{number}")
        self.comm = self.thread.procname.encode()[:16].ljust(16, b"\0")
        self.ids = (self.thread.vpid, self.thread.vtid)
        self.now, self.handles, self.events, self.is_running = number + 1, 0x5600_0000_0000, [], False

    def handle(self):
        self.handles += 0x100
        return self.handles

    def step(self, least=150, most=400):
        self.now += random.randint(least, most)
        return self.now


class Item:
    """A callback of a subscription, or of a timer, and what it publishes."""

    def __init__(self, process, callback, duration, period=None):
        self.process, self.callback, self.duration, self.period = process, callback, duration, period
        self.publishers = []


class System:
    def __init__(self, node_count, process_count, has_kernel, natural, has_few):
        self.trace = FastRosTrace(natural=natural, env={"hostname": '"robot"'})
        executor = {**executor_fields(self.trace.int), "ros2:rclcpp_executor_execute": {"_handle": self.trace.int(64, base=16)}}
        for name, fields in executor.items():
            self.trace.declare(name, fields)
        self.left_out = {number for name, number in self.trace.numbers.items() if has_few and not FEW.match(name)}
        self.lost_share = 0.1 if has_few else 0
        self.kernel = KernelTrace(number=2, natural=natural) if has_kernel else None
        self.kernel_events = {}
        self.processes = [Process(number) for number in range(process_count)]
        self.topics, self.due, self.count, self.stamp = {}, [], 0, 0
        for number in range(node_count):
            self.add_node(number, self.processes[number % process_count])
        self.add_chains(node_count)

    # --- definitions ---

    def define(self, process, events):
        for number, _, context, payload in events:
            self.record(process, number, process.step(), context, payload)

    def record(self, process, number, *event):
        if number not in self.left_out:
            process.events.append((number, *event))
            self.count += 1

    def add_node(self, number, process):
        process.node = process.handle()
        self.define(process, self.trace.node(0, process.thread, process.node, f"node_{number:03}", f"/group_{number % 7}"))
        for topic in ("/parameter_events", "/rosout", f"/quiet_{number}"):
            self.add_publisher(process, topic)
        for topic in ("/parameter_events", *(f"/quiet_{number}_{i}" for i in range(7))):
            self.add_subscription(process, topic, 5 * US)
        if number % 3 == 0:
            self.add_subscription(process, "/tf", 15 * US)
        if number % 6 == 0:
            self.add_timer(process, 100 * MS, 60 * US).publishers.append(self.add_publisher(process, "/tf"))

    def add_chains(self, node_count):
        for first in range(0, node_count // 2, 10):
            item = self.add_timer(self.processes[first % len(self.processes)], 50 * MS, 500 * US)
            for i in range(1, 10):
                topic = f"/chain_{first}/stage_{i}"
                item.publishers.append(self.add_publisher(item.process, topic))
                item = self.add_subscription(self.processes[(first + i) % len(self.processes)], topic, 300 * US)

    def add_publisher(self, process, topic):
        handle = process.handle()
        self.define(process, self.trace.publisher(0, process.thread, process.node, handle, topic))
        return handle, topic

    def add_subscription(self, process, topic, duration):
        item = Item(process, process.handle(), duration)
        self.define(process, self.trace.subscription(0, process.thread, process.node, item.callback, topic))
        self.topics.setdefault(topic, []).append(item)
        return item

    def add_timer(self, process, period, duration):
        item = Item(process, process.handle(), duration, period)
        self.define(process, self.trace.timer(0, process.thread, process.node, item.callback, period))
        self.push(BEGIN + random.randint(0, period), item, 0)
        return item

    # --- what happens ---

    def push(self, moment, item, stamp):
        heapq.heappush(self.due, (moment, random.random(), item, stamp))

    def note(self, process, name, *payload):
        self.record(process, *self.trace.event(name, process.step(), process.thread, *payload))

    def note_kernel(self, process, name, *payload, ids=None):
        self.kernel_events.setdefault(process.number, []).append(
            (self.kernel.numbers[name], process.step(80, 200), process.ids if ids is None else ids, payload))

    def call(self, process, *names):
        for name in names if self.kernel else ():
            self.note_kernel(process, f"syscall_entry_{name}", 3, 0x7FFC_0000_0000, 64)
            self.note_kernel(process, f"syscall_exit_{name}", 0)

    def wake(self, process):
        """By an interrupt, on the process's own CPU."""
        if self.kernel and not process.is_running:
            tid, comm = process.thread.vtid, process.comm
            for name in ("irq_softirq_raise", "irq_softirq_entry"):
                self.note_kernel(process, name, 3, ids=(0, 0))
            for name in ("sched_waking", "sched_wakeup"):
                self.note_kernel(process, name, comm, tid, 20, process.number, ids=(0, 0))
            self.note_kernel(process, "irq_softirq_exit", 3, ids=(0, 0))
            self.note_kernel(process, "sched_switch", IDLE[1], IDLE[0], 20, 0, comm, tid, 20, ids=(0, 0))
            self.note_kernel(process, "syscall_exit_futex", 0)
        process.is_running = True

    def sleep(self, process):
        self.note(process, "rclcpp_executor_get_next_ready")
        self.note(process, "rclcpp_executor_wait_for_work", -1)
        if self.kernel:
            self.note_kernel(process, "syscall_entry_futex", 3, 0x7FFC_0000_0000, 64)
            self.note_kernel(process, "sched_switch", process.comm, process.thread.vtid, 20, 1, IDLE[1], IDLE[0], 20)
        process.is_running = False

    def execute(self, moment, item, stamp):
        process = item.process
        process.now = max(process.now, moment)
        self.wake(process)
        self.call(process, *["futex"] * 8, "recvmsg", "read", *["futex"] * 4)
        self.note(process, "rclcpp_executor_get_next_ready")
        self.note(process, "rclcpp_executor_execute", item.callback + 1)
        if item.period is None:
            self.note(process, "rmw_take", item.callback + 2, 0x7FFD_0000_0000, stamp, 1)
            self.note(process, "rcl_take", 0x7FFD_0000_0000)
            self.note(process, "rclcpp_take", 0x7FFD_0000_0000)
        self.note(process, "callback_start", item.callback, 0)
        self.call(process, *["futex"] * 3)
        process.now += item.duration * random.randint(80, 130) // 100
        for publisher, topic in item.publishers:
            self.publish(process, publisher, topic)
        self.note(process, "callback_end", item.callback)
        self.call(process, *["futex"] * 5, "epoll_ctl", *["futex"] * 5)
        self.sleep(process)
        if item.period is not None:
            self.push(moment + item.period, item, 0)

    def publish(self, process, publisher, topic):
        message = 0x7FFC_0000_0000
        self.stamp = max(self.stamp + 1, process.now + 1_700_000_000_000_000_000)
        self.note(process, "rclcpp_publish", message)
        self.note(process, "rcl_publish", publisher, message)
        self.note(process, "rmw_publish", publisher + 1, message, self.stamp)
        self.call(process, "sendmsg")
        for item in self.topics.get(topic, ()):
            if self.lost_share and random.random() < self.lost_share:
                continue
            self.push(process.now + random.randint(60 * US, 250 * US), item, self.stamp)

    def run(self, event_count):
        while self.due and self.count < event_count:
            moment, _, item, stamp = heapq.heappop(self.due)
            self.execute(moment, item, stamp)

    # --- files ---

    def write(self, folder):
        streams = {f"ros2_{process.number}": self.trace.stream(process.events, process.number, process.number)
                   for process in self.processes}
        self.trace.write(Path(folder) / "ust", streams, packetized=True)
        if self.kernel:
            streams = {f"kernel_{number}": self.kernel.stream(events, number, number)
                       for number, events in self.kernel_events.items()}
            self.kernel.write(Path(folder) / "kernel", streams, packetized=True)
        return self.count + sum(map(len, self.kernel_events.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("events", type=int, help="of ROS 2")
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--processes", type=int, default=30)
    parser.add_argument("--kernel", action="store_true")
    parser.add_argument("--natural", action="store_true")
    parser.add_argument("--few", action="store_true")
    arguments = parser.parse_args()
    random.seed(1)
    system = System(arguments.nodes, arguments.processes, arguments.kernel, arguments.natural, arguments.few)
    system.run(arguments.events)
    print(system.write(arguments.folder))


if __name__ == "__main__":
    main()
