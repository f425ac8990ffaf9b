# SPDX-License-Identifier: MIT
"""What rclcpp, rcl and the middleware do, as their sources say, and which events they record in which order.

Everything that happens is logged as it happens: these logs are the truth. Sources: rclcpp/{publisher,subscription,timer,service,
any_service_callback}.hpp, subscription_base.cpp, ring_buffer_implementation.hpp, rcl/timer.c, rmw_publish and rmw_take of
rmw_cyclonedds and rmw_fastrtps.
"""
from collections import deque

from engine import US

# Releases: which events they record. `gid` is the number of bytes of a gid.
ERAS = {
    "humble": {"version": "4.1.1", "gid": 24, "stamps": False, "rings": False, "requests": False},
    "iron": {"version": "6.3.1", "gid": 24, "stamps": False, "rings": True, "requests": False},
    "jazzy": {"version": "8.2.3", "gid": 24, "stamps": True, "rings": True, "requests": False},
    "kilted": {"version": "8.6.0", "gid": 16, "stamps": True, "rings": True, "requests": True},
}


class Execution:
    """A run of a callback. `stopped` is when its code was over, `end` is None if no event says so."""

    def __init__(self, entity, thread, start, cause):
        self.entity, self.thread, self.start, self.cause = entity, thread, start, cause
        self.end = self.stopped = None
        self.outer = thread.stack[-1] if thread.stack else None
        self.published = []


class Publication:
    """A message that was published. `events` are those of the publishing thread, in order."""

    def __init__(self, publisher, thread):
        self.publisher, self.thread = publisher, thread
        self.parent = thread.stack[-1] if thread.stack else None
        self.events = []
        self.stamp = None  # on the clock of the trace of the publishing host
        self.receptions = []
        if self.parent:
            self.parent.published.append(self)


class Reception:
    """A message that a subscription took. `execution` is None if no callback got it."""

    def __init__(self, publication, subscription, take, is_intra):
        self.publication, self.subscription, self.take, self.is_intra = publication, subscription, take, is_intra
        self.execution = None
        publication.receptions.append(self)


class TimerCall:
    """rcl_timer_call() of a timer at a moment; `missed` are slots that it skipped."""

    def __init__(self, expected, called, missed):
        self.expected, self.called, self.missed = expected, called, missed
        self.execution = None


class Call:
    """A request of a client, and what became of it; `service` is the one that took it first, and whose response arrives."""

    def __init__(self, client, sequence):
        self.client, self.sequence = client, sequence
        self.parent = None
        self.send = self.receive = None
        self.takes, self.answers = [], []  # of each service of this name
        self.service = self.execution = None
        self.is_done = False


class Node:
    def __init__(self, process, name, namespace="/"):
        self.process, self.name, self.namespace = process, name, namespace
        self.world = process.world
        self.full_name = (namespace if namespace.endswith("/") else namespace + "/") + name
        self.addresses = []
        self.handle = self.allocate()
        self.group = Group()
        self.entities = []
        self.executor = None
        self.machine = self.definition = None
        process.nodes.append(self)

    def allocate(self):
        address = self.process.allocate()
        self.addresses.append(address)
        return address

    def gid(self, thread):
        era = self.world.era
        return tuple(thread.world.random.randbytes(era["gid"]))

    def create(self, thread):
        process = self.process
        if not process.is_initialized:
            process.is_initialized = True
            thread.record("rcl_init", process.allocate(), self.world.era["version"])
        self.definition = thread.record("rcl_node_init", self.handle, self.allocate(), self.name, self.namespace)

    def destroy(self, frees=True):
        """Its objects are gone; their addresses are used again."""
        if self not in self.process.nodes:
            return
        self.process.nodes.remove(self)
        for entity in self.entities:
            entity.destroy()
        if self.executor:
            self.executor.nodes.remove(self)
        if frees:
            self.process.free += reversed(self.addresses)


class Group:
    """A callback group."""

    def __init__(self, is_reentrant=False):
        self.is_reentrant, self.is_busy = is_reentrant, False


class Entity:
    """What an executor executes."""

    kind = ""

    def __init__(self, node, group=None):
        self.node, self.world, self.group = node, node.world, group or node.group
        self.is_alive = False
        self.definitions = []  # the events that define it
        self.born = self.died = None
        self.work = None  # a generator (thread, execution)
        self.throws = 0.0  # how often it throws
        node.entities.append(self)

    def define(self, thread, definitions):
        """Its initialization events, (name, values…) each; from then on it is alive."""
        self.definitions = [thread.record(*definition) for definition in definitions]
        self.is_alive, self.born = True, thread.now

    def is_there(self, now):
        """Others can reach it: not yet while the thread that creates it is ahead of them."""
        return self.is_alive and self.born <= now

    def destroy(self):
        if self.is_alive:
            self.died = self.world.now
            self.leave()
        self.is_alive = False

    def leave(self):
        """What else is to do when it is gone."""

    def announce(self, is_intra=False):
        """There is something to do for the executor."""
        if self.node.executor:
            self.node.executor.announce(self, is_intra)

    def may_run(self):
        return self.group.is_reentrant or not self.group.is_busy

    def run_callback(self, thread, callback, cause=None, is_intra=0, ends=True):
        """The user's code between callback_start and callback_end."""
        start = thread.record("callback_start", callback, is_intra)
        execution = Execution(self, thread, start, cause)
        self.world.executions.append(execution)
        if cause and not (isinstance(cause, Call) and cause.service is not self):
            cause.execution = execution
        thread.stack.append(execution)
        try:
            if self.work:
                yield from self.work(thread, execution)
        except UserError:  # of a callback that was executed within this one
            thread.stack.pop()
            execution.stopped = thread.now
            raise
        throws = self.throws and self.world.random.random() < self.throws
        thread.pass_time()
        thread.stack.pop()
        execution.stopped = thread.now
        if throws:
            raise UserError
        if ends:
            execution.end = thread.record("callback_end", callback)
        return execution


class UserError(Exception):
    """An exception of the user's code, which the program catches around spin()."""


class Publisher(Entity):
    kind = "publisher"

    def __init__(self, node, topic, depth=10, is_intra=False, is_latched=False, style="rclcpp"):
        super().__init__(node)
        self.topic, self.depth, self.is_latched, self.style = topic, depth, is_latched, style
        self.is_intra = is_intra and not is_latched
        self.handle, self.rmw = node.allocate(), node.allocate()
        self.history = deque(maxlen=depth)
        self.arrivals = {}  # subscription → when its last message arrives: they stay in order

    def create(self, thread):
        self.define(thread, [
            ("rmw_publisher_init", self.rmw, self.node.gid(thread)),
            ("rcl_publisher_init", self.handle, self.node.handle, self.rmw, self.topic, self.depth)])
        self.world.topics.setdefault(self.topic, ([], []))[0].append(self)

    def leave(self):
        self.world.topics[self.topic][0].remove(self)

    def publish(self, thread):
        """do_intra_process_publish(), then do_inter_process_publish() if anybody outside listens."""
        world = self.world
        yield
        if not self.is_alive:
            return None
        publication = Publication(self, thread)
        world.publications.append(publication)
        message = thread.stack_address + 0x40 * len(thread.stack)
        subscriptions = world.topics[self.topic][1]
        here = [each for each in subscriptions if self.is_intra and each.is_intra and each.node.process is self.node.process]
        if self.is_intra:
            message = self.node.process.memory + 0x100000 + 0x100 * world.random.randrange(3)
            if world.era["rings"]:
                publication.events.append(thread.record("rclcpp_intra_publish", self.handle, message))
            for subscription in sorted(here, key=lambda each: each.takes_ownership):
                yield from subscription.enqueue(thread, publication)
            if len(subscriptions) <= len(here):
                return publication
        if self.style == "rclcpp":
            publication.events.append(thread.record("rclcpp_publish", message))
        if self.style != "serialized":
            publication.events.append(thread.record("rcl_publish", self.handle, message))
        host = self.node.process.host
        if world.era["stamps"]:
            thread.pass_time()
            publication.stamp = host.system_time(thread.now)
            publication.events.append(thread.record("rmw_publish", self.rmw, message, EPOCH + publication.stamp))
            thread.pass_time()
        else:
            publication.events.append(thread.record("rmw_publish", message))
            thread.pass_time()
            publication.stamp = host.system_time(thread.now)
            thread.pass_time()
        written = thread.now
        world.at(written, lambda: self.write(publication, written))
        return publication

    def write(self, publication, written):
        if not self.node.process.is_alive(written):
            return
        if self.is_latched:
            self.history.append(publication)
        for subscription in self.world.topics[self.topic][1]:
            self.transmit(publication, subscription, written)

    def transmit(self, publication, subscription, written):
        world, random = self.world, self.world.random
        if random.random() < world.dropped:
            return
        delay = int(20 * US + random.expovariate(1 / (80 * US)))
        if subscription.node.process.host is not self.node.process.host:
            delay += int(150 * US + random.expovariate(1 / (200 * US)))
        arrival = max(written + delay, self.arrivals.get(subscription, 0))
        self.arrivals[subscription] = arrival + 1
        world.at(arrival, lambda: subscription.arrive(publication))


EPOCH = 1_700_000_000_000_000_000


class Subscription(Entity):
    kind = "subscription"

    def __init__(self, node, topic, depth=10, is_intra=False, is_latched=False, group=None, is_of_action=False):
        super().__init__(node, group)
        self.is_of_action = is_of_action  # rclcpp_action has no callbacks that are recorded
        self.topic, self.depth, self.is_latched = topic, depth, is_latched
        self.is_intra = is_intra and not is_latched
        self.takes_ownership = self.world.random.random() < 0.5
        self.handle, self.rmw, self.object, self.callback = (node.allocate() for _ in range(4))
        if self.is_intra:
            self.ring, self.buffer, self.intra_object, self.intra_callback = (node.allocate() for _ in range(4))
        self.queue, self.slots = deque(), deque()
        self.world.subscriptions.append(self)
        self.write_index, self.read_index = depth - 1, 0
        self.is_polled = False

    @property
    def source(self):
        return self.topic

    def create(self, thread):
        events = [("rmw_subscription_init", self.rmw, self.node.gid(thread)),
                  ("rcl_subscription_init", self.handle, self.node.handle, self.rmw, self.topic, self.depth)]
        if self.is_intra:
            if self.world.era["rings"]:
                events += [("rclcpp_construct_ring_buffer", self.ring, self.depth), ("rclcpp_buffer_to_ipb", self.ring, self.buffer),
                           ("rclcpp_ipb_to_subscription", self.buffer, self.intra_object)]
            events += [("rclcpp_subscription_callback_added", self.intra_object, self.intra_callback),
                       ("rclcpp_callback_register", self.intra_callback, f"heard {self.topic}"),
                       ("rclcpp_subscription_init", self.handle, self.intra_object)]
        if not self.is_of_action:
            events += [("rclcpp_subscription_init", self.handle, self.object),
                       ("rclcpp_subscription_callback_added", self.object, self.callback),
                       ("rclcpp_callback_register", self.callback, f"heard {self.topic}")]
        self.define(thread, events)
        publishers, subscriptions = self.world.topics.setdefault(self.topic, ([], []))
        subscriptions.append(self)
        for publisher in publishers:
            if self.is_latched:
                for publication in publisher.history:
                    publisher.transmit(publication, self, thread.now)

    def leave(self):
        self.world.topics[self.topic][1].remove(self)

    def arrive(self, publication):
        if not self.is_there(self.world.now):
            return
        if len(self.queue) >= self.depth:
            self.queue.popleft()
        self.queue.append(publication)
        self.announce()

    def enqueue(self, thread, publication):
        """The ring buffer of the intra-process part, under its lock; a full one overwrites the oldest message."""
        thread.pass_time()
        yield
        if not self.is_there(thread.now):
            return
        self.write_index = (self.write_index + 1) % self.depth
        is_full = len(self.slots) >= self.depth
        if is_full:
            self.slots.popleft()
            self.read_index = (self.read_index + 1) % self.depth
        self.slots.append(publication)
        if self.world.era["rings"]:
            size = len(self.slots) + (1 if is_full else 0)
            publication.events.append(thread.record_now("rclcpp_ring_buffer_enqueue", self.ring, self.write_index, size, int(is_full)))
        self.announce(is_intra=True)

    def is_ready(self):
        return self.is_alive and bool(self.queue)

    def is_intra_ready(self):
        return self.is_alive and bool(self.slots)

    def take(self, thread):
        """rmw_take, rcl_take, rclcpp_take; → the reception, or None if there was nothing."""
        thread.pass_time()
        yield
        publication = self.queue.popleft() if self.queue else None
        message = thread.stack_address + 0x8000 + 0x40 * len(thread.stack)
        stamp = EPOCH + publication.stamp if publication else 0
        event = thread.record("rmw_take", self.rmw, message, stamp, int(publication is not None))
        thread.record("rcl_take", message)
        if not self.is_of_action:
            thread.record("rclcpp_take", message)
        if not publication:
            return None
        reception = Reception(publication, self, event, False)
        self.world.receptions.append(reception)
        return reception

    def execute(self, thread):
        reception = yield from self.take(thread)
        if not reception:
            return
        publisher = reception.publication.publisher
        if self.is_intra and publisher.is_intra and publisher.node.process is self.node.process:
            return  # it comes by the ring buffer as well: rclcpp drops this copy
        if self.is_of_action:
            return
        yield from self.run_callback(thread, self.callback, reception)

    def take_data(self, thread):
        """A waitable is taken from where it is found, before it is executed."""
        thread.pass_time()
        yield
        if not self.slots:
            return None
        publication = self.slots.popleft()
        event = None
        if self.world.era["rings"]:
            event = thread.record_now("rclcpp_ring_buffer_dequeue", self.ring, self.read_index, len(self.slots))
        self.read_index = (self.read_index + 1) % self.depth
        reception = Reception(publication, self, event, True)
        self.world.receptions.append(reception)
        return reception

    def execute_intra(self, thread, reception):
        if reception:
            yield from self.run_callback(thread, self.intra_callback, reception, is_intra=1)


class Timer(Entity):
    kind = "timer"

    def __init__(self, node, period, group=None):
        super().__init__(node, group)
        self.period = period
        self.handle, self.callback = node.allocate(), node.allocate()
        self.next = None
        self.calls = []
        self.is_canceled = False
        self.schedules = []  # [first expected time, last possible time] of each schedule
        self.world.timers.append(self)

    @property
    def source(self):
        return str(self.period)

    def create(self, thread):
        self.next = thread.now + self.period
        self.schedules.append([self.next, None])
        self.define(thread, [
            ("rcl_timer_init", self.handle, self.period),
            ("rclcpp_timer_callback_added", self.handle, self.callback),
            ("rclcpp_callback_register", self.callback, "tick"),
            ("rclcpp_timer_link_node", self.handle, self.node.handle)])

    def leave(self):
        self.stop()

    def stop(self):
        if self.schedules and self.schedules[-1][1] is None:
            self.schedules[-1][1] = self.world.now

    def cancel(self):
        self.stop()
        self.is_canceled = True

    def reset(self, now):
        self.stop()
        self.is_canceled = False
        self.next = now + self.period
        self.schedules.append([self.next, None])
        self.announce()

    def is_due(self, now):
        return self.is_alive and not self.is_canceled and self.next <= now

    def call(self, now):
        """rcl_timer_call(): the next time is in the future, slots that have passed are skipped."""
        expected = self.next
        self.next += self.period
        missed = 0
        if self.next <= now:
            missed = 1 + (now - self.next) // self.period
            self.next += missed * self.period
        self.calls.append(TimerCall(expected, now, missed))
        return self.calls[-1]

    def execute(self, thread, call):
        yield from self.run_callback(thread, self.callback, call)


class Service(Entity):
    """`defers`: its callback answers later, by answer(), from another callback."""

    kind = "service"

    def __init__(self, node, name, group=None, defers=False, is_of_action=False):
        super().__init__(node, group)
        self.service, self.defers, self.is_of_action = name, defers, is_of_action
        self.handle, self.rmw, self.callback = (node.allocate() for _ in range(3))
        self.queue, self.unanswered = deque(), deque()

    @property
    def source(self):
        return self.service

    def create(self, thread):
        events = [("rcl_service_init", self.handle, self.node.handle, self.rmw, self.service)]
        if not self.is_of_action:
            events += [("rclcpp_service_callback_added", self.handle, self.callback),
                       ("rclcpp_callback_register", self.callback, self.symbol())]
        self.define(thread, events)
        self.world.services.setdefault(self.service, []).append(self)

    def symbol(self):
        """As rclcpp demangles a member function. Of every other service a function that tells nothing of its arguments is bound."""
        if self.service[-1] in "13579":
            return f"serve {self.service}"
        request = "std::shared_ptr<demo::srv::Demo_Request_<std::allocator<void> > >"
        if self.defers:
            return f"void (Demo::*)(std::shared_ptr<rmw_request_id_s>, {request})"
        return f"void (Demo::*)({request}, std::shared_ptr<demo::srv::Demo_Response_<std::allocator<void> > >)"

    def leave(self):
        self.world.services[self.service].remove(self)

    def is_ready(self):
        return self.is_alive and bool(self.queue)

    def arrive(self, call):
        if self.is_there(self.world.now):
            self.queue.append(call)
            self.announce()

    def execute(self, thread):
        thread.pass_time()
        yield
        if not self.queue:
            if self.world.era["requests"]:
                thread.record("rmw_take_request", self.rmw, thread.stack_address, (0,) * 16, 0, 0)
            return
        call = self.queue.popleft()
        if self.world.era["requests"]:
            call.takes.append(thread.record("rmw_take_request", self.rmw, thread.stack_address, call.client.gid, call.sequence, 1))
        if call.service is None:
            call.service = self
        has_end = not self.defers or self.world.era["requests"]
        if self.defers:
            self.unanswered.append(call)
        if not self.is_of_action:
            yield from self.run_callback(thread, self.callback, call, ends=has_end)
        if not self.defers:
            self.answer(thread, call)

    def answer(self, thread, call):
        """rmw_send_response, on any thread."""
        world = self.world
        thread.pass_time()
        stamp = self.node.process.host.system_time(thread.now)
        if world.era["requests"]:
            call.answers.append(
                thread.record("rmw_send_response", self.rmw, thread.stack_address, call.client.gid, call.sequence, EPOCH + stamp))
        if call.service is not self:
            return
        arrival = thread.now + int(20 * US + world.random.expovariate(1 / (80 * US)))
        process = self.node.process
        sent = thread.now
        world.at(arrival, lambda: call.client.arrive(call, stamp) if process.is_alive(sent) else None)


class Client(Entity):
    kind = "client"

    def __init__(self, node, name, group=None):
        super().__init__(node, group)
        self.service = name
        self.handle, self.rmw = node.allocate(), node.allocate()
        self.gid = None
        self.sequence = 0
        self.queue = deque()
        self.waiting = {}  # call → thread that waits for it
        self.react = None  # the callback of responses, of which no event tells: a generator (thread)

    def create(self, thread):
        self.gid = tuple(self.world.random.randbytes(8)) + (0,) * 8
        events = [("rmw_client_init", self.rmw, self.gid)] if self.world.era["requests"] else []
        self.define(thread, events + [("rcl_client_init", self.handle, self.node.handle, self.rmw, self.service)])

    def is_ready(self):
        return self.is_alive and bool(self.queue)

    def send(self, thread):
        """async_send_request(). Cyclone DDS records it before the write, Fast DDS after it."""
        world = self.world
        yield
        self.sequence += 1
        call = Call(self, self.sequence)
        call.parent = thread.stack[-1] if thread.stack else None
        world.calls.append(call)
        request = thread.stack_address + 0x4000
        written = None
        if world.records_after_write:
            thread.pass_time()
            written = thread.now
        if world.era["requests"]:
            call.send = thread.record("rmw_send_request", self.rmw, request, call.sequence)
        if written is None:
            thread.pass_time()
            written = thread.now
        process = self.node.process

        def write():
            if process.is_alive(written):
                for service in world.services.get(self.service, ()):
                    delay = int(20 * US + world.random.expovariate(1 / (80 * US)))
                    world.at(written + delay, lambda service=service: service.arrive(call))

        world.at(written, write)
        return call

    def arrive(self, call, stamp):
        if self.is_alive:
            self.queue.append((call, stamp))
            self.announce()

    def execute(self, thread):
        thread.pass_time()
        yield
        if not self.queue:
            return
        call, stamp = self.queue.popleft()
        if self.world.era["requests"]:
            call.receive = thread.record("rmw_take_response", self.rmw, thread.stack_address, call.sequence, EPOCH + stamp, 1)
        call.is_done = True
        waiting = self.waiting.pop(call, None)
        if waiting:
            self.world.at(thread.now, waiting.wake)
        if self.react:
            yield from self.react(thread)


class StateMachine:
    """A lifecycle node's, which goes through its transitions."""

    def __init__(self, node):
        self.node, self.address, self.state = node, node.allocate(), "unconfigured"
        self.transitions = []
        self.definition = None
        node.world.machines.append(self)

    def create(self, thread):
        self.definition = thread.record("rcl_lifecycle_state_machine_init", self.node.handle, self.address)

    def change(self, thread, between, goal):
        """The user's code runs between the two events."""
        first = thread.record("rcl_lifecycle_transition", self.address, self.state, between)
        thread.now += self.node.world.random.randint(5 * US, 500 * US)
        event = thread.record("rcl_lifecycle_transition", self.address, between, goal)
        self.transitions.append((self.state, goal, first, event))
        self.state = goal
