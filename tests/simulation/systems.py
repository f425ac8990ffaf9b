# SPDX-License-Identifier: MIT
"""Random systems: what there is follows from the seed alone.

A system is made of programs, which can be started again; a program is made of nodes; what a callback does is a Work.
"""
import random
from dataclasses import dataclass, field, replace

from engine import MS, S, US, Host, Process, World
from executors import EventsExecutor, Executor
from middleware import ERAS, Client, Group, Node, Publisher, Service, StateMachine, Subscription, Timer

TRANSITIONS = {"unconfigured": [("configuring", "inactive")], "inactive": [("activating", "active"), ("cleaningup", "unconfigured")],
               "active": [("deactivating", "inactive")]}
EXECUTORS = ["single", "single", "single", "multi", "multi", "events", "static", "some", "several"]


@dataclass
class Work:
    """What a callback does, in this order."""

    shortest: int = 5 * US
    longest: int = 200 * US
    topics: list = field(default_factory=list)  # (topic, how often it publishes on it)
    requests: list = field(default_factory=list)  # (service, "async", "nested" or "blocking")
    polls: list = field(default_factory=list)  # topics whose messages it takes
    answers: list = field(default_factory=list)  # services that it answers
    throws: float = 0.0
    stops: float = 0.0  # how often it cancels or resets a timer of its node
    reloads: bool = False  # unloads a component and loads another one
    transits: bool = False  # makes a transition of the lifecycle


@dataclass
class NodePlan:
    name: str
    namespace: str
    publishers: list = field(default_factory=list)  # (topic, keywords)
    subscriptions: list = field(default_factory=list)  # (topic, keywords, group, Work or None if it is polled)
    timers: list = field(default_factory=list)  # (period, group, Work)
    services: list = field(default_factory=list)  # (name, group, defers, Work)
    clients: list = field(default_factory=list)  # (name, group, topics that the response leads to)
    groups: list = field(default_factory=lambda: [False])  # whether each callback group is reentrant
    has_lifecycle: bool = False
    serves_action: bool = False
    calls_action: bool = False
    is_component: bool = False


@dataclass
class Program:
    name: str
    host: int
    executor: str
    threads: int
    nodes: list
    pid: int = 0
    twin: object = None  # the same program on another host, with the same pid if that is free
    loop_topics: list = field(default_factory=list)  # published outside of callbacks
    process: object = None  # the last one


class System:
    def __init__(self, seed):
        self.seed = seed
        self.random = rand = random.Random(seed)
        self.era = rand.choice(["humble", "iron", "jazzy", "jazzy", "jazzy", "kilted", "kilted"])
        preempted = rand.choice([0.0, 0.003, 0.01, 0.05])
        self.world = World(rand, ERAS[self.era], preempted, rand.choice([200 * US, 3 * MS, 30 * MS]))
        self.world.dropped = rand.choice([0.0, 0.0, 0.0, 0.02, 0.1])
        self.world.records_after_write = rand.random() < 0.5
        self.beat = int(2 * MS * 300 ** rand.random())  # the order of magnitude of the periods
        self.has_same_addresses = rand.random() < 0.4
        self.features = set()
        for number in range(rand.choice([1, 1, 1, 2])):
            Host(self.world, f"host{number}" if number else "host", rand.randint(1, 4),
                 offset=rand.randint(-3 * MS, 3 * MS) if number else 0, skew=rand.randint(-30 * US, 30 * US))
        self.next_id = [rand.choice([10, 1000]) for _ in self.world.hosts]
        self.twin_ids = [set() for _ in self.world.hosts]
        self.programs = self.plan()
        self.plan_twin(random.Random(f"{seed} copy"))
        self.limit = rand.choice([1500, 2500, 4000, 6000])

    # Plans

    def plan(self):
        rand = self.random
        programs = []
        number = rand.randint(2, 5)
        topics = []  # of earlier nodes, that later ones may hear
        services = []
        self.topic_count = 0
        for place in range(number):
            executor = rand.choice(EXECUTORS)
            program = Program(f"program{place}" if rand.random() < 0.8 else "program", rand.randrange(len(self.world.hosts)),
                              executor, rand.randint(2, 4) if executor == "multi" else 1, [])
            for _ in range(rand.choice([1, 1, 2, 3])):
                program.nodes.append(self.plan_node(program, topics, services))
            if executor == "some":
                program.loop_topics = [topic for topic, _ in program.nodes[0].publishers if rand.random() < 0.5]
            programs.append(program)
        if rand.random() < 0.25:
            self.plan_loop(programs)
        if rand.random() < 0.2:
            self.plan_reloads(programs)
        if rand.random() < 0.2:
            self.plan_action(programs)
        if rand.random() < 0.2:
            node = rand.choice(rand.choice(programs).nodes)
            node.has_lifecycle = True
            node.timers.append((self.beat * rand.randint(2, 6), 0, Work(transits=True)))
            self.features.add("lifecycle")
        return programs

    def plan_twin(self, rand):
        """Hosts are often set up alike: the same program runs on each of them."""
        programs = [program for program in self.programs
                    if not any(node.services or node.serves_action or node.is_component for node in program.nodes)]
        if len(self.world.hosts) > 1 and programs and rand.random() < 0.2:
            program = rand.choice(programs)
            self.programs.append(replace(program, host=1 - program.host, twin=program))
            self.features.add("twin")

    def describe(self):
        """What there is in this system, in pairs with the release where that matters."""
        found = set(self.features)
        for program in self.programs:
            found |= {f"{self.era} {program.executor}"}
            for node in program.nodes:
                works = [each[-1] for each in node.subscriptions + node.timers + node.services if each[-1]]
                found |= {f"{self.era} throws" for work in works if work.throws}
                found |= {f"{how} call" for work in works for _, how in work.requests}
                found |= {f"{self.era} deferred" for service in node.services if service[2]}
                found |= {f"{self.era} intra" for _, options in node.publishers if options.get("is_intra")}
                found |= {"latched" for _, options in node.publishers if options.get("is_latched")}
                found |= {"polled" for subscription in node.subscriptions if subscription[3] is None}
                found |= {"reentrant" for is_reentrant in node.groups if is_reentrant}
        return found | {f"{len(self.world.hosts)} hosts"}

    def new_topic(self, topics):
        """A topic: mostly a new one, else one that has a publisher."""
        rand = self.random
        if topics and rand.random() < 0.2:
            return rand.choice(topics)
        self.topic_count += 1
        return f"/t{self.topic_count}"

    def plan_node(self, program, topics, services):
        rand = self.random
        name, namespace = f"n{rand.randrange(100)}", rand.choice(["/", "/", "/a", "/a/b"])
        node = NodePlan(name, namespace)
        node.groups += [rand.random() < 0.5 for _ in range(rand.choice([0, 0, 1, 2]))]
        uses_intra = rand.random() < 0.35
        own = []
        for _ in range(rand.choice([0, 1, 1, 2])):
            topic = self.new_topic(topics)
            is_latched = rand.random() < 0.1
            style = rand.choice(["rclcpp"] * 8 + ["serialized", "rcl"])
            if uses_intra:
                style = "rclcpp"
            node.publishers.append((topic, {"depth": rand.choice([1, 2, 10]), "is_intra": uses_intra, "is_latched": is_latched,
                                            "style": style}))
            own.append(topic)
        group = lambda: rand.randrange(len(node.groups))  # noqa: E731
        for _ in range(rand.choice([0, 1, 1, 2])):
            if topics:
                topic = rand.choice(topics)
                is_polled = rand.random() < 0.08
                work = None if is_polled else self.plan_work(own, services, node, 0.7)
                options = {"depth": rand.choice([1, 2, 5, 10]), "is_intra": uses_intra and not is_polled,
                           "is_latched": rand.random() < 0.1}
                node.subscriptions.append((topic, options, group(), work))
        for _ in range(rand.choice([0, 1, 1, 2]) or (1 if not node.subscriptions else 0)):
            period = max(US * 500, int(self.beat * rand.choice([0.5, 1, 1, 2, 3])))
            if rand.random() < 0.5:
                period = max(1, round(period / MS)) * MS
            work = self.plan_work(own, services, node, 0.8)
            work.stops = rand.choice([0, 0, 0, 0, 0.05])
            work.polls = [topic for topic, _, _, polled in node.subscriptions if polled is None]
            work.answers = [name for name, _, defers, _ in node.services if defers]
            node.timers.append((period, group(), work))
        if rand.random() < 0.3:
            name = f"/s{len(services)}" if rand.random() < 0.9 or not services else rand.choice(services)
            defers = rand.random() < 0.3 and bool(node.timers)
            node.services.append((name, group(), defers, self.plan_work(own, [], node, 0.3)))
            if defers:
                node.timers[0][2].answers.append(name)
            services.append(name)
        topics += own
        return node

    def plan_work(self, topics, services, node, publishes):
        rand = self.random
        longest = int(10 * US * (min(30 * MS, self.beat // 2 + 20 * US) / (10 * US)) ** rand.random())
        work = Work(longest // rand.choice([1, 2, 10]), longest)
        if rand.random() < publishes:
            work.topics = [(topic, rand.choice([1, 1, 0.5])) for topic in topics if rand.random() < 0.8]
        if services and rand.random() < 0.25:
            service = rand.choice(services)
            work.requests.append((service, rand.choice(["async", "async", "nested", "blocking"])))
            if all(service != name for name, _, _ in node.clients):
                node.clients.append((service, rand.randrange(len(node.groups)), topics[:1] if rand.random() < 0.3 else []))
        if rand.random() < 0.1:
            work.throws = rand.choice([0.05, 0.3])
        return work

    def plan_loop(self, programs):
        """Two nodes that answer each other."""
        rand = self.random
        here, there = rand.choice(programs).nodes[0], rand.choice(programs).nodes[-1]
        if here is there:
            return
        slow = lambda topic: Work(self.beat // 5, self.beat // 2, [(topic, 1)])  # noqa: E731
        for node, out, back in ((here, "/ping", "/pong"), (there, "/pong", "/ping")):
            node.publishers.append((out, {"depth": 10}))
            node.subscriptions.append((back, {"depth": 10}, 0, slow(out)))
        here.timers.append((self.beat * 30, 0, Work(topics=[("/ping", 1)])))
        self.features.add("loop")

    def plan_action(self, programs):
        """A client sends goals; the server works on one at a time, from a timer, and gives feedback."""
        rand = self.random
        server, client = rand.choice(rand.choice(programs).nodes), rand.choice(rand.choice(programs).nodes)
        if server is client:
            return
        server.serves_action = True
        server.timers.append((self.beat, 0, Work(topics=[("/act/_action/feedback", 0.5)], answers=["/act/_action/get_result"])))
        client.calls_action = True
        client.timers.append((self.beat * rand.randint(3, 9), 0, Work(requests=[("/act/_action/send_goal", "async")])))
        self.features.add("action")

    def plan_reloads(self, programs):
        """A container whose components come and go."""
        rand = self.random
        program = rand.choice(programs)
        if program.executor not in ("single", "events", "static"):
            return
        for node in program.nodes[1:] if len(program.nodes) > 1 else []:
            node.is_component = True
        manager = NodePlan("manager", "/")
        manager.timers.append((self.beat * rand.randint(5, 15), 0, Work(reloads=True)))
        program.nodes.insert(0, manager)
        self.features.add("components")

    # Runs

    def run(self):
        rand, world = self.random, self.world
        for program in self.programs:
            self.start(program, rand.randint(0, self.beat) if rand.random() < 0.7 else rand.randint(0, self.beat * 20))
        if rand.random() < 0.3:
            for _ in range(rand.randint(1, 3)):
                program = rand.choice(self.programs)
                world.at(rand.randint(self.beat * 3, self.beat * 60), lambda program=program: self.restart(program))
            self.features.add("restarts")
        if rand.random() < 0.15:
            host = rand.choice(world.hosts)
            host.steps.append((rand.randint(self.beat, self.beat * 40), rand.choice([-1, 1]) * int(MS * 1000 ** rand.random())))
            self.features.add("time set")
        end = 0
        while len(world.events) < self.limit and end < self.beat * 400 and end < 100 * S:
            end += self.beat
            world.run(end)
        for timer in world.timers:
            timer.stop()
        for host in world.hosts:
            for process in host.processes:
                if process.ended is None:
                    process.ended = world.now
        world.events = [event for event in world.events if event.time < event.thread.process.ended]
        return world

    def new_id(self, host):
        self.next_id[host] += self.random.randint(1, 5)
        while self.next_id[host] in self.twin_ids[host]:
            self.next_id[host] += 1
        return self.next_id[host]

    def twin_id(self, program):
        """The id of its twin's process, unless another process or thread of its host has or had it; else None."""
        used = {thread.vtid for process in self.world.hosts[program.host].processes for thread in process.threads}
        if program.twin is None or program.twin.process is None or program.twin.process.vpid in used | self.twin_ids[program.host]:
            return None
        self.twin_ids[program.host].add(program.twin.process.vpid)
        return program.twin.process.vpid

    def start(self, program, when):
        def begin():
            used = {process.vpid for process in self.world.hosts[program.host].processes if process.ended is None}
            pid = program.pid if program.pid and program.pid not in used else self.twin_id(program) or self.new_id(program.host)
            memory = 0x5600_0000_0000 + (0 if self.has_same_addresses else 0x10_0000_0000 * pid)
            process = Process(self.world.hosts[program.host], pid, program.name, memory)
            program.process = process
            process.main.start(self.boot(program, process))
        self.world.at(when, begin)

    def restart(self, program):
        """It is killed and started again, perhaps with the pid of another one that has ended."""
        rand = self.random
        process = program.process
        if process is None or process.ended is not None:
            return
        process.end()
        program.pid = rand.choice([0, 0, process.vpid])
        others = [other for other in self.programs if other.host == program.host and other.process
                  and other.process.ended is not None and other is not program]
        if others and rand.random() < 0.5:
            program.pid = others[0].process.vpid
        self.start(program, self.world.now + rand.randint(1, self.beat * 5))

    def boot(self, program, process):
        """The main thread: creates the nodes and spins."""
        thread = process.main
        yield
        nodes = []
        for plan in program.nodes:
            nodes.append((yield from self.create(thread, plan)))
            thread.now += self.random.randint(10 * US, 300 * US)
            yield
        if program.executor == "multi":
            threads = [thread] + [process.thread(self.new_id(program.host)) for _ in range(program.threads - 1)]
            executor = Executor(process, nodes, threads, polls_busy_groups=self.era in ("jazzy", "kilted"))
            for other in threads[1:]:
                other.start(executor.spin(other))
            yield from executor.spin(thread)
        elif program.executor == "several" and len(nodes) > 1:
            for node in nodes[1:]:
                other = process.thread(self.new_id(program.host))
                Executor(process, [node], [other]).start()
            yield from Executor(process, nodes[:1], [thread]).spin(thread)
        elif program.executor == "events":
            yield from EventsExecutor(process, nodes, [thread]).spin(thread)
        elif program.executor == "some":
            executor = Executor(process, nodes, [thread])
            publishers = [publisher for publisher in nodes[0].entities
                          if isinstance(publisher, Publisher) and publisher.topic in program.loop_topics]
            while True:
                yield from executor.spin_some(thread)
                for publisher in publishers:
                    yield from publisher.publish(thread)
                yield from thread.sleep(self.random.randint(self.beat // 3, self.beat))
        else:
            yield from Executor(process, nodes, [thread], is_static=program.executor == "static").spin(thread)

    def create(self, thread, plan):
        """A node of a plan."""
        process = thread.process
        node = Node(process, plan.name, plan.namespace)
        node.plan = plan
        node.create(thread)
        groups = [node.group] + [Group(is_reentrant) for is_reentrant in plan.groups[1:]]
        made = []
        for topic, options in plan.publishers:
            made.append(Publisher(node, topic, **options))
        for name, group, topics in plan.clients:
            client = Client(node, name, Group(True))
            if topics:
                client.react = self.reaction(node, topics)
            made.append(client)
        for topic, options, group, work in plan.subscriptions:
            subscription = Subscription(node, topic, group=groups[group], **options)
            subscription.is_polled = work is None
            made.append(self.equip(subscription, work))
        for period, group, work in plan.timers:
            made.append(self.equip(Timer(node, period, groups[group]), work))
        for name, group, defers, work in plan.services:
            made.append(self.equip(Service(node, name, groups[group], defers), work))
        made += self.action_parts(node, plan)
        if plan.has_lifecycle:
            node.machine = StateMachine(node)
            node.machine.create(thread)
        for entity in made:
            entity.create(thread)
            if self.random.random() < 0.2:
                yield
        yield
        return node

    @staticmethod
    def action_parts(node, plan):
        """What rclcpp_action makes of rcl: three services, two topics."""
        made = []
        if plan.serves_action:
            made = [Service(node, f"/act/_action/{name}", defers=name == "get_result", is_of_action=True)
                    for name in ("send_goal", "cancel_goal", "get_result")]
            made += [Publisher(node, "/act/_action/feedback", style="rcl"), Publisher(node, "/act/_action/status", 1, is_latched=True, style="rcl")]
        if plan.calls_action:
            clients = {name: Client(node, f"/act/_action/{name}", Group(True)) for name in ("send_goal", "cancel_goal", "get_result")}
            clients["send_goal"].react = clients["get_result"].send
            made += [*clients.values(), Subscription(node, "/act/_action/feedback", is_of_action=True),
                     Subscription(node, "/act/_action/status", 1, is_latched=True, is_of_action=True)]
        return made

    def equip(self, entity, work):
        if work:
            entity.throws = work.throws
            entity.work = self.perform(entity, work)
        return entity

    def reaction(self, node, topics):
        def react(thread):
            thread.now += self.random.randint(5 * US, 100 * US)
            for publisher in node.entities:
                if isinstance(publisher, Publisher) and publisher.topic in topics:
                    yield from publisher.publish(thread)
        return react

    def perform(self, entity, work):
        rand, node = self.random, entity.node

        def run(thread, _):
            duration = rand.randint(work.shortest, work.longest)
            before = int(duration * rand.random())
            thread.now += before
            for other in [other for other in node.entities if isinstance(other, Subscription) and other.topic in work.polls]:
                if other.is_polled and other.is_alive:
                    yield from other.take(thread)
            for topic, chance in work.topics:
                for publisher in node.entities:
                    if isinstance(publisher, Publisher) and publisher.topic == topic and rand.random() < chance:
                        yield from publisher.publish(thread)
                        thread.now += rand.randint(0, 20 * US)
            for name, how in work.requests:
                yield from self.request(thread, node, name, how)
            for service in node.entities:
                if isinstance(service, Service) and service.service in work.answers:
                    while service.unanswered:
                        yield
                        if service.unanswered:
                            service.answer(thread, service.unanswered.popleft())
            if work.stops and rand.random() < work.stops:
                timer = rand.choice([each for each in node.entities if isinstance(each, Timer)])
                yield
                timer.cancel()
                if timer is entity or rand.random() < 0.7:
                    self.world.at(thread.now + rand.randint(0, timer.period * 3),
                                  lambda: timer.reset(self.world.now) if timer.is_alive else None)
            if work.transits:
                machine = node.machine
                machine.change(thread, *rand.choice(TRANSITIONS[machine.state]))
            if work.reloads:
                yield from self.reload(thread, node.executor)
            thread.now += duration - before
            yield
        return run

    def request(self, thread, node, name, how):
        """`nested` spins a helper node within the callback; `blocking` waits for another thread of the executor."""
        clients = [each for each in node.entities if isinstance(each, Client) and each.service == name and each.is_alive]
        if not clients:
            return
        client = clients[0]
        until = thread.now + self.random.randint(self.beat, self.beat * 3)
        if how == "nested" and not client.node.executor.is_static:
            helper = getattr(node, "helper", None)
            if helper is None:
                helper = node.helper = Node(thread.process, node.name + "_helper", node.namespace)
                helper.create(thread)
                helper.client = Client(helper, name, Group(True))
                helper.client.create(thread)
                if self.random.random() < 0.5:
                    timer = self.equip(Timer(helper, max(US * 300, self.beat // 3)), Work(5 * US, 50 * US))
                    timer.create(thread)
            if helper.executor is not None:
                return
            call = yield from helper.client.send(thread)
            inner = Executor(thread.process, [helper], [thread])
            try:
                yield from inner.spin_until(thread, lambda: call.is_done, until)
            finally:
                helper.executor = None
                inner.nodes.clear()
            return
        call = yield from client.send(thread)
        if how == "blocking" and len(node.executor.threads) > 1:
            client.waiting[call] = thread
            while not call.is_done and thread.now < until:
                yield from thread.wait(until)
                yield
            client.waiting.pop(call, None)

    def reload(self, thread, executor):
        """A component is unloaded, and the same or another one loaded at its addresses."""
        nodes = [node for node in executor.nodes if node.plan.is_component]
        if nodes:
            node = self.random.choice(nodes)
            yield
            node.destroy()
            self.unloaded = node.plan
            if self.random.random() < 0.4:
                return
        plan = getattr(self, "unloaded", None)
        if plan:
            executor.add((yield from self.create(thread, plan)))
            self.unloaded = None

