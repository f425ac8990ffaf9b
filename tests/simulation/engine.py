# SPDX-License-Identifier: MIT
"""Hosts, processes and threads that live in simulated time and record events.

Time is in ns since the simulation began. A thread is a generator with a clock of its own, `now`, that may be ahead of the
simulation: `yield` lets everything happen that is due by then. So a thread yields before it looks at anything that it shares with
other threads, and after that it acts at `now`. `yield from thread.wait()` blocks until somebody calls `wake`.

Between any two events a thread may be preempted, and may go on on another CPU.
"""
import heapq
from itertools import count

US, MS, S = 1_000, 1_000_000, 1_000_000_000


class Event:
    """What a thread recorded, or would have if it had not been lost."""

    __slots__ = ("time", "name", "thread", "cpu", "values", "is_lost")

    def __init__(self, time, name, thread, cpu, values):
        self.time, self.name, self.thread, self.cpu, self.values = time, name, thread, cpu, values
        self.is_lost = False

    @property
    def is_seen(self):
        return not self.is_lost


class World:
    """The simulation: what is due, in order of time."""

    def __init__(self, random, era, preempted=0.01, longest_preemption=2 * MS):
        self.random, self.era = random, era
        self.preempted, self.longest_preemption = preempted, longest_preemption
        self.now = self.end = 0
        self.due = []
        self.number = count()
        self.events = []
        self.used = set()  # (time, host, CPU): a CPU records one event at a time
        self.hosts = []
        self.topics = {}
        self.services = {}
        self.executions, self.publications, self.receptions, self.calls = [], [], [], []
        self.timers, self.subscriptions, self.machines = [], [], []
        self.dropped = 0.0  # how often the network drops a message
        self.records_after_write = False  # whether a request is recorded after its write, as Fast DDS does

    def at(self, time, action):
        heapq.heappush(self.due, (max(time, self.now), next(self.number), action))

    def run(self, end):
        due, self.end = self.due, end
        while due and due[0][0] <= end:
            self.now, _, action = heapq.heappop(due)
            action()
        self.now = end


class Host:
    """`offset`: its trace's clock less the simulated time; `skew`: its system time less its trace's clock."""

    def __init__(self, world, name, cpus, offset=0, skew=0):
        self.world, self.name, self.cpus, self.offset, self.skew = world, name, cpus, offset, skew
        self.steps = []  # (time, ns) by which the system time was set
        self.number = len(world.hosts)
        self.processes = []
        world.hosts.append(self)

    def system_time(self, time):
        """Gives messages their stamps; less the epoch of the traces."""
        return time + self.offset + self.skew + sum(step for moment, step in self.steps if moment <= time)


class Process:
    """A program from its start to its end. Another one may get its pid, and the addresses of its objects."""

    def __init__(self, host, vpid, name, memory):
        self.host, self.vpid, self.name, self.world = host, vpid, name, host.world
        self.memory, self.free = memory, []
        self.ended = None
        self.started = self.world.now
        self.threads = []
        self.main = self.thread(vpid)
        self.nodes = []
        self.executors = []
        self.is_initialized = False
        host.processes.append(self)

    def allocate(self):
        """An address; those that were freed last are used first."""
        if self.free:
            return self.free.pop()
        self.memory += 0x40 * self.world.random.randint(1, 9)
        return self.memory

    def thread(self, vtid):
        thread = Thread(self, vtid)
        self.threads.append(thread)
        return thread

    def is_alive(self, time):
        return self.ended is None or time < self.ended

    def end(self):
        """The process is killed: whatever its threads have recorded ahead of the simulation did not happen."""
        self.ended = self.world.now
        for node in list(self.nodes):
            node.destroy(frees=False)


class Thread:
    def __init__(self, process, vtid):
        self.process, self.world, self.vtid = process, process.world, vtid
        self.now = self.world.now
        self.cpu = self.world.random.randrange(process.host.cpus)
        self.stack = []  # executions in progress, the innermost last
        self.generator = None
        self.is_waiting = self.was_woken = False
        self.waits = 0
        self.stack_address = 0x7F00_0000_0000 + vtid * 0x10000

    def start(self, generator):
        self.generator = generator
        self.now = max(self.now, self.world.now)
        self.world.at(self.now, self.resume)

    def resume(self):
        if not self.process.is_alive(self.world.now):
            return
        self.now = max(self.now, self.world.now)
        due, world = self.world.due, self.world
        for _ in self.generator:
            if self.is_waiting:
                return
            if self.now > world.end or due and due[0][0] <= self.now:
                world.at(self.now, self.resume)
                return
            world.now = self.now
            if not self.process.is_alive(world.now):
                return

    def wait(self, until=None):
        """Blocks until the thread is woken, or until a time; takes a while to continue."""
        yield
        if not self.was_woken and (until is None or until > self.now):
            self.is_waiting = True
            self.waits += 1
            wait = self.waits
            if until is not None:
                self.world.at(until, lambda: self.wake() if self.waits == wait and self.is_waiting else None)
            yield
        self.was_woken = self.is_waiting = False
        self.now += self.world.random.randint(3 * US, 60 * US)

    def wake(self):
        if self.is_waiting:
            self.is_waiting = False
            self.world.at(self.world.now, self.resume)
        else:
            self.was_woken = True

    def sleep(self, ns):
        self.now += ns
        yield

    def pass_time(self):
        """The time between two events."""
        random = self.world.random.random
        chance = random()
        if chance >= self.world.preempted:
            self.now += 90 + int(chance * 1500)
            return
        self.now += int(5 * US * (self.world.longest_preemption / (5 * US)) ** random())
        if random() < 0.5:
            self.cpu = int(random() * self.process.host.cpus)

    def record(self, name, *values):
        self.pass_time()
        return self.record_now(name, *values)

    def record_now(self, name, *values):
        """Without time to be preempted: under a lock, after a yield."""
        used = self.world.used
        while (self.now, self.process.host.number, self.cpu) in used:
            self.now += 1
        used.add((self.now, self.process.host.number, self.cpu))
        event = Event(self.now, name, self, self.cpu, values)
        self.world.events.append(event)
        return event
