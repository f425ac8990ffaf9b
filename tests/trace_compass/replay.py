# SPDX-License-Identifier: MIT
"""What Trace Compass' ROS 2 analyses make of a trace: a replay of their rules, event by event.

The rules are those of the incubator's Ros2ObjectsStateProvider, Ros2MessagesStateProvider and
Ros2MessageCausalLinksStateProvider as of 2026-05 (commit 63dcfa8e). Trace Compass runs the analyses one after the other
over the whole trace: the messages analysis knows the objects of all times. Each complaint it logs is counted.

Not replayed: `dds:*` events of instrumented middlewares (their processes have no publications, as without them), the
views; of the complaints, those of Trace Compass' reader (one warning when several traces are opened together).
"""

import collections
import functools
import re

from state_system import StateSystem

# tracetools records the source timestamp in rmw_publish since this release; older processes need dds:* events
FIRST_VERSION_WITH_TIMESTAMP = (8, 0, 0)
VERSION_UNKNOWN = "0.0.0"

# a request or response is shown as if sending and taking it took this long before its event
CALL_STEP_NS = 5000

Event = collections.namedtuple("Event", "name time process thread fields")
Publisher = collections.namedtuple("Publisher", "handle rmw_handle topic node")
Subscription = collections.namedtuple("Subscription", "handle rmw_handle topic node object callback")
Timer = collections.namedtuple("Timer", "handle period callback node")
Service = collections.namedtuple("Service", "handle rmw_handle name node callback")
Client = collections.namedtuple("Client", "handle rmw_handle name gid node")
Callback = collections.namedtuple("Callback", "callback owner symbol kind")
Publication = collections.namedtuple("Publication", "publisher thread message source_timestamp")
Take = collections.namedtuple("Take", "subscription thread message source_timestamp begin end")
Execution = collections.namedtuple("Execution", "owner thread is_intra_process begin end take")
Transport = collections.namedtuple("Transport", "publisher subscription begin end")
Link = collections.namedtuple("Link", "owner publisher time")


class AnalysisFailed(Exception):
    """Trace Compass would stop the analysis with an exception."""


class Node:
    """A node; two of one handle and one name are still two (Trace Compass compares the name by identity)."""

    def __init__(self, handle, name):
        self.handle = handle
        self.name = name


class Complaints:
    """What Trace Compass logs."""

    def __init__(self):
        self.errors = collections.Counter()
        self.warnings = collections.Counter()

    def error(self, text):
        self.errors[text] += 1

    def warning(self, text):
        self.warnings[text] += 1


def field(event, name):
    value = event.fields.get(name)
    if value is None:
        raise AnalysisFailed(f"{event.name} has no field {name}")
    return value


def handle(event, name):
    """An address is unique in its process only."""
    return (event.process, field(event, name))


@functools.lru_cache(maxsize=None)
def parse_version(text):
    match = re.fullmatch(r"(\d+)(?:\.(\d+)(?:\.(\d+)(?:\.[\w-]+)?)?)?", text.strip())
    if not match:
        raise AnalysisFailed(f"rcl_init: the version '{text}' is not a version")
    return tuple(int(part or 0) for part in match.groups())


class Analysis:
    def __init__(self, states, objects, complaints):
        self.states = states
        self.objects = objects
        self.complaints = complaints
        self.handlers = {name[len("handle_"):]: getattr(self, name) for name in dir(self) if name.startswith("handle_")}

    def has_timestamps(self, event):
        """Does the rmw_publish of the process hold the source timestamp? Without a version: yes, with a warning."""
        version = self.objects.at(("version", event.process), event.time)
        if version is None:
            self.complaints.warning("the tracetools version of the process is not known")
            return True
        return parse_version(version) >= FIRST_VERSION_WITH_TIMESTAMP


class ObjectsAnalysis(Analysis):
    """Collects the objects. Definitions wait in a map for the one that refers to them, which takes them out of it."""

    def __init__(self, begin, complaints):
        states = StateSystem(begin)
        self.rmw_publishers = {}
        self.rmw_subscriptions = {}
        self.rcl_subscriptions = {}
        self.rclcpp_subscriptions = {}
        self.rcl_services = {}
        self.rmw_clients = {}
        self.rcl_timers = {}
        self.timer_callbacks = {}
        self.callback_owners = {}
        super().__init__(states, states, complaints)

    def feed(self, event):
        if event.name == "rcl_init":
            self.states.set(("version", event.process), event.time, event.fields.get("version", VERSION_UNKNOWN))
        self.has_timestamps(event)  # asked once for publishers
        self.has_timestamps(event)  # and once for subscriptions
        handler = self.handlers.get(event.name)
        if handler:
            handler(event)

    def take_out(self, waiting, key, what):
        event = waiting.pop(key, None)
        if event is None:
            self.complaints.error(f"no {what}")
        return event

    def handle_rcl_node_init(self, event):
        namespace = field(event, "namespace")
        separator = "" if namespace.endswith("/") else "/"
        node = Node(handle(event, "node_handle"), namespace + separator + field(event, "node_name"))
        self.states.set(("node", node.handle), event.time, node)

    def handle_rmw_publisher_init(self, event):
        self.rmw_publishers[handle(event, "rmw_publisher_handle")] = event

    def handle_rcl_publisher_init(self, event):
        if field(event, "topic_name") == "/rosout":
            return
        publisher = Publisher(handle(event, "publisher_handle"), handle(event, "rmw_publisher_handle"),
                              field(event, "topic_name"), handle(event, "node_handle"))
        rmw_event = self.take_out(self.rmw_publishers, publisher.rmw_handle, "rmw_publisher_init of rcl_publisher_init")
        if rmw_event is None:
            return
        field(rmw_event, "gid")
        if not self.has_timestamps(event):
            self.complaints.error("no dds:create_writer of rmw_publisher_init")
            return
        self.states.set(("publisher", publisher.handle), rmw_event.time, publisher)

    def handle_rmw_subscription_init(self, event):
        self.rmw_subscriptions[handle(event, "rmw_subscription_handle")] = event

    def handle_rcl_subscription_init(self, event):
        self.rcl_subscriptions[handle(event, "subscription_handle")] = event

    def handle_rclcpp_subscription_init(self, event):
        self.rclcpp_subscriptions[handle(event, "subscription")] = event

    def handle_rclcpp_subscription_callback_added(self, event):
        subscription = handle(event, "subscription")
        callback = handle(event, "callback")
        rclcpp_event = self.take_out(self.rclcpp_subscriptions, subscription,
                                     "rclcpp_subscription_init of rclcpp_subscription_callback_added")
        if rclcpp_event is None:
            return
        rcl_handle = handle(rclcpp_event, "subscription_handle")
        rcl_event = self.take_out(self.rcl_subscriptions, rcl_handle,
                                  "rcl_subscription_init of rclcpp_subscription_init")
        if rcl_event is None:
            return
        rmw_handle = handle(rcl_event, "rmw_subscription_handle")
        rmw_event = self.take_out(self.rmw_subscriptions, rmw_handle, "rmw_subscription_init of rcl_subscription_init")
        if rmw_event is None:
            return
        field(rmw_event, "gid")
        if not self.has_timestamps(event):
            self.complaints.error("no dds:create_reader of rmw_subscription_init")
            return
        self.callback_owners[callback] = ("subscription", rcl_handle)
        self.states.set(("subscription", rcl_handle), rmw_event.time,
                        Subscription(rcl_handle, rmw_handle, field(rcl_event, "topic_name"),
                                     handle(rcl_event, "node_handle"), subscription, callback))

    def handle_rcl_timer_init(self, event):
        self.rcl_timers[handle(event, "timer_handle")] = event

    def handle_rclcpp_timer_callback_added(self, event):
        timer = handle(event, "timer_handle")
        self.timer_callbacks[timer] = event
        self.callback_owners[handle(event, "callback")] = ("timer", timer)

    def handle_rclcpp_timer_link_node(self, event):
        timer = handle(event, "timer_handle")
        callback_event = self.take_out(self.timer_callbacks, timer,
                                       "rclcpp_timer_callback_added of rclcpp_timer_link_node")
        if callback_event is None:
            return
        rcl_event = self.take_out(self.rcl_timers, timer, "rcl_timer_init of rclcpp_timer_link_node")
        if rcl_event is None:
            return
        self.states.set(("timer", timer), event.time,
                        Timer(timer, field(rcl_event, "period"), handle(callback_event, "callback"),
                              handle(event, "node_handle")))

    def handle_rcl_service_init(self, event):
        self.rcl_services[handle(event, "service_handle")] = event

    def handle_rclcpp_service_callback_added(self, event):
        service = handle(event, "service_handle")
        callback = handle(event, "callback")
        self.callback_owners[callback] = ("service", service)
        rcl_event = self.take_out(self.rcl_services, service, "rcl_service_init of rclcpp_service_callback_added")
        if rcl_event is None:
            return
        self.states.set(("service", service), event.time,
                        Service(service, handle(rcl_event, "rmw_service_handle"), field(rcl_event, "service_name"),
                                handle(rcl_event, "node_handle"), callback))

    def handle_rmw_client_init(self, event):
        self.rmw_clients[handle(event, "rmw_client_handle")] = event

    def handle_rcl_client_init(self, event):
        rmw_handle = handle(event, "rmw_client_handle")
        rmw_event = self.take_out(self.rmw_clients, rmw_handle, "rmw_client_init of rcl_client_init")
        if rmw_event is not None:
            client = handle(event, "client_handle")
            self.states.set(("client", client), event.time,
                            Client(client, rmw_handle, field(event, "service_name"), field(rmw_event, "gid"),
                                   handle(event, "node_handle")))

    def handle_rclcpp_callback_register(self, event):
        callback = handle(event, "callback")
        owner = self.callback_owners.pop(callback, None)
        if owner is None:
            self.complaints.error("no owner of the callback of rclcpp_callback_register")
            return
        self.states.set(("callback", callback), event.time,
                        Callback(callback, owner[1], field(event, "symbol"), owner[0]))


class MessagesAnalysis(Analysis):
    """Collects publications, takes and executions of callbacks. A message is known by process and address."""

    def __init__(self, objects, complaints):
        super().__init__(StateSystem(objects.begin), objects, complaints)
        self.known_rmw_publishers = set()
        self.rclcpp_publish = {}
        self.rcl_publish = {}
        self.rmw_take = {}
        self.publications = {}
        self.takes = {}
        self.callback_start = {}
        self.publications_in_callback = collections.defaultdict(list)
        self.transports = collections.defaultdict(list)
        self.client_handles = {}
        self.service_handles = {}
        self.requests = {}
        self.responses = {}
        self.subscriptions_by_rmw_handle = collections.defaultdict(list)
        for key, attribute in objects.attributes.items():
            if key[0] == "subscription":
                for rmw_handle in dict.fromkeys(value.rmw_handle for value in attribute.values()):
                    self.subscriptions_by_rmw_handle[rmw_handle].append(attribute)
            elif key[0] == "node" and len(attribute.values()) > 1:
                self.complaints.error("more than one node with one handle")

    def feed(self, event):
        if self.has_timestamps(event) and event.name == "rcl_publisher_init":
            self.known_rmw_publishers.add(handle(event, "rmw_publisher_handle"))
        self.has_timestamps(event)
        if event.name not in ("rclcpp_publish", "rcl_publish"):
            if self.has_timestamps(event) and event.name == "rmw_publish":
                self.publish(event)
        handler = self.handlers.get(event.name)
        if handler:
            handler(event)

    def node_is_known(self, node, time):
        if self.objects.at(("node", node), time) is None:
            self.complaints.error("no node of the object")
            return False
        return True

    def handle_rclcpp_publish(self, event):
        self.rclcpp_publish[handle(event, "message")] = event

    def handle_rcl_publish(self, event):
        self.rcl_publish[handle(event, "message")] = event

    def publish(self, event):
        if handle(event, "rmw_publisher_handle") not in self.known_rmw_publishers:
            return
        message = handle(event, "message")
        rcl_event = self.rcl_publish.pop(message, None)
        if rcl_event is None:
            self.complaints.error("no rcl_publish of rmw_publish")
            return
        publisher = self.objects.at(("publisher", handle(rcl_event, "publisher_handle")), event.time)
        if publisher is None:
            self.complaints.error("no publisher of rcl_publish")
            return
        rclcpp_event = self.rclcpp_publish.pop(message, None)
        if rclcpp_event is None:
            return
        timestamp = field(event, "timestamp")
        if not self.node_is_known(publisher.node, event.time):
            return
        key = ("publication", publisher.handle)
        self.states.set(key, rclcpp_event.time, Publication(publisher.handle, event.thread, message, timestamp))
        self.states.set(key, event.time, None)
        self.publications[(timestamp, publisher.topic)] = (publisher.handle, event.time)
        self.publications_in_callback[event.thread].append((publisher.handle, rclcpp_event.time))

    def handle_rmw_take(self, event):
        self.rmw_take[handle(event, "message")] = event

    def subscription_of(self, rmw_handle, time):
        for attribute in self.subscriptions_by_rmw_handle.get(rmw_handle, ()):
            subscription = attribute.at(time)
            if subscription is not None and subscription.rmw_handle == rmw_handle:
                return subscription
        return None

    def handle_rclcpp_take(self, event):
        message = handle(event, "message")
        rmw_event = self.rmw_take.pop(message, None)
        if rmw_event is None:
            self.complaints.error("no rmw_take of rclcpp_take")
            return
        timestamp = field(rmw_event, "source_timestamp")
        subscription = self.subscription_of(handle(rmw_event, "rmw_subscription_handle"), event.time)
        if subscription is None:
            self.complaints.error("no subscription of rmw_take")
            return
        self.takes[subscription.handle] = Take(subscription.handle, event.thread, message, timestamp, rmw_event.time,
                                               event.time)
        source = self.publications.get((timestamp, subscription.topic))
        if source is None:
            self.complaints.error("no publication of the taken message")
            return
        self.add_transport("transport", Transport(source[0], subscription.handle, source[1], rmw_event.time))

    def add_transport(self, kind, transport):
        """Transports of one publisher and subscription may overlap: each goes to the first attribute with room."""
        attributes = self.transports[(transport.publisher, transport.subscription)]
        for index, key in enumerate(attributes):
            attribute = self.states.attributes[key]
            if all(value is None and not (transport.begin < begin and end < transport.end)
                   for begin, end, value in attribute.overlapping(transport.begin, transport.end, self.states.latest)):
                break
        else:
            key = (kind, transport.publisher, transport.subscription, len(attributes))
            attributes.append(key)
        self.states.set(key, transport.begin, transport)
        self.states.set(key, transport.end, None)

    def handle_rcl_client_init(self, event):
        self.client_handles[handle(event, "rmw_client_handle")] = handle(event, "client_handle")

    def handle_rcl_service_init(self, event):
        self.service_handles[handle(event, "rmw_service_handle")] = handle(event, "service_handle")

    def client_of(self, event):
        client_handle = self.client_handles.get(handle(event, "rmw_client_handle"))
        if client_handle is None:
            self.complaints.error("no rcl_client_init of the rmw client")
            return None
        client = self.objects.at(("client", client_handle), event.time)
        if client is None:
            self.complaints.error("no client of the request or response")
        return client

    def service_handle_of(self, event):
        service_handle = self.service_handles.get(handle(event, "rmw_service_handle"))
        if service_handle is None:
            self.complaints.error("no rcl_service_init of the rmw service")
        return service_handle

    def add_step(self, event, key, value):
        self.states.set(key, event.time - CALL_STEP_NS, value)
        self.states.set(key, event.time, None)

    def handle_rmw_send_request(self, event):
        client = self.client_of(event)
        if client is None or not self.node_is_known(client.node, event.time):
            return
        self.add_step(event, ("request", client.handle),
                      Publication(client.handle, event.thread, field(event, "request"), event.time))
        self.requests[(client.gid, field(event, "sequence_number"))] = (client.handle, event.time)

    def handle_rmw_take_request(self, event):
        service_handle = self.service_handle_of(event)
        if service_handle is None:
            return
        source = self.requests.get((field(event, "client_gid"), field(event, "sequence_number")))
        if source is None:
            # its message about this cannot be formatted (Ros2Request.toString)
            raise AnalysisFailed("no request of rmw_take_request")
        begin = event.time - CALL_STEP_NS
        self.takes[service_handle] = Take(service_handle, event.thread, field(event, "request"), source[1], begin,
                                          event.time)
        self.add_transport("request_transport", Transport(source[0], service_handle, source[1], begin))

    def handle_rmw_send_response(self, event):
        service_handle = self.service_handle_of(event)
        if service_handle is None:
            return
        service = self.objects.at(("service", service_handle), event.time)
        if service is None:
            self.complaints.error("no service of rmw_send_response")
            return
        if not self.node_is_known(service.node, event.time):
            return
        self.add_step(event, ("response", service.handle),
                      Publication(service.handle, event.thread, field(event, "response"), event.time))
        key = (field(event, "client_gid"), field(event, "sequence_number"), field(event, "timestamp"))
        self.responses[key] = (service.handle, event.time)

    def handle_rmw_take_response(self, event):
        client = self.client_of(event)
        if client is None or not self.node_is_known(client.node, event.time):
            return
        begin = event.time - CALL_STEP_NS
        timestamp = field(event, "source_timestamp")
        self.add_step(event, ("response_take", client.handle),
                      Take(client.handle, event.thread, field(event, "response"), timestamp, begin, event.time))
        source = self.responses.get((client.gid, field(event, "sequence_number"), timestamp))
        if source is None:
            raise AnalysisFailed("no response of rmw_take_response")
        self.add_transport("response_transport", Transport(source[0], client.handle, source[1], begin))

    def handle_callback_start(self, event):
        self.callback_start[handle(event, "callback")] = event
        self.publications_in_callback.pop(event.thread, None)

    def handle_callback_end(self, event):
        callback = handle(event, "callback")
        start = self.callback_start.pop(callback, None)
        if start is None:
            self.complaints.error("no callback_start of callback_end")
            return
        registered = self.objects.at(("callback", callback), event.time)
        if registered is None:
            self.complaints.error("no owner of the callback of callback_end")
            return
        self.add_execution(registered, start, event)
        for publisher, time in self.publications_in_callback.pop(start.thread, ()):
            key = ("link", registered.owner, publisher)
            self.states.set(key, time, Link(registered.owner, publisher, time))
            self.states.set(key, time + 1, None)

    def add_execution(self, callback, start, event):
        execution = Execution(callback.owner, start.thread, field(start, "is_intra_process") == 1, start.time,
                              event.time, None)
        begin = start.time
        if callback.kind != "timer":
            take = self.takes.pop(callback.owner, None)
            if take is None:
                self.complaints.error("no take of the callback")
                return
            execution = execution._replace(take=take)
            begin = take.begin
        owner = self.objects.at((callback.kind, callback.owner), event.time)
        if owner is None:
            self.complaints.error(f"no {callback.kind} of the callback")
            return
        if not self.node_is_known(owner.node, event.time):
            return
        key = (f"{callback.kind}_execution", owner.handle)
        self.states.set(key, begin, execution)
        self.states.set(key, event.time, None)


COLUMNS = ("nodes", "publishers", "subscriptions", "timers", "services", "callbacks", "publications", "transports",
           "subscription_executions", "matched_executions", "timer_executions", "links", "errors", "warnings",
           "requests", "responses", "service_executions")


def replay(events):
    """Counts by the names of COLUMNS, and the complaints behind `errors` and `warnings`. Raises AnalysisFailed."""
    complaints = Complaints()
    events = [event._replace(name=event.name[len("ros2:"):]) for event in events if event.name.startswith("ros2:")]
    begin = min((event.time for event in events), default=0)
    objects = ObjectsAnalysis(begin, complaints)
    for event in events:
        objects.feed(event)
    messages = MessagesAnalysis(objects.states, complaints)
    for event in events:
        messages.feed(event)

    transports = messages.states.values("transport")
    arrivals = {(transport.subscription, transport.end) for transport in transports}
    executions = messages.states.values("subscription_execution")
    counts = {
        "nodes": objects.states.count("node"),
        "publishers": objects.states.count("publisher"),
        "subscriptions": objects.states.count("subscription"),
        "timers": objects.states.count("timer"),
        "services": objects.states.count("service"),
        "callbacks": objects.states.count("callback"),
        "publications": len(messages.states.values("publication")),
        "transports": len(transports),
        "subscription_executions": len(executions),
        "matched_executions": sum(1 for execution in executions
                                  if (execution.owner, execution.take.begin) in arrivals),
        "timer_executions": len(messages.states.values("timer_execution")),
        "links": len(messages.states.values("link")),
        "errors": sum(complaints.errors.values()),
        "warnings": sum(complaints.warnings.values()),
        "requests": len(messages.states.values("request_transport")),
        "responses": len(messages.states.values("response_transport")),
        "service_executions": len(messages.states.values("service_execution")),
    }
    return counts, complaints
