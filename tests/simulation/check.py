# SPDX-License-Identifier: MIT
"""Holds a report (CSV, with instances) against what really happened.

Nothing here knows how the report was made: an execution, a message, a loss or a name that is blamed is compared with the logs of
the simulation. What was lost may be missing in the report, or be called unknown or doubtful; it may never be wrong.
"""
import csv
from bisect import bisect
from collections import Counter, defaultdict
from pathlib import Path

from check_executors import ExecutorChecks
from check_periods import PeriodChecks
from check_rounds import RoundChecks
from engine import US
from executors import EventsExecutor
from middleware import EPOCH, Call, Reception, Timer

# With these, a thread shows that it is not in a callback any more, or in another one.
LEAVING = {"callback_start", "rclcpp_executor_get_next_ready", "rclcpp_executor_wait_for_work", "rclcpp_executor_execute"}
# With these, a process shows that it runs: neither definitions nor polls, nor the later steps of a take, which are not always read.
RUNNING = {"callback_start", "callback_end", "rclcpp_publish", "rcl_publish", "rmw_publish", "rmw_take"}

# Columns that say what a row is about.
IDENTITY = {"hostname", "vpid", "vtid", "procname", "node", "kind", "source", "callback", "which", "topic", "path", "vpids",
            "hostnames", "begins", "period_ns", "service", "state", "publisher_node", "publisher_vpid", "publisher_hostname",
            "publisher_which", "subscription_node", "subscription_vpid", "subscription_hostname", "subscription_which",
            "client_node", "client_vpid", "client_hostname", "client_which", "server_node", "server_vpid", "server_hostname",
            "server_which"}


def number(text):
    return int(text) if text else None


class Report:
    """Tables by name; what has an id by that id."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def rows(self, name):
        path = self.folder / f"{name}.csv"
        if not path.exists():
            return []
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def by_id(self, name, key):
        return {row[key]: row for row in self.rows(name)}


class Truth:
    """The logs of a world, by the times and names that a report shows."""

    def __init__(self, world, recorder):
        self.world, self.recorder = world, recorder
        self.is_complete = not any(recorder.gaps.values())
        alive = {id(event) for event in world.events}
        self.happened = lambda event: event is not None and id(event) in alive
        self.executions, self.ends = {}, set()
        for execution in world.executions:
            if self.happened(execution.start):
                if not self.happened(execution.end):
                    execution.end = None
                self.executions[self.place(execution.thread), self.time(execution.start)] = execution
                if execution.end:
                    self.ends.add((self.place(execution.thread), self.time(execution.end)))
        self.publications = defaultdict(list)
        for publication in world.publications:
            publication.events = [event for event in publication.events if self.happened(event)]
            for event in publication.events:
                self.publications[self.time(event)].append(publication)
        self.receptions = defaultdict(list)
        for reception in world.receptions:
            if self.happened(reception.take):
                self.receptions[self.time(reception.take)].append(reception)
            if reception.execution and not self.happened(reception.execution.start):
                reception.execution = None
        self.busy = defaultdict(list)  # thread → its executions, outer ones first
        self.next_events = defaultdict(list)
        for execution in world.executions:
            if self.happened(execution.start):
                self.busy[execution.thread].append(execution)
        for event in world.events:
            if event.name in LEAVING:
                self.next_events[event.thread].append(event.time)
        for times in self.next_events.values():
            times.sort()

    def stopped(self, execution):
        """When an execution was over, for one who sees only events: with its end, or else when its thread did other things."""
        if execution.end:
            return execution.end.time
        times = self.next_events[execution.thread]
        place = bisect(times, execution.stopped or self.world.now)
        return times[place] if place < len(times) else self.world.now

    @staticmethod
    def place(thread):
        return thread.process.host.name, thread.process.vpid, thread.vtid

    @staticmethod
    def time(event):
        return EPOCH + event.time + event.thread.process.host.offset

    def is_whole(self, host, begin, end):
        """Nothing may be missing on the host in this time."""
        return not any(start <= end and stop >= begin for start, stop in self.recorder.gaps[host])

    @staticmethod
    def is_defined(entity):
        return entity.node.definition.is_seen and all(event.is_seen for event in entity.definitions)


class Check(ExecutorChecks, PeriodChecks, RoundChecks):
    """Finds what is wrong; `wrong` are sentences, by what they are about."""

    def __init__(self, world, recorder, folder):
        self.world = world
        self.truth = Truth(world, recorder)
        self.report = Report(folder)
        self.wrong = []
        self.count = Counter()
        self.callbacks = self.report.by_id("callbacks", "callback_id")
        self.communications = self.report.by_id("communications", "communication_id")

    def all(self):
        self.check_rows()
        self.check_executions()
        self.check_messages()
        self.check_held()
        self.check_publications()
        self.check_paths()
        self.check_timers()
        self.check_blocked()
        self.check_services()
        self.check_lifecycle()
        self.check_deferred()
        self.check_periods()
        self.check_executors()
        return self.wrong

    def add(self, kind, *words):
        self.wrong.append((kind, " ".join(str(word) for word in words)))

    def check_rows(self):
        """No two rows of a table are about the same, as far as a reader can tell."""
        for table in ("callbacks", "communications", "publications", "paths"):
            seen = Counter()
            for row in self.report.rows(table):
                seen[tuple((name, value) for name, value in row.items() if name in IDENTITY)] += 1
            for row, count in seen.items():
                if count > 1:
                    self.add("rows", count, "of", table, "look alike:", {name: value for name, value in row if value})

    # Executions

    def check_executions(self):
        truth, found = self.truth, {}
        for row in self.report.rows("callback_instances"):
            owner = self.callbacks[row["callback_id"]]
            if owner["kind"] == "inferred":
                continue  # of a subscription whose rclcpp part was lost: a bracket from a take on, no execution
            start, end = number(row["start_ns"]), number(row["end_ns"])
            key = (owner["hostname"], int(owner["vpid"]), int(row["vtid"])), start
            if start is None:
                if (key[0], end) not in truth.ends:
                    self.add("execution", "never ended:", owner["node"], owner["source"], row)
                continue
            execution = truth.executions.get(key)
            if execution is None:
                self.add("execution", "never began:", owner["node"], owner["source"], row)
                continue
            found[key] = row
            self.check_owner(execution.entity, owner, row)
            is_doubtful = row["doubtful"] == "1"
            if row["duration_ns"] and end and not is_doubtful:
                true_end = execution.end and truth.time(execution.end)
                self.count["executions"] += 1
                if true_end != end:
                    self.add("execution", "ended at", true_end, "instead:", owner["node"], owner["source"], row)
            self.count["doubtful"] += is_doubtful
        for (place, start), execution in truth.executions.items():
            if execution.end and execution.start.is_seen and execution.end.is_seen:
                row = found.get((place, start))
                whole = truth.is_whole(execution.thread.process.host, execution.start.time, execution.end.time)
                if row and row["doubtful"] == "1":
                    self.count["doubtful without a loss"] += whole
                elif whole and (row is None or not row["duration_ns"]):
                    self.add("execution", "is missing:", execution.entity.node.full_name,
                             execution.entity.kind, execution.entity.source, place, start, truth.time(execution.end), row)

    def check_owner(self, entity, owner, row):
        if not self.truth.is_defined(entity):
            return
        names = (owner["node"], owner["kind"], owner["source"])
        if names != (entity.node.full_name, entity.kind, entity.source):
            self.add("owner", "is", entity.node.full_name, entity.kind, entity.source, "not", names, row)

    # Messages

    def check_messages(self):
        truth = self.truth
        taken = {}
        for row in self.report.rows("communication_instances"):
            names = self.communications[row["communication_id"]]
            if row["outcome"] == "received":
                self.check_link(names, row, taken)
            elif row["outcome"] == "lost":
                self.check_loss(names, row)
        for receptions in truth.receptions.values():
            for reception in receptions:
                if id(reception) not in taken:
                    self.check_missing(reception)

    def is_of(self, names, publication, subscription):
        """Whether a row of communications is about them."""
        sides = (("publisher", publication.publisher), ("subscription", subscription))
        for side, entity in sides:
            is_known = names[f"{side}_node"].startswith("/")
            if is_known and names[f"{side}_node"] != entity.node.full_name or \
                    int(names[f"{side}_vpid"]) != entity.node.process.vpid:
                return False
        return names["topic"] in ("", publication.publisher.topic)

    def check_link(self, names, row, taken):
        truth = self.truth
        self.count["links"] += 1
        publish, take, start = (number(row[name]) for name in ("publish_ns", "take_ns", "callback_start_ns"))
        candidates = [reception for reception in truth.receptions.get(take, ())
                      if reception.publication in truth.publications.get(publish, ())]
        if not candidates:
            is_of = [reception.publication for reception in truth.receptions.get(take, ())]
            self.add("link", "of a message that is not it:", names["topic"], names["publisher_node"], names["subscription_node"], row,
                     "true:", [[truth.time(event) for event in publication.events] for publication in is_of])
            return
        exact = [reception for reception in candidates if self.is_of(names, reception.publication, reception.subscription) and
                 (start is None or reception.execution and truth.time(reception.execution.start) == start)]
        for reception in exact or candidates:
            execution = reception.execution
            taken[id(reception)] = row
            if not self.is_of(names, reception.publication, reception.subscription):
                if truth.is_defined(reception.subscription) and truth.is_defined(reception.publication.publisher):
                    self.add("link", "is of", reception.publication.publisher.node.full_name, reception.subscription.node.full_name,
                             reception.subscription.topic, "not", names["topic"], names["publisher_node"], names["publisher_vpid"],
                             names["subscription_node"], names["subscription_vpid"], row)
            subscription = reception.subscription
            if execution is None and not truth.is_defined(subscription) and subscription.node.executor and \
                    subscription.node.executor.is_static:
                continue  # nothing tells that there is no callback: docs/internals/flow.md
            if start is not None and (execution is None or truth.time(execution.start) != start):
                self.add("link", "led to", execution and truth.time(execution.start), "not", row, names["topic"])
            first = reception.publication.events[0]
            if publish != truth.time(first) and truth.is_whole(first.thread.process.host, first.time, reception.publication.events[-1].time):
                self.add("link", "was published at", truth.time(first), row, names["topic"])

    def check_missing(self, reception):
        """A message that was received, and of which everything was recorded."""
        truth, publication, subscription = self.truth, reception.publication, reception.subscription
        if not self.world.era["stamps"] and not reception.is_intra or reception.execution is None and subscription.is_intra:
            return
        events = publication.events + [reception.take] + ([reception.execution.start] if reception.execution else [])
        if not all(event.is_seen for event in events) or not truth.is_defined(subscription) or not truth.is_defined(publication.publisher):
            return
        last = events[-1].time
        hosts = {event.thread.process.host for event in events}
        if not all(truth.is_whole(host, publication.events[0].time, last) for host in hosts):
            return
        twins = [other for other in self.world.publications if other is not publication and other.stamp == publication.stamp
                 and other.publisher.topic == publication.publisher.topic]
        if not twins:
            self.add("missing", "message on", subscription.topic, "from", publication.publisher.node.full_name, "to",
                     subscription.node.full_name, "intra" if reception.is_intra else "", [truth.time(event) for event in events])

    def check_loss(self, names, row):
        truth = self.truth
        self.count["losses"] += 1
        publish = number(row["publish_ns"])
        is_intra = names["kind"] == "intra_process"
        for publication in truth.publications.get(publish, ()):
            subscriptions = [each for each in self.subscriptions() if each.topic == publication.publisher.topic
                             and self.is_of(names, publication, each) and (each.is_intra or not is_intra)]
            got = {reception.subscription for reception in publication.receptions if reception.is_intra == is_intra
                   and (reception.take is None or truth.happened(reception.take))}
            if subscriptions and any(each not in got and self.lives(each, publication) for each in subscriptions):
                return
            if not (truth.is_defined(publication.publisher) and all(truth.is_defined(each) for each in subscriptions)):
                return
        self.add("loss", "of a message that was received or never sent:", names["topic"], names["kind"], names["publisher_node"],
                 names["subscription_node"], row)

    def subscriptions(self):
        return self.all_subscriptions

    def lives(self, subscription, publication):
        """Whether it was there when the message was."""
        return subscription.died is None or subscription.died > publication.events[0].time

    def check_publications(self):
        """Between the two messages of a publisher's longest gap there was none, and after its last one."""
        truth = self.truth
        by_name = defaultdict(list)
        for publication in self.world.publications:
            publisher = publication.publisher
            handles = {publisher.handle, publisher.rmw}
            events = [event for event in publication.events if event.is_seen]
            # rclcpp_publish has the message only: if the recording ends there, nothing says whose it is
            if any(handles & set(event.values) for event in events):
                name = publisher.node.process.host.name, publisher.node.process.vpid, publisher.node.full_name, publisher.topic
                by_name[name].append((truth.time(events[0]), publisher))
        ends, last = defaultdict(int), defaultdict(int)  # of the host; the last event there that is in RUNNING
        for event in self.world.events:
            host = event.thread.process.host.name
            if event.is_seen:
                ends[host] = max(ends[host], truth.time(event))
            if event.is_seen and event.name in RUNNING:
                last[host] = max(last[host], truth.time(event))
        for row in self.report.rows("publications"):
            published = by_name[row["hostname"], int(row["vpid"]), row["node"], row["topic"]]
            if len({id(publisher) for _, publisher in published}) != 1 or not truth.is_defined(published[0][1]):
                continue
            times = sorted(time for time, _ in published)
            self.count["publishers"] += 1
            if row["max_gap_ns"]:
                begin = number(row["max_gap_at_ns"])
                after = begin + number(row["max_gap_ns"])
                between = sum(begin < time < after for time in times)
                if between:
                    self.add("gap", "has", between, "messages:", row, begin, after)
            if row["silent_ns"]:
                end = ends[row["hostname"]]
                silent = sum(end - number(row["silent_ns"]) < time <= end for time in times)
                if silent:
                    self.add("gap", "is silent, with", silent, "messages:", row)
                if truth.is_complete and not last[row["hostname"]] <= times[-1] + number(row["silent_ns"]) <= end:
                    self.add("gap", "is silent for at least", last[row["hostname"]] - times[-1], "not", row)
            if truth.is_complete and len(times) > 1:
                periods = [after - before for before, after in zip(times, times[1:])]
                expected = len(times), max(periods), sum(periods), sum(abs(a - b) for a, b in zip(periods, periods[1:]))
                names = "count", "max_gap_ns", "period_sum_ns", "jitter_sum_ns"
                if expected != tuple(number(row[name] or "0") for name in names):
                    self.add("gap", "is", dict(zip(names, expected)), "not", row)

    # What held messages and timers

    def occupants(self, threads, begin, end):
        """Executions that really occupied one of the threads in this time, and for how long: up to the next thing the thread did."""
        truth, found = self.truth, []
        for thread in threads:
            busy = truth.busy[thread]
            for execution in busy[:bisect(busy, end, key=lambda each: each.start.time)]:
                stopped = truth.stopped(execution)
                if stopped > begin:
                    found.append((execution, min(stopped, end) - max(execution.start.time, begin)))
        return found

    @staticmethod
    def is_called(text, execution):
        """Whether a report means the callback of an execution: its node and trigger."""
        entity = execution.entity
        if entity.kind == "timer":
            return text.startswith(entity.node.full_name + " ") and "/" not in text[len(entity.node.full_name):]
        return text == f"{entity.node.full_name} {entity.source}"

    def check_held(self):
        """Whoever held messages occupied the thread that took them, between their publication and the take."""
        truth = self.truth
        held, blamed = Counter(), set()
        for row in self.report.rows("communication_instances"):
            names = self.communications[row["communication_id"]]
            if row["outcome"] != "received" or not names["held_by"] or not row["take_ns"]:
                continue
            for reception in truth.receptions.get(number(row["take_ns"]), ()):
                host = reception.take.thread.process.host
                begin = number(row["publish_ns"]) - EPOCH - host.offset
                end = reception.take.time
                if begin >= end:
                    continue  # from a host whose clock differs
                for execution, time in self.occupants([reception.take.thread], begin, end):
                    held[row["communication_id"]] += time
                    if self.is_called(names["held_by"], execution) or not truth.is_defined(execution.entity):
                        blamed.add(row["communication_id"])
        for key, names in self.communications.items():
            if not names["held_by"] or number(names["held_sum_ns"]) == 0:
                continue
            self.count["held"] += 1
            if key not in blamed:
                self.add("held", "by", names["held_by"], "which never did:", names["topic"], names["subscription_node"])
            if number(names["held_sum_ns"]) > held[key]:
                self.add("held", names["held_sum_ns"], "ns, not", held[key], names["topic"], names["subscription_node"], names["held_by"])

    def check_blocked(self):
        truth = self.truth
        timers = self.report.by_id("timers", "timer_id")
        blocked, blamed, hidden = Counter(), set(), Counter()
        for row in self.report.rows("timer_instances"):
            timer = timers[row["timer_id"]]
            hidden[row["timer_id"]] += not row["expected_ns"]
            if not timer["blocked_by"] or not row["expected_ns"]:
                continue
            for (place, start), execution in self.by_start.get(number(row["start_ns"]), {}).items():
                if place[:2] != (timer["hostname"], int(timer["vpid"])):
                    continue
                process = execution.thread.process
                begin = number(row["expected_ns"]) - EPOCH - process.host.offset
                if begin >= execution.start.time:
                    continue  # an early call
                for other, time in self.occupants(process.threads, begin, execution.start.time):
                    blocked[row["timer_id"]] += time
                    if self.is_called(timer["blocked_by"], other) or not truth.is_defined(other.entity):
                        blamed.add(row["timer_id"])
        for key, timer in timers.items():
            if not timer["blocked_by"] or not number(timer["blocked_ns"]):
                continue
            if hidden[key] > number(timer["unknown"]):
                continue  # as long as it seemed to run by another clock, its instances do not say when they were expected
            self.count["blocked"] += 1
            if key not in blamed:
                self.add("blocked", "by", timer["blocked_by"], "which never did:", timer["node"], timer["period_ns"])
            if number(timer["blocked_ns"]) > blocked[key]:
                self.add("blocked", timer["blocked_ns"], "ns, not", blocked[key], timer["node"], timer["period_ns"], timer["blocked_by"])

    # Paths

    def check_paths(self):
        """Each traversal is a chain of true links."""
        truth = self.truth
        paths = self.report.by_id("paths", "path_id")
        for row in self.report.rows("path_instances"):
            text = paths[row["path_id"]]["path"]
            if "~>" in text:
                continue  # to a callback that is inferred from a take
            self.count["traversals"] += 1
            origin, start = number(row["origin_start_ns"]), number(row["last_callback_start_ns"])
            ends = [execution for execution in self.by_start.get(start, {}).values()]
            if not ends:
                self.add("path", "ends with an execution that never began:", text, row)
                continue
            if not any(self.is_chain(execution, text.split(" > "), origin) for execution in ends):
                self.add("path", "is no chain of messages:", text, row)
        if self.truth.is_complete and self.world.era["stamps"]:
            self.check_counts(paths)

    def is_chain(self, execution, names, origin):
        """Whether the names are those of the executions and messages that led here, and it began then."""
        *names, name = names
        if not self.is_named(execution.entity.node, name):
            return False
        if not names:
            return self.truth.time(execution.start) == origin
        return any(self.is_cause(cause, execution, names, origin) for cause in self.causes(execution))

    def is_cause(self, cause, execution, names, origin):
        truth = self.truth
        *names, name = names
        if isinstance(cause, Reception):
            sent, publisher = cause.publication.parent, cause.publication.publisher
            topic, times = publisher.topic, [truth.time(event) for event in cause.publication.events]
        elif isinstance(cause, Call) and cause.send:
            sent, publisher = cause.parent, cause.client
            topic, times = publisher.service, [truth.time(cause.send)]
        else:
            return False
        if not self.is_topic(topic, name):
            return False
        if not names:  # the publication was not recorded: it begins at the callback
            return truth.time(execution.start) == origin
        if len(names) == 1 and origin in times:
            return self.is_named(publisher.node, names[0])
        return sent is not None and self.is_chain(sent, names, origin)

    def causes(self, execution):
        """What led to an execution, and what seems so to one who sees only events: without definitions, and where the executor
        announces nothing, what an action's client or server took right before it (docs/internals/flow.md)."""
        yield execution.cause
        taken = self.without_callback[execution.thread]
        place = bisect(taken, execution.start.time, key=lambda each: each[0]) - 1
        if place >= 0:
            time, what = taken[place]
            busy = self.truth.busy[execution.thread]
            if busy[bisect(busy, time, key=lambda each: each.start.time)] is execution:
                yield what

    @staticmethod
    def is_named(node, name):
        return name == node.full_name or not name.startswith("/")

    @staticmethod
    def is_topic(topic, name):
        return name == topic or not name.startswith("/")

    @staticmethod
    def is_late(cause):
        """Whether a subscription that joined later got it from the publisher's history: until then, nothing had followed."""
        return isinstance(cause, Reception) and cause.subscription.is_latched and \
            cause.subscription.born > cause.publication.events[-1].time

    def source(self, execution):
        """→ (publisher or client, execution in which it sent), or None if nothing led to the execution."""
        cause = execution.cause
        if isinstance(cause, Reception) and (cause.take is None or not self.truth.happened(cause.take)):
            return None
        if isinstance(cause, Reception):
            return cause.publication.publisher, cause.publication.parent
        if isinstance(cause, Call) and cause.send:
            return cause.client, cause.parent
        return None

    # Services

    def check_services(self):
        """Each call: when it was sent, taken, answered and received."""
        truth = self.truth
        calls = defaultdict(list)
        for call in self.world.calls:
            if truth.happened(call.send):
                calls[truth.time(call.send)].append(call)
        for row in self.report.rows("service_instances"):
            send, take, answer, receive = (number(row[name]) for name in ("send_ns", "take_ns", "answer_ns", "receive_ns"))
            self.count["calls"] += 1
            if send is None:
                continue
            for call in calls.get(send, ()):
                takes = {truth.time(event) for event in call.takes}
                answers = {truth.time(event) for event in call.answers}
                received = call.receive and truth.time(call.receive)
                if (take is None or take in takes) and (answer is None or answer in answers) and receive in (None, received) and \
                        not (row["outcome"] == "lost" and any(truth.happened(event) for event in call.takes)):
                    break
            else:
                self.add("service", "was not called so:", row)

    def check_deferred(self):
        """Up to Jazzy, no end of a callback is recorded that answers later; of all others one is, unless they throw."""
        truth, found = self.truth, {}
        for row in self.report.rows("callback_instances"):
            for (place, start), execution in self.by_start.get(number(row["start_ns"]), {}).items():
                owner = self.callbacks[row["callback_id"]]
                if place[:2] == (owner["hostname"], int(owner["vpid"])):
                    found.setdefault(row["callback_id"], []).append(execution)
        for key, executions in found.items():
            row, entity = self.callbacks[key], executions[0].entity
            if any(each.entity is not entity for each in executions) or not truth.is_defined(entity):
                continue
            defers = entity.kind == "service" and entity.defers and not self.world.era["requests"]
            if int(row["deferred"]) and not defers and (entity.kind != "service" or entity.symbol().startswith("void")):
                self.add("deferred", row["deferred"], "of a callback that does not answer later:", row)
            if defers:
                self.count["deferred"] += len(executions)
                # where nothing but what follows tells that it answers later, the thread has to go on after one of them
                if int(row["incomplete"]) and (truth.is_complete or entity.symbol().startswith("void")) and len(executions) > 1:
                    self.add("deferred", row["incomplete"], "called incomplete, of", len(executions), row)

    def check_lifecycle(self):
        """Each transition happened."""
        truth = self.truth
        happened = set()
        for machine in self.world.machines:
            process = machine.node.process
            for before, after, first, event in machine.transitions:
                is_seen = truth.happened(event) and event.is_seen
                for name in (machine.node.full_name, ""):
                    if is_seen:
                        happened.add((name, process.vpid, before, after, truth.time(first), truth.time(event)))
                        happened.add((name, process.vpid, "", after, None, truth.time(event)))
                    elif truth.happened(first):  # that it ended was lost
                        happened.add((name, process.vpid, before, "", truth.time(first), None))
        for row in self.report.rows("lifecycle_instances"):
            self.count["transitions"] += 1
            key = (row["node"], int(row["vpid"]), row["from_state"], row["to_state"], number(row["start_ns"]), number(row["end_ns"]))
            if row["doubtful"] == "0" and key not in happened:
                self.add("lifecycle", "did not do so:", row)

    # Timers

    def check_timers(self):
        truth = self.truth
        timers = self.report.by_id("timers", "timer_id")
        calls = defaultdict(list)
        for row in self.report.rows("timer_instances"):
            calls[row["timer_id"]].append(row)
        for key, row in timers.items():
            executions = []
            for call in calls[key]:
                for (place, start), execution in self.by_start.get(number(call["start_ns"]), {}).items():
                    if place[0] == row["hostname"] and place[1] == int(row["vpid"]) and type(execution.entity) is Timer:
                        executions.append((call, execution))
            owners = {execution.entity for _, execution in executions}
            if len(owners) != 1:
                if len(owners) > 1 and all(truth.is_defined(owner) for owner in owners):
                    self.add("timer", "is several:", row["node"], row["period_ns"], [owner.node.full_name for owner in owners])
                continue
            self.check_timer(row, owners.pop(), executions)

    def check_timer(self, row, timer, executions):
        truth = self.truth
        if not row["unknown"]:
            return  # its clock is another, or it has no schedule
        # Of a timer whose calls are mostly unknown, only the instances say what it missed.
        calls, missed = number(row["calls"]), sum(number(call["missed"] or "0") for call, _ in executions)
        early = number(row["early"]) if row["early"] else sum((number(call["lateness_ns"]) or 0) < 0 for call, _ in executions)
        is_mostly_known = 2 * sum(call["missed"] != "" for call, _ in executions) >= calls
        if len(executions) == calls and row["missed"] != (str(missed) if is_mostly_known else ""):
            self.add("timer", "tells missed", row["missed"], "not", missed, "calls", calls, "mostly known", is_mostly_known)
        # Without the resets, which no event records: all slots from its creation to its end.
        last = max(min(end, self.world.now) for _, end in timer.schedules)
        # An EventsExecutor executes callbacks that wait in its queue after the timer was cancelled.
        last = max([last] + [execution.start.time for _, execution in executions])
        slots = max(0, last - timer.schedules[0][0] + timer.period) // timer.period + 1
        self.count["timers"] += 1
        if calls + missed > slots + early:
            self.add("timer", "has", slots, "slots:", row["node"], row["period_ns"], "calls", calls, "missed", missed)
        if timer.node.executor and timer.node.executor.is_static and truth.is_defined(timer) and len(timer.schedules) == 1:
            self.check_busy(row, timer, executions)
        true_calls = [call for call in timer.calls if call.execution and truth.happened(call.execution.start)]
        if not truth.is_whole(timer.node.process.host, 0, self.world.now):
            if truth.is_defined(timer) and len(timer.schedules) == 1 and not (timer.node.executor and timer.node.executor.is_static):
                self.check_lossy(row, timer, executions)
            return
        if calls != len(true_calls):
            self.add("timer", "calls", len(true_calls), "not", calls, row["node"], row["period_ns"])
            return
        executor = timer.node.executor
        if not truth.is_defined(timer) or executor and executor.is_static:
            return
        self.check_idle(row, timer, executions)
        if len(timer.schedules) > 1:
            self.count_restarted(timer, executions)
            return
        # A thread may be kept from running between a look at its timers and the event that follows, as if the timer had been
        # reset: the report says of few calls that it does not know when they were expected.
        known = {id(execution) for call, execution in executions if call["missed"]}
        true_missed = sum(call.missed for call in true_calls if id(call.execution) in known)
        self.count["timer calls"] += len(true_calls)
        self.count["timer calls unknown"] += len(true_calls) - len(known)
        crossing = self.crossing(timer, true_calls)
        if abs(true_missed - missed) > crossing:
            self.add("timer", "missed", true_missed, "not", missed, row["node"], row["period_ns"], "calls", calls)
        for call, execution in executions:
            expected, true = number(call["expected_ns"]), execution.cause
            if expected is not None:
                off = expected - (EPOCH + true.expected + timer.node.process.host.offset)
                if abs(off) > 60 * US + self.longest_pause and not crossing:
                    self.add("timer", "expected", -off, "ns later:", row["node"], row["period_ns"], call)
                    return

    def check_idle(self, row, timer, executions):
        """A timer misses nothing that the only thread of its process found not to be due, in a whole wait: it does not run. A single
        wait that lasts longer shows nothing: real threads wake up late. Of several threads, it may not be known what they share."""
        threads = [thread for each in timer.node.process.executors for thread in each.threads]
        if not timer.node.executor or len(threads) != 1 or any(each.outer for each in self.truth.busy[threads[0]]):
            return
        if not self.waits:
            for event in sorted(self.world.events, key=lambda each: each.time):
                if event.name == "rclcpp_executor_wait_for_work":
                    self.waits[event.thread].append(event.time)
        waits, shift = self.waits[threads[0]], EPOCH + timer.node.process.host.offset
        for call, execution in executions:
            if not call["expected_ns"] or number(call["missed"] or "0") <= execution.cause.missed:
                continue
            for slot in range(1, 1 + number(call["missed"])):
                time = number(call["expected_ns"]) - shift + slot * timer.period + 100 * US + self.longest_pause
                self.count["missed slots"] += 1
                if bisect(waits, execution.cause.called) - bisect(waits, time) > 1:
                    self.add("timer", "missed slot", slot, "at which it was not due:", row["node"], row["period_ns"], call)
                    return

    def check_lossy(self, row, timer, executions):
        """A call that was not recorded is no missed slot, and the slots stay where they are."""
        known = [(call, execution.cause) for call, execution in executions if call["missed"]]
        missed, true_missed = sum(number(call["missed"]) for call, _ in known), sum(cause.missed for _, cause in known)
        crossing = self.crossing(timer, [cause for _, cause in known])
        self.count["timer calls beside losses"] += len(executions)
        self.count["timer calls beside losses unknown"] += len(executions) - len(known)
        if missed > true_missed + crossing:
            self.add("timer", "missed", true_missed, "not", missed, row["node"], row["period_ns"], "beside losses, calls", len(executions))
        for call, cause in known:
            off = number(call["expected_ns"]) - (EPOCH + cause.expected + timer.node.process.host.offset) if call["expected_ns"] else 0
            if abs(off) > 60 * US + self.longest_pause and not crossing:
                self.add("timer", "expected", -off, "ns later, beside losses:", row["node"], row["period_ns"], call)
                return

    def count_restarted(self, timer, executions):
        """No event records that a timer is cancelled or reset: slots meanwhile may count as missed (docs/timers.md)."""
        known = [(number(call["missed"]), execution.cause) for call, execution in executions if call["missed"]]
        missed, true_missed = sum(missed for missed, _ in known), sum(call.missed for _, call in known)
        self.count["timers restarted"] += 1
        self.count["timer calls restarted"] += len(known)
        self.count["missed restarted"] += true_missed
        if missed > true_missed + self.crossing(timer, [call for _, call in known]):
            self.count["timers restarted that miss too many"] += 1
            self.count["missed restarted too many"] += missed - true_missed

    @staticmethod
    def crossing(timer, calls):
        """Slots between rcl's look at its clock and callback_start: no event tells which of two calls missed them. The creation is
        recorded after rcl has read its clock for it, so that the slots of the report are as much later."""
        delay = min(timer.definitions[0].time - (timer.schedules[0][0] - timer.period), 60 * US)
        return sum((call.execution.start.time - call.expected) // timer.period -
                   (call.called - delay - call.expected) // timer.period for call in calls)

    def check_busy(self, row, timer, executions):
        """Nothing tells what an executor without events does while it is busy: what is not unknown of its timers is true."""
        known = [(number(call["missed"]), execution.cause) for call, execution in executions if call["missed"]]
        missed, true_missed = sum(missed for missed, _ in known), sum(call.missed for _, call in known)
        self.count["timer calls without events"] += len(executions)
        self.count["timer calls without events unknown"] += len(executions) - len(known)
        self.count["missed without events"] += sum(execution.cause.missed for _, execution in executions)
        self.count["missed without events known"] += missed
        crossing = 0 if isinstance(timer.node.executor, EventsExecutor) else self.crossing(timer, [call for _, call in known])
        if missed > true_missed + crossing:
            self.add("timer", "missed", true_missed, "not", missed, row["node"], row["period_ns"], "without events, calls", len(executions))

    def prepare(self):
        self.without_callback = defaultdict(list)  # thread → (time, what it took for no callback, though nothing tells)
        for what, entity, take in [(each, each.subscription, each.take) for each in self.world.receptions] + \
                [(each, each.service, each.takes[0]) for each in self.world.calls if each.takes]:
            if what.execution is None and take and self.truth.happened(take) and not self.truth.is_defined(entity) and \
                    entity.node.executor and entity.node.executor.is_static:
                self.without_callback[take.thread].append((take.time, what))
        for taken in self.without_callback.values():
            taken.sort(key=lambda each: each[0])
        self.by_start = defaultdict(dict)
        for (place, start), execution in self.truth.executions.items():
            self.by_start[start][place, start] = execution
        seen = {}
        for publication in self.world.publications:
            for reception in publication.receptions:
                seen[id(reception.subscription)] = reception.subscription
        self.all_subscriptions = self.world.subscriptions
        self.longest_pause = self.world.longest_preemption if self.world.preempted else 0
        self.waits = defaultdict(list)  # thread → when it began to wait for work
