#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Named paths against the programs' logs.

usage: check_named_paths.py ROS2_LATENCY RECORDING PATHS FLOWS

PATHS: of PATHS_OF, below. FLOWS: how many complete flows of each path there must be, separated by "+". Each of them must be
one that the logs have: they say which message a callback published, and which one it got or had kept (in_seq). An input that
is answered must be answered by the first output that the logs have for it or for a later one, also where something was not
recorded; and the hops must add up to the latency.
"""

import bisect
import collections
import os
import sys
import tempfile

import logs
import report

MS = 1000000
# name → nodes and topics in turn; nodes that keep messages, with their topics in the order of the log's in_seq
PATHS_OF = {
    "lidar": ({"lidar to actuator": "/lidar > /lidar > /filter > /lidar_f > /control > /cmd > /actuator"}, {}),
    "join": ({"a to ext": "/src > /a > /f1 > /c > /join > /e > /ext",
              "a to k1": "/src > /a > /f1 > /c > /join > /e > /k1",
              "b to ext": "/src > /b > /f2 > /d > /join > /e > /ext",
              "cam to disp": "/cam > /img > /filt > /img_f > /disp"}, {"/join": ["/c", "/d"]}),
}
ARCHITECTURE = """named_paths: [%s]
executors: []
nodes: [%s]
"""


def architecture(paths, keeping):
    chains = []
    for name, path in paths.items():
        parts = path.split(" > ")
        nodes, topics = parts[::2], [None] + parts[1::2] + [None]
        chain = ["{node_name: %s, subscribe_topic_name: %s, publish_topic_name: %s}" % (
            node, topics[i] or "UNDEFINED", topics[i + 1] or "UNDEFINED") for i, node in enumerate(nodes)]
        chains.append("{path_name: %s, node_chain: [%s]}" % (name, ", ".join(chain)))
    nodes = ["{node_name: %s, message_contexts: [%s]}" % (node, ", ".join(
        "{context_type: use_latest_message, subscription_topic_name: %s, publisher_topic_name: /e}" % topic for topic in topics))
             for node, topics in keeping.items()]
    return ARCHITECTURE % (", ".join(chains), ", ".join(nodes))


class Log:
    def __init__(self, recording, offset_ns, keeping):
        lines = logs.read(recording, offset_ns)
        self.keeping = keeping
        self.publications = {(line.name, line.sequence): line for line in lines if line.kind == "publish"}
        self.callbacks = {}
        for line in lines:
            if line.kind == "callback":
                self.callbacks.setdefault(line.vtid, []).append(line)
        self.received = {}
        for line in lines:
            if line.kind == "callback":
                self.received.setdefault((line.node.lstrip("/"), line.name), []).append(line)

    def around(self, publication):
        """The callback that published."""
        lines = self.callbacks.get(publication.vtid, [])
        place = bisect.bisect_right([line.start_ns for line in lines], publication.start_ns) - 1
        return lines[place] if place >= 0 and lines[place].end_ns >= publication.start_ns else None

    def came_from(self, publication, node, topic):
        """The sequence number of the message on the topic that a publication is made of."""
        callback = self.around(publication)
        if not callback or callback.node.lstrip("/") != node.lstrip("/"):
            return None
        if callback.name == topic:
            return callback.sequence
        # the last in_seq of a log line stands for all that have the same
        return int(callback.extra["in_seq"]) if node in self.keeping and "in_seq" in callback.extra else None

    def flows(self, path):
        """(start, end) of each message at the end, walked back to the publication that it comes from."""
        parts = path.split(" > ")
        nodes, topics = parts[::2], parts[1::2]
        for end in self.received.get((nodes[-1].lstrip("/"), topics[-1]), []):
            sequence = end.sequence
            for hop in range(len(topics) - 1, -1, -1):
                publication = self.publications.get((topics[hop], sequence))
                if not publication or hop == 0:
                    break
                sequence = self.came_from(publication, nodes[hop], topics[hop - 1])
            if publication:
                yield publication, end


def check_flows(name, flows, truth):
    """Each flow is one of the log."""
    truth = sorted(truth, key=lambda pair: pair[1].start_ns)
    times = [end.start_ns for _, end in truth]
    for flow in flows:
        place = bisect.bisect_left(times, int(flow["last_callback_start_ns"]))
        origin_ns = int(flow["origin_start_ns"])
        # callbacks may start together on several threads, and are preempted before they log
        near = [start for start, _ in truth[max(place - 3, 0):place + 6]]
        if not any(start.start_ns - 2 * MS <= origin_ns <= start.end_ns + 2 * MS for start in near):
            yield "%s: no flow of the log from %d to %s" % (name, origin_ns, flow["last_callback_start_ns"])


def first_outputs(truth, publications):
    """Time of input → time of the first output that answers it, of all inputs of the log."""
    ends = {}
    for start, end in truth:
        ends[start.start_ns] = min(end.start_ns, ends.get(start.start_ns, end.start_ns))
    answers, low = {}, None
    for start_ns in sorted((line.start_ns for line in publications), reverse=True):
        own = ends.get(start_ns)
        answer = own if own is not None else low
        if own is not None:
            low = own if low is None else min(low, own)
        if answer is not None:
            answers[start_ns] = answer
    return answers


def check_responses(name, responses, answers):
    """The log of a program may begin after its first publication: one input may have no line."""
    times = sorted(answers)
    without = 0
    for row in responses:
        if row["case"] != "all":
            continue
        start_ns = int(row["start_ns"])
        place = bisect.bisect_right(times, start_ns)
        expected = [answers[time] - time for time in times[max(place - 1, 0):place + 1] if abs(time - start_ns) < MS]
        without += not expected
        if (expected or without > 1) and not any(abs(int(row["response_ns"]) - time) < 2 * MS for time in expected):
            yield "%s: input at %d answered after %s ns, by the log %s" % (name, start_ns, row["response_ns"], expected)


def check_hops(name, row, hops):
    total = sum(float(hop[part] or 0) for hop in hops
                for part in ("transport_mean_ns", "wait_mean_ns", "callback_mean_ns", "kept_mean_ns"))
    if abs(total - float(row["latency_mean_ns"])) > 10:
        yield "%s: mean %s ns, sum of the hops %.0f ns" % (name, row["latency_mean_ns"], total)


def check_ages(name, row, flows, responses):
    """An age is the external response of the output that replaces it, where flows do not overtake one another; where nothing is
    unknown either, there are no other external responses but that to the first output, and the maxima are the same."""
    flows = sorted((int(flow["origin_start_ns"]), int(flow["last_callback_start_ns"])) for flow in flows)
    ends = [end for _, end in flows]
    if ends != sorted(ends):
        return
    of_case = {case: collections.Counter((int(line["start_ns"]), int(line["response_ns"])) for line in responses
                                         if line["case"] == case) for case in ("age", "external")}
    ages, external = of_case["age"], of_case["external"]
    if not ages or ages - external:
        yield "%s: %d ages, such as %s, which are no external responses" % (name, len(ages), list(ages - external)[:1])
    others = [(start, response) for start, response in external - ages if start + response > ends[0]]
    if row["unknown"] == "0" and (others or row["age_max_ns"] != row["response_external_max_ns"]):
        yield "%s: maximum age %s, external response %s, %s" % (name, row["age_max_ns"], row["response_external_max_ns"], others[:1])


def check(name, path, expected, log, result):
    row = next(row for row in result["named_paths"] if row["name"] == name)
    mine = [line for line in result["named_path_instances"] if line["named_path_id"] == row["named_path_id"]]
    complete = [line for line in mine if line["outcome"] == "complete"]
    truth = list(log.flows(path))
    inputs = [line for (topic, _), line in log.publications.items() if topic == path.split(" > ")[1]]
    if len(complete) != expected or int(row["count"]) != expected:
        yield "%s: %d complete flows, counted as %s, expected %d" % (name, len(complete), row["count"], expected)
    for outcome in ("lost", "unknown", "stopped"):
        if int(row[outcome]) != sum(line["outcome"] == outcome for line in mine):
            yield "%s: %s flows are %s, others in the instances" % (name, row[outcome], outcome)
    yield from check_flows(name, complete, truth)
    yield from check_responses(name, (line for line in result["response_instances"]
                                      if line["named_path_id"] == row["named_path_id"]),
                               first_outputs(truth, inputs))
    yield from check_ages(name, row, complete, [line for line in result["response_instances"]
                                                if line["named_path_id"] == row["named_path_id"]])
    yield from check_hops(name, row, [hop for hop in result["named_path_hops"] if hop["named_path_id"] == row["named_path_id"]])


def main():
    command, recording, name, expected = sys.argv[1:]
    paths, keeping = PATHS_OF[name]
    log = Log(recording, report.clock_offset_ns(recording), keeping)
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "architecture.yaml")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(architecture(paths, keeping))
        for options in ["--architecture=" + file], ["--named-path=%s: %s" % path for path in paths.items()]:
            if keeping and not options[0].startswith("--arch"):
                continue
            result = report.of(command, recording, "--instances", "--table=named_paths", *options).tables()
            for count, (path, chain) in zip(expected.split("+"), paths.items()):
                complaints += check(path, chain, int(count), log, result)
    print("%s: %d paths" % (recording, len(paths)))
    report.finish(complaints)


main()
