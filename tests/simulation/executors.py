# SPDX-License-Identifier: MIT
"""Executors of rclcpp: who executes what, when, and which events they record.

Sources: rclcpp/executor.cpp, executors/{multi_threaded,static_single_threaded}_executor.cpp, experimental/executors/events_executor.
"""
from collections import deque

from engine import US
from middleware import Client, Service, Subscription, Timer, UserError

ORDER = [Timer, Subscription, Service, Client]


class Executor:
    """SingleThreadedExecutor and MultiThreadedExecutor, whose threads wait and look for work one at a time.

    A wait finds what is ready at its end; that is executed first, in the order of kinds, then the executor waits again.
    `is_static`: StaticSingleThreadedExecutor, which records no events.
    """

    def __init__(self, process, nodes, threads, is_static=False, polls_busy_groups=False):
        self.process, self.world, self.nodes, self.threads = process, process.world, [], threads
        self.is_static, self.polls_busy_groups = is_static, polls_busy_groups
        self.found = deque()  # (entity, its intra-process part) that the last wait has found
        self.is_locked, self.queue = False, deque()
        self.waiting = None
        self.is_stopped = False
        self.on_error = None  # what the program does after an exception: a generator (thread)
        process.executors.append(self)
        for node in nodes:
            self.add(node)

    def add(self, node):
        self.nodes.append(node)
        node.executor = self
        self.announce()

    def start(self):
        for thread in self.threads:
            thread.start(self.spin(thread))

    def record(self, thread, name, *values):
        if not self.is_static:
            thread.record(name, *values)

    def announce(self, entity=None, is_intra=False):
        if self.waiting:
            self.waiting.wake()

    def ready(self, now):
        """What a wait finds, in the order in which it is executed."""
        found = []
        entities = [entity for node in self.nodes for entity in node.entities]
        for kind in ORDER:
            for entity in entities:
                if type(entity) is kind and (self.polls_busy_groups or entity.may_run()):
                    if entity.is_due(now) if kind is Timer else not getattr(entity, "is_polled", False) and entity.is_ready():
                        found.append((entity, False))
        found += [(entity, True) for entity in entities
                  if type(entity) is Subscription and entity.is_intra_ready() and (self.polls_busy_groups or entity.may_run())]
        return found

    def next_due(self):
        times = [entity.next for node in self.nodes for entity in node.entities
                 if type(entity) is Timer and entity.is_alive and not entity.is_canceled
                 and (self.polls_busy_groups or entity.may_run())]
        return min(times, default=None)

    def pick(self, thread):
        """get_next_ready_executable(): → (entity, is_intra, data), or None."""
        self.record(thread, "rclcpp_executor_get_next_ready")
        yield
        kept = deque()
        picked = None
        while self.found and not picked:
            entity, is_intra = self.found.popleft()
            if not entity.is_alive or type(entity) is Timer and entity.is_canceled:
                continue
            if not entity.may_run():
                if type(entity) is Timer:
                    kept.append((entity, is_intra))
                continue
            data = None
            if type(entity) is Timer:
                data = entity.call(thread.now)
            elif is_intra:
                data = yield from entity.take_data(thread)
            picked = entity, is_intra, data
        self.found.extendleft(reversed(kept))
        if picked and not picked[0].group.is_reentrant:
            picked[0].group.is_busy = True
        return picked

    def wait(self, thread, until=None):
        """wait_for_work(): until something is ready, or until a time."""
        self.record(thread, "rclcpp_executor_wait_for_work", -1 if until is None else max(0, until - thread.now))
        yield
        self.found.clear()
        found = self.ready(thread.now)
        while not found:
            if until is not None and thread.now >= until or self.is_stopped:
                return
            due = self.next_due()
            times = [time for time in (due, until) if time is not None]
            self.waiting = thread
            yield from thread.wait(min(times, default=None))
            self.waiting = None
            yield
            found = self.ready(thread.now)
            if not found and self.world.random.random() < 0.5:
                return  # a guard condition
        if self.polls_busy_groups and not any(entity.may_run() for entity, _ in found):
            yield from thread.sleep(self.world.random.randint(20 * US, 300 * US))
        self.found.extend(found)

    def next(self, thread, until=None):
        """get_next_executable()"""
        picked = yield from self.pick(thread)
        if not picked:
            yield from self.wait(thread, until)
            if self.is_stopped:
                return None
            picked = yield from self.pick(thread)
        return picked

    def execute(self, thread, entity, is_intra, data):
        world = self.world
        if type(entity) is Timer or type(entity) is Subscription and not is_intra and not entity.is_of_action:
            self.record(thread, "rclcpp_executor_execute", entity.handle)
        try:
            if is_intra:
                yield from entity.execute_intra(thread, data)
            elif type(entity) is Timer:
                yield from entity.execute(thread, data)
            else:
                yield from entity.execute(thread)
        finally:
            thread.pass_time()
            world.at(thread.now, lambda: self.release(entity))

    def release(self, entity):
        entity.group.is_busy = False
        if len(self.threads) > 1 and not entity.group.is_reentrant:
            self.announce()

    def spin(self, thread):
        while not self.is_stopped:
            if len(self.threads) > 1:
                yield from self.lock(thread)
            picked = yield from self.next(thread)
            if len(self.threads) > 1:
                self.unlock(thread)
            if picked:
                try:
                    yield from self.execute(thread, *picked)
                except UserError:
                    yield from self.recover(thread)
                yield

    def recover(self, thread):
        """The program catches an exception around spin() and calls it again."""
        thread.now += self.world.random.randint(5 * US, 200 * US)
        self.found.clear()
        if self.on_error:
            yield from self.on_error(thread)
        yield

    def spin_some(self, thread):
        """Executes what is ready now."""
        self.record(thread, "rclcpp_executor_wait_for_work", 0)
        yield
        self.found = deque(self.ready(thread.now))
        while True:
            picked = yield from self.pick(thread)
            if not picked:
                return
            try:
                yield from self.execute(thread, *picked)
            except UserError:
                yield from self.recover(thread)

    def spin_until(self, thread, is_done, until):
        """spin_until_future_complete(), possibly within a callback: whatever is ready is executed within it."""
        while not is_done() and thread.now < until and not self.is_stopped:
            picked = yield from self.next(thread, until)
            if picked:
                yield from self.execute(thread, *picked)
            yield

    def lock(self, thread):
        yield
        while self.is_locked:
            self.queue.append(thread)
            yield from thread.wait()
            yield
        self.is_locked = True

    def unlock(self, thread):
        def done():
            self.is_locked = False
            if self.queue:
                self.queue.popleft().wake()
        self.world.at(thread.now, done)


class EventsExecutor(Executor):
    """Executes in the order of arrival; timers are called when they are due, and queue like messages. Records no events."""

    def __init__(self, process, nodes, threads):
        self.arrived = deque()
        self.scheduled = set()
        super().__init__(process, nodes, threads[:1], is_static=True)

    def announce(self, entity=None, is_intra=False):
        if isinstance(entity, Timer):
            self.schedule(entity)
        elif entity and not getattr(entity, "is_polled", False):
            self.arrived.append((entity, is_intra, None))
        super().announce()

    def add(self, node):
        super().add(node)
        self.world.at(self.world.now, self.schedule_all)

    def schedule_all(self):
        for node in self.nodes:
            for entity in node.entities:
                if isinstance(entity, Timer) and entity.is_alive:
                    self.schedule(entity)

    def schedule(self, timer):
        """The timers manager's thread calls the timer when it is due, some time later."""
        if timer.next is None or (timer, timer.next) in self.scheduled or not timer.is_alive:
            return
        self.scheduled.add((timer, timer.next))
        due = timer.next

        def call():
            if timer.next != due or not timer.is_alive or timer.is_canceled or not self.process.is_alive(self.world.now):
                return
            self.arrived.append((timer, False, timer.call(self.world.now)))
            self.schedule(timer)
            if self.waiting:
                self.waiting.wake()

        self.world.at(due + self.world.random.randint(2 * US, 30 * US), call)

    def spin(self, thread):
        yield
        self.schedule_all()
        while not self.is_stopped:
            yield
            if not self.arrived:
                self.waiting = thread
                yield from thread.wait()
                self.waiting = None
                continue
            entity, is_intra, data = self.arrived.popleft()
            if not entity.is_alive:
                continue
            if is_intra:
                data = yield from entity.take_data(thread)
            try:
                yield from self.execute(thread, entity, is_intra, data)
            except UserError:
                yield from self.recover(thread)
